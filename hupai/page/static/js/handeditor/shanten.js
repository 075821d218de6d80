// A hand that has not won: how far it is from being ready, and the tiles or the discards that bring it nearer.
import { h } from "../dom/dom.js";
import { number, signed, t } from "../words/i18n.js";
import { lastScore } from "../scoring/live.js";
import { known } from "../scoring/questions.js";
import { tileName, tilePicture } from "../faces/tile.js";

const DISCARDS = 3; // shown: those after which most tiles help

const sum = (/** @type {Api.DrawBody[]} */ draws) => draws.reduce((all, draw) => all + draw.left, 0);

/** What the winner gains by a score, or that it is none; `riichi`: had it been declared. */
export function gainWords(/** @type {Api.ScoreBody} */ { legal, payments }, riichi = false) {
  const { seat } = known();
  const gain = legal && payments && seat ? signed(payments[seat]) : t("score.no_win");
  return riichi ? t("label", { name: t("ask.riichi") }) + gain : gain;
}

/**
 * Tiles that help, each with how many are left, and its worth where the hand would win with it.
 * @type {(draws: Api.DrawBody[], waits?: Api.WaitBody[]) => Child}
 */
const helping = (draws, waits = []) =>
  h(
    "ul.rack",
    draws.map(({ tile, left }) => {
      const won = waits.find((wait) => wait.tile === tile);
      const worth = won ? [gainWords(won.score), ...(won.riichi ? [gainWords(won.riichi, true)] : [])] : [];
      return h(
        "li",
        { key: tile, "aria-label": [`${tileName(tile)} × ${number(left)}`, ...worth].join(", ") },
        tilePicture(tile, { label: null }),
        [`× ${number(left)}`, ...worth].map((words) => h("small", { "aria-hidden": "true" }, words)),
      );
    }),
  );

const discard = (/** @type {Api.DiscardBody} */ { tile, draws, waits }) =>
  h(
    "li",
    { key: tile },
    h("p", tilePicture(tile, { label: null }), t("near.discard", { tile: tileName(tile), n: sum(draws) })),
    helping(draws, waits),
  );

/** The card below the tiles; null while nothing is known, and where the hand wins. */
export function nearer() {
  const { shanten = null, draws = [], discards = [] } = lastScore()?.near ?? {};
  if (shanten === null || shanten < 0) return null;
  const full = discards.length > 0;
  return h(
    "section.card.asking.nearer",
    { role: "status" },
    h("h2", shanten ? t("near.away", { n: shanten }) : t(full ? "near.ready_after" : "near.ready")),
    full
      ? h("ul.discards", discards.slice(0, DISCARDS).map(discard))
      : [h("p.soft", t("near.left", { n: sum(draws) })), helping(draws)],
  );
}
