// A result without tiles: "3 han 40 fu", "5 faan", "10 tai".
import { currentRules } from "../state/rules.js";
import { h } from "../dom/dom.js";
import { number, t } from "../words/i18n.js";
import { seatChoices } from "../names/seats.js";
import { SEATS } from "../hand/seats.js";
import { chipRow, choiceRow, select, textField } from "../controls/fields.js";
import { winnerRows } from "./winner.js";

const MOST = 1_000_000;
const FACTORS = 11; // 1 to 1024
/** @type {[number, string][]} */
const LIMITS = [
  [5, "mangan"],
  [6, "haneman"],
  [8, "baiman"],
  [11, "sanbaiman"],
];
const FU = [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110];

const countsFu = () => currentRules().unit === "han";

// The fu values that are possible with so many han and this kind of win.
// 20 are a self-drawn pinfu, 25 seven pairs; drawn they are a han more.
const fuFits = (/** @type {any} */ { value, win }) => (/** @type {number} */ fu) => {
  if (fu > 25) return true;
  const drawn = win === "self_draw";
  return fu === 20 ? drawn && value > 1 : value > (drawn ? 2 : 1);
};

// The fu that were chosen, or 30 where they are no longer possible.
const fuOf = (/** @type {any} */ state) => (fuFits(state)(state.fu) ? state.fu : 30);

function resultOf(/** @type {any} */ state) {
  const { value } = state;
  if (!countsFu()) return /^\d{1,7}$/.test(value.trim()) && Number(value) <= MOST ? { value: Number(value) } : null;
  if (value === "yakuman") return { yakuman: 1 };
  if (value === null) return null;
  return value < LIMITS[0][0] ? { value, fu: fuOf(state) } : { value };
}

// The entry made of the answers so far; null while something is missing.
function entryOf(/** @type {any} */ state) {
  const { seat, win, from, riichi } = state;
  const result = resultOf(state);
  if (!seat || !win || !result || (win !== "self_draw" && !from)) return null;
  const context = win === "self_draw" ? { seat, win } : { seat, win, from };
  return { outcome: "win", wins: [{ result, context }], ...(riichi.length ? { riichi } : {}) };
}

function worth(/** @type {any} */ state, /** @type {(values: object) => void} */ change) {
  const { unit } = currentRules();
  const choose = (/** @type {any} */ value) => change({ value });
  if (unit === "factor") {
    const factors = Array.from({ length: FACTORS }, (_, i) => 2 ** i);
    const choices = factors.map((n) => ({ value: String(n), label: t("total.factor", { n: number(n) }) }));
    const none = { value: "", label: t("told.choose") };
    return select("told-value", t("told.value"), [none, ...choices], state.value, choose);
  }
  if (!countsFu()) {
    return textField("told-value", t("told.value"), state.value, choose, {
      inputmode: "numeric",
      maxlength: 7,
      hint: t(`total.${unit}`, { n: "…" }),
    });
  }
  const han = [1, 2, 3, 4].map((n) => ({ value: n, label: t("total.han", { n }) }));
  const limits = LIMITS.map(([value, name]) => ({
    value,
    label: t(`limit.${name}`),
    note: t("total.han", { n: `${value}+` }),
  }));
  const all = [...han, ...limits, { value: "yakuman", label: t("total.yakuman", { n: 1 }) }];
  const fits = FU.filter(fuFits(state)).map((fu) => ({ value: fu, label: number(fu) }));
  return [
    choiceRow("told-han", t("told.value"), all, state.value, choose),
    state.value !== null && state.value < LIMITS[0][0] &&
    choiceRow("told-fu", t("told.fu"), fits, fuOf(state), (fu) => change({ fu })),
  ];
}

/**
 * A result without tiles.
 * @type {OutcomeForm}
 */
export const pointsForm = {
  title: "told.title",
  fresh: ({ wins = [], riichi = [] } = {}) => {
    const [win] = wins;
    const { value = null, fu = 30, yakuman = null } = win?.result ?? {};
    const { seat = null, win: how = null, from = null } = win?.context ?? {};
    const counted = yakuman ? "yakuman" : value;
    const now = countsFu() ? counted : String(counted ?? "");
    return { seat, win: how, from, value: now, fu, riichi };
  },
  build(state, change, at) {
    return [
      h("p.soft", t("told.text")),
      winnerRows("told", state, change, at),
      worth(state, change),
      at &&
      currentRules().riichi_sticks &&
      chipRow("told-riichi", t("draw.riichi"), seatChoices(SEATS, at), state.riichi, (riichi) => change({ riichi })),
    ];
  },
  body: entryOf,
};
