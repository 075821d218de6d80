// What a person saw of the game: goes with everything that writes into it.
import { app } from "./app.js";

/** The game as it is on this screen. */
export const seenNow = () => ({ revision: app.game.revision });
