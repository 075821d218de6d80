// Taking the last hand back; one that was entered from this phone then returns to the felt to be edited.
import { app, theGame } from "../state/app.js";
import { takeUp } from "../state/draft.js";
import { setGame } from "../state/table.js";
import { post } from "../api/api.js";
import { isEmpty } from "../hand/hand.js";
import { keepPhoto, recall, remember } from "../api/store.js";
import { t } from "../words/i18n.js";
import { signed } from "../scoring/owner.js";
import { revisionSeen, takeRefusal } from "../scoring/revision.js";
import { troubleWords } from "../words/words.js";
import { notice } from "../controls/notice.js";

/** @type {{blob?: Blob | null, bitmap?: ImageBitmap | null}} */
let photo = {}; // {blob, bitmap}; a reload preserves the hand, but not its photo

/** Stores the current hand, which the ledger has under this number. */
export function keepEntered(/** @type {number} */ number) {
  photo = { blob: app.blob, bitmap: app.bitmap };
  remember("entered", { game: theGame().id, number, draft: app.draft });
}

/** Puts the hand with this number back on an empty felt if it is the stored one; returns whether it did. */
function layAgain(/** @type {number} */ number) {
  const kept = recall("entered", null);
  if (!kept || kept.game !== app.game?.id || kept.number !== number) return false;
  if (!isEmpty(app.draft.hand) || app.draft.photo) return false;
  remember("entered", undefined);
  if (photo.blob) keepPhoto(photo.blob);
  takeUp(kept.draft, photo);
  photo = {};
  return true;
}

/** Takes back a hand by its number (the last that stands). */
export async function undoHand(/** @type {number} */ number) {
  try {
    const body = { hand: number, seen: revisionSeen(), ...signed() };
    const game = await post(`/games/${encodeURIComponent(theGame().id)}/undo`, body);
    setGame(game, { own: true });
    const mend = layAgain(number) && { action: t("game.mend"), act: () => (location.hash = "#/hand") };
    notice(t("game.undone", { n: number }), mend || {});
  } catch (error) {
    takeRefusal(error);
    notice(troubleWords(error), error.code === "offline" ? { action: t("retry"), act: () => undoHand(number) } : {});
  }
}

/** Says which hands were entered, with a key that takes the last back. */
export const announce = (/** @type {number[]} */ numbers) =>
  notice(numbers.map((n) => t("record.done", { n })).join(" "), {
    action: t("undo"),
    act: () => undoHand(numbers[numbers.length - 1]),
  });
