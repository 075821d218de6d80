// Other winners on the same tile: each has a hand, laid down or typed in, and questions of its own.
import { h } from "../../parts/dom.js";
import { t } from "../../words/i18n.js";
import { button, plusButton } from "../../controls/fields.js";
import { answer, answersOf, askingPart, mostOthers, otherWinners, setJoined } from "./questions.js";
import { addPart, editTile } from "./edit.js";
import { openEntry } from "./enter.js";
import { handRow } from "../handrow.js";
import { board } from "../state.js";
import { clock, w } from "../words.js";

/**
 * @param {Laid} hand
 * @param {Laid} other
 * @param {() => void} changed
 */
function winner(hand, other, changed) {
  const change = (/** @type {Answers} */ values) => {
    answer(other, values);
    changed();
  };
  const part = () => {
    setJoined(hand, other.id, false);
    changed();
  };
  return h(
    "section.card.stack",
    { "aria-label": t("record.other_winner") },
    h(
      "div.row",
      h("h3", t("record.other_winner")),
      h("small.soft", clock(other.settled_at)),
      button(`part-${other.id}`, w("also.part"), part, { look: "quiet" }),
    ),
    handRow(other.hand, { size: "small", of: other.id, onpick: (slot) => editTile(other, slot) }),
    addPart(other, answersOf(other), change, { another: true }),
    askingPart(other, change, hand),
  );
}

/**
 * The other winners of a hand that was won on a discard, and buttons that add one.
 * @param {Laid} hand
 * @param {() => void} changed
 */
export function winnersPart(hand, changed) {
  const { win, from } = answersOf(hand);
  const most = mostOthers();
  if (most < 1 || !win || win === "self_draw" || from === undefined) return null;
  const others = otherWinners(hand);
  const free = (board.open?.hands ?? []).filter((other) =>
    other.status === "settled" && other.id !== hand.id && !others.includes(other)
  );
  const take = (/** @type {number} */ id) => {
    setJoined(hand, id);
    changed();
  };
  return [
    others.map((/** @type {Laid} */ other) => winner(hand, other, changed)),
    others.length < most &&
    h(
      "div.row",
      { role: "group", "aria-label": t("record.other_winner") },
      h("span.soft", t("record.other_winner")),
      free.map((other) =>
        plusButton(`also-${other.id}`, w("also.laid", { time: clock(other.settled_at) }), () => take(other.id))
      ),
      plusButton("also-enter", w("also.enter"), () => openEntry((laid) => take(laid.id))),
    ),
  ];
}
