// A round's result slips on paper, from what the open board knows: they print when the network is gone, too.
import { h, refill } from "../../dom/dom.js";
import { w } from "../words.js";
import { sitter } from "./tableend.js";

/** A table's slip: its players by their winds, with room for points and signatures. */
const slip = (/** @type {Cup} */ cup, /** @type {CupRound} */ { round }, /** @type {CupTable} */ table) =>
  h(
    "section.slip",
    h("h2", w("table.title", { name: table.table }), h("small", ` ${w("cup.round", { n: round })} · ${cup.name}`)),
    h(
      "table",
      h("thead", h("tr", ["standing.name", "slip.points", "slip.signature"].map((key) => h("th", w(key))))),
      h("tbody", table.players.map((_, i) => h("tr", h("th", sitter(table, i)), h("td"), h("td")))),
    ),
  );

/** Prints the slips of a round, a table each, and nothing else of the page. */
export function printSlips(/** @type {Cup} */ cup, /** @type {CupRound} */ played) {
  const paper = document.createElement("div");
  paper.className = "slips on-paper";
  document.body.append(paper);
  refill(paper, played.tables.map((table) => slip(cup, played, table)));
  document.body.classList.add("prints-slips");
  addEventListener("afterprint", () => {
    document.body.classList.remove("prints-slips");
    paper.remove();
  }, { once: true });
  print();
}
