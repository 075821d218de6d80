// The hands of the game, latest first: the outcome, its payments, and the way to take it back.
import { amountClass } from "../score/payments.js";
import { cropBeside } from "../camera/crops.js";
import { theGame } from "../state/app.js";
import { h } from "../dom/dom.js";
import { signed, t } from "../words/i18n.js";
import { elementNames } from "../names/systems.js";
import { winWords } from "../names/changes.js";
import { seatName } from "../names/seats.js";
import { totalWords } from "../words/words.js";
import { openCorrection } from "../ledger/correctcard.js";
import { undoHand } from "../ledger/undo.js";
import { button, iconButton } from "../controls/fields.js";
import { attempt } from "../controls/notice.js";

function wordsOf(/** @type {LedgerHand} */ hand) {
  const { rules } = theGame();
  if (hand.outcome !== "win") return h("b", t(`outcome.${hand.outcome}`));
  return hand.wins.map((win) =>
    h(
      "div",
      h("b", winWords(win)),
      " ",
      h("span", totalWords(win.total)),
      h("small.soft", elementNames(rules, win.elements).join(" · ")),
    )
  );
}

const correctButton = (/** @type {LedgerHand} */ hand) =>
  !hand.undone_at &&
  hand.outcome !== "result" && // which the director corrects on the board
  iconButton(`correct-${hand.number}`, "pencil", t("mend.title", { n: hand.number }), () => openCorrection(hand));

const amendButton = (/** @type {LedgerHand} */ hand) => {
  const [sign, title, open] = hand.undone_at
    ? /** @type {const} */ (["retry", "restore.title", "openRestore"])
    : /** @type {const} */ (["bin", "withdraw.title", "openWithdraw"]);
  const amend = () => attempt(async () => (await import("../ledger/withdraw.js"))[open](hand));
  return iconButton(`amend-${hand.number}`, sign, t(title, { n: hand.number }), amend);
};

export function playedHands() {
  const game = theGame();
  const standing = game.hands.filter((hand) => !hand.undone_at);
  const last = standing.at(-1);
  const undone = game.hands.length - standing.length;
  return h(
    "section.card",
    h(
      "header.row.between",
      h(
        "h2",
        t("game.hands", { n: standing.length }),
        undone > 0 && h("small.soft", ` · ${t("game.hands_back", { n: undone })}`),
      ),
      last &&
        button("undo", t("game.undo", { n: last.number }), () => undoHand(last.number), { sign: "undo" }),
    ),
    game.hands.length === 0 ? h("p.soft", t("game.no_hands")) : h(
      "ol.hands",
      [...game.hands].reverse().map((hand) =>
        h(
          "li",
          { class: hand.undone_at ? "undone" : "", key: hand.number },
          h(
            "div.hand-head",
            h("span.hand-number", hand.number),
            h("div.grow", wordsOf(hand), hand.undone_at && h("em", t("game.taken_back"))),
            correctButton(hand),
            amendButton(hand),
          ),
          cropBeside(hand),
          h(
            "ul.deltas",
            hand.payments.map((amount, i) =>
              h("li", { class: amountClass(amount) }, h("span", game.players[i].name), h("b", signed(amount)))
            ),
            Number(hand.pot) !== 0 && h("li", h("span", seatName("pot")), h("b", signed(hand.pot))),
          ),
        )
      ),
    ),
  );
}
