// The screen of a hall: who plays where next, to be read from afar, and the time that is left of the round.
import "../board/corner.js";
import { extraWords, timerBox } from "../board/clock.js";
import { admitted, keepUp } from "../board/door.js";
import { follow } from "../board/stream.js";
import { load, w } from "../board/words.js";
import { get } from "../api/api.js";
import { byId, h, refill } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { troubleWords } from "../words/words.js";
import { parameters } from "../overlay/address.js";
import { tournament } from "../overlay/poll.js";
import { comingSeats, tableBox } from "../overlay/rounds.js";

const TABLES = 8; // shown at once
const TURN_MS = 10_000; // before the next page of tables
const EVERY_MS = 3000; // what no camera sees is in no event
const LINES = 7.4; // lines that a table takes, with its title, border and gap
const LETTERS = 8.2; // the least width of a table in letters
const SMALL = 0.6; // of a name's full size; where that is still too wide, it takes two lines

const languages = parameters.language?.split(",") ?? [null]; // each page of tables is in the next one
const [part, parts] = parameters.part;

/** @type {{cup: Cup | null, page: number, turn: number, online: boolean}} */
const hall = { cup: null, page: 0, turn: 0, online: true };

/** Makes the letters as large as the tables leave room for, and a name smaller that does not fit. */
function fit(/** @type {number} */ count) {
  const list = document.querySelector(".tables");
  if (!(list instanceof HTMLElement)) return;
  const sizes = [1, 2, 3, 4].map((columns) => ({
    columns,
    size: Math.min(list.clientHeight / Math.ceil(count / columns) / LINES, list.clientWidth / columns / LETTERS),
  }));
  const { columns, size } = sizes.reduce((best, one) => (one.size > best.size ? one : best));
  list.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
  list.style.fontSize = `${size}px`;
  for (const name of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll(".name"))) {
    name.style.fontSize = "";
    name.classList.remove("long");
    const room = name.clientWidth / name.scrollWidth;
    if (room < SMALL) name.classList.add("long");
    else if (room < 1) name.style.fontSize = `${Math.floor(100 * room) / 100}em`;
  }
}

/** @typedef {import("../overlay/rounds.js").Seated} Seated */

/** The tables that this screen shows: all, or its part where several screens share them. */
function share(/** @type {Seated[]} */ tables) {
  const most = Math.ceil(tables.length / parts);
  return tables.slice((part - 1) * most, part * most);
}

/** The pages that the tables of this screen fill. */
const pagesOf = (/** @type {Seated[]} */ tables) => Math.max(1, Math.ceil(tables.length / TABLES));

function timeLeft(/** @type {number | undefined} */ shown) {
  const round = hall.cup?.rounds.at(-1);
  return round?.timer && h(
    "div.clock",
    round.round !== shown && h("small", w("cup.round", { n: round.round })),
    round.timer.state === "paused" && h("small", w("overlay.paused")),
    timerBox(round.timer),
  );
}

/** The tables that go on for longer than the round. */
const longer = () =>
  (hall.cup?.rounds.at(-1)?.tables ?? []).flatMap(({ table, extra, ended }) =>
    extra && !ended ? [`${w("table.title", { name: table })}: ${extraWords(extra)}`] : []
  );

function draw() {
  const seats = hall.cup && comingSeats(hall.cup);
  const tables = share(seats?.tables ?? []);
  const pages = pagesOf(tables);
  hall.page %= pages;
  const shown = tables.slice(hall.page * TABLES, (hall.page + 1) * TABLES);
  refill(
    byId("main"),
    h(
      "header",
      h("h1", seats ? w("cup.round", { n: seats.round }) : hall.cup?.name),
      seats && h("small", hall.cup?.name),
      pages > 1 && h("small.page", `${hall.page + 1} / ${pages}`),
      timeLeft(seats?.round),
    ),
    !hall.online && h("p.offline", { role: "status" }, w("board.offline")),
    seats ? h("ul.tables", shown.map((table) => tableBox(table))) : h("p", w("hall.none")),
    longer().length > 0 && h("p.resting", longer().join(" · ")),
    seats && seats.resting.length > 0 && h("p.resting", w("cup.resting", { names: seats.resting.join(", ") })),
  );
  fit(Math.min(tables.length, TABLES));
}

let asked = 0;
let answered = 0; // an answer that comes after the answer to a later request is dropped

async function look() {
  const mine = ++asked;
  const found = await tournament().then((cup) => ({ cup, online: true }), () => ({ online: false }));
  if (mine < answered) return;
  answered = mine;
  Object.assign(hall, found);
  draw();
}

/** Turns to the next page of tables, and to the next language. */
async function turn() {
  hall.turn += 1;
  hall.page += 1;
  if (languages.length > 1) await load(languages[hall.turn % languages.length]).catch(() => {});
  draw();
}

async function begin() {
  document.documentElement.classList.toggle("light", parameters.light);
  await load(languages[0]);
  const { last } = await admitted(
    () => get("/events/list?limit=1"),
    (trouble) => refill(byId("main"), h("p", trouble ? troubleWords(trouble) : t("error.code_needed"))),
  );
  await look();
  follow({
    after: last,
    onevent: look,
    online: (/** @type {boolean} */ there) => {
      hall.online = there;
      draw();
    },
  });
  setInterval(turn, TURN_MS);
  addEventListener("resize", draw);
  keepUp(look, EVERY_MS);
}

begin();
