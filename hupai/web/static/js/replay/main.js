// Replay of what happened at a table, step by step, with the pictures.
import "../board/corner.js";
import { get } from "../host/api.js";
import { app } from "../app.js";
import { h, refill } from "../parts/dom.js";
import { plantFaces } from "../faces/face.js";
import { plantIcons } from "../parts/icons.js";
import { calmly } from "../parts/press.js";
import { enter } from "../board/door.js";
import { paidList, scoreLines } from "../board/hand/laid.js";
import { handRow, scoredRow } from "../board/shown.js";
import { follow } from "../board/stream.js";
import { clock, load, w } from "../board/words.js";

const PAGE = 1000;
const asked = new URLSearchParams(location.search);
const name = asked.get("table") ?? "";
const events = [];
let at = 0;

function step(to) {
  at = Math.min(Math.max(0, to), events.length - 1);
  draw();
}

function what(event) {
  if (event.event === "table.state") return w(`state.${event.state}`);
  if (event.event === "hand.corrected") return w(event.undone ? "replay.undone" : event.status === "dismissed" ? "status.dismissed" : "replay.corrected");
  return w(`status.${event.event === "hand.confirmed" ? "confirmed" : "settled"}`);
}

function frameOf(event) {
  if (event.frame) return event.frame;
  return events.slice(0, at).findLast((e) => e.hand_id === event.hand_id && e.frame)?.frame ?? null;
}

// The hands that are paid; where there are none with tiles, those that lay there.
function rows(event) {
  const scored = (event.request?.scored ?? []).map((one) => scoredRow(one, { size: "small" })).filter(Boolean);
  return scored.length || !event.hand ? scored : [event, ...(event.also ?? [])].map((winner) => handRow(winner.hand, { size: "small" }));
}

function shown(event) {
  const frame = event.hand_id === null ? null : frameOf(event);
  return h("section", { class: "card stack" }, h("h2", {}, `${clock(event.at)} · ${what(event)}`), rows(event),
    event.scores?.map(scoreLines), event.payments && paidList(event.payments.map((amount, i) => [event.players[i].name, amount])), frame && h("img", { class: "audit", src: `/api/v1/frames/${frame}`, alt: w("laid.frame") }));
}

const key = (name, by, off) => h("button", { class: "button", type: "button", "data-key": name, disabled: off, onclick: () => step(at + by) }, w(`replay.${name}`));

function line() {
  const last = events.length - 1;
  return h("div", { class: "row" }, key("back", -1, at === 0),
    h("input", { class: "time-line", type: "range", min: 0, max: last, value: String(at), "data-key": "line", "aria-label": w("replay.line"), oninput: (event) => step(Number(event.target.value)) }),
    key("on", 1, at === last), h("span", { class: "soft" }, `${at + 1} / ${events.length}`));
}

const steps = () => h("ol", { class: "steps" }, events.map((event, i) => h("li", { key: event.number }, h("button", { class: `button quiet ${event.hand_id === null ? "" : "of-hand"}`, type: "button", "data-key": `step-${event.number}`, "aria-current": i === at ? "step" : null, onclick: () => step(i) }, `${clock(event.at)} ${what(event)}`))));

function draw() {
  const main = document.querySelector("#main");
  if (!events.length) return refill(main, h("p", { class: "card" }, w("replay.none", { name })));
  refill(main, h("div", { class: "stack" }, h("h1", {}, w("replay.title", { name })), line(),
    h("div", { class: "replay-columns" }, shown(events[at]), steps())));
  return main.querySelector('.steps [aria-current="step"]').scrollIntoView({ block: "nearest" });
}

async function all() {
  let after = 0;
  for (;;) {
    const { events: some } = await get(`/events/list?limit=${PAGE}&after=${after}&table=${encodeURIComponent(name)}`);
    events.push(...some);
    if (some.length < PAGE) return;
    after = some.at(-1).number;
  }
}

async function begin() {
  await load();
  plantFaces();
  plantIcons();
  document.title = w("replay.title", { name });
  if (!(await enter().catch(() => false))) {
    location.replace("/board.html");
    return;
  }
  app.rules = (await get("/rules")).rules;
  await all();
  at = events.findLastIndex((e) => e.hand_id !== null);
  at = Math.max(0, at);
  draw();
  addEventListener("keydown", (event) => {
    if (event.target instanceof Element && event.target.matches("input, textarea, select")) return;
    if (event.key === "ArrowLeft") step(at - 1);
    if (event.key === "ArrowRight") step(at + 1);
  });
  const later = calmly(draw);
  follow({ table: name, after: events.at(-1)?.number ?? 0, onevent: (event) => {
    if (at === events.length - 1) at += 1;
    events.push(event);
    later();
  } });
  document.documentElement.dataset.ready = "";
}

begin();
