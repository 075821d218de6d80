// One house rule: a switch, a choice of a few values, or an open value that the server checks.
import { focused, h } from "../dom/dom.js";
import { known, t, worded } from "../words/i18n.js";
import { elementName } from "../names/systems.js";
import { faultList, form, select, textField, toggle } from "../controls/fields.js";

/** The label of a house rule. */
export const optionLabel = (/** @type {Api.RulesBody} */ rules, /** @type {Api.OptionBody} */ option) =>
  worded(`option.${rules.id}.${option.name}`, option.name.replaceAll("_", " "));
const elementNamed = (/** @type {Api.RulesBody} */ rules, /** @type {string} */ id) =>
  elementName(rules.id, rules.elements.find((e) => e.id === id) ?? { id, name: id, native: id });
/** What a house rule does. */
export const optionHint = (/** @type {Api.RulesBody} */ rules, /** @type {Api.OptionBody} */ option) =>
  worded(`option.${rules.id}.${option.name}.hint`, option.doc);

/**
 * A value in words.
 * @type {(rules: Api.RulesBody, option: Api.OptionBody, value: any) => string}
 */
export function valueWords(rules, option, value) {
  if (typeof value === "boolean") return t(value ? "on" : "off");
  if (value === null) return t("none");
  if (value === "auto") return t("auto");
  if (typeof value === "object") {
    const own = Object.entries(value).map(([id, n]) => `${elementNamed(rules, id)} ${n}`);
    return own.length ? own.join(", ") : t("none");
  }
  const key = `value.${rules.id}.${option.name}.${value}`;
  if (known(key)) return t(key);
  return known(`value.${value}`) ? t(`value.${value}`) : String(value);
}

/** The typed text as a JSON value: a number, a string or null; empty is the default. */
export function typed(/** @type {string} */ text, /** @type {{default: any}} */ option = { default: null }) {
  const clean = text.trim();
  if (/^-?\d+$/.test(clean)) return Number(clean);
  if (clean === "") return option.default;
  if (clean === t("auto")) return "auto";
  return clean === t("none") ? (typeof option.default === "object" ? option.default : null) : clean;
}

/**
 * The control of a house rule.
 * @param {Api.RulesBody} rules
 * @param {Api.OptionBody} option
 * @param {any} value
 * @param {(value: any) => unknown} onchange
 * @param {{fixed?: boolean, faults?: Fault[], own?: boolean}} how `fixed`: only shown; `own`: not the usual value
 */
export function optionField(rules, option, value, onchange, { fixed, faults = [], own = false }) {
  const label = optionLabel(rules, option);
  const hint = optionHint(rules, option);
  if (fixed) {
    return h("div.fixed", h("b", label), h("span", valueWords(rules, option, value)));
  }
  if (option.values.length && option.values.every((v) => typeof v === "boolean")) {
    return h(
      "div",
      { class: own ? "own" : "" },
      toggle(`option-${option.name}`, label, value, onchange, hint),
      faultList(faults, `faults-${option.name}`),
    );
  }
  if (option.values.length) {
    return select(
      `option-${option.name}`,
      label,
      option.values.map((v) => ({ value: v, label: valueWords(rules, option, v) })),
      value,
      onchange,
      { hint, faults },
    );
  }
  const shown = valueWords(rules, option, value);
  return form(
    "open-option",
    () => focused()?.blur(),
    textField(`option-${option.name}`, label, shown, () => {}, {
      hint,
      faults,
      onchange: (/** @type {ElementEvent} */ event) => onchange(typed(event.target.value, option)),
      inputmode: typeof option.default === "number" ? "numeric" : null,
    }),
  );
}
