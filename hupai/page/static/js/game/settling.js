// How a game is settled at its end: points that count as zero, uma, money per point. Asked when a game begins, and again
// when it ends or has ended.
import { h } from "../dom/dom.js";
import { literal, number, signed, t } from "../words/i18n.js";
import { seatsTaken } from "../hand/seats.js";
import { select, textField } from "../controls/fields.js";

const places = () => seatsTaken().map((_, i) => i + 1);
// Second and first place, in thousands, as clubs name them; the last pays what the others get.
const customs = () =>
  seatsTaken().length === 3 ? ["0–10", "0–15", "0–20", "0–30"] : ["5–10", "5–15", "10–20", "10–30", "20–30"];
const zeros = () => places().map(() => 0);

/** Uma for one player who floats, for two, for three, as the Japan Professional Mahjong League has it. */
const FLOATING = [
  [12_000, -1000, -3000, -8000],
  [8000, 4000, -4000, -8000],
  [8000, 3000, 1000, -12_000],
];

const umaOf = (/** @type {string} */ custom) => {
  const [second, first] = custom.split("–").map((thousands) => Number(thousands) * 1000);
  return seatsTaken().length === 3 ? [first, second, -first - second] : [first, second, -second, -first];
};
const none = (/** @type {Money[]} */ uma) => uma.every((amount) => Number(amount) === 0);

/** @typedef {{returns: string, uma: string | null, own: string[], rate: string}} Settling as typed */

/** The blank input; null and "" stand for what is already agreed on. */
export const blankSettling = () => ({ returns: "", uma: null, own: ["", "", "", ""], rate: "" });

// "−1,500.5" as people type it -> -1500.5, null if it is not a number; fractions stay exact as strings.
function amountOf(/** @type {string} */ text) {
  const plain = literal(text);
  if (!/^-?\d{1,9}(\.\d{1,4})?$/.test(plain)) return null;
  return plain.includes(".") ? plain : Number(plain);
}

/** The typed amount to send; what is not a number is sent as text, for the server to refuse. */
export const typed = (/** @type {string} */ text) => amountOf(text) ?? text.trim();

function ownUma(/** @type {Settling} */ form) {
  const amounts = form.own.slice(0, places().length).map(amountOf);
  return amounts.includes(null) ||
      Math.abs(amounts.reduce((/** @type {number} */ sum, /** @type {any} */ n) => sum + Number(n), 0)) > 1e-9
    ? null
    : amounts;
}

/** Course options that were entered; what was left alone is not among them. */
export function settlingOf(/** @type {Settling} */ form) {
  /** @type {Record<string, unknown>} */
  const said = {};
  if (form.returns.trim()) said.return_points = typed(form.returns);
  if (form.uma === "floating") said.floating_uma = FLOATING;
  else if (form.uma !== null) {
    said.floating_uma = null;
    said.uma = form.uma === "own" ? ownUma(form) : form.uma === "none" ? zeros() : umaOf(form.uma);
  }
  if (form.rate.trim()) said.rate = typed(form.rate);
  return said;
}

/** What is wrong with what was typed. */
export function settlingFaults(/** @type {Settling} */ form, /** @type {Money} */ points) {
  const bad = [];
  const returns = form.returns.trim() ? amountOf(form.returns) : points;
  if (returns === null || Number(returns) < Number(points)) {
    bad.push({ field: "course.return_points", message: t("settling.returns_bad", { n: number(points) }) });
  }
  if (form.uma === "own" && !ownUma(form)) bad.push({ field: "course.uma", message: t("settling.uma_bad") });
  const rate = form.rate.trim() ? amountOf(form.rate) : 1;
  if (rate === null || Number(rate) < 0) bad.push({ field: "course.rate", message: t("settling.rate_bad") });
  return bad;
}

const umaWords = (/** @type {Money[]} */ uma) =>
  places().map((place) => `${number(place)}. ${signed(uma[place - 1])}`).join("  ");

const floatingWords = (/** @type {Money[][]} */ rows) =>
  rows.map((uma, i) => `${t("settling.floating", { n: i + 1 })} ${umaWords(uma)}`).join("; ");

/**
 * The fields.
 * @param {Settling} form
 * @param {(values: object) => void} change
 * @param {{course: Record<string, any>, points: Money, riichi: boolean}} agreed what holds otherwise; whether uma is usual
 * @param {FaultsAt} at
 */
export function settlingFields(form, change, { course, points, riichi }, at) {
  const before = course.uma ?? zeros();
  const called = course.floating_uma
    ? "floating"
    : none(before)
    ? "none"
    : (customs().find((custom) => String(umaOf(custom)) === String(before)) ?? "agreed");
  const chosen = form.uma ?? called;
  const floating = chosen === "floating" && (course.floating_uma ?? FLOATING);
  const uma = floating
    ? null
    : chosen === "agreed"
    ? before
    : chosen === "own" || chosen === "none"
    ? null
    : umaOf(chosen);
  return [
    (riichi || !none(before) || course.return_points > points) && [
      textField("returns", t("settling.returns"), form.returns, (text) => (form.returns = text), {
        inputmode: "numeric",
        placeholder: number(course.return_points ?? points),
        hint: t("settling.returns_hint"),
        faults: at("course.return_points"),
      }),
      select(
        "uma",
        t("settling.uma"),
        [
          { value: "none", label: t("none") },
          ...(called === "agreed" ? [{ value: "agreed", label: umaWords(before) }] : []),
          ...customs().map((value) => ({ value, label: value })),
          ...(seatsTaken().length === 4 ? [{ value: "floating", label: t("settling.uma_floating") }] : []),
          { value: "own", label: t("settling.uma_own") },
        ],
        chosen,
        (value) => change({ uma: value === called ? null : value }),
        {
          hint: floating ? floatingWords(floating) : uma && umaWords(uma),
          faults: chosen === "own" ? [] : at("course.uma", "course.floating_uma"),
        },
      ),
      chosen === "own" && [
        h(
          "div.uma-own",
          places().map((place) =>
            textField(
              `uma-${place}`,
              t("settling.place", { n: place }),
              form.own[place - 1],
              (text) => (form.own[place - 1] = text),
              {
                placeholder: "0",
                faults: place === 1 ? at("course.uma", "course.floating_uma") : [],
              },
            )
          ),
        ),
      ],
    ],
    textField("rate", t("settling.rate"), form.rate, (text) => (form.rate = text), {
      inputmode: "decimal",
      placeholder: String(course.rate ?? 1),
      hint: t("settling.rate_hint"),
      faults: at("course.rate"),
    }),
  ];
}

/**
 * What is agreed on, in a few words.
 * @param {Settling} form
 */
export function settlingWords(
  form,
  /** @type {{course: Record<string, any>, points: Money, riichi: boolean}} */ { course, points, riichi },
) {
  const now = { ...course, ...settlingOf(form) };
  const returns = now.return_points ?? points;
  const words = [
    t("total.points", { n: number(points) }),
    Number(returns) !== Number(points) && t("settling.returns_words", { n: number(returns) }),
    (riichi || now.uma) &&
    t("settling.uma_words", {
      what: now.floating_uma
        ? t("settling.uma_floating")
        : now.uma && !none(now.uma)
        ? now.uma.map(signed).join(" ")
        : t("none"),
    }),
    Number(now.rate ?? 1) !== 1 && `× ${now.rate}`,
  ];
  return words.filter(Boolean).join(" · ");
}
