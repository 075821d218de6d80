// Names of rule systems and of their elements, in the page's language.
import { app } from "../state/app.js";
import { currentRules } from "../state/rules.js";
import { known, language, t, worded } from "../words/i18n.js";

/** The name of a system; by default the chosen one. */
export function rulesName(/** @type {Api.RulesBody | null} */ rules = currentRules()) {
  if (!rules) return "";
  const key = `rules.${rules.id}`;
  return known(key) ? t(key) : rules.name;
}

/** The name of the system with this id. */
export const systemName = (/** @type {string} */ id) => rulesName(app.rules.find((r) => r.id === id) ?? null) || id;

/** The element table's entry for a score line. */
const elementOf = (/** @type {string} */ rulesId, /** @type {string} */ id) =>
  app.rules.find((r) => r.id === rulesId)?.elements.find((e) => e.id === id);

/**
 * The name of an element as players of the page's language call it.
 * @type {(rulesId: string, line: {id: string, name: string, native: string}) => string}
 */
export const elementName = (rulesId, line) =>
  worded(`element.${rulesId}.${line.id}`, language() === "en" ? line.name : line.native);

/**
 * The names of elements by their ids.
 * @type {(rulesId: string, ids: string[]) => string[]}
 */
export const elementNames = (rulesId, ids) =>
  ids.map((id) => {
    const found = elementOf(rulesId, id);
    return found ? elementName(rulesId, found) : id;
  });

/** A word for which players of the chosen rules may have their own: "chi" for "chow". */
export function ownWord(/** @type {string} */ key, rules = currentRules()) {
  const [group, name] = key.split(".");
  const own = `${group}.${rules?.id}.${name}`;
  return t(known(own) ? own : key);
}

/** @type {(rules: Api.RulesBody, ask: Api.ContextFieldBody, part: string, otherwise: string) => string} */
const phrased = (rules, ask, part, otherwise) =>
  worded(`ask.${rules.id}.${ask.name}${part}`, worded(`ask.${ask.name}${part}`, otherwise));

/** A question in the terms of the rules; a system may bring questions of its own. */
export const askLabel = (/** @type {Api.RulesBody} */ rules, /** @type {Api.ContextFieldBody} */ ask) =>
  phrased(rules, ask, "", ask.name.replaceAll("_", " "));

/** What a question means. */
export const askHint = (/** @type {Api.RulesBody} */ rules, /** @type {Api.ContextFieldBody} */ ask) =>
  phrased(rules, ask, ".hint", ask.doc);

/**
 * An element's name in the original script, if another is shown; Chinese readers need no second Chinese name.
 * @type {(rulesId: string, line: {id: string, name: string, native: string}) => string | null}
 */
export function nativeName(rulesId, line) {
  if (language().startsWith("zh") && rulesId !== "riichi") return null;
  return line.native === elementName(rulesId, line) ? null : line.native;
}

/** The heading of a group of elements. */
export const groupName = (/** @type {string} */ group) => (known(`group.${group}`) ? t(`group.${group}`) : group);
