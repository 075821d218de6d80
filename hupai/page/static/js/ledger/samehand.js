// Two phones photographed the same hand, and the other one has entered it: the main key drops this one.
import { app, theGame } from "../state/app.js";
import { draft } from "../state/draft.js";
import { openGame } from "../state/table.js";
import { button, mainKey } from "../controls/fields.js";
import { attempt } from "../controls/notice.js";
import { nextHand } from "../scoring/nexthand.js";
import { lastScore } from "../scoring/live.js";
import { t } from "../words/i18n.js";
import { handWords } from "../names/changes.js";
import { hasMovedOn, keepMine } from "../scoring/revision.js";

/**
 * The hand in the ledger that the one on the felt seems to be, unless its owner has said that it is another.
 */
export function sameHand() {
  const { tried } = lastScore() ?? {};
  const number = tried && "same_as" in tried && !app.draft.correcting ? tried.same_as : null;
  if (!number || number === app.draft.distinct) return null;
  return app.game?.hands.find((hand) => hand.number === number && !hand.undone_at) ?? null;
}

export const sameWords = (/** @type {LedgerHand} */ same) => t("same.text", { n: same.number, what: handWords(same) });

// The other phone may just have undone it: then this is the only one. After a second press the answer comes when another
// hand may lie there; where the seats turn meanwhile, the concealed tiles stay the same ones.
async function drop() {
  const { concealed } = app.draft.hand;
  if (!(await attempt(() => openGame(theGame().id))) || app.draft.hand.concealed !== concealed || !sameHand()) return;
  nextHand({});
  location.hash = "#/game";
}

function keep(/** @type {LedgerHand} */ same) {
  draft({ distinct: same.number }, "record");
  if (hasMovedOn()) keepMine();
}

/** The choice between dropping the hand on the felt and entering it as well. */
export const sameKeys = (/** @type {LedgerHand} */ same) => [
  mainKey("drop-same", "bin", t("same.drop"), drop),
  button("keep-same", t("same.keep"), () => keep(same), { look: "quiet", sign: "plus" }),
];
