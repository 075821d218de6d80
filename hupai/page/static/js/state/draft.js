// The hand on the felt with its answers and its photo.
import { followGame, freshDraft, seatsOf } from "../hand/draft.js";
import { wonWith } from "../hand/hand.js";
import { moveDraft, mover } from "../hand/seats.js";
import { recall, remember } from "../api/store.js";
import { game } from "./game.js";
import { emit } from "./signal.js";

/** @typedef {{blob?: Blob | null, bitmap?: ImageBitmap | null}} Photo its JPEG, and the picture at the size sent */

/** @type {Readonly<Draft>} */
export let current = { ...freshDraft(), ...recall("draft", {}) };
/** @type {Readonly<Photo>} */
export let photo = {};
/**
 * While a photo is being sent and read.
 * @type {Readonly<OnItsWay> | null}
 */
export let reading = null;

function put(/** @type {Partial<Draft>} */ values) {
  current = { ...current, ...values };
  remember("draft", current);
}

/** Replaces the whole draft, its photo too. */
function lay(/** @type {Partial<Draft>} */ values, /** @type {Photo} */ its = {}) {
  put({ ...freshDraft(), ...values });
  photo = its;
  reading = null;
  emit("hand", "answers", "reading");
}

/**
 * The recorded hand that is being corrected, null where none is.
 */
export const correctedHand = () => game?.hands.find((hand) => hand.number === current.correcting?.number) ?? null;

/**
 * The game with the seats and the table facts under which the hand on the felt was dealt; null without a game.
 * @returns {Game | null}
 */
export function table() {
  const hand = correctedHand();
  if (!hand || !game) return game;
  /** @type {Record<string, unknown>} */
  const facts = { ...hand.state, banker: "E" };
  const context = Object.fromEntries(Object.keys(game.context).map((name) => [name, facts[name]]));
  return { ...game, seats: hand.seats, state: hand.state, context };
}

const seenNow = () => {
  const at = table();
  return at && seatsOf(at);
};

// A hand in progress belongs to the game state that its owner had seen when it was begun.
const touched = () => ({ key: null, seen: current.seen ?? seenNow() });

/**
 * Adapts the draft to a change of the game.
 * @param {{revision: number} | null} before
 * @param {boolean} own this phone made the change
 */
export const followTable = (before, own) => put(followGame(current, table(), before, own));

/** Replaces the hand being mended. */
export function setHand(/** @type {Hand} */ hand) {
  if (hand === current.hand) return;
  const tile = current.wins[0]?.request.winning_tile;
  put({ hand: tile ? wonWith(hand, tile) : hand, ...touched() });
  emit("hand");
}

/** Answers questions; undefined takes an answer back. */
export function answer(/** @type {Answers} */ values) {
  const answers = Object.entries({ ...current.answers, ...values }).filter(([, value]) => value !== undefined);
  put({ answers: Object.fromEntries(answers), ...touched() });
  emit("answers");
}

/** Replaces all answers and tells nobody: on the board each hand of each table has answers of its own. */
export function useAnswers(/** @type {Answers} */ answers) {
  current = { ...current, answers };
}

/** Changes other fields of the draft (reading, photo id, key, further winners). */
export function draft(/** @type {Partial<Draft>} */ values, /** @type {string[]} */ ...parts) {
  put(values);
  emit(...parts);
}

/** Sets the photo of the hand, or a part of it. */
export function setPhoto(/** @type {Photo} */ values) {
  photo = { ...photo, ...values };
}

export function setReading(/** @type {OnItsWay | null} */ now) {
  reading = now;
  emit("reading");
}

// Facts of the table and habits of the player carry over to the next hand; circumstances of one win do not.
const LASTING = ["round", "banker", "streak", "counters", "riichi_sticks", "wareme"];

/**
 * Begins the next hand. With a game the table's facts come from the ledger instead.
 * @param {{recorded?: boolean, keep?: Partial<Draft>}} options
 */
export function newDraft({ recorded = false, keep = {} } = {}) {
  const lasting = recorded || game ? [] : LASTING.filter((name) => name in current.answers);
  const answers = Object.fromEntries(lasting.map((name) => [name, current.answers[name]]));
  // Winners on the same tile belong to the same hand: what was seen for the first also holds for the next.
  const { correcting } = current;
  const seen = keep.wins?.length || correcting ? current.seen : keep.photo && game ? seatsOf(game) : null;
  lay({ answers, seen, correcting, ...keep });
}

/**
 * Replaces the empty draft with one that was left earlier; what depended on its photo is dropped if the photo is gone.
 */
export function takeUp(/** @type {Draft} */ left, /** @type {Photo} */ its) {
  const gone = its.blob ? {} : { read: null, photo: false };
  const { seen } = left;
  const here = game && seen?.game === game.id
    ? { ...moveDraft(left, mover(seen.seats, game.seats)), seen: seatsOf(game) }
    : left;
  lay({ ...here, key: null, queued: false, ...gone }, its);
}

/** Puts a recorded hand on the felt for correction; `putBack` restores the draft that lay there. */
export function layForCorrection(/** @type {Partial<Draft>} */ values) {
  lay(values);
  put({ seen: seenNow() });
}

/**
 * Restores the draft that a correction had pushed aside, with its people in the seats they have now.
 * @param {Partial<Draft>} left
 * @param {Photo} its
 * @param {boolean} own this phone made the change
 */
export function putBack(left, its, own) {
  lay(left, its);
  followTable(current.seen, own);
}
