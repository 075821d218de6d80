// What happened to a game, in sentences.
import { app } from "../state/app.js";
import { h } from "../dom/dom.js";
import { moment, t } from "../words/i18n.js";

/** Who won, and from whom. */
export function winWords(/** @type {LedgerWin} */ { win, player, from_player: from }, game = app.game) {
  const name = (/** @type {number | null} */ n) => game?.players[n ?? -1]?.name ?? t("somebody");
  return t(`outcome.win.${win}`, { name: name(player), from: name(from) });
}

/** A hand of the ledger in a few words: "Mei, self-draw". */
export function handWords(/** @type {LedgerHand} */ hand, game = app.game) {
  if (hand.outcome !== "win") return t(`outcome.${hand.outcome}`);
  return hand.wins.map((win) => winWords(win, game)).join(" · ");
}

/** A change in a sentence. */
export const changeWords = (/** @type {Pick<Change, "kind" | "hand">} */ { kind, hand }, game = app.game) =>
  t(`change.${kind}`, hand ? { n: hand.number, what: handWords(hand, game) } : {});

/** Changes of a game as a list of sentences. */
export function changeList(/** @type {Change[]} */ changes, { when = false } = {}) {
  return h(
    "ul.changes",
    changes.map((change) =>
      h(
        "li",
        changeWords(change),
        when && h("small.soft", moment(change.at)),
        (change.by || change.reason) &&
          h("small.soft", [change.by, change.reason].filter(Boolean).join(t("label", { name: "" }))),
      )
    ),
  );
}
