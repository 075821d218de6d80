// The page's languages: one table a language, every visible sentence through t().
import { recall, remember } from "../host/store.js";

export const LANGUAGES = { en: "English", "zh-Hant": "繁體中文", "zh-Hans": "简体中文", ja: "日本語" };
const PLURALS = { en: new Intl.PluralRules("en") };

let current = "en";
let table = {};
const tables = new Map();

/** The language in use. */
export const language = () => current;

// What a browser's tag asks for; null where we do not speak it. Chinese is written in one of two ways, which its region
// tells where the tag does not.
function spoken(tag) {
  if (/^(zh|yue)\b/i.test(tag)) return /^yue|-(hant|tw|hk|mo)\b/i.test(tag) && !/-hans\b/i.test(tag) ? "zh-Hant" : "zh-Hans";
  return /^(en|ja)\b/i.exec(tag)?.[0].toLowerCase() ?? null;
}

/** The language to start with: the one chosen before, else the browser's first that we speak. */
export function preferred() {
  const chosen = recall("language", null);
  if (chosen in LANGUAGES) return chosen;
  return (navigator.languages ?? []).map(spoken).find(Boolean) ?? "en";
}

// Where people play what, by the region of their language; Chinese without a region is the mainland's.
/** @type {[RegExp, string][]} */
const PLAYED = [
  [/^ja\b|-jp\b/i, "riichi"],
  [/-sg\b/i, "singapore"],
  [/-(hk|mo)\b|^yue\b/i, "hongkong"],
  [/^zh(?!.*-(hant|tw))\b/i, "hangzhou"],
];

/** The rules to start with: those played where the browser's first language we speak is spoken. */
export function usualRules() {
  const tag = (navigator.languages ?? []).find(spoken) ?? "";
  return PLAYED.find(([place]) => place.test(tag))?.[1] ?? "hongkong";
}

/** A file of words, such as "ja" or "board.ja"; throws when it cannot be fetched. */
export async function wordsOf(name) {
  const response = await fetch(new URL(`../../i18n/${name}.json`, import.meta.url));
  if (!response.ok) throw new Error(`i18n ${name}: ${response.status}`);
  return response.json();
}

/** Loads a language and makes it the page's; throws when its table cannot be fetched. */
export async function speak(code, { keep = true } = {}) {
  if (!tables.has(code)) tables.set(code, await wordsOf(code));
  table = tables.get(code).words;
  current = code;
  document.documentElement.lang = code;
  if (keep) remember("language", code);
}

/** Templates of the server's sentences, each with its translation. */
export const phrases = () => tables.get(current)?.phrases ?? [];

/** Whether the table has a key. */
export const known = (key) => Object.hasOwn(table, key);

/** The sentence of a key; `{name}` stands for a value, `n` chooses between one and many. A missing key shows itself. */
export function t(key, values = {}) {
  let text = table[key];
  if (text === undefined) return key;
  if (typeof text === "object") text = text[values.n] ?? text[PLURALS[current]?.select(values.n)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** The sentence of a key, or other words where the table has none: a rule system may bring questions of its own. */
export const worded = (key, otherwise) => (known(key) ? t(key) : otherwise);

/** A number the way the language writes it; decimal strings stay exact. */
export function number(value) {
  const text = String(value);
  const [whole, fraction] = text.replace("-", "").split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return (text.startsWith("-") ? "−" : "") + grouped + (fraction ? `.${fraction}` : "");
}

/** As number(), with a plus sign before gains. */
export const signed = (value) => (Number(value) > 0 ? `+${number(value)}` : number(value));

// The reader's own way of writing the language where the browser tells it (day or month first), else the usual one.
const region = () => (navigator.languages ?? []).find((tag) => tag.split("-")[0] === current.split("-")[0]) ?? current;

/** A time of day and date, short. */
export function moment(iso) {
  return new Intl.DateTimeFormat(region(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
}

/** "a, b and c". */
export const list = (items) => new Intl.ListFormat(current, { type: "conjunction" }).format(items);
