// A table's own page, behind its QR code: its game, entering hands, ending the game, and the players' signatures.
import "../board/corner.js";
import { get } from "../host/api.js";
import { byId, h, refill } from "../parts/dom.js";
import { admitted, keepUp } from "../board/door.js";
import { setSystems } from "../state/rules.js";
import { on } from "../state/signal.js";
import { timerBox } from "../board/clock.js";
import { announcement } from "../board/direct/referee.js";
import { seatedPlayers, tableEnd } from "../board/direct/tableend.js";
import { board, PARTS, redraw, refresh, sayWhyNot } from "../board/state.js";
import { follow } from "../board/stream.js";
import { load, w } from "../board/words.js";

const EVERY_MS = 5000;
const ACTING = ["table", "scorer", "director"]; // roles that may do something here
let name = new URLSearchParams(location.search).get("table");
/** @type {string | null} */
let role = null; // of the token's holder

/** The latest round that has this table, and the table in it. */
function here() {
  for (const played of board.cup?.rounds.toReversed() ?? []) {
    const table = played.tables.find((one) => one.table === name);
    if (table) return { played, table };
  }
  return null;
}

function draw() {
  const found = here();
  document.title = w("table.title", { name });
  const said = board.said || (!board.online && w("board.offline"));
  refill(byId("said"), said && h("p.caution", h("span", said)));
  refill(
    byId("main"),
    h(
      "section.card.stack",
      h(
        "div.row",
        h("h1", w("table.title", { name })),
        found && h("small.soft", `${board.cup?.name} · ${w("cup.round", { n: found.played.round })}`),
      ),
      board.cup && announcement(board.cup),
      found?.played.timer && timerBox(found.played.timer),
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

// Asks for all that the page begins with; returns the number of the last event.
async function firstLook() {
  const who = await get("/session");
  name = who.table ?? name ?? "";
  role = who.role;
  board.director = { there: true, you: role ? ACTING.includes(role) : (await get("/director")).you };
  setSystems((await get("/rules")).rules);
  const { last } = await get("/events/list?limit=1");
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
