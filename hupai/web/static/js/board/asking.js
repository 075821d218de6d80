// What the camera cannot know about the open hand: who won, how, and what the rules ask beside it.
import { app } from "../app.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { seatName, seatNote } from "../names.js";
import { context, known, questions, RARE, SEATS, TABLE, valueOf, WINS } from "../questions.js";
import { choiceRow, chip, select, stepper } from "../ui/controls.js";
import { fedField, indicatorField, liableField, responsibleField } from "../ui/rare.js";
import { fold } from "./fold.js";
import { board } from "./state.js";

const answers = new Map(); // hand id -> what was answered

// Makes the hand's answers those that questions are answered from.
function answering(hand) {
  if (!answers.has(hand.id)) {
    const before = hand.context ?? {}; // a confirmation that was taken back
    answers.set(hand.id, { ...before.context, ...(before.riichi?.length ? { declared: before.riichi } : {}) });
  }
  app.draft.answers = answers.get(hand.id);
  app.settings.me = null; // on a phone: who won last; here everybody may
}

/** What was answered about a hand. */
export function saidOf(hand) {
  answering(hand);
  return app.draft.answers;
}

/** Takes an answer. */
export function answer(hand, values) {
  answers.set(hand.id, { ...answers.get(hand.id), ...values });
  answering(hand);
}

/** The body of a score or a confirmation: the answers, and who else declared riichi. */
export function bodyOf(hand) {
  const said = saidOf(hand);
  const made = { ...context(rulesOf(), hand.hand) };
  // The table's counters and sticks are the ledger's to know, unless somebody said otherwise.
  for (const name of ["counters", "riichi_sticks"]) {
    delete made[name];
    if (said[name] !== undefined) made[name] = said[name];
  }
  if (said.ura_indicators?.length && (made.riichi || made.double_riichi)) made.ura_indicators = said.ura_indicators;
  return { context: made, riichi: rulesOf().riichi_sticks ? (said.declared ?? []) : [] };
}

/** Whether enough was answered for a score. */
export const enough = (hand) => {
  answering(hand);
  const { seat, win, from } = known();
  return SEATS.includes(seat) && WINS.includes(win) && (win === "self_draw" || from !== undefined);
};

export const rulesOf = () => board.rules.find((r) => r.id === board.game?.rules) ?? board.rules[0];

const seatChoices = (seats) => seats.map((s) => ({ value: s, label: seatName(s), note: seatNote(s) }));

function declared(now, put) {
  const named = now.declared ?? [];
  const flip = (seat) => put({ declared: named.includes(seat) ? named.filter((s) => s !== seat) : [...named, seat] });
  return h("fieldset", { class: "choice" }, h("legend", {}, t("ask.declared")), h("div", { class: "chips" },
    SEATS.filter((s) => s !== now.seat).map((seat) => chip(`declared-${seat}`, seatName(seat), named.includes(seat), () => flip(seat)))));
}

const LOW = { streak: 1 };

function control(ask, now, change) {
  const value = valueOf(ask, now);
  const label = t(`ask.${ask.name}`);
  const hint = t(`ask.${ask.name}.hint`);
  const put = (v) => change({ [ask.name]: v });
  switch (ask.kind) {
    case "switch":
      return chip(ask.name, label, value === true, put);
    case "number":
      return stepper(ask.name, label, value ?? LOW[ask.name] ?? 0, put, { low: LOW[ask.name] ?? 0, hint });
    case "seat": {
      const none = ask.default === null ? [{ value: null, label: t("nobody") }] : [];
      return select(ask.name, label, [...none, ...SEATS.map((s) => ({ value: s, label: ask.name === "round" ? t(`seat.${s}`) : seatName(s) }))], value, put, { hint });
    }
    case "tile":
      return indicatorField(ask, label, value, put, []);
    case "liable":
      return liableField(ask, label, value, put, []);
    case "responsible":
      return responsibleField(label, value, put, []);
    case "fed":
      return fedField(label, value ?? {}, put, []);
    default:
      return null;
  }
}

/** The questions; `change` is called with what was answered. */
export function askingPart(hand, change) {
  answering(hand);
  const rules = rulesOf();
  const now = known();
  const asks = questions(rules, hand.hand, now);
  const chips = asks.filter((a) => a.kind === "switch");
  const rare = asks.filter((a) => RARE.includes(a.name));
  const table = asks.filter((a) => TABLE.includes(a.name));
  const other = asks.filter((a) => a.kind !== "switch" && !rare.includes(a) && !table.includes(a));
  const all = (some) => some.map((a) => control(a, now, change));
  const others = [...seatChoices(SEATS.filter((s) => s !== now.seat)), { value: null, label: t("unknown") }];
  return h("section", { class: "card stack asking", "aria-label": t("asking.title") },
    choiceRow("seat", t("ask.seat"), seatChoices(SEATS), now.seat, (seat) => change({ seat, ...(now.from === seat ? { from: undefined } : {}) })),
    choiceRow("win", t("ask.win"), WINS.map((x) => ({ value: x, label: t(`win.${x}`) })), now.win, (win) => change({ win, ...(win === "self_draw" ? { from: undefined } : {}) })),
    now.win && now.win !== "self_draw" && choiceRow("from", t(`ask.from.${now.win}`), others, now.from, (from) => change({ from })),
    all(other),
    chips.length > 0 && h("div", { class: "chips" }, all(chips)),
    rules.riichi_sticks && declared(now, change),
    table.length > 0 && fold("fold-table", false, t("asking.table_game"), all(table)),
    rare.length > 0 && fold("fold-rare", false, t("asking.rare"), all(rare)));
}

