// The state of the board, and the functions that redraw it.
import { get, getOrNull, mayPass } from "../api/api.js";
import { app } from "../state/app.js";
import { emit } from "../state/signal.js";
import { showGame } from "../state/table.js";
import { setClock } from "./clock.js";
import { followGames } from "../api/follow.js";
import { changeWords } from "../names/changes.js";
import { faultsOf } from "../controls/fields.js";
import { byId, h, refill } from "../dom/dom.js";
import { troubleWords } from "../words/words.js";

/** @type {Board} */
export const board = {
  online: true,
  director: { there: false, you: false },
  presets: [],
  tables: [],
  undelivered: [],
  chosen: null,
  open: null,
  picked: null,
  hand: null,
  cups: [],
  cup: null,
  said: "",
};

/** What is known of a player, as its fields in the API. */
export const PERSON = /** @type {const} */ (["name", "club", "country", "ema", "team"]);

/** Parts of the page that can be drawn by themselves. */
export const PARTS = ["top", "tables", "table", "cup"];

/** Redraws some parts soon (all if none is named), once for everything that has changed. */
export const redraw = (/** @type {string[]} */ ...parts) => emit(...(parts.length ? parts : PARTS));

/** The open table as it is in the list of tables. */
export const chosenTable = () => board.tables.find((t) => t.name === board.chosen) ?? null;

/** Fetches the open table, the selected hand, and its game; reports it as "looked". */
export async function look() {
  const name = board.chosen;
  const open = name === null ? null : await getOrNull(`/tables/${encodeURIComponent(name)}`);
  const hands = open?.hands ?? [];
  const at = hands.find((/** @type {Laid} */ h) => h.id === board.picked) ??
    hands.findLast((/** @type {Laid} */ h) => h.status === "settled") ?? hands[0];
  const known = at && board.hand?.id === at.id && board.hand?.version === at.version;
  const id = (at?.status === "dismissed" ? null : at?.game_id) ?? open?.game?.id;
  const [hand, game] = await Promise.all([
    known ? { ...board.hand, ...at } : at ? getOrNull(`/laid/${at.id}`) : null,
    id ? getOrNull(`/games/${id}?last=6`) : null,
  ]);
  if (board.chosen !== name) return;
  Object.assign(board, { open, hand });
  showGame(game);
  emit("looked");
}

/** Opens a table, or closes it when it is open. */
export function choose(/** @type {string} */ name) {
  Object.assign(board, { chosen: board.chosen === name ? null : name, picked: null, open: null, hand: null });
  showGame(null);
  return attempt(() => {}, look);
}

/** Takes over the server's state of the tables. */
export function takeTables(/** @type {{tables: CameraTable[], undelivered: any[]}} */ { tables, undelivered }) {
  Object.assign(board, { tables, undelivered });
}

const MOST_FOLLOWED = 100; // games that the server reports to one page

/** Games on display: those of the tables with cameras, the selected one, those of the current round. */
const shown = () =>
  [
    ...board.tables.map((table) => table.game),
    app.game,
    ...(board.cup?.rounds.at(-1)?.tables ?? []).map((table) => ({ id: table.game_id, revision: table.revision })),
  ].filter((game) => game !== null);
const gamesShown = () => shown().map((game) => game.id).slice(0, MOST_FOLLOWED);
const known = (/** @type {string} */ id) => shown().filter((game) => game.id === id);

// A draw or payment entered elsewhere is an event of its game, not of a table; so is all at a table without a camera.
const followed = followGames((id, revision) => {
  if (known(id).some((game) => game.revision !== revision)) refresh().catch(() => {}); // the next poll tries again
});

/** @type {Promise<void> | null} */
let running = null;
let again = false;

/** Fetches tables, the tournament and whatever is open; a call during a refresh causes one more. */
export function refresh() {
  again = running !== null;
  running ??= ask().finally(() => {
    running = null;
    return again ? refresh() : undefined;
  });
  return running;
}

async function ask() {
  const [tables, cups] = await Promise.all([get("/tables"), get("/tournaments")]);
  takeTables(tables);
  board.cups = cups.tournaments;
  const id = board.cup?.id ?? board.cups[0]?.id;
  board.cup = id && board.cups.some((c) => c.id === id) ? setClock(await get(`/tournaments/${id}`)) : null;
  followed(gamesShown());
  await look();
  redraw();
}

// For these, only the server's own message says which player, hand or table is meant.
const SERVER_KNOWS = ["conflict", "not_found"];

/** What went wrong, as faults with a message each; and what happened to a game meanwhile, if that is why. */
export function boardFaults(/** @type {Trouble} */ error) {
  const { game, changes = [] } = error.changed ?? {};
  const found = faultsOf(SERVER_KNOWS.includes(error.code) ? { ...error, code: "", message: error.message } : error);
  return [...found, ...changes.map((change) => ({ message: changeWords(change, game) }))];
}

/** The same in words. */
export const boardTrouble = (/** @type {Trouble} */ error) =>
  boardFaults(error).map(({ message }) => message).join(" ");

/** Shows in place of a page what may pass by itself, or else `uninvited`: how the page is meant to be opened. */
export const sayWhyNot = (/** @type {string} */ uninvited) => (/** @type {any} */ trouble) =>
  refill(byId("main"), h("p.card", mayPass(trouble) ? troubleWords(trouble) : uninvited));

/** Runs an action and reports what went wrong. */
export async function attempt(/** @type {() => unknown} */ act, /** @type {() => unknown} */ after = refresh) {
  try {
    await act();
    board.said = "";
    await after();
  } catch (error) {
    board.said = boardTrouble(error);
    // The object of the action has changed meanwhile.
    if ([404, 409].includes(error.status)) await Promise.resolve().then(after).catch(() => {});
  }
  redraw();
}
