// The house rules in force, and their name.
import { app } from "../state/app.js";
import { currentRules } from "../state/rules.js";
import { set } from "../state/settings.js";
import { known, t, worded } from "../words/i18n.js";

/** @typedef {string | null | undefined} Id of a rule system */

/** The house rules of a system that were chosen on this phone and differ from its defaults. */
export const ownHouse = (/** @type {Id} */ id) => app.settings.options[id ?? ""] ?? {};

const rulesOf = (/** @type {Id} */ id) => app.rules.find((r) => r.id === id);
const written = (/** @type {Options} */ options) =>
  JSON.stringify(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)));

// Leaves out values that equal the defaults: a preset also lists options that it does not change.
const differing = (/** @type {Api.RulesBody} */ rules, /** @type {Options} */ options) =>
  Object.fromEntries(
    Object.entries(options).filter(([name, value]) => {
      const usual = rules.options.find((option) => option.name === name)?.default;
      return JSON.stringify(usual) !== JSON.stringify(value);
    }),
  );

/**
 * The named house rules in force: a preset of the rules ({id, source, points, course ...}), saved ones ({name}), or null.
 * A preset is in force as long as none of its rules was changed.
 * @type {(id?: Id) => NamedHouse | null}
 */
export function inForce(id = currentRules()?.id) {
  const told = app.settings.preset[id ?? ""];
  if (typeof told === "string" && told) return { name: told };
  const rules = rulesOf(id);
  const preset = chosenPreset(id);
  return rules && preset && written(differing(rules, preset.options)) === written(ownHouse(id)) ? preset : null;
}

/** The preset that was chosen for a system, even if some of its rules were changed since; null if none was. */
export function chosenPreset(/** @type {Id} */ id) {
  const told = app.settings.preset[id ?? ""];
  return told && typeof told === "object" ? rulesOf(id)?.presets.find((one) => one.id === told.id) ?? null : null;
}

/** The name of a system's rules as they are without house rules; after their source where few tables play them so. */
export const usualName = (/** @type {Id} */ id) => worded(`presets.usual.${id}`, t("presets.usual"));

/** The name of the house rules in force; "usual" or "own" house rules if they have no name. */
export function houseName(/** @type {Id} */ id = currentRules()?.id) {
  const now = inForce(id);
  if (now) return now.source ? t(`preset.${now.id}`) : now.name;
  return Object.keys(ownHouse(id)).length ? t("rules.house") : usualName(id);
}

/** Puts house rules into force: a preset of the rules, or {name, options}. */
export function takeHouse(/** @type {string} */ id, /** @type {any} */ preset) {
  const rules = rulesOf(id);
  const told = preset.source ? { id: preset.id } : (preset.name ?? null);
  set({
    options: { ...app.settings.options, [id]: rules ? differing(rules, preset.options) : {} },
    preset: { ...app.settings.preset, [id]: told },
  });
}

/** Whether few tables play a system without house rules, so that its presets come first. */
export const seldomPlain = (/** @type {string} */ id) => known(`presets.usual.${id}`);

/** Where nothing was chosen on this phone, and few play the rules as they are, the preset that most play is taken. */
export function beginHouse() {
  for (const { id, presets: [first] } of app.rules) {
    if (seldomPlain(id) && !(id in app.settings.options)) takeHouse(id, first);
  }
}

/**
 * Puts the house rules of a game into force; on another phone than the one that began it they are those of a preset, if
 * they are the same.
 * @param {{rules: string, options: Options}} game
 */
export function takeHouseOfGame({ rules: id, options }) {
  const rules = rulesOf(id);
  const same = (/** @type {Options} */ others) =>
    rules !== undefined && written(differing(rules, others)) === written(differing(rules, options));
  if (!same(ownHouse(id))) takeHouse(id, rules?.presets.find((preset) => same(preset.options)) ?? { options });
  set({ rules: id });
}

/** The preset in force as it is for three players instead of four, or the other way round; undefined if there is none. */
export function counterpartPreset(/** @type {Api.RulesBody} */ { id, presets }) {
  const now = inForce(id)?.id;
  return now && presets.find((preset) => preset.id === `${now}-sanma` || now === `${preset.id}-sanma`);
}

/**
 * Puts one house rule of a system into force; the usual value is not kept.
 * @type {(id: string, option: Api.OptionBody, value: any) => void}
 */
export function changeHouse(id, option, value) {
  const { [option.name]: _, ...rest } = ownHouse(id);
  const usual = JSON.stringify(value) === JSON.stringify(option.default);
  set({ options: { ...app.settings.options, [id]: usual ? rest : { ...rest, [option.name]: value } } });
}
