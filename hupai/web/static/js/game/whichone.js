// "Which one am I?": asked once a game; the table is turned so that the owner of the phone sits at the bottom.
import { theGame } from "../state/app.js";
import { h } from "../parts/dom.js";
import { t } from "../words/i18n.js";
import { ownPlayer, sayOwnPlayer } from "../play/owner.js";
import { button, choiceRow } from "../controls/fields.js";

/** The question, until it is answered. */
export function whichOne() {
  const { ended, players } = theGame();
  if (ended || ownPlayer() !== undefined) return null;
  return h(
    "section.card.stack",
    choiceRow(
      "own-player",
      t("own.title"),
      players.map(({ number, name }) => ({ value: number, label: name })),
      undefined,
      sayOwnPlayer,
    ),
    button("own-none", t("own.none"), () => sayOwnPlayer(null), { look: "quiet", sign: "people" }),
  );
}
