// Everything that waits for the host, hands, draws and payments alike: stored on the phone and entered in order, each
// once. If one cannot be entered, a person has to look at it, and those behind it wait.
import { app, changed, on, putBack, queue, setGame } from "../app.js";
import { freshKey, post } from "./api.js";
import { entryOf } from "../ledger/entry.js";
import { followed, seatsOf } from "../hand/draft.js";
import { isEmpty } from "../hand/hand.js";
import { movedEntry } from "../hand/seats.js";
import { gaps, requestNow } from "../hand/live.js";
import { nextHand } from "../hand/nexthand.js";
import { known } from "../hand/questions.js";
import { seenNow, tookRefusal } from "../ledger/seen.js";
import { recall, remember } from "./store.js";

const AGAIN_MS = 5000;
const PASSING = [0, 401, 403, 408, 429]; // no answer, or one that is not about the hand
/** @type {(numbers: number[]) => void} */
let hear = () => {}; // receives the numbers under which hands were entered
let timer = 0; // of the next try after a missing answer
let sending = false;
let held = false; // a person is looking at one of them
const mine = new Set(); // keys of the entries made from this phone

/** Calls `act` with the numbers of hands that were entered. */
export const onEntered = (/** @type {(numbers: number[]) => void} */ act) => (hear = act);

/**
 * What waits, in order: {key, game, name, draft, body, fault}. `game` is null if none was open; `body` is what was
 * sent, null before; `fault` is why a person has to look. The draft is that of a hand, or {outcome, said, seen}: the
 * form's name, its input, and the game state it refers to.
 */
export const waiting = () => recall("queue", []);

const ofGame = () => waiting().filter((entry) => app.game && entry.game === app.game.id);

function put(entries) {
  remember("queue", entries.length ? entries : undefined);
  changed("queue");
}

const change = (key, values) => put(waiting().map((entry) => (entry.key === key ? { ...entry, ...values } : entry)));

/** Removes one entry from the queue. */
export const drop = (key) => {
  put(waiting().filter((entry) => entry.key !== key));
  pump();
};

/** Whether the hand on the felt is complete enough to wait: who won, who paid, and every tile. */
export function canWait() {
  const { open, tiles, winning, waiting: short } = gaps();
  return !app.draft.correcting && !open.length && !tiles && !winning && !short;
}

/** Queues the hand on the felt, and clears the felt for the next. */
export function keepForLater() {
  const { game } = app;
  const { hand, answers, wins, key, read } = app.draft;
  const seen = app.draft.seen ?? (game && seatsOf(game));
  const models = read?.models ?? app.draft.models;
  const draft = { hand, answers: { ...answers, seat: known().seat }, wins, seen, models };
  const sent = { key: key?.key ?? freshKey(), body: key?.body ?? null };
  put([...waiting(), { ...sent, game: game?.id ?? null, name: game?.name ?? "", draft, fault: null }]);
  nextHand({});
  pump();
}

/**
 * Queues what was entered in a form for a game: at the end, or in the place of an earlier entry.
 * @param {string} outcome name of the form
 * @param {object} said what is to be entered
 * @param {{seen: Game, sent: {key: string, body: object} | null, place: {key: string} | null}} of the game it refers to,
 *   what was sent of it without an answer, and the entry whose place it takes
 */
export function keepSaid(outcome, said, { seen, sent, place }) {
  const draft = { outcome, said, seen: seatsOf(seen) };
  const entry = { ...(sent ?? { key: freshKey(), body: null }), game: seen.id, name: seen.name, draft, fault: null };
  const entries = waiting();
  put(place ? entries.map((one) => (one.key === place.key ? entry : one)) : [...entries, entry]);
  pump();
}

/** The entry that comes next, undefined if none waits for the open game. */
export const firstInLine = () => ofGame()[0];

/** Nothing is entered while a person `looks` at an entry. */
export function hold(looks) {
  held = looks;
  pump();
}

/** Whether all changes since the game was in the state `before` came from entries that waited here. */
export function onlyMine(before) {
  const known = new Set(before.hands.map((hand) => hand.key));
  const entered = app.game.hands.filter((hand) => mine.has(hand.key) && !known.has(hand.key));
  return app.game.revision === before.revision + entered.length;
}

/** Whether the felt is free for another hand. */
export const feltIsFree = () =>
  !app.draft.correcting && !app.draft.photo && !app.reading && !app.draft.wins.length && isEmpty(app.draft.hand);

/** Puts a waiting hand on the felt; those of its game queued behind it go on when it is done. */
export function layWaiting({ key, draft, body }) {
  put(waiting().filter((entry) => entry.key !== key));
  putBack({ ...draft, key: body && { key, body }, queued: true }, {}, false);
}

queue.waits = () => ofGame().length > 0;

// Looking at the table for the first of them also counts for those behind it.
queue.looked = (revision) => {
  const since = ({ game, draft }) => game === app.game.id && draft.seen.revision === revision;
  const seen = (draft) => ({ ...draft, seen: { ...draft.seen, revision: app.game.revision } });
  put(waiting().map((entry) => (since(entry) ? { ...entry, draft: seen(entry.draft), fault: null } : entry)));
};

// Changes made by these entries themselves do not make them out of date.
queue.own = (before) =>
  app.game.revision === before.revision + 1 &&
  ofGame().some((entry) => entry.body && app.game.hands.some((hand) => hand.key === entry.key));

const movedSaid = (draft, move) => ({ ...draft, said: movedEntry(draft.said, move) });

// A waiting draft with every person in the seat they have now.
const here = (draft, before = null, own = false) =>
  followed(draft, app.game, before, own, draft.outcome ? movedSaid : undefined);

queue.follow = (before, own) => {
  const entries = waiting();
  if (!entries.length || !app.game) return;
  const entered = new Map(app.game.hands.map((hand) => [hand.key, hand]));
  const done = entries.filter((entry) => entered.has(entry.key));
  const moved = (entry) =>
    entry.game === app.game.id && !entry.body ? { ...entry, draft: here(entry.draft, before, own) } : entry;
  for (const { key } of done) mine.add(key);
  put(entries.filter((entry) => !entered.has(entry.key)).map(moved));
  if (done.length) hear(done.map((entry) => entered.get(entry.key).number));
};

// Enters the first that waits for the open game, and then the next; without an answer it is tried again.
async function pump() {
  if (sending || timer || !queue.waits()) return;
  sending = true;
  try {
    await alone(async () => {
      while (await enterFirst());
    });
  } finally {
    sending = false;
  }
}

// Another tab has the same queue: a lock prevents double entries; over plain HTTP, which has no locks, the key does.
const alone = (act) => (navigator.locks ? navigator.locks.request("hupai.queue", act) : act());

async function enterFirst() {
  const [entry] = ofGame();
  if (!entry || entry.fault || held || app.draft.queued || app.draft.correcting || !app.rules.length) return false;
  const { key, game, draft } = entry;
  let { body } = entry;
  if (!body) {
    if (draft.seen.revision !== app.game.revision) return stop(key, { code: "game_moved_on", faults: [] });
    body = draft.outcome
      ? { ...draft.said, seen: seenNow() }
      : entryOf({ request: requestNow(draft), answer: null }, draft, null);
    change(key, { body });
  }
  try {
    const path = `/games/${encodeURIComponent(game)}/hands`;
    const found = await post(path, body, { headers: { "Idempotency-Key": key } });
    if (app.game?.id !== game) return false; // another is open: this one shows the hand when reopened
    setGame(found.game);
    return !waiting().some((one) => one.key === key);
  } catch (error) {
    if (PASSING.includes(error.status) || error.status >= 500) {
      timer = setTimeout(wake, AGAIN_MS);
      return false;
    }
    tookRefusal(error);
    return stop(key, { code: error.code, message: error.message, faults: error.faults, sentences: error.sentences });
  }
}

// A refused hand is in no ledger: the body of the next try is made anew from its draft.
function stop(key, fault) {
  put(
    waiting().map((entry) => (entry.key === key ? { ...entry, fault, body: null, draft: here(entry.draft) } : entry)),
  );
  return false;
}

function wake() {
  clearTimeout(timer);
  timer = 0;
  pump();
}

on(["about"], wake); // the host has answered
on(["game", "hand"], pump);
