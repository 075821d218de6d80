// The report of a tournament on one page, to be printed: standings, figures, best hands, chombo.
import "../board/corner.js";
import { tileRow } from "../board/handrow.js";
import { admitted } from "../board/door.js";
import { load, w } from "../board/words.js";
import { get } from "../api/api.js";
import { printButton } from "../controls/fields.js";
import { byId, h, refill } from "../dom/dom.js";
import { plantIcons } from "../dom/icons.js";
import { plantFaces } from "../faces/face.js";
import { elementNames, systemName } from "../names/systems.js";
import { setSystems } from "../state/rules.js";
import { moment, number, signed, t } from "../words/i18n.js";
import { limitWords, partWords, totalWords, troubleWords } from "../words/words.js";

/** @typedef {{round: number, table: string, game_id: string, number: number, player: string, win: string, from_player: string | null,
 *   elements: string[], total: any, amount: Money, hand: any, frame: number | null}} BestHand */
/** @typedef {{round: number, table?: string, hand?: number, player: string, amount?: Money, reason: string | null}} Chombo */
/** @typedef {{figures: Api.PlayerFigures[], best: BestHand[], chombo: Chombo[]}} Report */

/**
 * A table of lines, each with the name in its second column.
 * @type {(titles: string[], lines: any[][]) => Child}
 */
const table = (titles, lines) =>
  h(
    "table.standings",
    h("thead", h("tr", titles.map((title) => h("th", { scope: "col" }, title)))),
    h(
      "tbody",
      lines.map(([rank, name, ...cells]) =>
        h(
          "tr",
          h("td", rank),
          h("th", { scope: "row" }, name),
          cells.map((cell) => h("td", cell)),
        )
      ),
    ),
  );

const standings = (/** @type {Cup} */ cup) =>
  table(
    ["rank", "name", "score", "won", "tables", "placed"].map((name) =>
      name === "placed" ? w("cup.place", { n: cup.places.map((_, i) => i + 1).join(" · ") }) : w(`standing.${name}`)
    ),
    cup.standings.map((s) => [
      s.rank,
      [s.name, s.club && h("small.soft", ` ${s.club}`)],
      h("b", signed(s.score)),
      signed(s.won),
      s.tables,
      s.placed.join(" · "),
    ]),
  );

/** The figures of everybody at tables of one size. */
function figuresOf(/** @type {Report} */ { figures }, /** @type {number} */ size) {
  const mine = figures.filter((one) => one.players === size);
  if (!mine.length) return null;
  const name = systemName(mine[0].rules);
  return [
    h("h2", t("figures.title"), h("small.soft", ` ${size === 3 ? t("figures.three", { rules: name }) : name}`)),
    table(
      [
        "",
        w("standing.name"),
        ...["place", "hands", "won", "self_draws", "dealt_in", "average"].map((key) => t(`figures.${key}`)),
      ],
      mine.map((one, i) => [
        i + 1,
        one.name,
        one.average_place === null ? "–" : number(one.average_place),
        one.hands,
        partWords(one.self_draws + one.discards, one.hands),
        one.self_draws,
        partWords(one.dealt_in, one.hands),
        one.average_win === null ? "–" : signed(one.average_win),
      ]),
    ),
  ];
}

const place = (/** @type {{round: number, table?: string}} */ { round, table: name }) =>
  [round > 0 && w("cup.round", { n: round }), name && w("table.title", { name })].filter(Boolean).join(" · ");

function bestHand(/** @type {string} */ rules, /** @type {BestHand} */ best) {
  const { player, from_player: from, total, amount, hand, frame } = best;
  return h(
    "li",
    h("p", h("b", t(`outcome.win.${best.win}`, { name: player, from })), " ", h("small.soft", place(best))),
    h(
      "p",
      h("b", [total.limit && limitWords(total), totalWords(total)].filter(Boolean).join(" · ")),
      ` ${signed(amount)}`,
    ),
    h("p.soft", elementNames(rules, best.elements).join(" · ")),
    frame ? h("img.still", { src: `/api/v1/frames/${frame}`, alt: w("laid.frame") }) : hand && tileRow(hand, "mini"),
  );
}

const chomboLine = (/** @type {Chombo} */ one) =>
  h(
    "li",
    [place(one), one.player, one.amount !== undefined && signed(one.amount), one.reason].filter(Boolean).join(" · "),
  );

async function begin() {
  await load(null);
  plantIcons();
  plantFaces();
  const asked = new URLSearchParams(location.search).get("tournament");
  const refused = (/** @type {any} */ trouble) =>
    refill(byId("main"), h("p.card", trouble ? troubleWords(trouble) : t("error.code_needed")));
  const [{ rules }, { tournaments }] = await admitted(() => Promise.all([get("/rules"), get("/tournaments")]), refused);
  setSystems(rules);
  const id = asked ?? tournaments[0]?.id;
  /** @type {[Cup, Report]} */
  const [cup, report] = await admitted(
    () => Promise.all([get(`/tournaments/${id}`), get(`/tournaments/${id}/report`)]),
    refused,
  );
  document.title = `${cup.name} · ${w("report.title")}`;
  refill(
    byId("main"),
    h("h1", cup.name),
    h("p.soft", [w("report.title"), moment(cup.created), systemName(cup.rules)].join(" · ")),
    h("p.on-screen", printButton()),
    h("section.card.stack", standings(cup)),
    h("section.card.stack", figuresOf(report, 4), figuresOf(report, 3)),
    report.best.length > 0 &&
      h(
        "section.card.stack",
        h("h2", w("report.best")),
        h("ol.best", report.best.map((one) => bestHand(cup.rules, one))),
      ),
    h(
      "section.card.stack",
      h("h2", w("report.chombo")),
      report.chombo.length ? h("ul.ledger", report.chombo.map(chomboLine)) : h("p", w("report.no_chombo")),
    ),
  );
  document.documentElement.dataset.ready = "";
}

begin();
