// Other winners on the same tile: each has a hand, laid down or typed in, and questions of its own.
import { h } from "../../dom/dom.js";
import { t } from "../../words/i18n.js";
import { button } from "../../controls/fields.js";
import { answer, answersOf, askingPart, mostOthers, otherWinners, setJoined } from "./questions.js";
import { addPart, laidRow } from "./edit.js";
import { openEntry } from "./enter.js";
import { board } from "../state.js";
import { clock, w } from "../words.js";

function winner(/** @type {Laid} */ hand, /** @type {Laid} */ other, /** @type {() => void} */ changed) {
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
    laidRow(other, { of: `also${other.id}` }),
    addPart(other, answersOf(other), change, hand),
    askingPart(other, change, hand),
  );
}

/** The other winners of a hand that was won on a discard, and buttons that add one. */
export function winnersPart(/** @type {Laid} */ hand, /** @type {() => void} */ changed) {
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
  const plus = { look: "quiet", sign: "plus" };
  return [
    others.map((/** @type {Laid} */ other) => winner(hand, other, changed)),
    others.length < most &&
    h(
      "div.row",
      { role: "group", "aria-label": t("record.other_winner") },
      h("span.soft", t("record.other_winner")),
      free.map(({ id, settled_at: at }) =>
        button(`also-${id}`, w("also.laid", { time: clock(at) }), () => take(id), plus)
      ),
      button("also-enter", w("also.enter"), () => openEntry(({ id }) => take(id)), plus),
    ),
  ];
}
