// The hand on the felt at a table: what carries over, what its winner takes, and what happened meanwhile.
import "./document.js";
import { deepEqual, equal } from "node:assert/strict";
import { addTile, emptyHand } from "#js/hand/hand.js";
import { beginCorrection } from "#js/ledger/correction.js";
import { known } from "#js/scoring/questions.js";
import { hasMovedOn, keepMine } from "#js/scoring/revision.js";
import { app } from "#js/state/app.js";
import { answer, newDraft, setHand } from "#js/state/draft.js";
import { putGame } from "#js/state/game.js";
import { fetched } from "#js/state/signal.js";

const SEATS = { E: 0, S: 1, W: 2, N: 3 };
const FRESH = { id: "one", rules: "riichi", options: {}, seats: SEATS, hands: [], context: {}, state: {} };
const game = (revision, more) => ({ ...FRESH, revision, ...more });
const begin = () => setHand(addTile(emptyHand(), "1m"));

Deno.test("of a list that is asked for twice, the later answer stays", async () => {
  const waits = [];
  const list = fetched("games", () => new Promise((give) => waits.push(give)));
  const both = [list.load(), list.load()];
  waits[1]("new");
  waits[0]("old");
  await Promise.all(both);
  equal(list.answer, "new");
});

Deno.test("facts of the table hold for the next hand, unless a game knows them or the hand was entered", () => {
  const said = { round: "S", counters: 2, seat: "W", last_tile: true };
  putGame(null, false);
  answer(said);
  newDraft();
  deepEqual(app.draft.answers, { round: "S", counters: 2 });
  newDraft({ recorded: true });
  deepEqual(app.draft.answers, {});
  putGame(game(3), false);
  answer(said);
  newDraft();
  deepEqual(app.draft.answers, {});
});

Deno.test("a hand that was begun before the table changed waits until its owner has looked", () => {
  putGame(game(3), false);
  newDraft();
  begin();
  equal(hasMovedOn(), false);
  putGame(game(4), false);
  equal(hasMovedOn(), true);
  keepMine();
  equal(hasMovedOn(), false);
  putGame(game(5), false);
  setHand(emptyHand());
  equal(hasMovedOn(), false, "nothing is on the felt");
});

Deno.test("sticks and counters go to the nearest winner, or each takes his own stick", () => {
  const at = (each) => game(3, { context: { riichi_sticks: 2, counters: 1 }, play: { each_takes: each } });
  const taken = (seat, other, each) => {
    const wins = [{ request: { context: { seat: other, riichi: true } }, said: {} }];
    const { riichi_sticks: sticks, counters } = known({ seat, from: "E", riichi: true }, at(each), wins);
    return [sticks, counters];
  };
  deepEqual(taken("S", "W", false), [4, 1]);
  deepEqual(taken("W", "S", false), [0, 0]);
  deepEqual(taken("S", "W", true), [3, 1]);
  deepEqual(taken("W", "S", true), [1, 1]);
});

Deno.test("a hand that is corrected lies there with what was said, the sticks of others too", () => {
  const win = { concealed: "123m", winning_tile: "5s", context: { seat: "S", win: "self_draw", riichi: true } };
  putGame(game(3, { hands: [{ number: 1, seats: SEATS, state: {} }] }), false);
  const request = { outcome: "win", wins: [win], riichi: ["S", "W"] };
  beginCorrection({ number: 1, request, wins: [{ seat: "S" }], scores: [{}], rules: "riichi", options: {} }, 0);
  deepEqual(app.draft.answers, { ...win.context, declared: ["W"] });
  deepEqual([app.draft.hand.winning.code, app.draft.correcting.number], ["5s", 1]);
});
