// What happened to a game, in sentences.
import { app } from "../app.js";
import { h } from "../dom.js";
import { moment, t } from "../i18n.js";

/** A hand of the ledger in a few words: "Mei, self-draw". */
export function handWords(hand, game = app.game) {
  const name = (n) => game.players[n]?.name ?? t("somebody");
  if (hand.outcome !== "win") return t(`outcome.${hand.outcome}`);
  return hand.wins
    .map((win) => t(`outcome.win.${win.win}`, { name: name(win.player), from: name(win.from_player) }))
    .join(" · ");
}

/** Changes of a game as a list of sentences. */
export function changeList(changes, { when = false } = {}) {
  return h(
    "ul",
    { class: "changes" },
    changes.map(({ kind, hand, by, reason, at }) =>
      h(
        "li",
        {},
        t(`change.${kind}`, { n: hand.number, what: handWords(hand) }),
        when && h("small", { class: "soft" }, moment(at)),
        (by || reason) && h("small", { class: "soft" }, [by, reason].filter(Boolean).join(": ")),
      ),
    ),
  );
}
