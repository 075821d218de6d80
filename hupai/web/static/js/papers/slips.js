// A score slip for each table of a round, to be filled in by hand; it carries the table's code if one was made.
import { h } from "../parts/dom.js";
import { number } from "../words/i18n.js";
import { w } from "../board/words.js";
import { head, wind } from "./lists.js";

const HANDS = 20; // lines: the sixteen hands of an official game, and some for repeated ones

const blank = (cells) => Array.from({ length: cells }, () => h("td"));
const foot = (words, cells, kind = "") => h("tr", { class: kind }, h("th", { scope: "row", colspan: 2 }, words), cells);

function slip(cup, round, one, code) {
  const svg = code && `data:image/svg+xml,${encodeURIComponent(code.svg)}`;
  return h("section", { class: "paper slip" }, head(cup, w("table.title", { name: one.table }), h("b", {}, w("cup.round", { n: round.round })), svg && h("img", { src: svg, alt: w("papers.code", { name: one.table }) })),
    h("table", {},
      h("thead", {}, h("tr", {}, h("th", { class: "of-hand", scope: "col" }, w("papers.hand")), h("th", { class: "of-what", scope: "col" }, w("papers.what")),
        one.players.map((p, seat) => h("th", { scope: "col" }, h("span", { class: "wind" }, wind(seat)), p.name)))),
      h("tbody", {},
        foot(w("cup.start"), one.players.map(() => h("td", {}, number(cup.starting_points)))),
        Array.from({ length: HANDS }, (_, i) => h("tr", {}, h("th", { class: "of-hand", scope: "row" }, i + 1), blank(5)))),
      h("tfoot", {}, foot(w("papers.penalties"), blank(4)), foot(w("papers.total"), blank(4)), foot(w("papers.place"), blank(4)), foot(w("papers.signature"), blank(4), "signed"))));
}

/** The slips of a round; `codes` maps a table's name to the code made for it. */
export const slips = (cup, round, codes) => round.tables.map((one) => slip(cup, round, one, codes.get(one.table)));
