// One scene for a broadcast: transparent, nothing to press, comes back by itself, and as late as is wanted.
import "../board/corner.js";
import { get } from "../host/api.js";
import { app } from "../app.js";
import { h, refill } from "../parts/dom.js";
import { plantFaces } from "../faces/face.js";
import { signed } from "../words/i18n.js";
import { elementName } from "../rules/systems.js";
import { totalWords } from "../words/words.js";
import { enter, pause } from "../board/door.js";
import { handRow } from "../board/shown.js";
import { follow } from "../board/stream.js";
import { load, w } from "../board/words.js";
import { points, seated, standings } from "./scenes.js";

const asked = new URLSearchParams(location.search);
const name = asked.get("table") ?? "";
const scene = asked.get("show") ?? "hand";
const LONGEST_MS = 600_000;
const delay = Math.min(Math.max(1000 * Number(asked.get("delay")) || 0, 0), LONGEST_MS);
const SHOW_MS = 20000; // how long a confirmed hand stays
const EVERY_MS = 5000; // what phones enter is no event of a table
let table = null;
let cup = null; // the tournament, where its points or standings are shown
let told = null; // the last confirmation
let timer = 0;

// A hand that was just confirmed, though it has left the table or another lies there; else what lies there.
function hand() {
  if (told) return [told, ...(told.also ?? [])].map((winner) => handRow(winner.hand));
  const last = table?.hands.find((laid) => !laid.gone_at);
  return last && last.status !== "dismissed" ? handRow(last.hand) : null;
}

function score() {
  if (!told) return null;
  const by = Object.fromEntries(told.players.map((p, i) => [i, p.name]));
  return [
    told.scores.map((s) => h("p", { class: "elements" }, s.elements.map((e) => elementName(s.rules, e)).join(" · "), " ", h("b", {}, totalWords(s.total)))),
    h("ul", { class: "gains" }, told.payments.map((amount, i) => h("li", { class: Number(amount) > 0 ? "gain" : Number(amount) < 0 ? "loss" : "" }, h("span", {}, by[i]), h("b", {}, signed(amount))))),
  ];
}

function hands() {
  const tiles = hand();
  return tiles && [h("h1", {}, w("table.title", { name })), tiles, score()];
}

function draw() {
  const shown = scene === "points" ? points(name, table, cup) : scene === "standings" ? standings(cup) : hands();
  const section = shown && h("section", { class: "lower-third" }, shown);
  // A stream that runs behind the table must not tell what its viewers have not seen yet.
  setTimeout(() => refill(document.querySelector("#main"), section), delay);
}

const orNull = (error) => {
  if (error.status === 404) return null;
  throw error;
};

async function look() {
  if (scene !== "hand") {
    const id = asked.get("tournament") ?? (await get("/tournaments")).tournaments[0]?.id;
    cup = id ? await get(`/tournaments/${id}`).catch(orNull) : null;
  }
  if (scene === "hand") table = await get(`/tables/${encodeURIComponent(name)}`);
  else if (scene === "points" && !seated(name, cup)) table = (await get("/tables")).tables.find((one) => one.name === name) ?? null;
  draw();
}

async function heard(event) {
  if (event.event === "hand.confirmed") {
    told = event;
    clearTimeout(timer);
    timer = setTimeout(() => {
      told = null;
      draw();
    }, SHOW_MS);
  } else if ((event.event === "hand.settled" && !event.by) || (event.event === "hand.corrected" && event.hand_id === told?.hand_id)) told = null;
  await look().catch(() => {});
}

async function begin() {
  document.documentElement.classList.toggle("light", asked.get("theme") === "light");
  await load(asked.get("lang"));
  plantFaces();
  // A broadcast cannot type a code or press a key: whatever is not there yet is waited for.
  for (;;) {
    try {
      if (await enter()) break;
    } catch {
      // not there yet
    }
    await pause(3000);
  }
  app.rules = (await get("/rules")).rules;
  const { last } = await get("/events/list?limit=1");
  while (!(await look().then(() => true, () => pause(3000)))) {
    // not there yet
  }
  follow({ table: name || null, after: last, onevent: heard, online: (yes) => yes && look().catch(() => {}) });
  document.documentElement.dataset.ready = "";
  if (scene === "hand") return;
  for (;;) {
    await pause(EVERY_MS);
    await look().catch(() => {});
  }
}

begin();
