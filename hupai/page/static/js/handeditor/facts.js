// The facts assumed about a hand, each on a chip; a tap changes it.
import { app } from "../state/app.js";
import { answer } from "../state/draft.js";
import { currentRules } from "../state/rules.js";
import { set } from "../state/settings.js";
import { h, icon } from "../dom/dom.js";
import { number, t } from "../words/i18n.js";
import { faultsAt } from "../scoring/live.js";
import { seatChoices, seatName } from "../names/seats.js";
import { seatsTaken } from "../hand/seats.js";
import { known, prompts, questions, spokenNumber, unanswered, valueOf } from "../scoring/questions.js";
import { askHint, askLabel, ownWord } from "../names/systems.js";
import { chip, chipRow, fold, select, stepper } from "../controls/fields.js";
import { openIndicators } from "./addsheet.js";
import { fedField, indicatorField, liableField, responsibleField } from "./rarequestions.js";
import { tileName } from "../faces/tile.js";
import { asksWho, whoRows } from "./who.js";

/** Who else declared: the ledger needs to know who laid a stick; the winner's own riichi is asked above. */
export function declaredField(/** @type {Answers} */ context, /** @type {(seats: Seat[]) => void} */ put) {
  const others = seatChoices(seatsTaken().filter((s) => s !== context.seat));
  return chipRow("declared", t("ask.declared"), others, context.declared ?? [], put);
}

/** Fewer than ten honours win nothing: the first step up goes to ten, and one step down from ten goes to none. */
const stepped = (/** @type {string} */ name, /** @type {any} */ v, /** @type {number} */ before) =>
  name === "honours" && v > 0 && v < 10 ? (v > before ? 10 : 0) : v;

/** Sets the indicator; whether a tile is turned up at all is remembered for the next hands. */
export function sayIndicator(/** @type {string | null} */ indicator) {
  set({ fortune: indicator === "permanent" ? indicator : "tile" });
  answer({ indicator });
}

const labelOf = (/** @type {Api.ContextFieldBody} */ ask) => askLabel(currentRules(), ask);

/**
 * The control of a question, by its `name` where the same is asked twice.
 * @param {Omit<Asked, "label"> & {name?: string}} asked
 */
export function askField({ ask, value, put, name = ask.name, faults = [] }) {
  const label = labelOf(ask);
  const hint = askHint(currentRules(), ask);
  switch (ask.kind) {
    case "switch":
      return chip(name, label, value === true, put, { faults });
    case "number":
      return stepper(
        name,
        label,
        spokenNumber(ask, value),
        (v) => put(stepped(ask.name, v + ask.low, value ?? 0)),
        { faults, hint },
      );
    case "seat": {
      const none = ask.default === null ? [{ value: null, label: t("nobody") }] : [];
      const seats = seatsTaken().map((s) => ({ value: s, label: ask.name === "round" ? t(`seat.${s}`) : seatName(s) }));
      return select(name, label, [...none, ...seats], value, put, { faults, hint });
    }
    case "tile":
      return indicatorField({ ask, label, value, put, faults });
    case "liable":
      return liableField({ ask, label, value, put, faults });
    case "responsible":
      return responsibleField({ ask, label, value, put, faults });
    case "fed":
      return fedField({ label, value: value ?? {}, put, faults });
    default:
      return null;
  }
}

function control(/** @type {Api.ContextFieldBody} */ ask, /** @type {Answers} */ context) {
  const put = ask.kind === "tile" ? sayIndicator : (/** @type {any} */ v) => answer({ [ask.name]: v });
  return askField({ ask, value: valueOf(ask, context), put, faults: faultsAt(`context.${ask.name}`) });
}

// The assumed value of a fact, in a word or two.
function factWords(/** @type {Api.ContextFieldBody} */ ask, /** @type {Answers} */ context) {
  const value = valueOf(ask, context);
  if (ask.kind === "number") return number(spokenNumber(ask, value));
  if (ask.kind === "seat") {
    return value === null ? t("nobody") : ask.name === "round" ? t(`seat.${value}`) : seatName(value);
  }
  if (value === "permanent") return t("indicator.permanent");
  return value ? tileName(value) : t("none");
}

function fact(/** @type {Api.ContextFieldBody} */ ask, /** @type {Answers} */ context) {
  return h(
    "details.fact",
    { open: faulty(ask), "data-field": ask.name, key: ask.name },
    h(
      "summary.chip",
      { "data-key": `fact-${ask.name}` },
      h("span", t("label", { name: labelOf(ask) }), h("b", factWords(ask, context))),
      icon("down"),
    ),
    control(ask, context),
  );
}

// Indicators that nobody has named.
const noneYet = (/** @type {Api.ContextFieldBody} */ ask) =>
  h(
    "button.chip",
    { key: ask.name, "data-key": `fact-${ask.name}`, onclick: () => openIndicators(ask.name) },
    h("span", t("label", { name: labelOf(ask) }), h("b", t("none"))),
    icon("plus"),
  );

// Won on a tile claimed from a kong instead of a discard, by all who won on it.
function robbed(/** @type {Answers} */ context) {
  if (app.draft.wins.length || context.win === undefined || context.win === "self_draw") return null;
  const on = context.win === "robbed_kong";
  return chip("robbed_kong", ownWord("win.robbed_kong"), on, (yes) => answer({ win: yes ? "robbed_kong" : "discard" }));
}

// Shown with the indicators where there is a tray, elsewhere with the others.
const IN_TRAY = ["riichi", "double_riichi", "ippatsu"];

/** Riichi and what belongs to it, as chips, where the rules ask for it and the hand may have it. */
export const riichiChips = () =>
  questions()
    .filter((ask) => IN_TRAY.includes(ask.name))
    .map((ask) => control(ask, known()));

// Whose something is that most tables do not have: the break of the wall.
const isNobodys = (/** @type {Api.ContextFieldBody} */ { kind, default: usual }) => kind === "seat" && usual === null;

let rareLeft = false; // whether the player left the rare questions open

/** The chips of assumed facts for one screen; `tray`: the hand is shown above, with riichi among its indicators. */
export function factsCard({ tray = true } = {}) {
  const rules = currentRules();
  const context = known();
  const asked = questions().filter((a) => !tray || !IN_TRAY.includes(a.name));
  const chips = asked.filter((a) => a.kind === "switch");
  const rare = asked.filter((a) => a.place === "rare" || isNobodys(a));
  const facts = asked.filter((a) => a.kind !== "switch" && !rare.includes(a));
  const on = chips.filter((a) => valueOf(a, context) === true);
  const rareOpen = rare.some((a) => context[a.name] !== undefined && context[a.name] !== a.default) ||
    rare.some(faulty);
  return h(
    "section.card.asking.stack",
    { "aria-label": t("asking.title"), id: "asking" },
    tray && !asksWho(unanswered()) && whoRows(),
    h(
      "div",
      h("h3.minor", t("asking.granted")),
      h(
        "div.chips",
        facts.map((a) => fact(a, context)),
        prompts().filter((a) => a.kind === "tiles").map(noneYet),
        robbed(context),
        chips.map((a) => control(a, context)),
      ),
      on.length > 0 &&
        h("ul.hint", on.map((a) => h("li", askHint(currentRules(), a)))),
    ),
    app.game && rules.riichi_sticks && declaredField(context, (seats) => answer({ declared: seats })),
    rare.length > 0 &&
      fold("fold-rare", t("asking.rare"), rare.map((a) => control(a, context)), {
        open: rareOpen || rareLeft,
        ontoggle: (event) => (rareLeft = event.target.open),
      }),
  );
}

const faulty = (/** @type {Api.ContextFieldBody} */ ask) => faultsAt(`context.${ask.name}`).length > 0;
