// What the camera cannot know about the open hand: who won, how, and whatever else the rules ask.
import { askField, declaredField } from "../../handeditor/facts.js";
import { app } from "../../state/app.js";
import { useAnswers } from "../../state/draft.js";
import { currentRules } from "../../state/rules.js";
import { h } from "../../dom/dom.js";
import { t } from "../../words/i18n.js";
import { seatChoices } from "../../names/seats.js";
import { handFromCodes } from "../../hand/hand.js";
import { impersonalAnswers, moveAnswers, mover, SEATS } from "../../hand/seats.js";
import { context, known, questions, valueOf, WINS } from "../../scoring/questions.js";
import { choiceRow, fold } from "../../controls/fields.js";
import { ownWord } from "../../names/systems.js";
import { board } from "../state.js";
import { w } from "../words.js";

const answers = new Map(); // hand id -> its answers
const winners = new Map(); // hand id -> ids of the hands that won on the same tile
const places = new Map(); // hand id -> {game, seats}: where the people named in its answers sat

// Answers refer to people: when another hand has moved the seats, the answers move with the people.
function follow(/** @type {Laid} */ hand) {
  if (!app.game) return;
  const now = { game: app.game.id, seats: app.game.seats };
  const before = places.get(hand.id) ?? now;
  places.set(hand.id, now);
  if (before.game !== now.game) answers.set(hand.id, impersonalAnswers(answers.get(hand.id)));
  else if (SEATS.some((seat) => before.seats[seat] !== now.seats[seat])) {
    answers.set(hand.id, moveAnswers(answers.get(hand.id), mover(before.seats, now.seats)));
  }
}

// Loads the hand's answers into the questions; how the hand was won is shared by all winners on the tile.
function answering(/** @type {Laid} */ hand, /** @type {Laid | null} */ first = null) {
  if (!answers.has(hand.id)) {
    const before = hand.context ?? {}; // a confirmation that was withdrawn
    answers.set(hand.id, { ...before.context, ...(before.riichi?.length ? { declared: before.riichi } : {}) });
    winners.set(hand.id, (before.also ?? []).flatMap((/** @type {{laid?: number}} */ other) => other.laid ?? []));
  }
  follow(hand);
  if (first) follow(first);
  const { win, from } = answers.get(first?.id) ?? {};
  useAnswers({ ...answers.get(hand.id), ...(first ? { win, from } : {}) });
}

/** The answers given for a hand. */
export function answersOf(/** @type {Laid} */ hand) {
  answering(hand);
  return app.draft.answers;
}

/** Records answers for a hand. */
export function answer(/** @type {Laid} */ hand, /** @type {Answers} */ values) {
  answers.set(hand.id, { ...answersOf(hand), ...values });
  answering(hand);
}

/** How many others may win on the same tile. */
export const mostOthers = () => (app.game?.play ?? currentRules()).winners - 1;

/** The hands at this table that won on the same tile and are still unconfirmed. */
export function otherWinners(/** @type {Laid} */ hand) {
  const { win } = answersOf(hand);
  if (win === "self_draw") return [];
  const waits = (/** @type {number} */ id) =>
    board.open?.hands.find((other) => other.id === id && other.status === "settled");
  return winners.get(hand.id).map(waits).filter(Boolean).slice(0, mostOthers());
}

/** Records that another hand won on the same tile, or (`joined` false) that it did not. */
export function setJoined(/** @type {Laid} */ hand, /** @type {number} */ id, joined = true) {
  const rest = winners.get(hand.id).filter((/** @type {number} */ other) => other !== id);
  winners.set(hand.id, joined ? [...rest, id] : rest);
}

/** The body of a score or confirmation request: the answers, other winners, and who else declared riichi. */
export function confirmBody(/** @type {Laid} */ hand) {
  const also = otherWinners(hand).map((/** @type {Laid} */ other) => ({
    laid: other.id,
    version: other.version,
    context: contextOf(other, hand),
  }));
  const made = contextOf(hand);
  return { context: made, also, riichi: currentRules().riichi_sticks ? (app.draft.answers.declared ?? []) : [] };
}

function contextOf(/** @type {Laid} */ hand, /** @type {Laid | null} */ first = null) {
  answering(hand, first);
  const said = app.draft.answers;
  /** @type {Answers} */
  const made = { ...context(currentRules(), handFromCodes(hand.hand)) };
  // The ledger knows the table's counters and sticks; they are sent only if somebody entered other values.
  for (const name of ["counters", "riichi_sticks"]) {
    delete made[name];
    if (said[name] !== undefined) made[name] = said[name];
  }
  if (said.ura_indicators?.length && (made.riichi || made.double_riichi)) made.ura_indicators = said.ura_indicators;
  return made;
}

const isSeat = (/** @type {any} */ seat) => SEATS.includes(seat);

/** Whether there are enough answers for a score. */
export function canScore(/** @type {Laid} */ hand) {
  const seated = otherWinners(hand).every((/** @type {Laid} */ other) => isSeat(answersOf(other).seat));
  answering(hand);
  const { seat, win, from } = known();
  return seated && isSeat(seat) && WINS.includes(win ?? "") && (win === "self_draw" || from !== undefined);
}

/**
 * The questions; `change` is called with each answer. A further winner (`first`: the first one) is asked only some.
 * @type {(hand: Laid, change: (values: Answers) => void, first?: Laid | null) => Child}
 */
export function askingPart(hand, change, first = null) {
  answering(hand, first);
  const rules = currentRules();
  const now = known();
  const named = (/** @type {string} */ name) => (first ? `${hand.id}-${name}` : name);
  const asks = questions(rules, handFromCodes(hand.hand), now);
  const chips = asks.filter((a) => a.kind === "switch");
  const rare = asks.filter((a) => a.place === "rare");
  const table = asks.filter((a) => a.place === "table");
  const other = asks.filter((a) => a.kind !== "switch" && !rare.includes(a) && !table.includes(a));
  const all = (/** @type {Api.ContextFieldBody[]} */ some) =>
    some.map((ask) => {
      const put = (/** @type {any} */ value) => change({ [ask.name]: value });
      return askField({ ask, value: valueOf(ask, now), put, name: named(ask.name) });
    });
  const taken = first ? [now.from, winnerSeat(first)] : [];
  const seats = seatChoices(SEATS.filter((s) => !taken.includes(s)));
  const seat = choiceRow(
    named("seat"),
    t("ask.seat"),
    seats,
    now.seat,
    (value) => change({ seat: value, ...(now.from === value ? { from: undefined } : {}) }),
  );
  const how = [all(other), chips.length > 0 && h("div.chips", all(chips))];
  if (first) return h("div.stack.asking", seat, how);
  const others = [...seatChoices(SEATS.filter((s) => s !== now.seat)), { value: null, label: t("unknown") }];
  return h(
    "section.card.stack.asking",
    { "aria-label": t("asking.title") },
    seat,
    choiceRow(
      "win",
      t("ask.win"),
      WINS.map((x) => ({ value: x, label: ownWord(`win.${x}`, rules) })),
      now.win,
      (win) =>
        change({ win: /** @type {Answers["win"]} */ (win), ...(win === "self_draw" ? { from: undefined } : {}) }),
    ),
    now.win && now.win !== "self_draw" &&
      choiceRow("from", t(`ask.from.${now.win}`), others, now.from, (from) => change({ from })),
    how,
    rules.riichi_sticks && declaredField(now, (seats) => change({ declared: seats })),
    table.length > 0 && fold("fold-table", w("asking.table_game"), all(table)),
    rare.length > 0 && fold("fold-rare", t("asking.rare"), all(rare)),
  );
}

/** The winner's seat, if it has been answered. */
export const winnerSeat = (/** @type {Laid} */ hand) => answers.get(hand.id)?.seat;
