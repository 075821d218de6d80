// What an overlay knows about its table and tournament. It polls instead of listening: a browser opens at most six
// connections to a server, and all scenes of a broadcast share one browser.
import { get, getOrNull } from "../api/api.js";
import { setClock } from "../board/clock.js";
import { parameters } from "./address.js";
import { OF_TABLE } from "../board/scenes.js";
import { latestTable } from "./rounds.js";

const HANDS = 20; // the latest hands of a game, among which the last win is looked for
const WITH_HANDS = ["hand", "win"];
/** Scenes that show a win for a while only. */
export const PASSING = ["hand", "bug"];

/**
 * What is known at a moment; never mutated, since it may be shown with a delay.
 * @typedef {object} Known
 * @property {Cup | null} cup the tournament, where the scene needs one
 * @property {CameraTable | null} table the table with its camera's state
 * @property {Game | null} game the game played there
 * @property {{game: string, number: number} | null} fresh the hand that was entered most recently
 * @property {any} won the ledger hand that is shown as a win, with `names`
 * @property {Standing[]} earlier the standings before the latest round with results, where the scene needs them
 */
/** @typedef {Pick<Known, "table" | "game" | "fresh">} Seen what was known before it was asked what was won */

/** The tournament of the address, or the latest one; null where there is none. */
export async function tournament() {
  const id = parameters.tournament ?? (await get("/tournaments")).tournaments[0]?.id;
  return id ? setClock(await getOrNull(`/tournaments/${id}`)) : null;
}

/** @returns {Promise<CameraTable | null>} */
async function watched() {
  /** @type {{tables: CameraTable[]}} */
  const { tables } = await get("/tables");
  return tables.find(({ name }) => name === parameters.table) ?? null;
}

/**
 * The game of a table: that of the address's tournament, else its camera's, else the latest tournament's.
 * @type {(before: Game | null | undefined, now: Known) => Promise<Game | null>}
 */
async function played(before, { table, cup }) {
  const here = latestTable(parameters.table, cup);
  const [id, revision] = table?.game && !parameters.tournament
    ? [table.game.id, table.game.revision]
    : [here?.game_id, here?.revision];
  if (!id) return null;
  return before?.id === id && before.revision === revision ? before : getOrNull(`/games/${id}?last=${HANDS}`);
}

const standing = (/** @type {Game} */ game) => game.hands.filter((hand) => !hand.undone_at);

/** The hand entered since the last poll: the newest of the same game, or one that the camera saw in the game before. */
function entered(/** @type {Seen} */ before, /** @type {Seen} */ now) {
  const last = now.game && standing(now.game).at(-1);
  if (now.game && last && before.game?.id === now.game.id && last.number > (before.game.hands.at(-1)?.number ?? 0)) {
    return { game: now.game.id, number: last.number };
  }
  const waited = new Set(before.table?.hands?.filter(({ status }) => status === "settled").map(({ id }) => id));
  const laid = now.table?.hands?.find(({ id, status }) => status === "confirmed" && waited.has(id));
  return laid ? { game: laid.game_id ?? "", number: laid.hand_number ?? 0 } : null;
}

const newest = (/** @type {CameraTable | null} */ table) => table?.hands?.find((hand) => !hand.entered)?.id ?? 0;

function fresh(/** @type {Seen} */ before, /** @type {Seen} */ now) {
  const found = entered(before, now);
  if (found) return found;
  if (before.table && newest(now.table) > newest(before.table) && parameters.scene === "hand") return null; // another hand was laid
  const mine = before.fresh?.game === now.game?.id &&
    now.game?.hands.find((hand) => hand.number === before.fresh?.number);
  return mine && mine.undone_at ? null : before.fresh;
}

async function win(/** @type {Known | null} */ before, /** @type {Known} */ now) {
  const last = now.game && standing(now.game).findLast((hand) => hand.outcome === "win");
  const at = PASSING.includes(parameters.scene)
    ? now.fresh
    : now.game && last && { game: now.game.id, number: last.number };
  if (!at) return null;
  const same = before?.won?.number === at.number && before?.game === now.game; // nothing written since
  if (same && at.game === now.game?.id) return before?.won;
  const [hand, { players }] = await Promise.all([
    get(`/games/${at.game}/hands/${at.number}`),
    now.game?.id === at.game ? now.game : /** @type {Promise<Game>} */ (get(`/games/${at.game}?last=0`)),
  ]);
  const won = hand.outcome === "win" && !hand.undone_at;
  return won ? { ...hand, game: at.game, names: players.map(({ name }) => name) } : null;
}

/** The standings before the latest round with results: none in the first, those of before while nothing has changed. */
async function earlier(/** @type {Known | null} */ before, /** @type {Cup | null} */ cup) {
  const last = cup?.rounds.findLast(({ tables }) => tables.some(({ hands }) => hands > 0))?.round ?? 0;
  if (parameters.scene !== "standings" || !cup || last < 2) return [];
  if (JSON.stringify(before?.cup?.standings) === JSON.stringify(cup.standings)) return before?.earlier ?? [];
  return (await get(`/tournaments/${cup.id}/standings?round=${last - 1}`)).standings;
}

/** Identifies a hand of the ledger. */
export const handKey = (/** @type {{game: string, number: number} | null | undefined} */ hand) =>
  hand && `${hand.game} ${hand.number}`;

/** The last change of anything known, in milliseconds since 1970 by the server's clock. */
export const changedAt = (/** @type {Known} */ { cup, table, game }) =>
  Math.max(0, ...[cup, table, game].flatMap((one) => (one?.changed_at ? Date.parse(one.changed_at) : [])));

/** What is known after another poll. */
export async function ask(/** @type {Known | null} */ before) {
  /** @type {Known} */
  const now = { cup: null, table: null, game: null, fresh: null, won: null, earlier: [] };
  if (OF_TABLE.includes(parameters.scene)) now.table = await watched();
  if (!now.table?.game || parameters.tournament) now.cup = await tournament();
  now.earlier = await earlier(before, now.cup);
  if (!OF_TABLE.includes(parameters.scene)) return now;
  if (now.table && WITH_HANDS.includes(parameters.scene)) {
    now.table = await get(`/tables/${encodeURIComponent(parameters.table)}`);
  }
  now.game = await played(before?.game, now);
  now.fresh = before && fresh(before, now);
  now.won = [...WITH_HANDS, ...PASSING].includes(parameters.scene) ? await win(before, now) : null;
  return now;
}
