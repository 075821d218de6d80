// The state of the page, the listeners that are called when it changes, and what the phone remembers of it.
import { followed, freshDraft, seatsOf } from "./hand/draft.js";
import { playWith } from "./hand/hand.js";
import { movedDraft, mover } from "./hand/seats.js";
import { recall, remember } from "./host/store.js";

/** @type {Settings} */
const SETTINGS = {
  rules: null, // id of the rules used when no game is open
  options: {}, // rules id -> house rules that differ from the defaults
  preset: {}, // rules id -> where the house rules came from: name of a saved set, or {id} of a preset of the rules
  theme: "auto",
  captions: null, // small numbers on tiles: null follows the language
  alwaysKeep: false, // corrections are kept without asking each time; only ever switched on by the user
  set: null, // learned tile set used for reading
  game: null, // id of the open game
  me: null, // player number that won last on this phone
  fortune: null, // Hangzhou: "tile" where one is turned up each hand, "permanent" where the white dragons are wild
};

const kept = recall("draft", {});
if (typeof kept.key === "string") kept.key = null; // an older version stored it as a plain string

/**
 * Everything the page knows.
 * @type {App}
 */
export const app = {
  about: null,
  away: false, // the host did not answer when the page was opened
  rules: [], // GET /rules
  settings: { ...SETTINGS, ...recall("settings", {}) },
  draft: { ...freshDraft(), ...kept },
  game: recall("game", null), // GET /games/{id}; the last known answer while the host is unreachable
  bitmap: null, // the photo at the size sent
  blob: null, // its JPEG
  reading: null, // {phase, share, error, cancel} while a photo is being sent and read
  score: null, // {state: "missing" | "wait" | "faults" | "done" | "failed", ...}
};

/** @type {Map<string, Set<(parts: Set<string>) => void>>} */
const listeners = new Map();

/**
 * Calls `act` whenever one of the named parts changes: hand, answers, reading, score, game, settings, language.
 * @param {string[]} parts
 * @param {(parts: Set<string>) => void} act
 */
export function on(parts, act) {
  for (const part of parts) {
    const acts = listeners.get(part) ?? new Set();
    listeners.set(part, acts.add(act));
  }
}

/** @type {Set<string> | null} */
let pending = null;

/**
 * Reports that parts have changed; each listener runs once, before the next frame is drawn.
 * @param {string[]} parts
 */
export function changed(...parts) {
  playWith(currentRules()?.sets ?? 4);
  if (!pending) {
    pending = new Set();
    queueMicrotask(flush);
  }
  for (const part of parts) pending.add(part);
}

function flush() {
  const parts = pending ?? new Set();
  pending = null;
  const acts = new Set([...parts].flatMap((part) => [...(listeners.get(part) ?? [])]));
  for (const act of acts) act(parts);
}

/**
 * Changes settings and remembers them.
 * @param {Partial<Settings>} values
 */
export function set(values) {
  Object.assign(app.settings, values);
  remember("settings", app.settings);
  changed("settings");
}

function keepDraft() {
  remember("draft", app.draft);
}

/**
 * The recorded hand that is being corrected, null where none is.
 * @returns {LedgerHand | null}
 */
export const corrected = () => app.game?.hands.find((hand) => hand.number === app.draft.correcting?.number) ?? null;

/**
 * The game with the seats and the table facts under which the hand on the felt was dealt; null without a game.
 * @returns {Game | null}
 */
export function table() {
  const hand = corrected();
  if (!hand || !app.game) return app.game;
  /** @type {Record<string, unknown>} */
  const facts = { ...hand.state, banker: "E" };
  const context = Object.fromEntries(Object.keys(app.game.context).map((name) => [name, facts[name]]));
  return { ...app.game, seats: hand.seats, state: hand.state, context };
}

// A hand in progress belongs to the game state that its owner had seen when it was begun.
function touch() {
  app.draft.key = null;
  const at = table();
  if (at) app.draft.seen ??= seatsOf(at);
}

/**
 * @param {{revision: number} | null} before
 * @param {boolean} own
 */
function follow(before, own) {
  app.draft = followed(app.draft, table(), before, own);
  keepDraft();
}

/**
 * The queue of hands waiting for the host, filled in by host/queue.js. `own(before)`: whether a queued hand changed the
 * game; `follow(before, own)`: adapts the queue to the change; `waits()`: whether any belong to the open game;
 * `looked(revision)`: records that their owner has seen the changes up to that revision.
 * @type {{own: (before: Game) => boolean, follow: (before: Game | null, own: boolean) => void, waits: () => boolean,
 *   looked: (revision: number) => void}}
 */
export const queue = { own: () => false, follow: () => {}, waits: () => false, looked: () => {} };

/**
 * Replaces the hand being mended.
 * @param {Hand} hand
 */
export function setHand(hand) {
  if (hand === app.draft.hand) return;
  app.draft.hand = hand;
  touch();
  keepDraft();
  changed("hand");
}

/**
 * Answers questions; undefined takes an answer back.
 * @param {Answers} values
 */
export function answer(values) {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete app.draft.answers[name];
    else app.draft.answers[name] = value;
  }
  touch();
  keepDraft();
  changed("answers");
}

/**
 * Changes other fields of the draft (reading, photo id, key, further winners).
 * @param {Partial<Draft>} values
 * @param {string[]} parts
 */
export function draft(values, ...parts) {
  Object.assign(app.draft, values);
  keepDraft();
  changed(...parts);
}

// Facts of the table and habits of the player carry over to the next hand; circumstances of one win do not.
const LASTING = ["seat", "round", "banker", "streak", "counters", "riichi_sticks", "wareme"];

/**
 * Begins the next hand. With a game the table's facts come from the ledger instead.
 * @param {{recorded?: boolean, keep?: Partial<Draft>}} options
 */
export function newDraft({ recorded = false, keep = {} } = {}) {
  const kept = recorded || app.game ? [] : LASTING;
  const answers = Object.fromEntries(kept.filter((k) => k in app.draft.answers).map((k) => [k, app.draft.answers[k]]));
  // Winners on the same tile belong to the same hand: what was seen for the first also holds for the next.
  const { correcting } = app.draft;
  const seen = keep.wins?.length || correcting ? app.draft.seen : keep.photo && app.game ? seatsOf(app.game) : null;
  app.draft = { ...freshDraft(), answers, seen, correcting, ...keep };
  app.bitmap = null;
  app.blob = null;
  app.reading = null;
  keepDraft();
  changed("hand", "answers", "reading");
}

/**
 * Replaces the empty draft with one that was left earlier; what depended on its photo is dropped if the photo is gone.
 * @param {Draft} left
 * @param {{blob?: Blob | null, bitmap?: ImageBitmap | null}} photo
 */
export function takeUp(left, { blob = null, bitmap = null }) {
  const gone = blob ? {} : { read: null, photo: false };
  app.draft = { ...freshDraft(), ...left, key: null, queued: false, ...gone };
  if (app.game && left.seen && left.seen.game === app.game.id) {
    app.draft = movedDraft(app.draft, mover(left.seen.seats, app.game.seats));
    app.draft.seen = seatsOf(app.game);
  }
  app.blob = blob;
  app.bitmap = bitmap;
  keepDraft();
  changed("hand", "answers", "reading");
}

/**
 * Puts a recorded hand on the felt for correction; `putBack` restores the draft that lay there.
 * @param {Partial<Draft>} values
 */
export function layRecorded(values) {
  app.draft = { ...freshDraft(), ...values };
  const at = table();
  app.draft.seen = at && seatsOf(at);
  app.blob = null;
  app.bitmap = null;
  app.reading = null;
  keepDraft();
  changed("hand", "answers", "reading");
}

/**
 * Restores the draft that a correction had pushed aside, with its people in the seats they have now.
 * @param {Partial<Draft>} left
 * @param {{blob?: Blob | null, bitmap?: ImageBitmap | null}} photo
 * @param {boolean} own this phone made the change
 */
export function putBack(left, { blob = null, bitmap = null }, own) {
  app.draft = { ...freshDraft(), ...left };
  app.blob = blob;
  app.bitmap = bitmap;
  app.reading = null;
  follow(app.draft.seen, own);
  keepDraft();
  changed("hand", "answers", "reading");
}

/**
 * The rules that a hand is scored under: those of the open game, otherwise the chosen ones.
 * @returns {Api.RulesBody}
 */
export function currentRules() {
  const id = app.game?.rules ?? app.settings.rules;
  return app.rules.find((r) => r.id === id) ?? app.rules[0] ?? null;
}

/**
 * Calls `act` once the rules are known: at once, or when the server has sent them for the first time.
 * @param {() => void} act
 */
export function withRules(act) {
  if (currentRules()) return act();
  let waits = true;
  on(["about"], () => {
    if (waits && currentRules()) {
      waits = false;
      act();
    }
  });
  return undefined;
}

/**
 * The house rules in force for a system.
 * @returns {Options}
 */
export function currentOptions(id = currentRules()?.id) {
  if (app.game && app.game.rules === id) return app.game.options;
  return app.settings.options[id] ?? {};
}

/**
 * Sets the open game and remembers it, so that the page still works while the host is unreachable.
 * @param {Game | null} game
 * @param {{own?: boolean}} options `own`: this phone has just changed it
 */
export function setGame(game, { own = false } = {}) {
  const before = app.game;
  app.game = game;
  remember("game", game ?? undefined);
  const same = before?.id === game?.id ? before : null;
  const mine = own || (same !== null && queue.own(same));
  follow(same, mine);
  queue.follow(same, mine);
  set({ game: game?.id ?? null });
  changed("game");
}
