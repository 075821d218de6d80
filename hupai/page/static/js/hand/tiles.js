// Tile codes: order, suits, and which tile can stand for which.

const ORDER = "mpszfgab";

/** The letter of a code: m p s z, f g a, b for a face-down tile. */
export function suitOf(/** @type {string} */ code) {
  if (code === "back") return "b";
  return "fga".includes(code[0]) ? code[0] : code[1];
}

/** The number on a tile: 1-9, 1-7, 1-4; a red five is 5, a face-down tile 0. */
export function numberOf(/** @type {string} */ code) {
  if (code === "back") return 0;
  const digit = "fga".includes(code[0]) ? code[1] : code[0];
  return digit === "0" ? 5 : Number(digit);
}

export const isBonus = (/** @type {string} */ code) => "fga".includes(suitOf(code));
export const isPlayable = (/** @type {string} */ code) => "mpsz".includes(suitOf(code));
export const isRed = (/** @type {string} */ code) => code[0] === "0";

/** The plain tile of the same kind. */
export const plain = (/** @type {string} */ code) => (isRed(code) ? `5${code[1]}` : code);

/** Sorting order on the rack: suits, numbers, red fives after plain ones. */
export function compareCodes(/** @type {string} */ a, /** @type {string} */ b) {
  const rank = (/** @type {string} */ code) =>
    ORDER.indexOf(suitOf(code)) * 100 + numberOf(code) * 2 + (isRed(code) ? 1 : 0);
  return rank(a) - rank(b);
}

/** Single codes of tiles in any form a request allows: a list, or a compact string such as "123m 5z f1". */
export function codesOf(/** @type {string[] | string | null | undefined} */ tiles) {
  if (Array.isArray(tiles)) return tiles;
  return [...(tiles ?? "").matchAll(/back|[fga][1-4]|(\d+)([mpsz])/g)].flatMap(([whole, digits, suit]) =>
    digits ? [...digits].map((digit) => digit + suit) : [whole]
  );
}

/** How many copies of a tile there are: one of each bonus tile, four of the others. */
export const copies = (/** @type {string} */ code) => (isBonus(code) ? 1 : 4);
