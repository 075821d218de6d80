// The hand being edited: what becomes of it, tile by tile.
import { deepEqual, equal } from "node:assert/strict";
import { addTile, changeTile, emptyHand, moveTile, removeTile, tilesMissing, wonWith } from "#js/hand/hand.js";
import { addMeld, changeMeld, makeMeld } from "#js/hand/handmelds.js";
import { breakMeld } from "#js/hand/hand.js";
import { isMeld, meldFrom, meldsWith } from "#js/hand/melds.js";
import { codesOf } from "#js/hand/tiles.js";

const typed = (codes) => codes.split(" ").reduce((hand, code) => addTile(hand, code), emptyHand());
const names = (tiles) => tiles.map(({ code }) => code).join(" ");
const idOf = (hand, code) => hand.concealed.find((tile) => tile.code === code).id;

Deno.test("typed tiles sort themselves, the last one is the winning tile, flowers lie apart", () => {
  const hand = typed("9m 1m f3 1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 9m 5m");
  equal(names(hand.concealed), "1m 1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 9m 9m");
  equal(hand.winning.code, "5m");
  equal(names(hand.bonus), "f3");
  equal(tilesMissing(hand), 0);
});

Deno.test("tiles of a photo keep its order, typed ones follow", () => {
  const seen = ["9s", "1s", "5s"].reduce(
    (hand, code, place) => addTile(hand, code, null, { seen: place, place }),
    emptyHand(),
  );
  equal(names(addTile(seen, "1m").concealed), "9s 1s 5s 1m");
});

Deno.test("another winning tile sends the one before back", () => {
  const hand = typed("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 5s 4p");
  const other = moveTile(hand, idOf(hand, "1m"), "winning");
  equal(other.winning.code, "1m");
  equal(names(other.concealed), "2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 4p 5s 5s");
  const none = moveTile(other, other.winning.id, "concealed");
  equal(none.winning, null);
  equal(none.concealed.length, 14);
});

Deno.test("a tile that is a flower after all moves, and back", () => {
  const hand = typed("1m 2m 3m");
  const flower = changeTile(hand, idOf(hand, "2m"), "g3");
  equal(names(flower.bonus), "g3");
  equal(names(flower.concealed), "1m 3m");
  equal(names(changeTile(flower, flower.bonus[0].id, "2m").concealed), "1m 2m 3m");
});

Deno.test("a claimed meld keeps from whom, a concealed kong has nobody", () => {
  const hand = addMeld(emptyHand(), "kong_open", Array(4).fill("1z"));
  const [{ id }] = hand.melds;
  const claimed = changeMeld(hand, id, { from: "N" });
  equal(claimed.melds[0].from, "N");
  equal(changeMeld(claimed, id, { type: "kong_concealed" }).melds[0].from, null);
});

Deno.test("a kong takes the loose fourth tile, or else a new one", () => {
  const whole = typed("1m 1m 1m 1m 2p 3p 4p 5s 5s 6s 7s 8s 9p 9p");
  const hand = addTile(whole, "5s", "concealed");
  const three = hand.concealed.slice(0, 3).map(({ id }) => id);
  const pung = makeMeld(hand, three, "pung");
  const kong = changeMeld(pung, pung.melds[0].id, { type: "kong_added" });
  equal(names(kong.melds[0].tiles), "1m 1m 1m 1m");
  equal(kong.concealed.some(({ code }) => code === "1m"), false);
  const short = removeTile(pung, idOf(pung, "1m"));
  const made = changeMeld(short, short.melds[0].id, { type: "kong_added" });
  equal(made.melds[0].tiles.length, 4);
  equal(changeMeld(made, made.melds[0].id, { type: "pung" }).melds[0].tiles.length, 3);
});

Deno.test("a meld that loses a tile, or is broken up, gives the others back", () => {
  const hand = makeMeld(typed("5z 5z 5z 1m"), [1, 2, 3], "pung");
  equal(names(removeTile(hand, 2).concealed), "1m 5z 5z");
  const broken = breakMeld(hand, hand.melds[0].id);
  equal(names(broken.concealed), "1m 5z 5z 5z");
  deepEqual(broken.melds, []);
});

Deno.test("another winner wins with the same tile, unless its own is known", () => {
  const row = typed("1s 2s 3s 4s 5s 6s 7s 8s 2p 3p 4p 6m 6m");
  const unsure = wonWith(addTile(row, "9s", "winning", { doubt: "winning_tile_unknown" }), "4p");
  equal(unsure.winning.code, "4p");
  equal(unsure.concealed.length, 13);
  equal(unsure.concealed.some(({ doubt }) => doubt), false);
  equal(wonWith(addTile(row, "9s", "winning", { doubt: "low_confidence" }), "4p").winning.code, "9s");
  equal(wonWith(row, "4p").winning.code, "4p");
});

Deno.test("the melds that loose tiles can form", () => {
  const loose = codesOf("123m3m33p0s5s5s5s").map((code, id) => ({ id, code }));
  const found = (id) => meldsWith(loose[id], loose).map(({ type, codes }) => `${type} ${codes.join("")}`);
  deepEqual(found(0), ["chow 1m2m3m"]);
  deepEqual(found(6), ["pung 5s5s0s", "kong_open 5s5s5s0s", "kong_added 5s5s5s0s", "kong_concealed 5s5s5s0s"]);
  equal(isMeld("chow", ["8m", "9m", "1m"]), false);
  equal(isMeld("chow", ["4p", "5z", "6p"], "5z"), true);
  equal(isMeld("chow", ["1z", "2z", "3z"]), false);
});

Deno.test("a meld begins with a tile", () => {
  deepEqual(meldFrom("chow", "7p"), ["7p", "8p", "9p"]);
  for (const code of ["8p", "1z", "f1", "back"]) equal(meldFrom("chow", code), null, code);
  deepEqual(meldFrom("kong_open", "0s"), ["5s", "5s", "5s", "5s"]);
});
