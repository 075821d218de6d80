// The dot suit: rings like coins, laid out as on every set.

const RING = [
  ["circle", { r: 7.6, class: "f" }],
  ["circle", { r: 5.9, class: "bone" }],
  ["circle", { r: 4.7, class: "f" }],
  ["circle", { r: 2.2, class: "bone" }],
  ["circle", { r: 1, class: "f" }],
];

// [x, y, colour] for each dot; the field is 60 x 80.
/** @type {Record<number, any[][]>} */
const PLACES = {
  2: [
    [30, 22, "green"],
    [30, 58, "blue"],
  ],
  3: [
    [15, 17, "blue"],
    [30, 40, "red"],
    [45, 63, "green"],
  ],
  4: [
    [18, 21, "blue"],
    [42, 21, "green"],
    [18, 59, "green"],
    [42, 59, "blue"],
  ],
  5: [
    [16, 18, "blue"],
    [44, 18, "green"],
    [30, 40, "red"],
    [16, 62, "green"],
    [44, 62, "blue"],
  ],
  6: [
    [18, 17, "green"],
    [42, 17, "green"],
    [18, 43, "red"],
    [42, 43, "red"],
    [18, 63, "red"],
    [42, 63, "red"],
  ],
  7: [
    [13, 13, "green"],
    [30, 20.5, "green"],
    [47, 28, "green"],
    [19, 48, "red"],
    [41, 48, "red"],
    [19, 66, "red"],
    [41, 66, "red"],
  ],
  8: [11, 30, 49, 68].flatMap((y) => [
    [19, y + 0.5, "blue"],
    [41, y + 0.5, "blue"],
  ]),
  9: [
    ["green", 16],
    ["red", 40],
    ["blue", 64],
  ].flatMap(([colour, y]) => [12, 30, 48].map((x) => [x, y, colour])),
};
/** @type {Record<number, number>} */
const SCALE = { 2: 1.28, 3: 1.12, 4: 1.2, 5: 1.06, 6: 1.06, 7: 0.98, 8: 1.02, 9: 1.02 };

function one() {
  const petals = Array.from({ length: 12 }, (_, i) => [
    "ellipse",
    { cy: -13.2, rx: 2.5, ry: 4.1, class: i % 2 ? "red" : "green", transform: `rotate(${i * 30})` },
  ]);
  return [
    [
      "g",
      { transform: "translate(30 40)" },
      [
        ["circle", { r: 22, class: "green" }],
        ["circle", { r: 20.2, class: "bone" }],
        ["circle", { r: 18.9, class: "line-blue thin" }],
        ...petals,
        ["circle", { r: 7.4, class: "red" }],
        ["circle", { r: 5.6, class: "bone" }],
        ["circle", { r: 3.6, class: "red" }],
        ["circle", { r: 1.2, class: "bone" }],
      ],
    ],
  ];
}

/** The drawing of a dot tile, 1 to 9; `red` draws a red five. */
export function dots(/** @type {number} */ number, red = false) {
  if (number === 1) return one();
  return PLACES[number].map((/** @type {any} */ [x, y, colour]) => [
    "g",
    { class: red ? "red" : colour, transform: `translate(${x} ${y}) scale(${SCALE[number]})` },
    RING,
  ]);
}
