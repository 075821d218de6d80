// "Why not more?": elements that are met but not counted, other readings, the next step, other house rules.
import { currentRules } from "../state/rules.js";
import { post } from "../api/api.js";
import { withoutOwnStick } from "../scoring/live.js";
import { openPrompts, valueOf } from "../scoring/questions.js";
import { h, icon } from "../dom/dom.js";
import { language, number, signed, t, worded } from "../words/i18n.js";
import { rich } from "../faces/rich.js";
import { troubleWords } from "../words/words.js";
import { askLabel, elementName } from "../names/systems.js";
import { askedFold } from "../controls/fields.js";
import { optionLabel, valueWords } from "../rules/option.js";

const SHOWN = 6; // how many house rules are shown, those with the greatest effect

/** @type {ReturnType<typeof askedFold<Api.ScoreBody>>} */
const card = askedFold("why");

const part = (/** @type {string} */ title, /** @type {any[]} */ items) =>
  items.length > 0 &&
  [
    h("h3.minor", t(title)),
    h("ul.why-list", items.map((item) => h("li", item))),
  ];

function ruleWords(/** @type {Api.OtherRule} */ { option: name, value, legal, income, change }) {
  const rules = currentRules();
  const option = rules.options.find((one) => one.name === name);
  if (!option) return [name];
  const words = t("label", { name: optionLabel(rules, option) }) + valueWords(rules, option, value);
  return [
    words,
    " · ",
    h("b", legal ? t("why.change", { change: signed(change), income: number(income) }) : t("score.no_win")),
  ];
}

// What nobody has said, with what an answer would change.
function openWords(/** @type {Api.ScoreBody} */ answer) {
  const rules = currentRules();
  return openPrompts(answer).filter((ask) => valueOf(ask) !== true).map((ask) => {
    const found = answer.open?.find(({ name, change }) => name === ask.name && Number(change) !== 0);
    const hint = worded(`ask.${ask.name}.open`, "");
    return [
      askLabel(rules, ask),
      hint && ` (${hint})`,
      found && [" · ", h("b", t("why.change", { change: signed(found.change), income: number(found.income) }))],
    ];
  });
}

/** @type {(answer: Api.ScoreBody, why: Api.WhyBody) => any} */
function whyList(answer, why) {
  const counted = why.not_counted.map((left) => [
    h("b", elementName(currentRules().id, left)),
    " · ",
    rich(left.why),
  ]);
  const parts = [
    part("why.open", openWords(answer)),
    part("why.not_counted", counted),
    part("why.else", why.second_best ? [rich(why.second_best)] : []),
    part("why.next", why.next_steps.map((step) => rich(step.sentence))),
    part("why.house", why.house_rules.slice(0, SHOWN).map(ruleWords)),
  ];
  return parts.some(Boolean) ? parts : h("p.soft", t("why.nothing"));
}

/** The fold; the server is asked when it is opened. */
export function whyMore(/** @type {Scored} */ { request }) {
  const asked = withoutOwnStick(request);
  const about = JSON.stringify([language(), asked]);
  const ask = () => post("/score", { ...asked, why: true, open: true });
  return card("fold-why", t("why.title"), { about, ask }, ({ answer, error }) => {
    const inside = answer?.why
      ? whyList(answer, answer.why)
      : error
      ? h("p.caution", icon("warn"), troubleWords(error))
      : h("p.soft", t("bar.counting"));
    return h("div.stack", { role: "status" }, inside);
  }, "why-more");
}
