// Outcomes of a hand other than a win, each as a form: a draw, a payment between players, a false win, an instant payment.
import { currentRules } from "../state/rules.js";
import { h } from "../dom/dom.js";
import { literal, number, t } from "../words/i18n.js";
import { payerChoices, seatChoices } from "../names/seats.js";
import { moveAnswers, SEATS } from "../hand/seats.js";
import { chipRow, choiceRow, fold, select, textField, toggle } from "../controls/fields.js";
import { fedField } from "../handeditor/rarequestions.js";
import { pointsForm } from "./points.js";

const MOST = 1_000_000; // the most that a false win's claim can be worth

// The typed amount as a number literal; null if it is not a number.
function amountOf(/** @type {string} */ text) {
  const clean = literal(text).replace(/\.$/, ""); // what follows the point is still being typed
  return /^\d+(\.\d+)?$/.test(clean) && Number(clean) > 0 ? clean : null;
}

// Nobody won. In riichi the form asks who was tenpai, who declared, and about nagashi mangan.
/** @type {OutcomeForm} */
const draw = {
  title: "outcome.draw",
  fresh: ({ ready = [], riichi = [], nagashi = [], abortive = false } = {}) => ({
    ready,
    riichi,
    nagashi,
    abortive,
  }),
  build(state, change, at) {
    const riichi = currentRules().riichi_sticks;
    const keys = seatChoices(SEATS, at);
    return [
      h("p.soft", t(riichi && !state.abortive ? "draw.text_riichi" : "draw.text")),
      riichi && [
        at.play?.abortive_draws !== false && toggle(
          "abortive",
          t("draw.abortive"),
          state.abortive,
          (abortive) => change({ abortive }),
          t("draw.abortive.hint"),
        ),
        chipRow(
          "riichi",
          t("draw.riichi"),
          keys,
          state.riichi,
          (seats) => change({ riichi: seats, ready: [...new Set([...state.ready, ...seats])] }),
        ),
        !state.abortive && chipRow("ready", t("draw.ready"), keys, state.ready, (ready) => change({ ready })),
        !state.abortive &&
        at.play?.nagashi !== false &&
        chipRow("nagashi", t("draw.nagashi"), keys, state.nagashi, (nagashi) => change({ nagashi })),
      ],
    ];
  },
  body(state) {
    /** @type {Record<string, unknown>} */
    const body = { outcome: "draw" };
    if (!currentRules().riichi_sticks) return body;
    if (state.riichi.length) body.riichi = state.riichi;
    return state.abortive ? { ...body, abortive: true } : { ...body, ready: state.ready, nagashi: state.nagashi };
  },
};

// One player pays another (a penalty, an instant payment).
/** @type {OutcomeForm} */
const payment = {
  title: "outcome.payment",
  fresh: ({ transfers: [first, ...others] = [{ from: null, to: null, amount: "", why: "" }] } = {}) => ({
    ...first,
    amount: String(first.amount),
    others, // of a payment that was entered through the API
  }),
  build(state, change, at, incomplete) {
    const bad = (state.amount.trim() || incomplete) && amountOf(state.amount) === null;
    const unnamed = (/** @type {Seat | null} */ seat) =>
      incomplete && seat === null ? [{ message: t("amend.by_needed") }] : [];
    return [
      choiceRow(
        "pay-from",
        t("pay.from"),
        seatChoices(SEATS, at),
        state.from,
        (from) => change({ from, ...(from === state.to ? { to: null } : {}) }),
        { faults: unnamed(state.from) },
      ),
      choiceRow(
        "pay-to",
        t("pay.to"),
        seatChoices(SEATS.filter((s) => s !== state.from), at),
        state.to,
        (to) => change({ to }),
        { faults: unnamed(state.to) },
      ),
      textField("pay-amount", t("pay.amount"), state.amount, (amount) => change({ amount }), {
        inputmode: "decimal",
        faults: bad ? [{ message: t("pay.amount_bad") }] : [],
      }),
      textField("pay-why", t("pay.why"), state.why, (why) => change({ why }), { maxlength: 80 }),
    ];
  },
  body({ from, to, amount, why, others }) {
    const exact = amountOf(amount);
    if (exact === null || from === null || to === null) return null;
    const made = { from, to, amount: exact, why: why.trim() || t("outcome.payment") };
    return { outcome: "payment", transfers: [made, ...others] };
  },
  field: "field-pay-amount",
};

// The claimed win, where the penalty equals what the win would have brought.
/** @type {(state: any, change: (values: object) => void, at: Game) => Child} */
function claimFields({ offender, claim }, change, at) {
  const { unit } = currentRules();
  const put = (/** @type {object} */ values) => change({ claim: { ...claim, ...values } });
  const from = claim.win === "self_draw" ? offender : (claim.from ?? null);
  const fed = claim.fed ?? {};
  const values = [...new Set([1, 2, 4, 8, 16, 32, 64, claim.value])]
    .filter((n) => n >= 1 && n <= MOST)
    .sort((a, b) => a - b)
    .map((n) => ({ value: n, label: t(`total.${unit}`, { n: number(n) }) }));
  return [
    choiceRow(
      "claim-from",
      t("false_win.from"),
      payerChoices(offender, at),
      from,
      (seat) => put(seat === offender ? { win: "self_draw", from: undefined } : { win: "discard", from: seat }),
    ),
    select("claim-value", t("false_win.value"), values, claim.value, (value) => put({ value }), {
      hint: t("false_win.value.hint"),
    }),
    fold("fold-fed", t("ask.fed"), fedField({ label: t("ask.fed"), value: fed, put: (now) => put({ fed: now }), at }), {
      open: Object.keys(fed).length > 0,
    }),
  ];
}

// Somebody declared a win without a winning hand: the penalty of the rules.
/** @type {OutcomeForm} */
const falseWin = {
  title: "outcome.false_win",
  fresh: ({ offender = null, claim = {} } = {}) => ({ offender, claim: { win: "self_draw", value: 1, ...claim } }),
  build: (state, change, at) => [
    h("p.soft", t(currentRules().claimed_back ? "false_win.text_claim" : "false_win.text")),
    choiceRow(
      "offender",
      t("false_win.who"),
      seatChoices(SEATS, at),
      state.offender,
      (offender) => change({ offender, ...(state.claim.from === offender ? { claim: falseWin.fresh().claim } : {}) }),
    ),
    state.offender !== null && currentRules().claimed_back && claimFields(state, change, at),
  ],
  body({ offender, claim }) {
    if (offender === null) return null;
    return { outcome: "false_win", offender, ...(currentRules().claimed_back ? { claim } : {}) };
  },
};

// A payment named in the rules (a bite, a set of flowers, a kong), made at once by the three others.
/** @type {OutcomeForm} */
const instant = {
  title: "game.instant",
  fresh: ({ seat = null, event = null, dealt = false } = {}) => ({ seat, event, dealt }),
  build: (state, change, at) => [
    h("p.soft", t("instant.text")),
    choiceRow("instant-seat", t("pay.to"), seatChoices(SEATS, at), state.seat, (seat) => change({ seat })),
    select(
      "instant-event",
      t("instant.event"),
      [
        { value: null, label: t("indicator.choose") },
        ...currentRules().instant_events.map((e) => ({ value: e, label: t(`instant.${e}`) })),
      ],
      state.event,
      (event) => change({ event }),
    ),
    toggle("dealt", t("instant.dealt"), state.dealt, (dealt) => change({ dealt })),
  ],
  body: ({ seat, event, dealt }) => seat === null || event === null ? null : { outcome: "instant", seat, event, dealt },
};

/**
 * The forms by outcome.
 * @type {Record<string, OutcomeForm>}
 */
export const FORMS = { draw, payment, instant, false_win: falseWin, told: pointsForm };

/** The answers in a form, with every person in the seat they have now. */
export function moveForm(/** @type {any} */ form, /** @type {import("../hand/seats.js").Move} */ move) {
  const moved = moveAnswers(form, move);
  if (form.claim) moved.claim = moveAnswers(form.claim, move);
  if (form.others) moved.others = form.others.map((/** @type {Answers} */ transfer) => moveAnswers(transfer, move));
  return moved;
}

/** The outcomes other than a win that the chosen rules have. */
export const outcomesNow = () =>
  Object.keys(FORMS).filter(
    (name) =>
      (name !== "instant" || currentRules().instant_events.length > 0) &&
      (name !== "false_win" || currentRules().false_win || currentRules().claimed_back),
  );
