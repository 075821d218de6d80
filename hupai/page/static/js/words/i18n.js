// The page's languages: one table per language; every visible sentence goes through t().
import { wordAnswers } from "../api/api.js";
import { recall, remember } from "../api/store.js";

// Language -> what it calls itself, and what begins the tags that ask for it; hupai/messages.py has put them there.
/** @type {Record<string, [string, string]>} */
const SPOKEN = JSON.parse(document.documentElement.dataset.languages ?? "{}");

/** Language -> what it calls itself. */
export const LANGUAGES = Object.fromEntries(Object.entries(SPOKEN).map(([code, [name]]) => [code, name]));
/** @type {Record<string, Intl.PluralRules>} */
const PLURALS = { en: new Intl.PluralRules("en") };

let current = "en";
/** @type {Record<string, any>} */
let table = {};
const tables = new Map();

/** The language in use. */
export const language = () => current;
wordAnswers(() => ({ "Accept-Language": current }));

// The language that a browser's tag asks for; undefined if the page does not have it.
const spoken = (/** @type {string} */ tag) =>
  Object.keys(SPOKEN).find((code) => new RegExp(`^${SPOKEN[code][1]}`).test(tag.toLowerCase()));

/** The language to start with: the one chosen before, else the first of the browser's that the page has. */
export function preferred() {
  const chosen = recall("language", null);
  if (chosen in LANGUAGES) return chosen;
  return (navigator.languages ?? []).map(spoken).find(Boolean) ?? "en";
}

// Rules that are usual in a region; Chinese without a region counts as the mainland's.
/** @type {[RegExp, string][]} */
const PLAYED = [
  [/^ja\b|-jp\b/i, "riichi"],
  [/-sg\b/i, "singapore"],
  [/-(hk|mo)\b|^yue\b/i, "hongkong"],
  [/^zh-(hant|tw)\b/i, "taiwanese"],
  [/^zh\b/i, "mcr"],
];

/** The rules to start with: those usual where the first of the browser's languages that the page has is spoken. */
export function usualRules() {
  const tag = (navigator.languages ?? []).find(spoken) ?? "";
  return PLAYED.find(([place]) => place.test(tag))?.[1] ?? "hongkong";
}

/** A file of words, such as "ja" or "board.ja"; throws when it cannot be fetched. */
export async function wordsOf(/** @type {string} */ name) {
  const response = await fetch(new URL(`../../i18n/${name}.json`, import.meta.url));
  if (!response.ok) throw new Error(`i18n ${name}: ${response.status}`);
  return response.json();
}

/**
 * Loads a language and makes it the page's; throws when its table cannot be fetched.
 * @param {string} code
 */
export async function speak(code, { keep = true } = {}) {
  if (!tables.has(code)) tables.set(code, await wordsOf(code));
  table = tables.get(code);
  current = code;
  document.documentElement.lang = code;
  if (keep) remember("language", code);
}

/** Whether the table contains a key. */
export const known = (/** @type {string} */ key) => Object.hasOwn(table, key);

/** @type {() => string | undefined} */
let playedBy = () => undefined;

/**
 * From now on, words that players of some rules replace follow these rules: 和 for 胡.
 * @param {() => string | undefined} rules returns the id of the rules played
 */
export const playBy = (rules) => (playedBy = rules);

/** A text with the words of those who play by the rules: the table's `own.<rules>`, longer words first. */
export const inOwnWords = (/** @type {string} */ text) =>
  Object.entries(table[`own.${playedBy()}`] ?? {}).reduce((all, [word, own]) => all.replaceAll(word, own), text);

/**
 * A text with its values; what is written from right to left must not turn the numbers beside it round.
 * @type {(text: string, values: Record<string, any>) => string}
 */
export const fill = (text, values) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = name in values ? String(values[name]) : whole;
    return /[\u0590-\u08ff]/.test(value) ? `\u2068${value}\u2069` : value;
  });

/**
 * The sentence of a key; `{name}` stands for a value, `n` chooses singular or plural. A missing key is returned.
 * @type {(key: string, values?: Record<string, any>) => string}
 */
export function t(key, values = {}) {
  let text = table[key];
  if (text === undefined) return key;
  if (typeof text === "object") text = text[values.n] ?? text[PLURALS[current]?.select(values.n)] ?? text.other;
  // An element is called what those call it who play by its rules, whatever is played here.
  return fill(key.startsWith("element.") ? text : inOwnWords(text), values);
}

/**
 * The sentence of a key, or other words if the table has none: a rule system may bring questions of its own.
 * @type {(key: string, otherwise: string) => string}
 */
export const worded = (key, otherwise) => (known(key) ? t(key) : otherwise);

/** A number in the style of the language; decimal strings stay exact. */
export function number(/** @type {Money} */ value) {
  const text = String(value);
  const [whole, fraction] = text.replace("-", "").split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return (text.startsWith("-") ? "−" : "") + grouped + (fraction ? `.${fraction}` : "");
}

/** As number(), with a plus sign before gains. */
export const signed = (/** @type {Money} */ value) => (Number(value) > 0 ? `+${number(value)}` : number(value));

/**
 * What was typed as a number, as a number literal: thousands parted as people's keyboards do (30,000; 30.000; 30 000;
 * 30'000), a decimal comma, full-width digits. What is not a number is refused by whoever takes it.
 */
export function literal(/** @type {string} */ text) {
  const clean = text.normalize("NFKC").replace(/[\s'’]/g, "").replace("−", "-").replace(/^\+/, "");
  const grouped = /^-?[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/.exec(clean);
  return clean.replaceAll(grouped?.[1] ?? " ", "").replace(",", ".");
}

/** The reader's own regional style if the browser reveals it (day or month first), otherwise the usual one. */
export const region = () =>
  (navigator.languages ?? []).find((tag) => tag.split("-")[0] === current.split("-")[0]) ?? current;

/** Date and time of day in short form. */
export function moment(/** @type {string} */ iso) {
  return new Intl.DateTimeFormat(region(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
}

/** "a, b and c". */
export const list = (/** @type {string[]} */ items) =>
  new Intl.ListFormat(current, { type: "conjunction" }).format(items);
