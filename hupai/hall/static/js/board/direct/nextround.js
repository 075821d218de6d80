// The next round: how it is seated, what the director should know before, and taking the last one back.
import { post } from "../../api/api.js";
import { once } from "../../api/once.js";
import { recall, remember } from "../../api/store.js";
import { h } from "../../dom/dom.js";
import { number } from "../../words/i18n.js";
import { button, chipRow, fold, select, textField } from "../../controls/fields.js";
import { askSheet, confirmSheet } from "../../controls/sheet.js";
import { attempt, board, redraw } from "../state.js";
import { directorName } from "./change.js";
import { w } from "../words.js";

const WEIGHTS = [3, 10, 40]; // ranks that a repeat meeting weighs as much as
const MOST_FINALISTS = 32;
let size = 0; // of a final, as chosen last
/** @type {string | null} */
let method = null; // how the next round is seated; null: as planned, or balanced
/** @type {{cup: string, players: number[]}} */
let chosen = { cup: "", players: [] }; // who plays it; nobody: everybody

const sum = (/** @type {CameraTable[]} */ tables, /** @type {"waiting" | "stray"} */ what) =>
  tables.reduce((all, table) => all + table[what], 0);

/**
 * Asks which of some seatings it shall be: close ranks or new faces; resolves to null when the sheet is closed.
 * @returns {Promise<{seed: number, new_faces: number} | null>}
 */
async function askWeight(/** @type {Cup} */ cup, /** @type {object} */ wanted) {
  const tried = await Promise.all(
    WEIGHTS.map((new_faces) => post(`/tournaments/${cup.id}/rounds/try`, { ...wanted, new_faces })),
  );
  return askSheet(w("cup.swiss"), (answer) => [
    h("p.hint", w("cup.swiss_text")),
    h(
      "div.stack",
      tried.map(({ seed, repeats, rank_spread }, i) => {
        const take = () => answer({ seed, new_faces: WEIGHTS[i] });
        const words = w("cup.swiss_choice", { n: repeats, ranks: number(rank_spread) });
        return button(`swiss-${i}`, words, take, { look: i === 1 ? "main" : "" });
      }),
    ),
  ]);
}

/**
 * Asks who goes first of the players who are equal at a cut of the final; resolves to null when the sheet is closed.
 * @type {(cup: Cup, wanted: object) => Promise<{first: number[]} | null>}
 */
async function askFirst(cup, wanted) {
  /** @type {{ties: {players: number[], places: number}[]}} */
  const { ties } = await post(`/tournaments/${cup.id}/rounds/try`, wanted);
  if (!ties.length) return { first: [] };
  const name = (/** @type {number} */ number) => cup.players.find((p) => p.number === number)?.name ?? "";
  /** @type {number[][]} */
  const first = ties.map(() => []);
  return askSheet(w("cup.tied"), (answer, sheet) => [
    h("p.hint", w("cup.tied_text")),
    ties.map(({ players, places }, i) =>
      chipRow(
        `tied-${i}`,
        [w("cup.tied_places", { n: places }), first[i].map(name).join(" › ")].filter(Boolean).join(" "),
        players.map((number) => ({ value: number, label: name(number) })),
        first[i],
        (chosen) => {
          first[i] = chosen.slice(0, places);
          sheet.refresh();
        },
      )
    ),
    button("tied-seat", w("cup.seat", { n: cup.rounds.length + 1 }), () => answer({ first: first.flat() }), {
      look: "main",
      off: ties.some(({ places }, i) => first[i].length < places),
    }),
  ]);
}

const here = (/** @type {Cup} */ cup) => cup.players.filter((p) => !p.left);
/** The numbers of those chosen for the next round, of those who have not left. */
const chosenOf = (/** @type {Cup} */ cup) =>
  here(cup).map((p) => p.number).filter((n) => chosen.cup === cup.id && chosen.players.includes(n));

const sizesOf = (/** @type {Cup} */ cup) => {
  const playing = chosenOf(cup).length || here(cup).filter((p) => !p.substitute).length;
  const tables = Math.floor(Math.min(playing, MOST_FINALISTS) / cup.table_size);
  return Array.from({ length: tables }, (_, i) => cup.table_size * (i + 1));
};
const sizeOf = (/** @type {Cup} */ cup) => sizesOf(cup).findLast((n) => n <= size) ?? cup.table_size;

async function seat(/** @type {Cup} */ cup) {
  const waits = sum(board.tables, "waiting") - sum(board.tables, "stray");
  const players = chosenOf(cup);
  const playing = players.length || here(cup).length;
  const strays = sum(board.tables.slice(0, Math.floor(playing / cup.table_size)), "stray");
  const unfinished = cup.rounds.at(-1)?.tables.filter((table) => !table.ended).map((table) => table.table) ?? [];
  const warnings = [
    strays > 0 && w("cup.strays", { n: strays, act: w("act.restore") }),
    waits > 0 && w("cup.waits", { n: waits }),
    unfinished.length > 0 && w("cup.unfinished", { names: unfinished.join(", ") }),
  ].filter(Boolean);
  const n = cup.rounds.length + 1;
  if (warnings.length && !(await confirmSheet(w("cup.seat", { n }), warnings.join(" "), w("cup.seat", { n })))) return;
  const wanted = { round: n, method, size: sizeOf(cup), players };
  await attempt(async () => {
    const asked = method === "swiss"
      ? await askWeight(cup, wanted)
      : method === "final"
      ? await askFirst(cup, wanted)
      : {};
    if (!asked) return;
    const over_unfinished = unfinished.length > 0;
    await once("POST", `/tournaments/${cup.id}/rounds`, {
      ...wanted,
      ...asked,
      over_unfinished,
      minutes: Number(recall("minutes", "")) || null,
      by: directorName(),
    });
    method = null;
    chosen = { cup: "", players: [] };
  });
}

/** Who plays the next round, where not everybody does. */
const choosePlayers = (/** @type {Cup} */ cup) =>
  fold(
    `chosen-${cup.id}`,
    w("cup.chosen", { n: chosenOf(cup).length || w("cup.everybody") }),
    chipRow(
      "chosen-players",
      w("cup.chosen_text"),
      here(cup).map((p) => ({ value: p.number, label: p.name })),
      chosenOf(cup),
      (players) => {
        chosen = { cup: cup.id, players };
        redraw("cup");
      },
    ),
  );

/** How the next round is seated, and taking back the last one while nothing was played in it. */
export function nextRound(/** @type {Cup} */ cup) {
  const n = cup.rounds.length;
  const planned = cup.plan.length > 0 && !chosenOf(cup).length;
  const other = ["swiss", "final", ...(planned ? ["balanced"] : [])];
  const methods = [
    { value: null, label: w(planned ? "cup.method.plan" : "cup.method.balanced") },
    ...other.map((value) => ({ value, label: w(`cup.method.${value}`) })),
  ];
  const drop = () => attempt(() => once("DELETE", `/tournaments/${cup.id}/rounds/last?round=${n}`));
  const sizes = sizesOf(cup).map((n) => ({ value: n, label: String(n) }));
  const choose = (/** @type {string | null} */ value) => {
    method = value;
    redraw("cup");
  };
  const row = h(
    "div.row",
    select("seat-method", w("cup.method"), methods, method, choose),
    method === "final" &&
      select("seat-size", w("cup.size"), sizes, sizeOf(cup), (n) => (size = n)),
    textField("seat-minutes", w("cup.minutes"), recall("minutes", ""), (text) => remember("minutes", text), {
      inputmode: "numeric",
      maxlength: 3,
    }),
    button("seat-round", w("cup.seat", { n: n + 1 }), () => seat(cup), { look: "main" }),
    cup.rounds.at(-1)?.tables.every((table) => table.hands === 0) && button("drop-round", w("cup.drop", { n }), drop),
  );
  return [row, cup.players.length > cup.table_size && choosePlayers(cup)];
}
