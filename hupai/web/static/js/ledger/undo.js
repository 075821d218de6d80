// Taking the last hand back.
import { theGame } from "../state/app.js";
import { setGame } from "../state/table.js";
import { post } from "../host/api.js";
import { layAgain } from "./lasthand.js";
import { t } from "../words/i18n.js";
import { revisionSeen, takeRefusal } from "../play/revision.js";
import { troubleWords } from "../words/words.js";
import { notice } from "../controls/notice.js";

/** Takes back a hand by its number (the last that stands). */
export async function undoHand(/** @type {number} */ number) {
  try {
    const game = await post(`/games/${encodeURIComponent(theGame().id)}/undo`, { hand: number, seen: revisionSeen() });
    setGame(game, { own: true });
    const mend = layAgain(number) && { action: t("game.mend"), act: () => (location.hash = "#/hand") };
    notice(t("game.undone", { n: number }), mend || {});
  } catch (error) {
    takeRefusal(error);
    notice(troubleWords(error), error.code === "offline" ? { action: t("retry"), act: () => undoHand(number) } : {});
  }
}
