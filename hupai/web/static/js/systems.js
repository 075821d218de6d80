// Names of rule systems and of their elements, in the page's language.
import { app, currentRules } from "./app.js";
import { known, language, t } from "./i18n.js";

/** The name of a system; the chosen one where none is given. */
export function rulesName(rules = currentRules()) {
  if (!rules) return "";
  const key = `rules.${rules.id}`;
  return known(key) ? t(key) : rules.name;
}

/** The element table's entry of a line. */
export const elementOf = (rulesId, id) => app.rules.find((r) => r.id === rulesId)?.elements.find((e) => e.id === id);

/** The name of an element: English, or its name in Chinese or Japanese. */
export function elementName(rulesId, line) {
  if (language() === "en") return line.name;
  const key = `element.${rulesId}.${line.id}`;
  return known(key) ? t(key) : line.native;
}

/** Its name in the original script, where that is not the name shown; Chinese readers need no second Chinese one. */
export function nativeName(rulesId, line) {
  if (language() === "zh-Hant" && rulesId !== "riichi") return null;
  return line.native === elementName(rulesId, line) ? null : line.native;
}

/** The heading of a group of elements. */
export const groupName = (group) => (known(`group.${group}`) ? t(`group.${group}`) : group);
