// The board's own texts beside those of the phone page: w() for these, t() for those.
import { fill, LANGUAGES, preferred, region, speak, wordsOf } from "../words/i18n.js";

/** @type {Record<string, string>} */
let table = {};

/**
 * Loads a language for both; null takes the one used before, or the browser's.
 * @param {string | null} code
 * @param {{keep?: boolean}} options `keep`: it is what this browser's reader has chosen
 */
export async function load(code = null, { keep = false } = {}) {
  const chosen = code && code in LANGUAGES ? code : preferred();
  await speak(chosen, { keep });
  table = await wordsOf(`board.${chosen}`);
}

/** The sentence of a key; `{name}` stands for a value. A missing key shows itself. */
export function w(/** @type {string} */ key, /** @type {Record<string, any>} */ values = {}) {
  const text = table[key];
  return text === undefined ? key : fill(text, values);
}

/** A time of day. */
export const clock = (/** @type {string} */ iso) =>
  new Intl.DateTimeFormat(region(), { timeStyle: "medium" }).format(new Date(iso));
