// Flowers and seasons: one small drawing each, with their character and seat number.
import { caption } from "./glyphs.js";

const turn = (/** @type {number} */ count, /** @type {(angle: number, i: number) => any} */ make) =>
  Array.from({ length: count }, (_, i) => make((i * 360) / count, i));

function blossom(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ size, colour = "red") {
  const petals = turn(
    5,
    (a) => ["circle", { cy: -5, r: 4.3, class: colour, transform: `rotate(${a})` }],
  );
  const stamens = turn(
    5,
    (a) => ["path", { d: "M0 0v-4.2", class: "line-bone hair", transform: `rotate(${a + 36})` }],
  );
  return ["g", { transform: `translate(${x} ${y}) scale(${size})` }, [
    ...petals,
    ["circle", { r: 3.5, class: colour }],
    ...stamens,
    ["circle", { r: 1.5, class: "gold" }],
  ]];
}

const PLUM = [
  ["path", { class: "line-ink thick", d: "M12 73q8-10 16-17t12-20" }],
  ["path", { class: "line-ink mid", d: "M26 58q10-1 19 5M36 46q-9-3-15-10" }],
  blossom(41, 33, 1.25),
  blossom(20, 36, 0.95),
  blossom(45, 63, 0.85),
  ["circle", { cx: 31, cy: 66, r: 2.4, class: "red" }],
];
const ORCHID = [
  ["path", { class: "line-green mid", d: "M29 74Q22 50 8 38M30 74Q28 46 42 30M31 74Q36 54 53 48M28 74Q18 62 9 62" }],
  ["path", { class: "line-green thin", d: "M30 74Q32 60 45 64" }],
  ...[[42, 42, -10], [31, 36, 24]].map(([x, y, a]) => ["g", { transform: `translate(${x} ${y}) rotate(${a})` }, [
    ...[-70, -25, 25, 70, 180].map((
      r,
    ) => ["ellipse", { cy: -5.5, rx: 2.5, ry: 6, class: "violet", transform: `rotate(${r})` }]),
    ["circle", { r: 2, class: "gold" }],
  ]]),
];
const CHRYSANTHEMUM = [
  ["path", { class: "line-green thick", d: "M31 76q-2-10 0-22" }],
  ["path", { class: "green", d: "M30 68q-12 3-17-5q12-3 17 5zM32 65q10 0 14-7q-11-1-14 7z" }],
  ["g", { transform: "translate(31 43)" }, [
    ...turn(
      18,
      (a) => ["ellipse", { cy: -12, rx: 2.2, ry: 6.5, class: "gold", transform: `rotate(${a})` }],
    ),
    ...turn(
      12,
      (
        a,
      ) => ["ellipse", { cy: -7, rx: 2.1, ry: 5, class: "amber", transform: `rotate(${a + 10})` }],
    ),
    ["circle", { r: 4, class: "red" }],
  ]],
];
const BAMBOO = [
  ["path", { class: "line-green heavy", d: "M22 76V60M22 57V41M22 38V28M38 76V66M38 63V48M38 45V33" }],
  ["path", {
    class: "green",
    d: "M23 40q13-11 23-9q-8 9-23 9zM21 57q-11-6-13-14q10 2 13 14zM39 47q10-6 16-3q-7 6-16 3zM37 64q-7-5-8-11q8 3 8 11z",
  }],
];
const SPRING = [
  ["path", { class: "line-ink mid", d: "M8 70q16-4 24-16t18-20" }],
  blossom(24, 55, 1.05, "pink"),
  blossom(39, 40, 1.15, "pink"),
  blossom(49, 62, 0.8, "pink"),
  ["path", { class: "green", d: "M30 62q8 1 10 8q-9 0-10-8zM18 64q-8-3-8-10q8 2 8 10z" }],
];
const SUMMER = [
  ["path", { class: "line-green thick", d: "M31 50q-2 12 1 25" }],
  ["path", { class: "green", d: "M6 66q24-13 48 1q-24 12-48-1z" }],
  ["path", { class: "pink", d: "M31 54q-18 0-20-17q10 1 14 8q0-9 6-15q6 6 6 15q5-7 14-8q-2 17-20 17z" }],
  ["path", { class: "line-bone thin", d: "M25 45q2 6 6 9M37 45q-2 6-6 9" }],
];
const AUTUMN = [
  ["path", { class: "amber", d: "M30 26l5 11l9-5l-2 11l11 1l-8 8l5 7l-12 0l-8 8l-8-8l-12 0l5-7l-8-8l11-1l-2-11l9 5z" }],
  ["path", { class: "line-red mid", d: "M30 34v43M30 58l-11-8M30 58l11-8M30 48l-6-6M30 48l6-6" }],
];
const WINTER = [
  [
    "g",
    { transform: "translate(30 52)" },
    turn(6, (a) => ["path", {
      class: "line-blue mid",
      transform: `rotate(${a})`,
      d: "M0 0V-23M0-14L-6-20M0-14L6-20M0-7L-4-11M0-7L4-11",
    }]),
  ],
];

/** @type {[string, any[]][]} */
const FLOWERS = [["梅", PLUM], ["蘭", ORCHID], ["菊", CHRYSANTHEMUM], ["竹", BAMBOO]];
/** @type {[string, any[]][]} */
const SEASONS = [["春", SPRING], ["夏", SUMMER], ["秋", AUTUMN], ["冬", WINTER]];

/** The drawing of a flower, 1 to 4. */
export function flower(/** @type {number} */ number) {
  const [name, drawing] = FLOWERS[number - 1];
  return [...drawing, ...caption(name, number, "red")];
}

/** The drawing of a season, 1 to 4. */
export function season(/** @type {number} */ number) {
  const [name, drawing] = SEASONS[number - 1];
  return [...drawing, ...caption(name, number, "blue", "red")];
}
