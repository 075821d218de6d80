// The melds that given tiles can form.
import { compareCodes, isPlayable, numberOf, plain, suitOf } from "./tiles.js";

/** @type {MeldType[]} */
export const KONGS = ["kong_open", "kong_added", "kong_concealed"];
/** @type {MeldType[]} */
export const MELD_TYPES = ["chow", "pung", ...KONGS];
export const meldSize = (/** @type {MeldType} */ type) => (type.startsWith("kong") ? 4 : 3);

/** The tiles of a meld of this type that begins with (or consists of) a tile, or null if there is none. */
export function meldFrom(/** @type {MeldType} */ type, /** @type {string} */ code) {
  if (!isPlayable(code)) return null;
  if (type !== "chow") return Array.from({ length: meldSize(type) }, () => plain(code));
  const [suit, first] = [suitOf(code), numberOf(code)];
  return suit === "z" || first > 7 ? null : [0, 1, 2].map((step) => `${first + step}${suit}`);
}

/**
 * Whether codes form this meld; a `standIn` tile (white dragon under Hangzhou rules) may fill a chow.
 * @type {(type: MeldType, codes: string[], standIn?: string | null) => boolean}
 */
export function isMeld(type, codes, standIn = null) {
  if (codes.length !== meldSize(type) || !codes.every(isPlayable)) return false;
  const kinds = codes.map(plain);
  if (type !== "chow") {
    const natural = new Set(kinds.filter((k) => k !== standIn));
    return natural.size <= 1;
  }
  const natural = kinds.filter((k) => k !== standIn || suitOf(k) !== "z");
  if (new Set(kinds).size !== 3 || natural.length < 2) return false;
  if (natural.some((k) => suitOf(k) === "z" || suitOf(k) !== suitOf(natural[0]))) return false;
  const numbers = natural.map(numberOf);
  return Math.max(...numbers) - Math.min(...numbers) <= 2;
}

/**
 * Every meld that can be taken from loose tiles and holds one of them.
 * @param {{id: number, code: string}} wanted the tile it must hold
 * @param {{id: number, code: string}[]} loose all tiles to take from, `wanted` among them
 * @param {string | null} standIn
 * @returns {{type: MeldType, ids: number[], codes: string[]}[]} chows first, then pung and kongs
 */
export function meldsWith(wanted, loose, standIn = null) {
  if (!isPlayable(wanted.code)) return [];
  const others = loose.filter((t) => t.id !== wanted.id && isPlayable(t.code));
  const found = new Map();
  const take = (/** @type {MeldType} */ type, /** @type {{id: number, code: string}[]} */ picks) => {
    const tiles = [wanted, ...picks].sort((a, b) => compareCodes(a.code, b.code));
    const codes = tiles.map((t) => t.code);
    const key = `${type} ${codes.join("")}`;
    if (!found.has(key) && isMeld(type, codes, standIn)) found.set(key, { type, ids: tiles.map((t) => t.id), codes });
  };
  for (let i = 0; i < others.length; i++) {
    for (let j = i + 1; j < others.length; j++) take("chow", [others[i], others[j]]);
  }
  const same = others.filter((t) => plain(t.code) === plain(wanted.code));
  if (same.length >= 2) take("pung", same.slice(0, 2));
  if (same.length >= 3) { for (const type of KONGS) take(type, same.slice(0, 3)); }
  return [...found.values()];
}

/** The type that the tiles most likely form: a chow, a pung or an open kong; null for none. */
export function likelyType(/** @type {string[]} */ codes, /** @type {string | null} */ standIn = null) {
  return MELD_TYPES.slice(0, 3).find((type) => isMeld(type, codes, standIn)) ?? null;
}
