// What players agree on around the hands when a game begins: several winners, counters, false wins, the end; by name.
import { changeHouse, ownHouse } from "../rules/house.js";
import { optionField } from "../rules/option.js";
import { number, t } from "../words/i18n.js";
import { select, textField } from "../controls/fields.js";
import { dealerStays } from "./lasting.js";
import { typed } from "./settling.js";

/**
 * Values of a course option that this game can have; none where it has nothing to choose.
 * @param {Api.RulesBody} rules
 * @param {any} form
 * @param {Money} points
 * @returns {Record<string, string[]>}
 */
const possible = (rules, form, points) => ({
  out_of_points: Number(points) === 0
    ? []
    : ["owes", ...(rules.riichi_sticks ? [] : ["pays_what_is_left"]), "ends_below_zero", "ends_at_zero"],
  dealer_ends: dealerStays(rules, form) ? ["off", "win", ...(rules.riichi_sticks ? ["win_or_ready"] : [])] : [],
  ties: ["share", "seat"],
  sticks_left: rules.riichi_sticks ? ["first", "nobody"] : [],
});

/** Course options that were chosen here; what was left alone is not among them. */
export const customsOf = (/** @type {any} */ { customs, extension }) => ({
  ...customs,
  ...(extension.trim() ? { extension: typed(extension) } : {}),
});

/** The blank input. */
export const blankCustoms = () => ({ customs: {}, extension: "" });

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
    Object.entries(possible(rules, form, points)).map(([name, values]) =>
      values.length > 0 &&
      select(
        `course-${name}`,
        t(`course.${name}`),
        values.map((value) => ({ value, label: t(`course.${name}.${value}`) })),
        form.customs[name] ?? before(name),
        (value) => {
          const { [name]: _, ...rest } = form.customs;
          change({ customs: value === before(name) ? rest : { ...rest, [name]: value } });
        },
        { faults: at(`course.${name}`) },
      )
    ),
    rules.riichi_sticks &&
    textField("extension", t("course.extension"), form.extension, (text) => (form.extension = text), {
      inputmode: "numeric",
      placeholder: before("extension") === null ? t("none") : number(before("extension")),
      hint: t("course.extension.hint"),
      faults: at("course.extension"),
    }),
  ];
}
