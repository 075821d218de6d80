// What nearly every hand of the rules turns on and nobody has said yet, as keys beside the amounts.
import { answer } from "../state/draft.js";
import { currentRules } from "../state/rules.js";
import { h, icon } from "../dom/dom.js";
import { number, signed, t } from "../words/i18n.js";
import { askLabel } from "../names/systems.js";
import { openPrompts, spokenNumber, valueOf } from "../scoring/questions.js";
import { stepper } from "../controls/fields.js";
import { openIndicators } from "./addsheet.js";
import { sayIndicator } from "./facts.js";
import { openIndicator } from "./rarequestions.js";

/**
 * The keys that ask, each with what an answer would change for the winner.
 * @param {Api.ScoreBody} answered what was asked for with `open`; where no answer makes it a win, nothing is asked
 */
export function promptKeys(answered) {
  const { legal, open } = answered;
  if (!legal && !open?.some((one) => one.legal)) return null;
  const found = (/** @type {Api.ContextFieldBody} */ ask) =>
    open?.find(({ name, change }) => name === ask.name && Number(change) !== 0);
  const asked = openPrompts(answered);
  return asked.length > 0 &&
    h("div.prompts", { role: "group", "aria-label": t("why.open") }, asked.map((ask) => key(ask, found(ask))));
}

/** @type {(ask: Api.ContextFieldBody, supposed: Api.OpenBody | undefined) => any} */
function key(ask, supposed) {
  const { name, low } = ask;
  const label = askLabel(currentRules(), ask);
  const change = supposed && signed(supposed.change);
  const put = (/** @type {any} */ value) => answer({ [name]: value });
  if (ask.kind === "number") {
    const hint = change && t("label", { name: number(spokenNumber(ask, supposed.value)) }) + change;
    return stepper(`prompt-${name}`, label, spokenNumber(ask, valueOf(ask)), (n) => put(n + low), { hint });
  }
  const on = valueOf(ask) === true;
  const acts = {
    switch: () => put(!on),
    tiles: () => openIndicators(name),
    tile: () => openIndicator({ label, value: null, put: sayIndicator }),
  };
  return h(
    "button.chip",
    {
      key: name,
      "data-key": `prompt-${name}`,
      "aria-pressed": ask.kind === "switch" ? String(on) : null,
      onclick: acts[/** @type {keyof typeof acts} */ (ask.kind)],
    },
    on && icon("check"),
    on ? label : t("prompts.ask", { name: label }),
    !on && change && h("small", change),
  );
}
