// The open game, fetched from the server.
import { app } from "../state/app.js";
import { setGame } from "../state/table.js";
import { get } from "../host/api.js";

/** Opens a game, or refreshes it. What this phone entered or took back meanwhile is newer than the answer. */
export async function openGame(/** @type {string} */ id) {
  for (;;) {
    const before = app.game;
    const game = await get(`/games/${encodeURIComponent(id)}`);
    if (app.game === before) return setGame(game);
    if (app.game?.id !== id) return undefined;
  }
}
