// Who sits where: the names of the game, or the winds.
import { app } from "./app.js";
import { t } from "./i18n.js";

/** The player's name at a seat; the wind where no game is open. */
export function seatName(seat) {
  if (seat === "pot") return t("pot");
  return app.game ? app.game.players[app.game.seats[seat]].name : t(`seat.${seat}`);
}

/** The wind as a note beside a name; null where the name is the wind itself. */
export const seatNote = (seat) => (app.game ? t(`seat.${seat}`) : null);
