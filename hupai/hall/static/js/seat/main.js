// A table's own page, behind its QR code: its game, entering hands, ending the game, and the players' signatures.
import "../board/corner.js";
import { get, getOrNull } from "../api/api.js";
import { byId, h, refill } from "../dom/dom.js";
import { admitted, keepUp } from "../board/door.js";
import { setSystems } from "../state/rules.js";
import { on } from "../state/signal.js";
import { extended, extraWords, timerBox } from "../board/clock.js";
import { announcement } from "../board/direct/referee.js";
import { seatedPlayers, tableEnd } from "../board/direct/tableend.js";
import { button } from "../controls/fields.js";
import { board, PARTS, redraw, refresh, sayWhyNot } from "../board/state.js";
import { follow } from "../board/stream.js";
import { load, w } from "../board/words.js";

const EVERY_MS = 5000;
const ACTING = ["table", "scorer", "director"]; // roles that may do something here
const RECENT = 8; // tournaments in which a table is looked for
const address = new URLSearchParams(location.search);
let name = address.get("table");
/** @type {string | null} */
let role = null; // of the token's holder
/** @type {Cup[]} */
let events = []; // those that this table plays in; of several, one has to be chosen
let unbound = false; // whether it is a table's token that belongs to no event

/** The latest round of a tournament that has this table, and the table in it. */
function placeIn(/** @type {Cup | null} */ cup) {
  for (const played of cup?.rounds.toReversed() ?? []) {
    const table = played.tables.find((one) => one.table === name);
    if (table) return { played, table };
  }
  return null;
}

/** Asks which event it is; the answer stays in the address. */
const question = () =>
  h(
    "section.card.stack",
    h("h1", w("table.title", { name })),
    h("p", w("seat.which")),
    events.map((cup) => button(`event-${cup.id}`, cup.name, () => choose(cup))),
  );

function choose(/** @type {Cup} */ cup) {
  address.set("tournament", cup.id);
  history.replaceState(null, "", `?${address}${location.hash}`);
  events = [cup];
  board.cup = cup;
  look();
}

function draw() {
  const found = placeIn(board.cup);
  document.title = w("table.title", { name });
  const said = board.said || (!board.online && w("board.offline"));
  refill(byId("said"), said && h("p.caution", h("span", said)));
  refill(
    byId("main"),
    events.length > 1 ? question() : h(
      "section.card.stack",
      h(
        "div.row",
        h("h1", w("table.title", { name })),
        board.cup &&
          h("small.soft", board.cup.name, found && ` · ${w("cup.round", { n: found.played.round })}`),
      ),
      unbound && h("p.caution", w("seat.unbound")),
      board.cup && announcement(board.cup),
      found?.played.timer && timerBox(extended(found.played.timer, found.table)),
      found?.table.extra && !found.table.ended && h("p.announced", { role: "status" }, extraWords(found.table.extra)),
      found
        ? [
          h("ol.people", seatedPlayers(found.table)),
          h("p.soft", w("cup.hands", { n: found.table.hands })),
          !found.table.ended &&
          h(
            "a.button.main",
            { "data-key": "enter-hands", href: `./#join=${found.table.game_id}` },
            w("seat.enter"),
          ),
          board.cup && tableEnd(board.cup, found.played, found.table, role !== "table"),
          found.table.ended && h("p.hint", w("seat.sign_text")),
        ]
        : h("p", w("seat.none")),
    ),
  );
}

/** The events in which this table's game goes on, or the latest it played in, unless it is said which one is meant. */
async function findEvents(/** @type {string | null} */ meant) {
  if (meant) return [await getOrNull(`/tournaments/${encodeURIComponent(meant)}`)].filter((cup) => cup !== null);
  const { tournaments } = await get("/tournaments");
  const seated = tournaments.filter((/** @type {any} */ cup) => cup.rounds > 0).slice(0, RECENT);
  const cups = await Promise.all(seated.map((/** @type {Cup} */ { id }) => get(`/tournaments/${id}`)));
  const playing = cups.filter((cup) => placeIn(cup)?.table.ended === false);
  return playing.length ? playing : cups.filter(placeIn).slice(0, 1);
}

// Asks for all that the page begins with; returns the number of the last event.
async function firstLook() {
  const who = await get("/session");
  name = who.table ?? name ?? "";
  role = who.role;
  unbound = role === "table" && !who.tournament;
  board.director = { there: true, you: role ? !unbound && ACTING.includes(role) : (await get("/director")).you };
  setSystems((await get("/rules")).rules);
  const { last } = await get("/events/list?limit=1");
  events = await findEvents(who.tournament ?? address.get("tournament"));
  board.cup = events[0] ?? null;
  await refresh();
  return last;
}

async function look() {
  board.online = await refresh().then(() => true, () => false);
  redraw();
}

async function begin() {
  await load();
  const last = await admitted(firstLook, sayWhyNot(w("seat.no_token")));
  on(PARTS, draw);
  redraw();
  follow({ table: name, after: last, onevent: look, online: (there) => there !== board.online && look() });
  keepUp(look, EVERY_MS);
}

begin();
