// The state of the page, who is told when it changes, and what of it the phone remembers.
import { followed, freshDraft, seatsOf } from "./hand/draft.js";
import { playWith } from "./hand/hand.js";
import { movedDraft, mover } from "./hand/seats.js";
import { recall, remember } from "./host/store.js";

/** @type {Settings} */
const SETTINGS = {
  rules: null, // id of the rules used without a game
  options: {}, // rules id -> house rules that differ from the defaults
  preset: {}, // rules id -> where they came from: name of saved ones, or {id} of a preset of the rules
  theme: "auto",
  captions: null, // small numbers on tiles: null follows the language
  alwaysKeep: false, // corrections are kept without asking each time; a person must have switched it on
  set: null, // learned tile set used for reading
  game: null, // id of the open game
  me: null, // player number that won last on this phone
  fortune: null, // Hangzhou: "tile" where one is turned up each hand, "permanent" where the white dragons are wild
};

const kept = recall("draft", {});
if (typeof kept.key === "string") kept.key = null; // as it was kept once

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
  game: recall("game", null), // GET /games/{id}; the last seen one while the host is away
  bitmap: null, // the photo at the size sent
  blob: null, // its JPEG
  reading: null, // {phase, share, error, cancel} while a photo is on its way
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
 * Says that parts changed; listeners run once, before the next picture is drawn.
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
export const corrected = () =>
  app.game?.hands.find((hand) => hand.number === app.draft.correcting?.number) ?? null;

/**
 * The game with the seats and the facts of the table that the hand on the felt was dealt at; null without a game.
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

// The game a hand is begun in is what its owner has seen.
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
 * The hands that wait for the host, filled in where they are kept: `own(before)` tells whether one of them changed the
 * game, `follow(before, own)` takes its change over, `waits()` tells whether any are of the open game,
 * `looked(revision)` says that their owner has seen what happened since then.
 * @type {{own: (before: Game) => boolean, follow: (before: Game | null, own: boolean) => void, waits: () => boolean,
 *   looked: (revision: number) => void}}
 */
export const queue = { own: () => false, follow: () => {}, waits: () => false, looked: () => {} };

/**
 * Puts another hand in place of the one being mended.
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
 * Changes other parts of the draft (reading, photo id, key, further winners).
 * @param {Partial<Draft>} values
 * @param {string[]} parts
 */
export function draft(values, ...parts) {
  Object.assign(app.draft, values);
  keepDraft();
  changed(...parts);
}

// Facts of the table and habits of the player hold on; circumstances of one win do not.
const LASTING = ["seat", "round", "banker", "streak", "counters", "riichi_sticks", "wareme"];

/**
 * Begins the next hand. With a game the table's facts come from the ledger instead.
 * @param {{recorded?: boolean, keep?: Partial<Draft>}} options
 */
export function newDraft({ recorded = false, keep = {} } = {}) {
  const kept = recorded || app.game ? [] : LASTING;
  const answers = Object.fromEntries(kept.filter((k) => k in app.draft.answers).map((k) => [k, app.draft.answers[k]]));
  // Winners of the same tile belong to the same hand: what was seen for the first holds for the next.
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
 * Puts a draft that was left in place of the empty one; what hung on its photo goes where the photo is gone.
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
 * A recorded hand takes the felt, to be corrected; what lay there is given back by `putBack`.
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
 * The draft that a correction had pushed aside lies on the felt again, its people where they sit now.
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
 * The rules a hand is scored under: those of the open game, else the chosen ones.
 * @returns {Api.RulesBody}
 */
export function currentRules() {
  const id = app.game?.rules ?? app.settings.rules;
  return app.rules.find((r) => r.id === id) ?? app.rules[0] ?? null;
}

/**
 * Calls `act` as soon as the rules are here: at once, or when the server has told them for the first time.
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
 * The open game, remembered so that the page works on while the host is away.
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
