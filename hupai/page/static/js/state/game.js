// The open game. Opening and changing it: table.js.
import { recall, remember } from "../api/store.js";

/**
 * GET /games/{id}; the last known answer while the host is unreachable.
 * @type {Readonly<Game> | null}
 */
export let game = recall("game", null);

/** Replaces the game; `keep` also remembers it, so that the page still works while the host is unreachable. */
export function putGame(/** @type {Game | null} */ now, /** @type {boolean} */ keep) {
  game = now;
  if (keep) remember("game", now ?? undefined);
}
