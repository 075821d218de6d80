// Seats move, people do not: what follows whom when the deal passes.
import { deepEqual, equal } from "node:assert/strict";
import { followGame, freshDraft } from "#js/hand/draft.js";
import { impersonalAnswers, moveAnswers, moveEntry, mover } from "#js/hand/seats.js";

const BEFORE = { E: 0, S: 1, W: 2, N: 3 };
const AFTER = { E: 1, S: 2, W: 3, N: 0 }; // the deal has passed
const game = (more) => ({ id: "one", revision: 4, seats: AFTER, ...more });
const draft = (answers) => ({ ...freshDraft(), answers, seen: { game: "one", revision: 3, seats: BEFORE } });

Deno.test("an answer about a seat follows who sat there, what the table knows is dropped", () => {
  const moved = moveAnswers(
    {
      seat: "S",
      from: "E",
      riichi: ["W", "N"],
      win: "discard",
      round: "E",
      counters: 2,
      liable: { seat: "N", kind: "yakuman" },
      fed: { "S>W": 2 },
    },
    mover(BEFORE, AFTER),
  );
  deepEqual(moved, {
    seat: "E",
    from: "N",
    riichi: ["S", "W"],
    win: "discard",
    liable: { seat: "W", kind: "yakuman" },
    fed: { "E>S": 2 },
  });
});

Deno.test("transfers, a claim and other winners of an entry move, too", () => {
  const entry = {
    offender: "E",
    claim: { from: "S" },
    transfers: [{ from: "E", to: "W", amount: 3 }],
    wins: [{ context: { seat: "N" } }],
  };
  deepEqual(moveEntry(entry, mover(BEFORE, AFTER)), {
    offender: "N",
    claim: { from: "E" },
    transfers: [{ from: "N", to: "S", amount: 3 }],
    wins: [{ context: { seat: "W" } }],
  });
});

Deno.test("a draft has seen a change only if its owner made it", () => {
  const before = { revision: 3 };
  const told = followGame(draft({ seat: "S" }), game({}), before, false);
  equal(told.answers.seat, "E");
  equal(told.seen.revision, 3);
  equal(followGame(draft({ seat: "S" }), game({}), before, true).seen.revision, 4);
  equal(followGame(draft({ seat: "S" }), game({}), { revision: 2 }, true).seen.revision, 3);
  deepEqual(told.seen.seats, AFTER);
});

Deno.test("in another game nobody is meant any more", () => {
  const other = followGame(
    draft({ seat: "S", from: "E", win: "discard", last_tile: true }),
    game({ id: "two" }),
    null,
    false,
  );
  deepEqual(other.answers, { win: "discard", last_tile: true });
  deepEqual(impersonalAnswers({ liable: { seat: "S" }, ready: ["E"], streak: 2 }), {});
  equal(other.seen.game, "two");
});
