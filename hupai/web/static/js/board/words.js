// The board's own texts beside those of the phone page: w() for these, t() for those.
import { language, LANGUAGES, preferred, speak, wordsOf } from "../words/i18n.js";

/** @type {Record<string, string>} */
let table = {};

/**
 * Loads a language for both; null takes the one used before, or the browser's.
 * @param {string | null} code
 */
export async function load(code = null) {
  const chosen = code && code in LANGUAGES ? code : preferred();
  await speak(chosen, { keep: code !== null });
  table = await wordsOf(`board.${chosen}`);
}

/**
 * The sentence of a key; `{name}` stands for a value. A missing key shows itself.
 * @param {string} key
 * @param {Record<string, any>} values
 */
export function w(key, values = {}) {
  const text = table[key];
  return text === undefined ? key : text.replace(
    /\{(\w+)\}/g,
    (whole, name) => (name in values ? String(values[name]) : whole),
  );
}

/**
 * A time of day.
 * @param {string} iso
 */
export const clock = (iso) => new Intl.DateTimeFormat(language(), { timeStyle: "medium" }).format(new Date(iso));
