// What waits for the host: it follows the game, and leaves when it is entered.
import { deepEqual, equal } from "node:assert/strict";
import { freshDraft } from "#js/hand/draft.js";
import {
  followQueue,
  isOwnChange,
  markSeen,
  onEntered,
  onlyMine,
  putWaiting,
  waiting,
  waitingFor,
} from "#js/state/queue.js";

const SEATS = { E: 0, S: 1, W: 2, N: 3 };
const NEXT = { E: 1, S: 2, W: 3, N: 0 };
const game = (revision, seats, keys = []) => ({
  id: "one",
  revision,
  seats,
  hands: keys.map((key, at) => ({ key, number: at + 1 })),
});
const entry = (key, answers, body = null) => ({
  key,
  game: "one",
  body,
  fault: { code: "game_moved_on" },
  draft: { ...freshDraft(), answers, seen: { game: "one", revision: 3, seats: SEATS } },
});

Deno.test("what is in the ledger waits no longer, the others follow the seats", () => {
  putWaiting([entry("a", { seat: "E" }, {}), entry("b", { seat: "E" })]);
  let entered = [];
  onEntered((numbers) => (entered = numbers));
  const [before, after] = [game(3, SEATS), game(4, NEXT, ["a"])];
  equal(isOwnChange(before, after), true);
  equal(isOwnChange(before, game(4, NEXT, ["x"])), false);
  followQueue(after, before, true);
  deepEqual(entered, [1]);
  const [left] = waiting();
  equal(left.key, "b");
  deepEqual([left.draft.answers.seat, left.draft.seen.revision], ["N", 4]);
  putWaiting([{ ...entry("e", { seat: "E" }), game: "two" }, entry("f", { seat: "E" }, {})]);
  followQueue(game(5, NEXT, ["a"]), before, false);
  deepEqual(
    waiting().map(({ draft }) => draft.answers.seat),
    ["E", "E"],
    "another game's, and one that was sent, stay",
  );
  equal(onlyMine(before, after), true);
  equal(onlyMine(before, game(5, NEXT, ["a", "x"])), false);
  putWaiting([]);
});

Deno.test("a change by others is seen when somebody has looked, for those that saw the same", () => {
  const earlier = { ...freshDraft(), seen: { game: "one", revision: 2, seats: SEATS } };
  putWaiting([entry("c", { seat: "S" }), { ...entry("d", {}), game: "two" }, { ...entry("g", {}), draft: earlier }]);
  followQueue(game(4, NEXT, ["x"]), game(3, SEATS), false);
  equal(waitingFor({ id: "one" })[0].draft.seen.revision, 3);
  markSeen(game(4, NEXT), 3);
  const [mine, other] = waitingFor({ id: "one" });
  deepEqual([mine.draft.seen.revision, mine.fault], [4, null]);
  equal(other.draft.seen.revision, 2, "its owner had seen another table");
  equal(waitingFor({ id: "two" })[0].fault.code, "game_moved_on");
  putWaiting([]);
  deepEqual(waiting(), []);
});
