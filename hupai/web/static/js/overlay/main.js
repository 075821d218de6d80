// One table for a broadcast: transparent, nothing to press, comes back by itself.
import "../board/corner.js";
import { get } from "../api.js";
import { app } from "../app.js";
import { h, refill } from "../dom.js";
import { plantFaces } from "../faces/face.js";
import { signed } from "../i18n.js";
import { elementName } from "../systems.js";
import { totalWords } from "../words.js";
import { enter, pause } from "../board/door.js";
import { handRow } from "../board/shown.js";
import { follow } from "../board/stream.js";
import { load, w } from "../board/words.js";

const asked = new URLSearchParams(location.search);
const name = asked.get("table") ?? "";
const SHOW_MS = 20000; // how long a confirmed hand stays
let table = null;
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

function draw() {
  const tiles = hand();
  refill(document.querySelector("#main"), tiles && h("section", { class: "lower-third" }, h("h1", {}, w("table.title", { name })), tiles, score()));
}

async function look() {
  table = await get(`/tables/${encodeURIComponent(name)}`);
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
  while (table === null) {
    await look().catch(() => pause(3000));
  }
  follow({ table: name, after: last, onevent: heard, online: (yes) => yes && look().catch(() => {}) });
  document.documentElement.dataset.ready = "";
}

begin();
