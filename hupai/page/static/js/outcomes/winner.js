// Who won and who paid, where a hand is entered without its tiles.
import { t } from "../words/i18n.js";
import { payerChoices, seatChoices } from "../names/seats.js";
import { SEATS } from "../hand/seats.js";
import { choiceRow } from "../controls/fields.js";

/**
 * Two rows of buttons, the second one once it is known who won; the winner as payer means a self-draw.
 * @param {string} prefix of their names
 * @param {{seat: Seat | null, win: string | null, from: Seat | null}} state
 * @param {(values: object) => void} change
 * @param {Seating} at the table where they sit
 */
export function winnerRows(prefix, state, change, at) {
  // As on the felt, the state is read when a key is pressed, and a self-draw is that of whoever won.
  const payer = () => (state.win === "self_draw" ? state.seat : state.from);
  const won = (/** @type {Seat} */ now) =>
    change({ seat: now, ...(state.from === now ? { win: null, from: null } : {}) });
  const paid = (/** @type {Seat} */ now) =>
    change(now === state.seat ? { win: "self_draw", from: null } : { win: "discard", from: now });
  const { seat } = state;
  return [
    choiceRow(`${prefix}-seat`, t("ask.seat"), seatChoices(SEATS, at), seat, won),
    seat && choiceRow(`${prefix}-payer`, t("ask.payer"), payerChoices(seat, at), payer(), paid),
  ];
}
