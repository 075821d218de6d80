// Withdrawing any hand of the history, and restoring it.
import { theGame } from "../state/app.js";
import { h } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { openAmendment } from "./amend.js";
import { handWords } from "../names/changes.js";

function opener(/** @type {string} */ kind, /** @type {string} */ path, /** @type {boolean} */ undone) {
  return (/** @type {LedgerHand} */ hand) =>
    openAmendment({
      title: t(`${path}.title`, { n: hand.number }),
      path: `/hands/${hand.number}/${path}`,
      kind,
      hand: hand.number,
      holds: () => theGame().hands.some((h) => h.number === hand.number && Boolean(h.undone_at) === undone),
      build: () => [h("p", handWords(hand)), h("p.soft", t(`amend.${path}`))],
      body: () => ({}),
      done: () => t(`change.${kind}`, { n: hand.number, what: handWords(hand) }),
    });
}

/** Withdraws a standing hand. */
export const openWithdraw = opener("withdrawn", "withdraw", false);
/** Restores a hand that was withdrawn. */
export const openRestore = opener("restored", "restore", true);
