// Printed papers for the wall and the tables: seating by round and by name, score slips.
import "../board/corner.js";
import { get, getOrNull, post } from "../host/api.js";
import { h, refill } from "../parts/dom.js";
import { LANGUAGES, language } from "../words/i18n.js";
import { select } from "../parts/controls.js";
import { director, enter, pause } from "../board/door.js";
import { faultsOf } from "../board/state.js";
import { load, w } from "../board/words.js";
import { byName, roundsOf, seating } from "./lists.js";
import { slips } from "./slips.js";

const KINDS = ["seating", "names", "slips"];
const EVERY_MS = 5000;
const given = new URLSearchParams(location.search);
const codes = new Map(); // table -> the token that was made for it, with its QR code; it can never be shown again
let cup = null;
let mine = false;
let kind = KINDS.find((one) => one === given.get("paper")) ?? "seating";
let round = Number(given.get("round")) || null; // null: all of them, or for slips the last one that is seated
let said = "";
let making = false; // codes are being made

function chosen() {
  const all = roundsOf(cup);
  const one = all.find((each) => each.round === round);
  if (kind !== "slips") return one ? [one] : all;
  return [one ?? all.findLast((each) => each.round <= cup.rounds.length) ?? all[0]].filter(Boolean);
}

function papers() {
  const some = chosen();
  if (!some.length) return h("p", { class: "card" }, w("papers.none"));
  if (kind === "seating") return seating(cup, some);
  return kind === "names" ? byName(cup, some) : slips(cup, some[0], codes);
}

async function makeCodes() {
  if (making) return; // a second click would make a code for each table that is on no slip
  making = true;
  try {
    for (const { table } of chosen()[0].tables) {
      if (!codes.has(table)) codes.set(table, await post("/tokens", { name: w("table.title", { name: table }), role: "table", table }));
    }
    said = "";
  } catch (error) {
    said = faultsOf(error).map((fault) => fault.message).join(" ");
  }
  making = false;
  draw();
}

function controls() {
  const set = (act) => (value) => {
    act(value);
    draw();
  };
  const rounds = [{ value: null, label: w(kind === "slips" ? "papers.last" : "papers.all") }, ...roundsOf(cup).map((one) => ({ value: one.round, label: w("cup.round", { n: one.round }) }))];
  return h("div", { class: "card stack" }, h("div", { class: "row" },
    select("paper", w("papers.title"), KINDS.map((value) => ({ value, label: w(`papers.${value}`) })), kind, set((value) => (kind = value))),
    select("paper-round", w("papers.round"), rounds, round, set((value) => (round = value))),
    select("paper-language", w("board.language"), Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })), language(), (code) => load(code).then(draw)),
    h("button", { class: "button main", type: "button", "data-key": "print", onclick: () => print() }, w("papers.print"))),
  kind === "slips" && mine && chosen().length > 0 && h("div", { class: "row" }, h("button", { class: "button", type: "button", "data-key": "make-codes", onclick: makeCodes }, w("papers.codes")), h("small", { class: "hint" }, w("papers.codes_text"))));
}

function draw() {
  document.title = `${cup.name} · ${w(`papers.${kind}`)}`;
  refill(document.querySelector("#top"), controls());
  refill(document.querySelector("#said"), said && h("p", { class: "caution" }, h("span", {}, said)));
  refill(document.querySelector("#main"), papers());
}

async function begin() {
  await load(given.get("lang"));
  while (!(await enter().catch(() => false))) {
    refill(document.querySelector("#main"), h("p", { class: "card" }, w("papers.no_code")));
    await pause(EVERY_MS);
  }
  const id = given.get("tournament") ?? (await get("/tournaments")).tournaments[0]?.id;
  // It may have been deleted since somebody kept its address.
  cup = id ? await getOrNull(`/tournaments/${encodeURIComponent(id)}`) : null;
  if (cup) {
    mine = (await director()).you;
    draw();
  } else refill(document.querySelector("#main"), h("p", { class: "card" }, w("papers.none")));
  document.documentElement.dataset.ready = "";
}

begin();
