// Two taps from hand to payments: who won, and who paid; the winner as payer means self-draw.
import { app } from "../state/app.js";
import { answer } from "../state/draft.js";
import { h } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { faultsAt } from "../scoring/live.js";
import { payerChoices, seatChoices, seatName } from "../names/seats.js";
import { SEATS } from "../hand/seats.js";
import { known } from "../scoring/questions.js";
import { choiceRow } from "../controls/fields.js";

const WHO = ["seat", "win", "from"];

/** Whether who won or who paid is among the open questions. */
export const asksWho = (/** @type {string[]} */ open) => open.some((name) => WHO.includes(name));

/**
 * How a hand was won, in a sentence.
 * @param {Answers} said
 * @param {Seating} [at] the table where it was won; default: that of the hand on the felt
 */
export function howWords({ seat, win, from }, at) {
  return t(`score.how.${win}`, { name: seatName(seat, at), from: from ? seatName(from, at) : t("somebody") });
}

// undefined: not answered; null: nobody knows.
const payerOf = (/** @type {Answers} */ { seat, win, from }) => (win === "self_draw" ? seat : from);

// What was said is read when a key is pressed: the second of two quick taps comes before the rows are drawn again.
function won(/** @type {Seat} */ seat) {
  if (known().from !== seat) return answer({ seat });
  return answer({ seat, win: undefined, from: undefined }); // the payer has won: who paid must be asked again
}

function paid(/** @type {Seat | null} */ payer) {
  const { seat, win } = known();
  if (payer !== null && payer === seat) return answer({ win: "self_draw", from: undefined });
  return answer({ win: win === "robbed_kong" ? win : "discard", from: payer });
}

// Another winner on the tile is neither one that is already there nor the one whose tile it was.
function mayHaveWon() {
  const { wins } = app.draft;
  const out = wins.flatMap(({ request: { context } }) => [context.seat, context.from]);
  return SEATS.filter((seat) => !out.includes(seat));
}

/** Who won, and then who paid, each a row of buttons; of another winner on the tile it is known who paid. */
export function whoRows() {
  const context = known();
  return h(
    "div.who",
    choiceRow("seat", t("ask.seat"), seatChoices(mayHaveWon()), context.seat, won, {
      faults: faultsAt("context.seat"),
    }),
    !app.draft.wins.length && (context.seat || context.win) && choiceRow(
      "payer",
      t("ask.payer"),
      [...payerChoices(context.seat), { value: null, label: "?", spoken: t("unknown") }],
      payerOf(context),
      paid,
      { faults: faultsAt("context.win", "context.from") },
    ),
  );
}
