// A recorded hand on the felt that is being corrected: which one, the ways out, and the key that puts it in its place.
import { app } from "../state/app.js";
import { correctedHand } from "../state/draft.js";
import { cropBeside } from "../camera/crops.js";
import { h, icon } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { endCorrection } from "./correction.js";
import { attempt } from "../controls/notice.js";
import { handWords } from "../names/changes.js";
import { button, mainKey } from "../controls/fields.js";

/**
 * Opens the sheet that corrects a standing hand.
 * @param {{number: number}} hand
 * @param {(whole: any) => string} [kind] what it should have been, if it is known
 */
export const openCorrection = (hand, kind) =>
  attempt(async () => (await import("./correctsheet.js")).openCorrection(hand, kind));

/** The card over a hand that will replace a recorded one: which hand it replaces, and ways to cancel. */
export function correctingCard() {
  const hand = correctedHand();
  if (!hand) return null;
  const noWin = () => openCorrection(hand, ({ outcome }) => outcome === "win" ? "draw" : outcome);
  const leave = () => {
    endCorrection();
    location.hash = "#/game";
  };
  return h(
    "section.card.stack.correcting",
    { "aria-label": t("mend.title", { n: hand.number }) },
    h("h2", icon("pencil"), t("mend.title", { n: hand.number })),
    h("p", handWords(hand)),
    cropBeside(hand),
    h("p.hint", t("mend.seats")),
    h(
      "div.three",
      button("mend-leave", t("mend.leave"), leave, { sign: "undo" }),
      button("mend-no-win", t("mend.no_win"), noWin),
    ),
  );
}

/** How many later hands a correction would settle again. */
export function resettlementNote(/** @type {ScoreNow} */ { tried }) {
  const n = tried?.settled_again?.length;
  return n ? h("p.hint", t("mend.again", { n })) : null;
}

/** The main key while a recorded hand is being corrected. */
export function correctionKey(/** @type {Scored} */ score, /** @type {boolean} */ stands) {
  const open = () => attempt(async () => (await import("./correctsheet.js")).openReplacement(score));
  return h(
    "div.bar-keys",
    mainKey(
      "correct",
      "check",
      t("mend.title", { n: app.draft.correcting?.number ?? 0 }),
      () => stands && open(),
      !stands,
    ),
  );
}
