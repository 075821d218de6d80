// Tile faces: each is put into the page once as a symbol, and every tile on screen refers to it.
import { element, h } from "../dom/dom.js";
import { bamboo } from "./bamboo.js";
import { animal } from "./animals.js";
import { dots } from "./dots.js";
import { flower, season } from "./flowers.js";
import { characters, honour } from "./glyphs.js";

/** @type {Record<string, (number: number, red?: boolean) => any[]>} */
const SUITS = { m: characters, p: dots, s: bamboo, z: honour };
/** @type {Record<string, (number: number) => any[]>} */
const BONUS = { f: flower, g: season, a: animal };

const BACK = [
  ["rect", { x: 3, y: 3, width: 54, height: 74, rx: 5, class: "felt" }],
  ["rect", { x: 7.5, y: 7.5, width: 45, height: 65, rx: 3, class: "line-bone thin" }],
  ...[0, 1, 2, 3].flatMap((row) =>
    [0, 1, 2].map((column) => [
      "path",
      {
        class: "line-bone hair",
        transform: `translate(${16 + column * 14} ${17 + row * 15})`,
        d: "M0-6L6 0L0 6L-6 0zM0-2.5L2.5 0L0 2.5L-2.5 0z",
      },
    ])
  ),
];

function drawing(/** @type {string} */ code) {
  if (code === "back") return BACK;
  if (code[0] in BONUS) return BONUS[code[0]](Number(code[1]));
  const draw = SUITS[code[1]];
  if (code[0] !== "0") return draw(Number(code[0]));
  return [
    ...draw(5, true),
    [
      "path",
      {
        class: "red",
        d: "M52 6l2 4.3l4.6.5l-3.4 3.2l.9 4.7l-4.1-2.3l-4.1 2.3l.9-4.7l-3.4-3.2l4.6-.5z",
        transform: "translate(-3 -1) scale(.98)",
      },
    ],
  ];
}

function build(/** @type {any} */ [tag, attributes, inside = []]) {
  return h(tag, attributes, typeof inside === "string" ? inside : inside.map(build));
}

/** Every tile code of the notation. */
export const CODES = [
  ...["m", "p", "s"].flatMap((suit) => [..."1234567890"].map((digit) => digit + suit)),
  ...[..."1234567"].map((digit) => `${digit}z`),
  ...["f", "g", "a"].flatMap((letter) => [..."1234"].map((digit) => letter + digit)),
  "back",
];

/** Puts the symbols into the page; call once. */
export function plantFaces() {
  const symbols = CODES.map((code) =>
    h("symbol.face", { id: `t-${code}`, viewBox: "0 0 60 80" }, drawing(code).map(build))
  );
  document.body.prepend(element(h("svg.plates", { "aria-hidden": "true", width: 0, height: 0 }, symbols)));
}

/** The face of a tile as a picture without a name of its own (the control around it is labelled). */
export function face(/** @type {string} */ code) {
  return h("svg.face", { viewBox: "0 0 60 80", "aria-hidden": "true" }, h("use", { href: `#t-${code}` }));
}
