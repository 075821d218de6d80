// The bamboo suit: jointed sticks, and the sparrow on the one.

const STICK =
  "M-2.6-8.6q2.6-1.6 5.2 0q.7 1-.5 2.2q-.5 2.4 0 4.6q1.2 1.3.2 2.6q-.9 2.4-.2 5.6q1.2 1.2.5 2.2q-2.6 1.6-5.2 0" +
  "q-.7-1 .5-2.2q.7-3.2-.2-5.6q-1-1.3.2-2.6q.5-2.2 0-4.6q-1.2-1.2-.5-2.2z";
const GRAIN = "M-.2-6v3.6M-.2 2.6v4";

// [x, y, colour, turn] for each stick.
/** @type {Record<number, any[][]>} */
const PLACES = {
  2: [[30, 22, "blue"], [30, 58, "green"]],
  3: [[30, 21, "blue"], [18, 58, "green"], [42, 58, "green"]],
  4: [[18, 21, "blue"], [42, 21, "green"], [18, 59, "green"], [42, 59, "blue"]],
  5: [[14, 19, "green"], [46, 19, "blue"], [30, 40, "red"], [14, 61, "blue"], [46, 61, "green"]],
  6: [21, 59].flatMap((y, row) => [12, 30, 48].map((x) => [x, y, row ? "blue" : "green"])),
  7: [[30, 14.5, "red"], ...[40, 65.5].flatMap((y) => [12, 30, 48].map((x) => [x, y, x === 30 ? "blue" : "green"]))],
  8: [
    [10, 20, "green", 0],
    [23.4, 20, "blue", -34],
    [36.6, 20, "blue", 34],
    [50, 20, "green", 0],
    [10, 60, "green", 0],
    [23.4, 60, "blue", 34],
    [36.6, 60, "blue", -34],
    [50, 60, "green", 0],
  ],
  9: [14.5, 40, 65.5].flatMap((y) => [12, 30, 48].map((x) => [x, y, { 12: "green", 30: "red", 48: "blue" }[x]])),
};
/** @type {Record<number, number>} */
const SCALE = { 2: 1.75, 3: 1.7, 4: 1.7, 5: 1.5, 6: 1.6, 7: 1.26, 8: 1.5, 9: 1.26 };

const SPARROW = [
  ["path", { class: "line-green thick", d: "M15 71q13-3 31 1M22 71q-4-6-9-7M40 71.5q5-5 8-5" }],
  ["path", { class: "line-red mid", d: "M29 61v9M34.5 60v10M26 70h5M32 70.5h6" }],
  ["path", { class: "green", d: "M24 46q-15 8-17 19q9-1 13-6q0 6-2 9q9-4 12-12z" }],
  ["path", { class: "blue", d: "M19 21q9-5 15 3q13 10 12 25q-2 13-14 13q-12-1-14-15q-1-9 4-16z" }],
  ["path", { class: "bone", d: "M24 33q9 1 12 8q3 9-2 16q10-3 8-15q-2-10-10-15z", opacity: ".9" }],
  ["path", { class: "line-green mid", d: "M28 38q7 4 7 14M24.5 44q5 4 5 11" }],
  ["path", { class: "red", d: "M34 23q11 9 11 21q-4-11-15-16z" }],
  ["path", { class: "red", d: "M20 21l-11 3l9 5zM24 20q-2-8 2-11q0 5 2 7q1-5 5-6q-2 4-1 9z" }],
  ["circle", { cx: 24.5, cy: 25, r: 3.4, class: "bone" }],
  ["circle", { cx: 24, cy: 25, r: 1.7, class: "ink" }],
];

/** The drawing of a bamboo tile, 1 to 9; `red` draws a red five. */
export function bamboo(/** @type {number} */ number, red = false) {
  if (number === 1) return SPARROW;
  return PLACES[number].map((/** @type {any} */ [x, y, colour, turn = 0]) => [
    "g",
    { class: red ? "red" : colour, transform: `translate(${x} ${y}) rotate(${turn}) scale(${SCALE[number]})` },
    [["path", { d: STICK, class: "f" }], ["path", { d: GRAIN, class: "grain" }]],
  ]);
}
