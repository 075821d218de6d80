// The hand entered last from this phone: taken back in the ledger, it lies on the felt again, to be mended.
import { app, takeUp } from "../app.js";
import { isEmpty } from "../hand/hand.js";
import { keepPhoto, recall, remember } from "../host/store.js";

let photo = {}; // {blob, bitmap}; a reload keeps the hand, but not its photo

/** Keeps the hand in hand, which the ledger has as this number. */
export function keepEntered(number) {
  photo = { blob: app.blob, bitmap: app.bitmap };
  remember("entered", { game: app.game.id, number, draft: app.draft });
}

/** Lays the hand with this number on the felt again, if it is the one kept and the felt is empty; whether it did. */
export function layAgain(number) {
  const kept = recall("entered", null);
  if (!kept || kept.game !== app.game?.id || kept.number !== number) return false;
  if (!isEmpty(app.draft.hand) || app.draft.photo) return false;
  remember("entered", undefined);
  if (photo.blob) keepPhoto(photo.blob);
  takeUp(kept.draft, photo);
  photo = {};
  return true;
}
