// Names for the seats: the players' names in a game, otherwise the winds.
import { waitingFor } from "../state/queue.js";
import { app } from "../state/app.js";
import { table } from "../state/draft.js";
import { t } from "../words/i18n.js";

/**
 * The name of the player at a seat of a table (by default that of the hand on the felt); the wind if no game is open.
 * @param {string | undefined} seat one of the four, or "pot"
 * @param {Pick<Game, "players" | "seats"> | null} at
 */
export function seatName(seat, at = table()) {
  if (seat === "pot") return t("pot");
  return at ? at.players[at.seats[/** @type {Seat} */ (seat)]].name : t(`seat.${seat}`);
}

/**
 * The wind as a note beside a name; null if the name is the wind itself, or if waiting hands will move the winds.
 * @param {string} seat
 */
export const seatNote = (seat) => (app.game && !waitingFor(app.game).length ? t(`seat.${seat}`) : null);
