// Draws, payments and penalties on their way to the ledger: what was sent is remembered until it is answered, so that a
// page that was closed meanwhile can find out what became of it.
import { app, theGame } from "../state/app.js";
import { on } from "../state/signal.js";
import { setGame } from "../state/table.js";
import { post } from "../host/api.js";
import { t } from "../words/i18n.js";
import { troubleWords } from "../words/words.js";
import { revisionSeen, takeRefusal } from "../play/revision.js";
import { recall, remember } from "../host/store.js";
import { notice } from "../controls/notice.js";
import { undoHand } from "./undo.js";

/** Forgets an entry that is finished. */
export function forget(/** @type {string} */ key) {
  if (recall("outbox", null)?.key === key) remember("outbox", undefined);
}

on(["game"], () => {
  const kept = recall("outbox", null);
  if (kept && app.game?.hands.some((hand) => hand.key === kept.key)) remember("outbox", undefined);
});

/**
 * Sends {game, key, body}; a refusal finishes the entry, a missing answer does not.
 * @param {any} entry
 * @param {AbortSignal} [signal]
 */
export async function sendEntry(entry, signal) {
  const { game, key, body } = entry;
  remember("outbox", entry);
  try {
    const found = await post(`/games/${encodeURIComponent(game)}/hands`, body, {
      headers: { "Idempotency-Key": key },
      signal,
    });
    forget(key);
    return found;
  } catch (error) {
    if (error.status >= 400 && error.status < 500) forget(key);
    throw error;
  }
}

/** Announces that an entry is in the ledger. */
export function announceEntry(/** @type {LedgerHand} */ hand) {
  notice(t("record.done", { n: hand.number }), { action: t("undo"), act: () => undoHand(hand.number) });
}

/** After a reload: an unanswered entry is either in the ledger, or is offered once more. */
export function takeUpOutbox() {
  const entry = recall("outbox", null);
  if (!entry || entry.game !== app.game?.id) return;
  const hand = theGame().hands.find((one) => one.key === entry.key);
  if (hand) {
    forget(entry.key);
    announceEntry(hand);
    return;
  }
  if (entry.body.seen.revision !== revisionSeen().revision) {
    forget(entry.key); // the table has moved on without it; the seats it refers to are void
    notice(t("outbox.void", { what: t(`outcome.${entry.body.outcome}`) }));
    return;
  }
  notice(t("outbox.waits", { what: t(`outcome.${entry.body.outcome}`) }), {
    action: t("outbox.again"),
    act: () => again(entry),
    lasting: true,
  });
}

async function again(/** @type {any} */ entry) {
  try {
    const { hand, game } = await sendEntry(entry);
    setGame(game, { own: true });
    announceEntry(hand);
  } catch (error) {
    takeRefusal(error);
    notice(troubleWords(error), error.code === "offline" ? { action: t("retry"), act: () => again(entry) } : {});
  }
}
