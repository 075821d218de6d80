// Characters, winds and dragons: drawn as text in the system's CJK font.

const NUMERALS = "一二三四五六七八九";
const WINDS = "東南西北";

/** @type {(text: string, x: number, y: number, size: number, colour: string) => any[]} */
function glyph(text, x, y, size, colour) {
  return ["text", { x, y, "font-size": size, class: `glyph ${colour}` }, text];
}

/** The drawing of a character tile, 1 to 9; `red` draws a red five. */
export function characters(/** @type {number} */ number, red = false) {
  const numeral = number === 5 ? "伍" : NUMERALS[number - 1];
  return [glyph(numeral, 30, 35, 31, red ? "red" : "ink"), glyph("萬", 30, 71, 33, "red")];
}

/** The drawing of an honour: 1-4 winds, 5 white, 6 green, 7 red. */
export function honour(/** @type {number} */ number) {
  if (number <= 4) return [glyph(WINDS[number - 1], 30, 57, 47, "ink")];
  if (number === 6) return [glyph("發", 30, 57, 47, "green")];
  if (number === 7) return [glyph("中", 30, 58, 50, "red")];
  return [
    ["rect", { x: 10, y: 12, width: 40, height: 56, rx: 3, class: "line-blue thick" }],
    ["rect", { x: 15, y: 17, width: 30, height: 46, rx: 1.5, class: "line-blue thin" }],
    ["path", { class: "line-blue thin", d: "M10 24h5M10 34h5M10 46h5M10 56h5M45 24h5M45 34h5M45 46h5M45 56h5" }],
    ["path", { class: "line-blue thin", d: "M20 12v5M30 12v5M40 12v5M20 63v5M30 63v5M40 63v5" }],
  ];
}

/**
 * A small caption for the bonus tiles: the character and the number of the seat it belongs to.
 * @param {string} text
 * @param {number} number
 * @param {string} colour
 */
export function caption(text, number, colour, textColour = "ink") {
  return [
    glyph(text, 15, 22, 17, textColour),
    ["text", { x: 47, y: 20, "font-size": 14, class: `figure ${colour}` }, String(number)],
  ];
}
