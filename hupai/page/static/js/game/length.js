// How long a game is played: what is chosen when it begins, and how it continues after its end.
import { number, t } from "../words/i18n.js";
import { seatsTaken } from "../hand/seats.js";
import { select, textField } from "../controls/fields.js";

/**
 * Lengths that are agreed on as a number, with their upper limits.
 * @type {Record<string, number>}
 */
export const COUNTED = { hands: 1000, minutes: 10_000 };
const STAYS = ["winner", "never"]; // rotations in which the dealer never stays
const usual = (/** @type {Api.RulesBody} */ rules, /** @type {string} */ name) =>
  rules.course.find((option) => option.name === name)?.default;
/** Whether the dealer can stay, so that the last one may end the game. */
export const dealerStays = (/** @type {Api.RulesBody} */ rules, /** @type {any} */ form) =>
  !STAYS.includes(rotationOf(rules, form));
const rotationOf = (/** @type {Api.RulesBody} */ rules, /** @type {any} */ form) =>
  form.rotation === "custom" ? rules.rotation : form.rotation;

// Where the winner deals next there are no rounds.
function usualLength(/** @type {Api.RulesBody} */ rules, /** @type {any} */ form) {
  const rounds = usual(rules, "rounds");
  return rounds === null || rotationOf(rules, form) === "winner" ? "open" : `rounds.${rounds}`;
}

/**
 * The course options to begin with, {} for the custom of the rules.
 * @param {Api.RulesBody} rules
 * @param {{length: string | null, count: string, rotation: string}} form length null: as usual
 * @returns {Record<string, unknown>}
 */
export function courseOf(rules, form) {
  const staying = !dealerStays(rules, form) && usual(rules, "dealer_ends") !== "off";
  const course = staying ? { dealer_ends: "off" } : {};
  if (form.length === null) return course;
  if (form.length in COUNTED) return { ...course, rounds: null, [form.length]: Number(form.count) };
  const [, rounds] = form.length.split(".");
  return { ...course, rounds: rounds ? Number(rounds) : null };
}

/** What is wrong with the number of hands or minutes. */
export function lengthFaults(/** @type {any} */ form) {
  const most = COUNTED[form.length];
  if (!most || (/^\s*\d+\s*$/.test(form.count) && Number(form.count) >= 1 && Number(form.count) <= most)) return [];
  return [{ field: "course.count", message: t("length.count_bad", { n: number(most) }) }];
}

/**
 * The fields for a new game's length: the options its rules allow, with the custom preselected.
 * @type {(rules: Api.RulesBody, form: any, onchange: (value: any) => unknown, at: FaultsAt) => Child}
 */
export function lengthFields(rules, form, onchange, at) {
  const rounds = rotationOf(rules, form) === "winner" ? [] : seatsTaken().map((_, i) => `rounds.${i + 1}`);
  const length = form.length ?? usualLength(rules, form);
  return [
    select(
      "length",
      t("length.title"),
      [...rounds, "hands", "minutes", "open"].map((value) => ({ value, label: t(`length.${value}`) })),
      length,
      (value) => onchange({ length: value === usualLength(rules, form) ? null : value }),
      { faults: at("course.rounds", "course.hands", "course.minutes") },
    ),
    length in COUNTED &&
    textField("count", t(`length.${length}.count`), form.count, (text) => (form.count = text), {
      inputmode: "numeric",
      faults: at("course.count"),
    }),
  ];
}

/** Whether an ended game can continue unchanged; one where somebody has run out of points cannot. */
export const canGoOn = (/** @type {Game} */ game) => game.ended?.reason !== "points";
