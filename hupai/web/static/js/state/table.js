// Opening a game, and what follows it: the hand on the felt, and what waits for the host.
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

/** Shows a game without opening it: the board has one for each table. */
export function showGame(/** @type {Game | null} */ now) {
  const moved = game?.id === now?.id && game?.revision !== now?.revision;
  putGame(now, false);
  if (moved) emit("game"); // an open sheet then shows it
}
