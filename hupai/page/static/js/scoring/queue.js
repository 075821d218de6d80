// Enters what waits for the host, each once and in order. If one cannot be entered, a person has to look at it, and
// those behind it wait.
import { app } from "../state/app.js";
import { putBack } from "../state/draft.js";
import { draftNow, putWaiting, waiting, waitingFor } from "../state/queue.js";
import { on } from "../state/signal.js";
import { setGame } from "../state/table.js";
import { freshKey, mayPass, post } from "../api/api.js";
import { keepCropOf } from "../camera/crops.js";
import { entryOf } from "./entry.js";
import { seatsOf } from "../hand/draft.js";
import { isEmpty } from "../hand/hand.js";
import { gaps, requestNow } from "./live.js";
import { nextHand } from "./nexthand.js";
import { signed } from "./owner.js";
import { revisionSeen, takeRefusal } from "./revision.js";

const AGAIN_MS = 5000;
const NOT_ABOUT_IT = [401, 403, 408, 429]; // refusals that are not about the hand
let timer = 0; // of the next try after a missing answer
let sending = false;
let held = false; // a person is looking at one of them

const change = (/** @type {string} */ key, /** @type {Partial<Waiting>} */ values) =>
  putWaiting(waiting().map((entry) => (entry.key === key ? { ...entry, ...values } : entry)));

/** Removes one entry from the queue. */
export const drop = (/** @type {string} */ key) => {
  putWaiting(waiting().filter((entry) => entry.key !== key));
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
  const draft = /** @type {Draft} */ ({ hand, answers, wins, seen, models });
  const sent = { key: key?.key ?? freshKey(), body: key?.body ?? null };
  keepCropOf(game?.id, sent.key);
  putWaiting([...waiting(), { ...sent, game: game?.id ?? null, name: game?.name ?? "", draft, fault: null }]);
  nextHand({});
  pump();
}

/**
 * Queues what was entered in a form for a game: at the end, or in the place of an earlier entry.
 * @param {string} outcome name of the form
 * @param {object} said what is to be entered
 * @param {{seen: Game, sent: {key: string, body: object} | null, place: string | undefined}} of the game it refers to,
 *   what was sent of it, unless it was refused, and the key of the entry whose place it takes
 */
export function keepEntry(outcome, said, { seen, sent, place }) {
  const draft = /** @type {WaitingDraft} */ ({ outcome, said, seen: seatsOf(seen) });
  const entry = { ...(sent ?? { key: freshKey(), body: null }), game: seen.id, name: seen.name, draft, fault: null };
  const entries = waiting();
  putWaiting(place ? entries.map((one) => (one.key === place ? entry : one)) : [...entries, entry]);
  pump();
}

/** Nothing is entered while a person `looks` at an entry. */
export function hold(/** @type {boolean} */ looks) {
  held = looks;
  pump();
}

/** Whether the felt is free for another hand. */
export const feltIsFree = () =>
  !app.draft.correcting && !app.draft.photo && !app.reading && !app.draft.wins.length && isEmpty(app.draft.hand);

/** Puts a waiting hand on the felt; those of its game queued behind it go on when it is done. */
export function layWaiting(/** @type {Waiting} */ { key, draft, body }) {
  putWaiting(waiting().filter((entry) => entry.key !== key));
  putBack({ ...draft, key: body && { key, body }, queued: true }, {}, false);
}

// Enters the first that waits for the open game, and then the next; without an answer it is tried again.
async function pump() {
  if (sending || timer || !waitingFor(app.game).length) return;
  sending = true;
  try {
    await alone(async () => {
      while (await enterFirst());
    });
  } finally {
    sending = false;
  }
}

/**
 * Another tab has the same queue: a lock prevents double entries; over plain HTTP, which has no locks, the key does.
 * @type {(act: () => Promise<void>) => Promise<void>}
 */
const alone = (act) => (navigator.locks ? navigator.locks.request("hupai.queue", act) : act());

async function enterFirst() {
  const [entry] = waitingFor(app.game);
  if (!entry || !app.game || entry.fault || held || app.draft.queued || app.draft.correcting || !app.rules.length) {
    return false;
  }
  const { key, draft } = entry;
  const { id, revision } = app.game;
  let body = entry.body ?? undefined;
  if (!body) {
    if (draft.seen?.revision !== revision) return stop(key, { code: "game_moved_on", faults: [] });
    body = draft.outcome
      ? { ...draft.said, ...signed(), seen: revisionSeen() }
      : entryOf({ request: requestNow(draft), answer: null }, draft, null);
    change(key, { body });
  }
  try {
    const path = `/games/${encodeURIComponent(id)}/hands`;
    const found = await post(path, body, { headers: { "Idempotency-Key": key } });
    if (app.game?.id !== id) return false; // another is open: this one shows the hand when reopened
    setGame(found.game);
    return !waiting().some((one) => one.key === key);
  } catch (error) {
    if (!error.status || mayPass(error) || NOT_ABOUT_IT.includes(error.status)) {
      timer = setTimeout(wake, AGAIN_MS);
      return false;
    }
    takeRefusal(error);
    return stop(key, { code: error.code, message: error.message, faults: error.faults });
  }
}

/** A refused hand is in no ledger: the body of the next try is made anew from its draft. */
export function stop(/** @type {string} */ key, /** @type {Trouble} */ fault) {
  putWaiting(
    waiting().map((entry) =>
      entry.key === key ? { ...entry, fault, body: null, draft: draftNow(entry.draft, app.game) } : entry
    ),
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
