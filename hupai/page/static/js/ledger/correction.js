// A recorded hand on the felt again for correction; the hand that lay there is set aside meanwhile.
import { app } from "../state/app.js";
import { correctedHand, layForCorrection, putBack } from "../state/draft.js";
import { on } from "../state/signal.js";
import { chooseNext } from "../scoring/entry.js";
import { emptyHand, handFromCodes } from "../hand/hand.js";
import { t } from "../words/i18n.js";
import { restorePhoto } from "../camera/reading.js";
import { hasMovedOn } from "../scoring/revision.js";
import { recall, remember } from "../api/store.js";
import { notice } from "../controls/notice.js";

/** @type {{blob?: Blob | null, bitmap?: ImageBitmap | null}} */
let photo = {}; // {blob, bitmap} of the hand set aside; after a reload its photo is still in the phone's storage

/** Whether a hand can be put on the felt: no photo is being read. */
export const canLay = () => !app.reading || app.reading.phase === "failed";

// The answers of a win, beside its tiles; sticks laid by others belong to it if it was entered with them.
function saidOf(/** @type {any} */ win, /** @type {any} */ riichi = []) {
  const { dora_indicators: _dora, ura_indicators: _ura, ...answers } = win.context;
  const own = answers.riichi || answers.double_riichi ? answers.seat : null;
  const declared = riichi.filter((/** @type {Seat} */ seat) => seat !== own);
  return declared.length ? { ...answers, declared } : answers;
}

/**
 * Puts a recorded hand on the felt.
 * @param {any} whole the hand as returned by GET /games/{id}/hands/{number}
 * @param {number | null} place which of its winners; null if it was not a win: an empty hand
 */
export function beginCorrection(whole, place) {
  if (!app.draft.correcting) {
    remember("waiting", { draft: app.draft, current: !hasMovedOn() });
    photo = { blob: app.blob, bitmap: app.bitmap };
  }
  const { wins = [], next = null, riichi } = whole.request;
  const correcting = { number: whole.number, next };
  const answerOf = (/** @type {any} */ { context: { seat } }) =>
    whole.scores[whole.wins.findIndex((/** @type {any} */ win) => win.seat === seat)];
  const { rules, options } = whole;
  const others = wins
    .filter((/** @type {unknown} */ _, /** @type {number} */ i) => i !== place)
    .map((/** @type {any} */ win) => ({
      request: { ...win, melds: win.melds ?? [], rules, options },
      answer: answerOf(win),
      said: saidOf(win),
    }));
  const win = place === null ? null : wins[place];
  layForCorrection({
    correcting,
    wins: place === null ? [] : others,
    hand: win ? handFromCodes({ ...win.context, ...win }) : emptyHand(),
    answers: win ? saidOf(win, riichi) : {},
  });
  chooseNext(correcting.next);
}

/** Ends a correction, made or not, and restores the hand set aside. `own`: this phone made the correction. */
export function endCorrection({ own = false } = {}) {
  if (!app.draft.correcting) return;
  const { draft = {}, current = false } = recall("waiting", null) ?? {};
  remember("waiting", undefined);
  chooseNext(null);
  putBack(draft, photo, own && current);
  photo = {};
  restorePhoto();
}

on(["game"], () => {
  const hand = correctedHand();
  if (!app.draft.correcting || (hand && !hand.undone_at)) return;
  endCorrection();
  notice(t("mend.gone"));
});
