// How a hand begins: on the empty page, or with the keyboard before a tile is typed.
import { newDraft } from "../state/draft.js";
import { forget } from "../camera/reading.js";

let typing = false; // typing was chosen, but no tile has been typed yet

/** Whether typing has begun. */
export const isTyping = () => typing;

/** Begins to type. */
export function beginTyping() {
  typing = true;
}

/** Drops the photo and the hand. */
export function dropHand() {
  typing = false;
  forget();
}

/** Starts the next hand. */
export function nextHand(/** @type {Parameters<typeof newDraft>[0]} */ options) {
  dropHand();
  newDraft(options);
}
