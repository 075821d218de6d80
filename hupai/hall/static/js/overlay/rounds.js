// Scenes of a whole tournament: seating, the round's clock, the standings.
import { timerBox } from "../board/clock.js";
import { isFor } from "../board/rounds.js";
import { h } from "../dom/dom.js";
import { signed, t } from "../words/i18n.js";
import { w } from "../board/words.js";
import { SEATS } from "../hand/seats.js";
import { parameters } from "./address.js";
/** @typedef {import("./poll.js").Known} Known */

const PLACES = 10; // number of places shown at once
const TABLES = 9; // number of tables shown at once
const TURN_MS = 12_000; // before the next page of tables or places
const TOLD_MS = 30 * 60_000; // how long an announcement is shown

/** A table in the latest round that contains it. */
export const latestTable = (/** @type {string} */ name, /** @type {Cup | null} */ cup) =>
  (cup?.rounds ?? []).toReversed().flatMap(({ tables }) => tables).find(({ table }) => table === name);

/**
 * The part of a list whose turn it is, and which of how many that is, in words where there are several.
 * @template T
 * @param {T[]} all
 * @param {number} size
 * @param {number} at milliseconds since 1970
 */
function turn(all, size, at) {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.floor(at / TURN_MS) % pages;
  return { page, shown: all.slice(page * size, (page + 1) * size), of: pages > 1 && `${page + 1} / ${pages}` };
}

/** A score with so many decimals, as the others have. */
function evenly(/** @type {Money} */ score, /** @type {number} */ decimals) {
  const [whole, part = ""] = signed(score).split(".");
  return decimals ? `${whole}.${part.padEnd(decimals, "0")}` : whole;
}

/** By how many places somebody has moved up. */
export const movedUp = (/** @type {number | undefined} */ before, /** @type {number} */ now) =>
  before !== undefined && before !== now &&
  h("em", { class: before > now ? "gain" : "loss" }, before > now ? `▲${before - now}` : `▼${now - before}`);

/**
 * The places of a tournament, one page after the other, with the change by the latest round.
 * @param {Known} known
 * @param {number} at milliseconds since 1970
 */
export function standings({ cup, earlier }, at) {
  if (!cup?.standings.length) return null;
  const decimals = Math.max(...cup.standings.map(({ score }) => (String(score).split(".")[1] ?? "").length));
  const { page, shown, of } = turn(cup.standings, PLACES, at);
  const line = (/** @type {Standing} */ { rank, player, name, score, country }) =>
    h(
      "li",
      h("span.rank", rank),
      h("span.moved", movedUp(earlier.find((one) => one.player === player)?.rank, rank)),
      h("span.name", name),
      h("span.country", country),
      h("b", evenly(score, decimals)),
    );
  return {
    of: `${cup.id} ${page}`,
    parts: [
      h(
        "h1",
        cup.name,
        cup.rounds.length > 0 && h("small", w("cup.round", { n: cup.rounds.length })),
        of && h("small.page", of),
      ),
      h("ol.places", shown.map(line)),
    ],
  };
}

// The next round: one that is seated but not begun, else the next of the plan, else the one being played. A plan that
// does not fit the players any more cannot be seated, and is not shown.
function coming(/** @type {Cup} */ { rounds, plan }) {
  const last = rounds.at(-1);
  const next = plan[0]?.fits ? plan[0] : null;
  if (parameters.round) {
    return [...rounds, ...plan.filter(({ fits }) => fits)].find(({ round }) => round === parameters.round) ?? null;
  }
  return last && (last.tables.every(({ hands }) => hands === 0) || !next) ? last : next;
}

/** The tables of a round as seated or planned; players in the order of the winds. */
function tablesOf(/** @type {Cup} */ cup, /** @type {CupRound | PlannedRound} */ round) {
  const player = (/** @type {number | {number: number}} */ one) => {
    const number = typeof one === "number" ? one : one.number;
    return cup.players.find((p) => p.number === number);
  };
  return round.tables.map(({ table, players }, i) => ({ name: table ?? i + 1, players: players.map(player) }));
}

/** @typedef {ReturnType<typeof tablesOf>[number]} Seated */

/**
 * A table and its players.
 * @param {Seated} table
 */
export const tableBox = ({ name, players }) =>
  h(
    "li",
    h("h2", w("table.title", { name })),
    h(
      "ol",
      players.map((player, i) =>
        h(
          "li",
          h("span.wind", t(`seat.${SEATS[i]}.sign`)),
          h("span.name", player?.name),
        )
      ),
    ),
  );

/** The next round, its tables with their players, and the names of those who rest; null before there is a round. */
export function comingSeats(/** @type {Cup} */ cup) {
  const round = coming(cup);
  if (!round) return null;
  const tables = tablesOf(cup, round);
  const sitting = new Set(tables.flatMap(({ players }) => players));
  const resting = cup.players.filter((p) => isFor(round, p) && !sitting.has(p)).map(({ name }) => name);
  return { round: round.round, tables, resting };
}

/**
 * The seating of the next round, one page of tables after the other.
 * @param {Known} known
 * @param {number} at milliseconds since 1970
 */
export function seating({ cup }, at) {
  const seats = cup && comingSeats(cup);
  if (!seats) return null;
  const { round, tables, resting } = seats;
  const { page, shown, of } = turn(tables, TABLES, at);
  return {
    of: `${cup.id} ${round} ${page}`,
    parts: [
      h(
        "h1",
        w("cup.round", { n: round }),
        h("small", cup.name),
        of && h("small.page", of),
      ),
      h("ul.tables", shown.map((one) => tableBox(one))),
      resting.length > 0 && h("p", w("cup.resting", { names: resting.join(", ") })),
    ],
  };
}

/**
 * The clock of the round being played, and the latest announcement.
 * @param {Known} known
 * @param {number} at milliseconds since 1970
 */
export function timer({ cup }, at) {
  const round = cup?.rounds.at(-1);
  const told = cup?.announcements.at(-1);
  const news = told && at - new Date(told.at).getTime() < TOLD_MS && h("p.announced", told.text);
  if (!round?.timer && !news) return null;
  const paused = round?.timer?.state === "paused" && h("small", w("overlay.paused"));
  return {
    of: "timer",
    parts: [
      round?.timer && [
        h("h1", w("cup.round", { n: round.round }), paused),
        timerBox(round.timer, parameters.late),
      ],
      news,
    ],
  };
}
