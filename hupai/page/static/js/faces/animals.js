// The animals of the Singapore set: cat, rat, rooster, centipede.
import { caption } from "./glyphs.js";

const CAT = [
  ["path", { class: "line-ink thick", d: "M45 70q11-4 6-18q-2-5-6-3" }],
  ["path", { class: "ink", d: "M14 74q-2-16 6-24l-3-16l8 6h10l8-6l-3 16q8 8 6 24z" }],
  ["path", { class: "bone", d: "M22 44q3-3 6 0q-3 4-6 0zM33 44q3-3 6 0q-3 4-6 0z" }],
  ["path", {
    class: "line-bone thin",
    d: "M30.5 49v3M27 54q2 1 3.5-2q1.5 3 3.5 2M20 51l-9-2M20 54l-9 2M41 51l9-2M41 54l9 2M30.5 62v12",
  }],
];
const RAT = [
  ["path", { class: "line-red thick", d: "M47 68q9-3 6-13q-3-8-8-4" }],
  ["path", { class: "blue", d: "M7 63q3-12 14-14q-4-9 4-11q8 0 6 10q17 2 18 18q0 8-8 8H16q-6-1-3-6q-5-1-6-5z" }],
  ["circle", { cx: 25.5, cy: 44, r: 3.4, class: "pink" }],
  ["circle", { cx: 18, cy: 56.5, r: 1.9, class: "bone" }],
  ["path", { class: "line-ink hair", d: "M11 62l-6-2M11 64l-6 2M12 66l-4 4" }],
  ["circle", { cx: 8, cy: 62, r: 1.5, class: "red" }],
];
const ROOSTER = [
  ["path", { class: "green", d: "M36 60q4-22 18-26q-3 8-1 12q-4 4-3 9q-3 9-14 10z" }],
  ["path", { class: "amber", d: "M18 34q8-2 10 7q2 11 12 12q4 15-12 18q-16-2-15-18q0-12 5-19z" }],
  ["path", { class: "line-red mid", d: "M25 71v6M31 70v7M21 77h6M29 77h6" }],
  ["path", {
    class: "red",
    d: "M17 36q-3-8 1-9q3 0 3 4q1-6 5-4q3 2 0 6q4-1 4 3q-1 4-6 4zM12 40l-6 2l6 3zM14 46q-2 5 1 8q3-3 2-8z",
  }],
  ["circle", { cx: 18, cy: 40, r: 1.7, class: "ink" }],
  ["path", { class: "line-red mid", d: "M27 52q6 8 12 6" }],
];
const SEGMENTS = Array.from({ length: 9 }, (_, i) => [30 + 13 * Math.sin(i * 0.85), 32 + i * 5]);
const CENTIPEDE = [
  ...SEGMENTS.flatMap((
    [x, y],
  ) => [["path", { class: "line-red thin", d: `M${x - 4} ${y}q-5-1-7 3M${x + 4} ${y}q5-1 7 3` }]]),
  ...SEGMENTS.map(([x, y], i) => ["circle", { cx: x, cy: y, r: i ? 4.6 : 5.6, class: i ? "green" : "red" }]),
  ["path", { class: "line-ink thin", d: "M27 27q-3-6-7-5M33 27q3-6 7-5" }],
  ["circle", { cx: 28, cy: 31, r: 1.1, class: "bone" }],
  ["circle", { cx: 32, cy: 31, r: 1.1, class: "bone" }],
];
/** @type {[string, any[]][]} */
const ANIMALS = [["貓", CAT], ["鼠", RAT], ["雞", ROOSTER], ["蜈", CENTIPEDE]];

/** The drawing of an animal, 1 to 4. */
export function animal(/** @type {number} */ number) {
  const [name, drawing] = ANIMALS[number - 1];
  return [...drawing, ...caption(name, number, "green", "green")];
}
