// Another phone wrote into the game while a hand was being scored here: shows what happened and offers a choice.
import { app } from "../state/app.js";
import { h, icon } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { seatName } from "../names/seats.js";
import { known } from "../scoring/questions.js";
import { nextHand } from "../scoring/nexthand.js";
import { endCorrection } from "./correction.js";
import { sameHand, sameKeys, sameWords } from "./samehand.js";
import { hasMovedOn, keepMine, meanwhile } from "../scoring/revision.js";
import { changeList } from "../names/changes.js";
import { button, mainKey } from "../controls/fields.js";

// The question, and the answer that keeps the hand: for a correction, a hand with a winner, one without.
function questionNow() {
  const { correcting } = app.draft;
  if (correcting) return [t("mend.ask", { n: correcting.number }), t("mend.keep")];
  const { seat } = known();
  if (!seat) return [t("meanwhile.ask_open"), t("meanwhile.keep_open")];
  const name = seatName(seat);
  return [t("meanwhile.ask", { name, wind: t(`seat.${seat}`) }), t("meanwhile.keep", { name })];
}

/** Another phone has entered this hand. On the score screen the choice is in the bar, under the thumb. */
function sameCard(/** @type {LedgerHand} */ same, /** @type {boolean} */ look) {
  return h(
    "section.card.stack.same-hand",
    { role: "alert", "aria-label": t("same.title") },
    h("h2", icon("people"), t("same.title")),
    h("p", sameWords(same)),
    !look && sameKeys(same),
  );
}

function discard() {
  if (app.draft.correcting) endCorrection();
  else nextHand({});
  location.hash = "#/game";
}

/** The choice: enter the hand after what happened, look at it again, or drop it. Null if nothing has happened. */
export function meanwhileCard({ look = true } = {}) {
  const same = sameHand();
  if (same) return sameCard(same, look);
  if (!hasMovedOn()) return null;
  const changes = meanwhile();
  const [question, keep] = questionNow();
  return h(
    "section.card.stack.meanwhile",
    { role: "alert", "aria-label": t("meanwhile.title") },
    h("h2", icon("people"), t("meanwhile.title")),
    changes?.length ? changeList(changes) : h("p", t("meanwhile.changed")),
    h("p", question),
    mainKey("keep-mine", "check", keep, keepMine),
    h(
      "div.three",
      look && h("a.button", { href: "#/hand", "data-key": "look-again" }, icon("back"), t("meanwhile.look")),
      button("discard-mine", t("meanwhile.discard"), discard, { sign: "bin" }),
    ),
  );
}
