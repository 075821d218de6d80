// A hand that has not won: how far it is from being ready, and the tiles that bring it nearer.
import { h } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { lastScore } from "../scoring/live.js";
import { tileName, tilePicture } from "../faces/tile.js";

/** The card below the tiles; null while nothing is known. */
export function nearer() {
  const { shanten = null, draws = [] } = lastScore()?.near ?? {};
  if (shanten === null) return null;
  const left = draws.reduce((sum, draw) => sum + draw.left, 0);
  return h(
    "section.card.asking.nearer",
    { role: "status" },
    h("h2", shanten ? t("near.away", { n: shanten }) : t("near.ready")),
    h("p.soft", t("near.left", { n: left })),
    h(
      "ul.rack",
      draws.map((draw) =>
        h(
          "li",
          { key: draw.tile, "aria-label": `${tileName(draw.tile)} × ${draw.left}` },
          tilePicture(draw.tile, { label: null }),
          h("small", { "aria-hidden": "true" }, `× ${draw.left}`),
        )
      ),
    ),
  );
}
