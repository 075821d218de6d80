// The last hand entered from this phone: when it is taken back in the ledger, it returns to the felt to be edited.
import { app, theGame } from "../state/app.js";
import { takeUp } from "../state/draft.js";
import { isEmpty } from "../hand/hand.js";
import { keepPhoto, recall, remember } from "../host/store.js";

/** @type {{blob?: Blob | null, bitmap?: ImageBitmap | null}} */
let photo = {}; // {blob, bitmap}; a reload preserves the hand, but not its photo

/** Stores the current hand, which the ledger has under this number. */
export function keepEntered(/** @type {number} */ number) {
  photo = { blob: app.blob, bitmap: app.bitmap };
  remember("entered", { game: theGame().id, number, draft: app.draft });
}

/** Puts the hand with this number back on an empty felt if it is the stored one; returns whether it did. */
export function layAgain(/** @type {number} */ number) {
  const kept = recall("entered", null);
  if (!kept || kept.game !== app.game?.id || kept.number !== number) return false;
  if (!isEmpty(app.draft.hand) || app.draft.photo) return false;
  remember("entered", undefined);
  if (photo.blob) keepPhoto(photo.blob);
  takeUp(kept.draft, photo);
  photo = {};
  return true;
}
