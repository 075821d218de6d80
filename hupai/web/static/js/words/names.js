// Who sits where: the names of the game, or the winds.
import { app, queue, table } from "../app.js";
import { t } from "./i18n.js";

/**
 * The player's name at a seat of a table, that of the hand on the felt if none is given; the wind where no game is open.
 * @param {string} seat one of the four, or "pot"
 * @param {Pick<Game, "players" | "seats"> | null} at
 */
export function seatName(seat, at = table()) {
  if (seat === "pot") return t("pot");
  return at ? at.players[at.seats[seat]].name : t(`seat.${seat}`);
}

/** The wind as a note beside a name; null where the name is the wind itself, or hands that wait will move the winds. */
export const seatNote = (seat) => (app.game && !queue.waits() ? t(`seat.${seat}`) : null);
