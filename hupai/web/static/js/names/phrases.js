// Sentences of the server in the page's language: the catalogue finds them by their English text, those with values by
// their template. A translation says where the values go and how: {x:say} is itself a sentence, {x:seat} a player's
// name, {x:meld} a kind of meld, {x:element} an element's name, {x:tiles} tiles that may lie face down; {x:cap} begins
// with a capital.
import { app } from "../state/app.js";
import { currentRules } from "../state/rules.js";
import { h } from "../parts/dom.js";
import { known, language, phrases } from "../words/i18n.js";
import { madeOf } from "../host/sentences.js";
import { seatName } from "./seats.js";
import { errorWords } from "../words/words.js";
import { elementName, ownWord } from "./systems.js";
import { codesOf } from "../hand/tiles.js";
import { tilePicture } from "../faces/tile.js";

/** @type {string | null} */
let readFor = null;
/** @type {Map<string, string>} */
let catalogue = new Map();

/** @param {string} text */
function own(text) {
  if (readFor !== language()) {
    readFor = language();
    catalogue = new Map(phrases());
  }
  return catalogue.get(text);
}

/** @type {Record<string, (x: string) => string>} */
const SHAPES = {
  say: (/** @type {string} */ x) => sentence(x),
  seat: (/** @type {string} */ x) => (/^[ESWN]$/.test(x) ? seatName(x) : x),
  meld: (/** @type {string} */ x) => (known(`meld.${x}`) ? ownWord(`meld.${x}`) : x),
  tiles: (/** @type {string} */ x) => {
    const codes = x.split(" ");
    const seen = codes.filter((/** @type {string} */ code) => code !== "back").join(" ");
    return codes.includes("back") ? [own("back"), seen].filter(Boolean).join(own(", ") ?? ", ") : x;
  },
  element: (/** @type {string} */ x) => {
    const rules = currentRules();
    const all = [rules, ...app.rules].flatMap((r) => r?.elements.map((element) => ({ id: r.id, element })) ?? []);
    const found = all.find(({ element }) => element.name === x);
    return found ? elementName(found.id, found.element) : x;
  },
  cap: (/** @type {string} */ x) => x.charAt(0).toUpperCase() + x.slice(1),
};

// Between two Chinese characters there is no space.
/** @param {string} text */
const closed = (text) => text.replace(/([\u3001-\u9fff]) (?=[\u3040-\u9fff])/g, "$1");

/**
 * @param {string} words
 * @param {Record<string, any>} values
 * @returns {string}
 */
function filled(words, values) {
  return words.replace(
    /\{(\w+)(?::(\w+))?\}/g,
    (
      _,
      name,
      shape,
    ) => (shape ? SHAPES[shape](values[name]) : values[name]),
  );
}

/**
 * The translation of a server's sentence, or null where the catalogue has none.
 * @param {string} text
 * @returns {string | null}
 */
export function translated(text) {
  const words = own(text);
  if (words !== undefined) return words;
  const made = madeOf(text);
  if (!made) return null;
  if ("parts" in made) return closed(made.parts.map(sentence).join(own(made.by) ?? made.by));
  const [template, values] = made;
  const target = own(template);
  return target === undefined ? null : closed(filled(target, values));
}

/**
 * A sentence of the server in the page's language; one without a translation is shown as it came.
 * @type {(text: string) => string}
 */
export const sentence = (text) => translated(text) ?? text;

/**
 * What went wrong and what to do about it: the page's own words for the error code, or else the server's.
 * @param {any} error
 */
export const troubleWords = (error) => errorWords(error) ?? sentence(error.message);

const RUN = /\b(?:\d+[mpsz])+\b|\b[fga][1-4]\b/g;

/**
 * A text in which tile codes (234m, 5z, f1) are replaced by small pictures.
 * @param {string} text
 */
export function rich(text) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(RUN)) {
    if (match.index > at) parts.push(sums(text.slice(at, match.index)));
    parts.push(h("span", { class: "run" }, codesOf(match[0]).map((code) => tilePicture(code, { className: "mini" }))));
    at = match.index + match[0].length;
  }
  parts.push(sums(text.slice(at)));
  return parts;
}

// 30 x 2^(2 + 3) in usual notation: a multiplication sign, the exponent raised.
/** @param {string} text */
function sums(text) {
  const parts = text.replace(/(\d) x /g, "$1 × ").split(/\^(\([^)]*\)|\d+)/);
  return parts.map((
    part,
    i,
  ) => (i % 2 ? h("sup", {}, part.replace(/^\(|\)$/g, "")) : part));
}
