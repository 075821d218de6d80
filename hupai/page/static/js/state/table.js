// Opening a game, and what follows it: the hand on the felt, and what waits for the host.
import { get } from "../api/api.js";
import { followTable } from "./draft.js";
import { game, putGame } from "./game.js";
import { followQueue, isOwnChange } from "./queue.js";
import { set } from "./settings.js";
import { emit } from "./signal.js";

/**
 * Sets the open game and remembers it.
 * @param {Game | null} now
 * @param {{own?: boolean}} options `own`: this phone has just changed it
 */
export function setGame(now, { own = false } = {}) {
  const same = game?.id === now?.id ? game : null;
  putGame(now, true);
  const mine = own || (same !== null && now !== null && isOwnChange(same, now));
  followTable(same, mine);
  followQueue(now, same, mine);
  set({ game: now?.id ?? null });
  emit("game");
}

/** Opens a game, or refreshes it. What this phone entered or took back meanwhile is newer than the answer. */
export async function openGame(/** @type {string} */ id) {
  for (;;) {
    const before = game;
    const answer = await get(`/games/${encodeURIComponent(id)}`);
    if (game === before) return setGame(answer);
    if (game?.id !== id) return undefined;
  }
}

/** Shows a game without opening it: the board has one for each table. */
export function showGame(/** @type {Game | null} */ now) {
  const moved = game?.id === now?.id && game?.revision !== now?.revision;
  putGame(now, false);
  if (moved) emit("game"); // an open sheet then shows it
}
