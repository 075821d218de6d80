// Where a hand begins: on the empty page, or with the keyboard before a tile is typed.
import { newDraft } from "../app.js";
import { forget } from "../camera/reading.js";

let typing = false; // it was chosen to type, without a tile yet

/** Whether typing has begun. */
export const isTyping = () => typing;

/** Begins to type. */
export function beginTyping() {
  typing = true;
}

/** Drops photo and hand. */
export function dropHand() {
  typing = false;
  forget();
}

/** The next hand, from the beginning. */
export function nextHand(options) {
  dropHand();
  newDraft(options);
}
