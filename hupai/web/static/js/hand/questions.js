// The questions that the chosen rules ask about this hand, and the context that their answers make.
import { app, currentOptions, currentRules, table } from "../app.js";
import { SEATS } from "./seats.js";

export { SEATS };
export const WINS = ["self_draw", "discard", "robbed_kong"];

/** Fields that the hand's own lists contain (bonus tiles, indicators); they are not asked. */
export const IN_HAND = ["bonus", "dora_indicators", "ura_indicators"];

const isKong = (/** @type {HandMeld} */ m) => m.type.startsWith("kong");
const closed = (/** @type {Hand} */ hand) => hand.melds.every((m) => m.type === "kong_concealed");

// Whether a question can matter at all; a field that is not listed always can.
/** @type {Record<string, (hand: Hand, c: Answers) => boolean>} */
const MATTERS = {
  indicator: () => currentOptions().permanent !== true,
  last_tile: (hand, c) => c.win !== "robbed_kong",
  replacement: (hand, c) => c.win === "self_draw" && (hand.melds.some(isKong) || hand.bonus.length > 0),
  double_kong: (hand, c) => c.win === "self_draw" && hand.melds.filter(isKong).length >= 2,
  heavenly: (hand, c) => c.win === "self_draw" && c.seat === "E" && hand.melds.length === 0,
  earthly: (hand, c) => c.win !== "robbed_kong" && c.seat !== "E" && hand.melds.length === 0,
  humanly: (hand, c) => c.win === "discard" && c.seat !== "E" && hand.melds.length === 0,
  flower_win: (hand) => hand.bonus.length >= 7,
  heavenly_ready: (hand, c) => closed(hand) && !c.earthly_ready,
  earthly_ready: (hand, c) => closed(hand) && !c.heavenly_ready,
  riichi: (hand) => closed(hand),
  double_riichi: (hand) => closed(hand),
  ippatsu: (hand, c) => Boolean(c.riichi || c.double_riichi) && closed(hand),
  responsible: (hand, c) => c.win !== "self_draw",
  floats: (hand, c) => c.win === "self_draw",
  kong_streak: (hand, c) => c.win === "self_draw" && hand.melds.some(isKong),
  honours: (hand, c) => c.win === "self_draw" && (currentOptions().ten_honours ?? "none") !== "none",
  doubles_after: (hand, c) => Boolean(c.liable?.seat),
  fed: (hand, c) => c.win === "self_draw" || (c.win === "discard" && currentOptions().liability_on_claim === true),
};

/**
 * What is known: the ledger's facts overridden by the answers; the seat of this phone's player when a game is open.
 * @param {Answers} answers
 * @param {Game | null} game
 * @returns {Answers}
 */
export function known(answers = app.draft.answers, game = table()) {
  /** @type {Answers} */
  const base = game ? { ...game.context } : {};
  if (game && app.settings.me !== null && answers.seat === undefined && !app.draft.correcting) {
    const mine = SEATS.find((s) => game.seats[s] === app.settings.me);
    if (app.draft.wins.every((w) => w.request.context.seat !== mine)) base.seat = mine; // not if already a winner
  }
  const all = { ...base, ...answers };
  // The likeliest fortune is assumed until somebody has said that a tile is turned up at this table.
  if (all.indicator === undefined && app.settings.fortune !== "tile" && currentOptions().permanent !== true)
    all.indicator = "permanent";
  // Sticks laid in this hand are on the table in addition to those in the ledger.
  if (game && answers.riichi_sticks === undefined && base.riichi_sticks !== undefined) {
    all.riichi_sticks = base.riichi_sticks + declaredSeats(all).length;
  }
  return all;
}

/**
 * Seats that declared riichi in this hand: the winner's own riichi and those named beside it.
 * @param {Answers} context
 * @returns {Seat[]}
 */
export function declaredSeats(context) {
  const own = context.seat && (context.riichi || context.double_riichi) ? [context.seat] : [];
  return [...new Set([...own, ...(context.declared ?? [])])];
}

/**
 * The rules' questions that can currently matter for this hand, as entries of `asks`.
 * @param {Api.RulesBody} rules
 * @param {Hand} hand
 * @param {Answers} context
 */
export function questions(rules = currentRules(), hand = app.draft.hand, context = known()) {
  return rules.asks.filter((ask) => !IN_HAND.includes(ask.name) && (MATTERS[ask.name]?.(hand, context) ?? true));
}

/**
 * The answer to a question: given, or the rules' default.
 * @param {Api.AskBody} ask
 * @param {Answers} context
 */
export const valueOf = (ask, context = known()) => (context[ask.name] === undefined ? ask.default : context[ask.name]);

/**
 * Names of questions that must be answered before there is a score.
 * @param {Api.RulesBody} rules
 * @param {Hand} hand
 * @param {Answers} context
 * @returns {string[]}
 */
export function unanswered(rules = currentRules(), hand = app.draft.hand, context = known()) {
  /** @type {string[]} */
  const open = [];
  if (!context.seat || !SEATS.includes(context.seat)) open.push("seat");
  if (!context.win || !WINS.includes(context.win)) open.push("win");
  else if (context.win !== "self_draw" && (context.from === undefined || context.from === context.seat))
    open.push("from");
  for (const ask of questions(rules, hand, context)) {
    if (ask.name === "indicator" && valueOf(ask, context) === null) open.push("indicator");
  }
  return open;
}

/**
 * The context of the Score request: only fields that these rules read and that can matter.
 * @param {Api.RulesBody} rules
 * @param {Hand} hand
 * @param {Answers} all
 * @returns {Answers}
 */
export function context(rules = currentRules(), hand = app.draft.hand, all = known()) {
  /** @type {Answers} */
  const made = { seat: all.seat, win: all.win };
  if (all.win !== "self_draw") made.from = all.from ?? null;
  for (const ask of questions(rules, hand, all)) {
    const value = all[ask.name];
    if (ask.name === "banker") made.banker = value ?? ask.default; // it is shown as chosen, so it is sent
    if (value === undefined || value === null || JSON.stringify(value) === JSON.stringify(ask.default)) continue;
    if (ask.name === "liable" && !value.seat) continue;
    made[ask.name] = value;
  }
  return made;
}
