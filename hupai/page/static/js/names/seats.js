// Names for the seats: the players' names in a game, otherwise the winds.
import { waitingFor } from "../state/queue.js";
import { app } from "../state/app.js";
import { table } from "../state/draft.js";
import { currentRules } from "../state/rules.js";
import { wordAnswers } from "../api/api.js";
import { seatsTaken } from "../hand/seats.js";
import { t } from "../words/i18n.js";

/**
 * The name of the player at a seat of a table (by default that of the hand on the felt); the wind if no game is open.
 * @param {string | undefined} seat one of the four, or "pot"
 * @param {Seating} at
 */
export function seatName(seat, at = table()) {
  if (seat === "pot") return t(app.game?.course.jackpot ? "pot.jackpot" : "pot");
  return at ? at.players[at.seats[/** @type {Seat} */ (seat)]].name : t(`seat.${seat}`);
}

/** The wind as a note beside a name; null if the name is the wind itself, or if waiting hands will move the winds. */
export const seatNote = (/** @type {string} */ seat) =>
  app.game && !waitingFor(app.game).length ? t(`seat.${seat}`) : null;

/**
 * Seats as choices, with the names of the people who sit there.
 * @param {Seat[]} seats
 * @param {Seating} [at] a table; by default that of the hand on the felt
 */
export const seatChoices = (seats, at) =>
  seats.filter((seat) => seatsTaken().includes(seat)).map((seat) => ({
    value: seat,
    label: seatName(seat, at),
    note: seatNote(seat),
  }));

/**
 * Who may have paid, as choices; the winner as payer is a self-draw.
 * @param {Seat | null | undefined} winner
 * @param {Seating} [at]
 */
export const payerChoices = (winner, at) =>
  seatChoices(seatsTaken(), at).map((
    one,
  ) => (one.value === winner ? { ...one, label: t("win.self_draw"), note: null } : one));

// Messages of the server are in the words of the rules, and name the players at the table.
wordAnswers(() => {
  const at = table();
  const players = at ? seatsTaken().map((seat) => [seat, seatName(seat, at)]) : [];
  return { "X-Hupai-Table": String(new URLSearchParams([["rules", currentRules()?.id ?? ""], ...players])) };
});
