// What a broadcast may show beside a table's hand: the points at the table, and the standings.
import { h } from "../parts/dom.js";
import { number, signed } from "../words/i18n.js";
import { w } from "../board/words.js";

const PLACES = 8; // there is room for so many

/** The players of a table in the last round that has it. */
export const seated = (name, cup) => (cup?.rounds ?? []).toReversed().flatMap((round) => round.tables).find((one) => one.table === name)?.players;

/** How the players of a table stand: in the last round that has it, else in the game of its camera. */
export function points(name, table, cup) {
  const players = seated(name, cup) ?? table?.game?.players;
  if (!players) return null;
  return [h("h1", {}, w("table.title", { name })), h("ul", { class: "gains" }, players.map((p) => h("li", {}, h("span", {}, p.name), h("b", {}, number(p.total)))))];
}

/** The first of a tournament. */
export function standings(cup) {
  if (!cup?.standings.length) return null;
  return [
    h("h1", {}, cup.name),
    h("ol", { class: "places" }, cup.standings.slice(0, PLACES).map((s) => h("li", {}, h("span", { class: "rank" }, s.rank), h("span", {}, s.name), h("b", {}, signed(s.score))))),
  ];
}
