// What goes into the ledger for the hand on screen.
import { app, changed, currentRules, draft } from "../app.js";
import { declaredSeats } from "../hand/questions.js";
import { seenNow } from "./seen.js";

/** @type {object | null} */
let next = null; // {round, dealer}: where the table goes on, where the players want it otherwise than the rules

/** Where the table goes on, as the players said; null as the rules say. */
export const nextSaid = () => next;

/**
 * Says where the table goes on; that is another entry.
 * @param {object | null} value
 */
export function sayNext(value) {
  if (next === value) return;
  next = value;
  draft({ key: null });
  changed("next", "record");
}

// The ledger fills in what its table knows, sticks laid in this hand included; only what was said otherwise is sent.
/**
 * @param {{request: ScoreRequest}} won
 * @param {Answers} said
 */
function winOf({ request: { rules: _rules, options: _options, ...win } }, said) {
  const { counters, riichi_sticks: sticks, ...others } = win.context;
  /** @type {Answers} */
  const context = others;
  if (said.counters !== undefined) context.counters = counters ?? 0;
  if (said.riichi_sticks !== undefined) context.riichi_sticks = sticks ?? 0;
  return { ...win, context };
}

/**
 * The entry of a score, and of those who won on the same tile; it speaks of the game on screen.
 * @param {{request: ScoreRequest, answer: Api.ScoreBody | null}} score
 * @param {Pick<Draft, "wins" | "answers" | "read" | "models">} of the draft it is the score of
 * @param {object | null} goesOn where the table goes on, if otherwise than the rules say
 */
export function entryOf({ request, answer }, of = app.draft, goesOn = next) {
  const wins = [...of.wins, { request, answer, said: of.answers }];
  /** @type {Record<string, unknown>} */
  const entry = { outcome: "win", seen: seenNow(), wins: wins.map((w) => winOf(w, w.said)) };
  entry.models = of.read?.models ?? of.models ?? {};
  if (currentRules().riichi_sticks)
    entry.riichi = [
      ...new Set(wins.flatMap((w) => declaredSeats({ ...w.request.context, declared: w.said.declared }))),
    ];
  if (goesOn) entry.next = goesOn;
  return entry;
}
