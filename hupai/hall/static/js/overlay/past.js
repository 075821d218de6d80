// What a delayed overlay knew before a reload (OBS reloads sources when they are shown again): viewers see no gap.
import { recall, remember } from "../api/store.js";
import { parameters } from "./address.js";
import { changedAt, handKey } from "./poll.js";
/** @typedef {import("./poll.js").Known} Known */

const NAME = `overlay${location.search}`;
const UNTIL = `${NAME} until`; // when this overlay last polled
const COUNTED = ["bug", "points", "standings", "seating", "timer"]; // scenes whose changes are counted by a revision

const essence = (/** @type {Known} */ known) => `${changedAt(known)} ${handKey(known.fresh)} ${handKey(known.won)}`;

/** @type {[number, Known][]} */
let past = parameters.late ? recall(NAME, []) : []; // [moment, what was known from then on]; the first is what viewers see

/** Keeps what is known from a moment on, and drops what viewers have already passed. */
export function keep(/** @type {Known} */ known, /** @type {number} */ at) {
  if (!parameters.late) return;
  const now = Date.now();
  remember(UNTIL, now);
  const last = past.at(-1);
  if (last && essence(last[1]) === essence(known)) return;
  past = [...past, [at, known]];
  past = past.slice(Math.max(past.findLastIndex(([since]) => since <= now - parameters.late), 0));
  remember(NAME, past);
}

/** The number of changes to what a scene shows. */
function changes(/** @type {Known} */ { game, cup }) {
  if (game) return game.revision;
  const tables = (cup?.rounds ?? []).flatMap((round) => round.tables);
  return tables.reduce((sum, table) => sum + table.revision, cup?.revision ?? 0);
}

// Whether no change was missed between the two, though nobody polled meanwhile.
function next(/** @type {Known} */ then, /** @type {Known} */ known) {
  if (
    !COUNTED.includes(parameters.scene) || then.game?.id !== known.game?.id || then.cup?.id !== known.cup?.id ||
    !(known.game ?? known.cup)
  ) return false;
  return [0, 1].includes(changes(known) - changes(then));
}

/**
 * What viewers see until they reach `known`: [milliseconds until then, what was known]; empty if that is not certain.
 * @type {(known: Known) => [number, Known][]}
 */
export function before(known) {
  const now = Date.now();
  const last = past.at(-1);
  const sure = last && (recall(UNTIL, 0) >= now - parameters.late || next(last[1], known));
  return sure ? past.map(([since, then]) => [since + parameters.late - now, then]) : [];
}
