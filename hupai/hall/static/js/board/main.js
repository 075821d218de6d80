// The director's board on one page; only what changed is redrawn, and what is being typed or chosen is kept.
import "./corner.js";
import { countPlayersBy } from "../hand/seats.js";
import { get, mayPass, post, remove } from "../api/api.js";
import { app } from "../state/app.js";
import { setSystems } from "../state/rules.js";
import { set } from "../state/settings.js";
import { on } from "../state/signal.js";
import { byId, h, memo, refill } from "../dom/dom.js";
import { button, form, submitKey } from "../controls/fields.js";
import { language, LANGUAGES } from "../words/i18n.js";
import { plantFaces } from "../faces/face.js";
import { plantIcons } from "../dom/icons.js";
import { calmly } from "../dom/press.js";
import { cupPart } from "./direct/cup.js";
import { admitted, director, enter, open, pause } from "./door.js";
import { attempt, board, boardTrouble, PARTS, redraw, refresh, takeTables } from "./state.js";
import { follow } from "./stream.js";
import { tablePart } from "./table.js";
import { tablesPart } from "./tables.js";
import { load, w } from "./words.js";

countPlayersBy(() => app.game?.players.length ?? 4); // whatever is played on this browser

const HEALTH_MS = 3000;
const WHOLE_EVERY = 4; // every so many of these polls everything is asked for: much of a tournament changes no table
let code = "";

function codeForm(/** @type {string} */ key, /** @type {() => Promise<unknown>} */ give) {
  const id = `code-${key}`;
  const words = w(`code.${key}`);
  return form(
    "row",
    () => attempt(give),
    h("label.unseen", { for: id }, words),
    h("input.code-field", {
      id,
      type: "password",
      autocomplete: "off",
      placeholder: words,
      "data-key": id,
      value: code,
      oninput: (event) => (code = event.target.value),
    }),
    submitKey(w("code.open")),
  );
}

function who() {
  if (!board.director.there) return h("small.soft", w("director.none"));
  if (!board.director.you) return codeForm("director", () => post("/director", { code }).then(asDirector));
  const leave = () => attempt(() => remove("/director").then(asDirector));
  return h("span.row", h("b", w("director.you")), button("leave", w("director.leave"), leave, { look: "quiet" }));
}

async function asDirector() {
  code = "";
  board.director = await director();
}

const waiting = () => board.tables.reduce((sum, table) => sum + table.waiting, 0);

function top() {
  const n = waiting();
  document.title = `${n ? `(${n}) ` : ""}${w("board.title")}`;
  return h(
    "div.board-top",
    h("h1", w("board.title")),
    n > 0 && h("b.due", w("waiting", { n })),
    !board.online && h("b.offline", { role: "status" }, w("board.offline")),
    who(),
    h("select", {
      "aria-label": w("board.language"),
      "data-key": "language",
      value: language(),
      onchange: (event) => attempt(() => load(event.target.value, { keep: true })),
    }, Object.entries(LANGUAGES).map(([id, name]) => h("option", { value: id }, name))),
  );
}

/** @type {Record<string, unknown>} */
const drawn = {}; // part -> what it shows
/** @type {Record<string, () => unknown>} */
const drawers = { top, tables: tablesPart, table: tablePart, cup: cupPart };

const drawSaid = () => refill(byId("said"), board.said && h("p.caution", h("span", board.said)));

function draw(/** @type {Set<string>} */ parts) {
  for (const [part, describe] of Object.entries(drawers)) if (parts.has(part)) drawn[part] = describe();
  const place = (/** @type {string} */ part) => h("div", { class: `part-${part} stack` }, memo(drawn[part]));
  refill(byId("top"), place("top"));
  refill(
    byId("main"),
    h("div.board-columns", h("div.stack", place("tables"), place("table")), place("cup")),
  );
}

/** The part of the tables' state other than health: when it changes, games or hands have changed. */
const essence = (/** @type {CameraTable[]} */ tables) =>
  JSON.stringify(
    tables.map((
      t,
    ) => [t.name, t.game?.id, t.game?.next_hand, t.game?.players, t.last?.id, t.last?.version, t.waiting]),
  );

const reached = { polls: true, events: true }; // whether the last poll was answered, and the stream of events is open

function reach(/** @type {"polls" | "events"} */ by, /** @type {boolean} */ there) {
  reached[by] = there;
  const online = reached.polls && reached.events;
  if (board.online !== online) redraw("top");
  board.online = online;
}

async function health() {
  for (let turn = 1;; turn += 1) {
    await pause(HEALTH_MS);
    try {
      const before = essence(board.tables);
      takeTables(await get("/tables"));
      if (turn % WHOLE_EVERY === 0 || essence(board.tables) !== before) await refresh();
      else redraw("tables");
      reach("polls", true);
    } catch {
      reach("polls", false);
    }
  }
}

function say(/** @type {any} */ trouble) {
  board.said = trouble ? boardTrouble(trouble) : "";
  drawSaid();
}

// Whether access is granted, once the server answers; a fault in the address's code is reported.
async function knock() {
  for (;;) {
    try {
      const inside = await enter();
      say(null);
      return inside;
    } catch (error) {
      say(error);
      if (!mayPass(error)) return false;
    }
    await pause(HEALTH_MS);
  }
}

// Asks for all that the board begins with; returns the number of the last event.
async function firstLook() {
  setSystems((await get("/rules")).rules);
  board.presets = (await get("/presets")).presets;
  board.director = await director();
  const { last } = await get("/events/list?limit=1");
  await refresh();
  return last;
}

async function begin() {
  await load();
  document.title = w("board.title");
  plantFaces();
  plantIcons();
  const main = byId("main");
  on(PARTS, calmly(drawSaid)); // a wrong code is reported before there is anything else to draw
  while (!(await knock())) {
    await new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      addEventListener("hashchange", resolve, { once: true });
      const give = () =>
        open(code).then(() => {
          code = "";
          resolve();
        });
      refill(main, h("section.card.stack", h("p", w("code.text")), codeForm("access", give)));
      document.documentElement.dataset.ready = "code";
    });
  }
  set({ fortune: "tile" }); // nothing is assumed about the indicator
  const last = await admitted(firstLook, say);
  say(null);
  on(PARTS, calmly(draw));
  redraw();
  follow({
    after: last,
    onevent: () => refresh().catch(() => {}),
    online: (/** @type {boolean} */ yes) => reach("events", yes),
  });
  document.documentElement.dataset.ready = "";
  health();
}

begin();
