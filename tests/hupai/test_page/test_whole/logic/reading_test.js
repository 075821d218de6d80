// What the camera saw, as a hand that can be edited, and what its owner has mended of it.
import { deepEqual, equal } from "node:assert/strict";
import { correctedTiles, doubtsByTile, handFromRead, mendedCount, nextDoubt } from "#js/hand/fromread.js";
import { changeTile, removeTile, tilesOf } from "#js/hand/hand.js";
import { removeMeld } from "#js/hand/handmelds.js";
import { neighbour, rowsOf } from "#js/hand/rows.js";

const at = (x, y) => [[x, y], [x + 30, y], [x + 30, y + 40], [x, y + 40]];
const tile = (code, role, x, y = 0, group = 0) => ({ tile: code, role, group, corners: at(x, y) });
const READ = {
  tiles: [
    tile("1m", "concealed", 0),
    tile("2m", "concealed", 40),
    tile("0p", "concealed", 80),
    tile("5p", "winning", 150),
    tile("back", "meld", 300, 100, 1),
    tile("7z", "meld", 340, 100, 1),
    tile("7z", "meld", 380, 100, 1),
    tile("back", "meld", 420, 100, 1),
    tile("9s", "other", 0, 100, 2),
  ],
  hand: {
    concealed: ["1m", "3m", "5p"],
    winning_tile: "5p",
    melds: [{ type: "kong_concealed", from: null, tiles: ["7z", "7z", "7z", "7z"] }],
    bonus: [],
    dora_indicators: [],
  },
  repairs: [{ tile: 1, read: "2m", used: "3m" }, { tile: 2, read: "0p", used: "5p" }],
  doubts: [{ tile: 0, code: "low_confidence" }, { tile: 0, code: "near_win" }, { tile: null, code: "no_win" }],
};

Deno.test("the hand has the repairs, the doubts, and where each tile lies in the photo", () => {
  const hand = handFromRead(READ);
  deepEqual(hand.concealed.map(({ code, seen, doubt }) => [code, seen, doubt]), [
    ["1m", 0, "low_confidence"],
    ["3m", 1, "repaired"],
    ["5p", 2, null], // a red five that the rules do not have is nothing to look at
  ]);
  equal(hand.winning.seen, 3);
  deepEqual(hand.melds[0].tiles.map(({ seen }) => seen), [5, 6, 4, 7], "backs stand for faces that were filled in");
});

Deno.test("the next doubt about a tile is asked when the first is settled", () => {
  const [first] = handFromRead(READ).concealed;
  equal(nextDoubt(READ, first), "near_win");
  equal(nextDoubt(READ, { ...first, doubt: "near_win" }), null);
  equal(doubtsByTile(READ).has(2), false);
});

Deno.test("what was mended is counted, backs of a kong stay backs", () => {
  const hand = handFromRead(READ);
  equal(mendedCount(READ, tilesOf(hand)), 1, "what the rules made another tile is counted, too");
  const mended = removeTile(changeTile(hand, hand.concealed[0].id, "4m"), hand.concealed[2].id);
  equal(mendedCount(READ, tilesOf(mended)), 3);
  deepEqual(correctedTiles(READ, tilesOf(mended)).map(({ label }) => label), [
    "4m",
    "3m",
    "5p",
    "back",
    "7z",
    "7z",
    "back",
    "9s",
  ]);
});

Deno.test("a face-down tile is one even where no kong has it", () => {
  const hand = handFromRead(READ);
  const gone = tilesOf(removeMeld(hand, hand.melds[0].id));
  deepEqual(correctedTiles(READ, gone).map(({ label }) => label), ["1m", "3m", "5p", "5p", "back", "back", "9s"]);
  equal(mendedCount(READ, gone), 3);
});

Deno.test("without a hand the loose tiles are there as they were recognised", () => {
  const tiles = [tile("1m", "other", 0), tile("f2", "other", 40)];
  const { concealed, bonus } = handFromRead({ ...READ, tiles, hand: null, repairs: [], doubts: [] });
  deepEqual([concealed, bonus].map((some) => some.map(({ code }) => code)), [["1m"], ["f2"]]);
});

Deno.test("arrow keys lead along the rows, whichever way the photo is turned", () => {
  const rows = rowsOf(READ);
  deepEqual(rows.map((row) => row.map(({ seen }) => seen)), [[0, 1, 2, 3], [8, 4, 5, 6, 7]]);
  equal(neighbour(rows, 3, "ArrowRight"), 8);
  equal(neighbour(rows, 0, "ArrowLeft"), 7);
  equal(neighbour(rows, 0, "ArrowDown"), 8);
  equal(neighbour(rows, 8, "ArrowDown"), 8);
  const turned = READ.tiles.map((one) => ({ ...one, corners: one.corners.map(([x, y]) => [500 - x, 500 - y]) }));
  const hand = { ...READ.hand, concealed: ["1m", "2m"] }; // its ends tell where the row begins
  deepEqual(rowsOf({ hand, tiles: turned })[0].map(({ seen }) => seen), [0, 1, 2, 3]);
});

Deno.test("a row that touches the one below is a row, and a crooked one is one, too", () => {
  const rows = (...downs) => {
    const tiles = downs.map((down, n) => tile("1m", "other", 35 * n, down));
    return rowsOf({ tiles, hand: null }).map((row) => row.map(({ seen }) => seen));
  };
  deepEqual(rows(0, 0, 42, 42), [[0, 1], [2, 3]]);
  deepEqual(rows(0, 8, 15, 22), [[0, 1, 2, 3]]);
});
