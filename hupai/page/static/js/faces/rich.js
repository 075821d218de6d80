// Messages with tile codes as pictures, and sums in usual notation.
import { h } from "../dom/dom.js";
import { codesOf } from "../hand/tiles.js";
import { inOwnWords } from "../words/i18n.js";
import { tilePicture } from "./tile.js";

const RUN = /\b(?:\d+[mpsz])+\b|\b[fga][1-4]\b/g;

/** A sentence of the server in which tile codes (234m, 5z, f1) are replaced by small pictures. */
export function rich(/** @type {string} */ said) {
  const text = inOwnWords(said);
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(RUN)) {
    if (match.index > at) parts.push(sums(text.slice(at, match.index)));
    parts.push(h("span.run", codesOf(match[0]).map((code) => tilePicture(code, { className: "mini" }))));
    at = match.index + match[0].length;
  }
  parts.push(sums(text.slice(at)));
  return parts;
}

// 30 x 2^(2 + 3) in usual notation: a multiplication sign, the exponent raised.
function sums(/** @type {string} */ text) {
  const parts = text.replace(/(\d) x /g, "$1 × ").split(/\^(\([^)]*\)|\d+)/);
  return parts.map((
    part,
    i,
  ) => (i % 2 ? h("sup", part.replace(/^\(|\)$/g, "")) : part));
}
