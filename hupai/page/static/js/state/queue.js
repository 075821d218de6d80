// What waits for the host, hands, draws and payments alike, in order; stored on the phone. scoring/queue.js enters it.
import { followGame } from "../hand/draft.js";
import { moveEntry } from "../hand/seats.js";
import { recall, remember } from "../api/store.js";
import { emit } from "./signal.js";

/** @type {(numbers: number[]) => void} */
let hear = () => {}; // receives the numbers under which hands were entered
const mine = new Set(); // keys of the entries made from this phone

/** Calls `act` with the numbers of hands that were entered. */
export const onEntered = (/** @type {(numbers: number[]) => void} */ act) => (hear = act);

/**
 * What waits.
 * @returns {Waiting[]}
 */
export const waiting = () => recall("queue", []);

export function putWaiting(/** @type {Waiting[]} */ entries) {
  remember("queue", entries.length ? entries : undefined);
  emit("queue");
}

/** What waits for a game. */
export const waitingFor = (/** @type {{id: string} | null} */ game) =>
  waiting().filter((entry) => game && entry.game === game.id);

/**
 * Records that somebody has looked at the table for the first entry, which counts for those behind it, too.
 * @param {Game} game
 * @param {number} revision that the entries had seen
 */
export function markSeen(game, revision) {
  putWaiting(
    waiting().map((entry) =>
      entry.game === game.id && entry.draft.seen?.revision === revision
        ? { ...entry, draft: { ...entry.draft, seen: { ...entry.draft.seen, revision: game.revision } }, fault: null }
        : entry
    ),
  );
}

/** Whether an entry made the change: that does not make the others out of date. */
export const isOwnChange = (/** @type {Game} */ before, /** @type {Game} */ game) =>
  game.revision === before.revision + 1 &&
  waitingFor(game).some((entry) => entry.body && game.hands.some((hand) => hand.key === entry.key));

/** Whether all changes since the game was in the state `before` came from entries that waited here. */
export function onlyMine(/** @type {Game} */ before, /** @type {Game} */ game) {
  const known = new Set(before.hands.map((hand) => hand.key));
  const entered = game.hands.filter((hand) => mine.has(hand.key) && !known.has(hand.key));
  return game.revision === before.revision + entered.length;
}

/** @type {(draft: WaitingDraft, move: import("../hand/seats.js").Move) => WaitingDraft} */
const movedSaid = (draft, move) => ({ ...draft, said: moveEntry(draft.said, move) });

/**
 * A waiting draft with every person in the seat they have now.
 * @type {(draft: WaitingDraft, game: Game | null, before?: Game | null, own?: boolean) => WaitingDraft}
 */
export const draftNow = (draft, game, before = null, own = false) =>
  followGame(draft, game, before, own, draft.outcome ? movedSaid : undefined);

/**
 * Adapts what waits to a change of the game; what is in its ledger waits no longer.
 * @type {(game: Game | null, before: Game | null, own: boolean) => void}
 */
export function followQueue(game, before, own) {
  const entries = waiting();
  if (!entries.length || !game) return;
  const entered = new Map(game.hands.map((hand) => [hand.key, hand.number]));
  const done = entries.filter((entry) => entered.has(entry.key));
  for (const { key } of done) mine.add(key);
  putWaiting(
    entries.filter((entry) => !entered.has(entry.key)).map((entry) =>
      entry.game === game.id && !entry.body ? { ...entry, draft: draftNow(entry.draft, game, before, own) } : entry
    ),
  );
  if (done.length) hear(done.map((entry) => entered.get(entry.key) ?? 0));
}
