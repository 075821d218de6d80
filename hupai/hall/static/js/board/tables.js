// All tables at a glance: the state of their cameras and the hands on them.
import { h, icon } from "../dom/dom.js";
import { number } from "../words/i18n.js";
import { roundWords } from "../words/words.js";
import { tileRow } from "./handrow.js";
import { board, choose } from "./state.js";
import { clock, w } from "./words.js";

const BAD = ["lost", "frozen", "dark", "shaking", "ended", "silent", "unread", "glare"];

/** The state to show: a worker that has stopped reporting cannot be watching. */
export const stateOf = (/** @type {CameraTable} */ table) => (table.silent ? "silent" : table.state);

/** What is worth knowing about a table's camera, in words. */
function healthWords(/** @type {CameraTable} */ table) {
  const { health } = table;
  const parts = [];
  if (table.watched && health.fps !== undefined) {
    parts.push(w("health.fps", { fps: health.fps, reads: health.reads_per_second }));
  }
  if (health.reconnects) parts.push(w("health.reconnects", { n: health.reconnects }));
  if (health.trouble) parts.push(health.trouble);
  return parts.join(" · ");
}

function players(/** @type {Game} */ game) {
  return h(
    "ul.card-players",
    game.players.map((p) => h("li", h("span.name", p.name), h("b", number(p.total)))),
  );
}

function card(/** @type {CameraTable} */ table) {
  const state = stateOf(table);
  const { last, game } = table;
  return h(
    "li",
    { key: table.name },
    h(
      "button",
      {
        class: `table-card ${BAD.includes(state) ? "bad" : ""} ${table.waiting ? "waits" : ""}`,
        "data-key": `table-${table.name}`,
        "aria-pressed": String(board.chosen === table.name),
        onclick: () => choose(table.name),
      },
      h(
        "span.table-head",
        h("b", table.name),
        game && h("small.soft", roundWords(game)),
        h("span.state", w(`state.${state}`)),
      ),
      game ? players(game) : h("small.soft", w("table.no_game")),
      last && tileRow(last.hand, "mini"),
      last &&
        h(
          "small",
          { class: table.waiting ? "due" : "" },
          `${table.waiting ? w("waiting", { n: table.waiting }) : w(`status.${last.status}`)} · ${
            clock(last.settled_at)
          }`,
        ),
      h("small.soft", healthWords(table)),
    ),
  );
}

function undelivered() {
  if (!board.director.you) return [];
  return board.undelivered.map(({ target, trouble, waiting }) =>
    h(
      "p.caution.undelivered",
      icon("warn"),
      h("span", w("health.undelivered", { target, why: trouble, n: waiting })),
    )
  );
}

/** The grid of tables, and above it the receivers that accept no events. */
export function tablesPart() {
  if (!board.tables.length) return h("p.card", w("tables.none"));
  return [undelivered(), h("ul.table-grid", board.tables.map(card))];
}
