// What players agree on around the hands when a game begins: several winners, counters, false wins, the end; by name.
import { changeHouse, ownHouse } from "../rules/house.js";
import { optionField } from "../rules/option.js";
import { number, t } from "../words/i18n.js";
import { select, textField } from "../controls/fields.js";
import { dealerStays } from "./length.js";
import { typed } from "./settling.js";

/**
 * Values of a course option that this game can have; none where it has nothing to choose.
 * @type {(rules: Api.RulesBody, form: any, points: Money) => Record<string, string[]>}
 */
const possible = (rules, form, points) => ({
  out_of_points: Number(points) === 0
    ? []
    : ["owes", ...(rules.riichi_sticks ? [] : ["pays_what_is_left"]), "ends_below_zero", "ends_at_zero"],
  dealer_ends: dealerStays(rules, form) ? ["off", "win", ...(rules.riichi_sticks ? ["win_or_ready"] : [])] : [],
  ties: ["share", "seat"],
  sticks_left: rules.riichi_sticks || form.amounts.jackpot?.trim() ? ["first", "nobody"] : [],
});

// Course options that are typed.
const amountsOf = (/** @type {Api.RulesBody} */ rules) =>
  rules.riichi_sticks ? ["extension"] : ["jackpot", "jackpot_from"];

/**
 * Course options that were chosen or typed here; what was left alone, or is asked for no more, is not among them.
 * @type {(rules: Api.RulesBody, form: any, points: Money) => Record<string, unknown>}
 */
export function customsOf(rules, form, points) {
  const choices = possible(rules, form, points);
  const chosen = Object.entries(form.customs).filter(([name, value]) => choices[name].includes(value));
  const given = amountsOf(rules).filter((name) => form.amounts[name]?.trim());
  return Object.fromEntries([...chosen, ...given.map((name) => [name, typed(form.amounts[name])])]);
}

/** The blank input. */
export const blankCustoms = () => ({ customs: {}, amounts: {} });

/**
 * The fields.
 * @param {Api.RulesBody} rules
 * @param {any} form
 * @param {(values: object) => void} change
 * @param {{course: Record<string, any>, points: Money}} agreed what holds otherwise
 * @param {FaultsAt} at
 */
export function customFields(rules, form, change, { course, points }, at) {
  const before = (/** @type {string} */ name) =>
    course[name] ?? rules.course.find((option) => option.name === name)?.default;
  const own = ownHouse(rules.id);
  const shown = rules.play_options.filter((name) => name !== "players"); // which stands above
  const house = shown.flatMap((name) => rules.options.filter((option) => option.name === name));
  return [
    house.map((option) =>
      optionField(
        rules,
        option,
        own[option.name] ?? option.default,
        (value) => {
          changeHouse(rules.id, option, value);
          change({});
        },
        { faults: at(`options.${option.name}`), own: option.name in own },
      )
    ),
    amountsOf(rules).map((name) =>
      textField(name, t(`course.${name}`), form.amounts[name] ?? "", (text) => {
        form.amounts[name] = text;
        if (name === "jackpot") change({});
      }, {
        inputmode: "decimal",
        placeholder: before(name) === null ? t("none") : number(before(name)),
        hint: t(`course.${name}.hint`),
        faults: at(`course.${name}`),
      })
    ),
    Object.entries(possible(rules, form, points)).map(([name, values]) =>
      values.length > 0 &&
      select(
        `course-${name}`,
        t(name === "sticks_left" && !rules.riichi_sticks ? "course.jackpot_left" : `course.${name}`),
        values.map((value) => ({ value, label: t(`course.${name}.${value}`) })),
        form.customs[name] ?? before(name),
        (value) => {
          const { [name]: _, ...rest } = form.customs;
          change({ customs: value === before(name) ? rest : { ...rest, [name]: value } });
        },
        { faults: at(`course.${name}`) },
      )
    ),
  ];
}
