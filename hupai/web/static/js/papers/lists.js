// Printed seating: one round per page, and by player's name.
import { h } from "../parts/dom.js";
import { language, t } from "../words/i18n.js";
import { SEATS } from "../hand/seats.js";
import { w } from "../board/words.js";

const FEW = 10; // number of tables that fit in large letters

export const wind = (seat) => t(`seat.${SEATS[seat]}.sign`);

/** The seated rounds, then the planned ones; players by number and name, in the order of the winds. */
export function roundsOf(cup) {
  const name = (number) => cup.players.find((p) => p.number === number)?.name ?? `${number}`;
  const planned = cup.plan.map(({ round, tables }) => ({ round, tables: tables.map((one, i) => ({ table: one.table ?? `${i + 1}`, players: one.players.map((number) => ({ number, name: name(number) })) })) }));
  return [...cup.rounds, ...planned];
}

/** The header of a page. */
export const head = (cup, title, ...more) => h("header", { class: "paper-head" }, h("h1", {}, title), h("span", {}, cup.name), more);

/** Each round on a page of its own. */
export const seating = (cup, rounds) => rounds.map((round) => {
  const sitting = new Set(round.tables.flatMap(({ players }) => players.map((p) => p.number)));
  const rest = cup.players.filter((p) => !p.left && !p.substitute && !sitting.has(p.number));
  return h("section", { class: "paper" }, head(cup, w("cup.round", { n: round.round })),
    h("ul", { class: round.tables.length > FEW ? "seated" : "seated few" }, round.tables.map((one) => h("li", {}, h("h2", {}, w("table.title", { name: one.table })),
      h("ol", {}, one.players.map((p, seat) => h("li", {}, h("span", { class: "wind" }, wind(seat)), h("span", {}, p.name))))))),
    rest.length > 0 && h("p", {}, w("cup.resting", { names: rest.map((p) => p.name).join(", ") })));
});

function placed(round, player) {
  for (const { table, players } of round.tables) {
    const seat = players.findIndex((p) => p.number === player.number);
    if (seat >= 0) return h("td", { class: "of-round" }, `${table} `, h("span", { class: "wind" }, wind(seat)));
  }
  return h("td", { class: "of-round" }, "–");
}

/** All players by name, with their table and wind in each round. */
export function byName(cup, rounds) {
  const order = new Intl.Collator(language(), { numeric: true });
  const named = cup.players.filter((p) => !p.left).toSorted((a, b) => order.compare(a.name, b.name));
  return h("section", { class: "paper" }, head(cup, w("papers.names")), h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, w("standing.name")), rounds.map(({ round }) => h("th", { class: "of-round", scope: "col" }, round)))),
    h("tbody", {}, named.map((p) => h("tr", {}, h("th", { scope: "row" }, p.name), rounds.map((round) => placed(round, p)))))));
}
