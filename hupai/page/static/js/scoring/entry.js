// The ledger entry for the hand on screen.
import { app } from "../state/app.js";
import { draft } from "../state/draft.js";
import { currentRules } from "../state/rules.js";
import { emit } from "../state/signal.js";
import { declaredSeats } from "./questions.js";
import { signed } from "./owner.js";
import { revisionSeen } from "./revision.js";

/** @type {Next | null} */
let next = null; // {round, dealer}: the next round and dealer, if the players want others than the rules

/** The next round and dealer as chosen by the players; null to follow the rules. */
export const chosenNext = () => next;

/** Sets the next round and dealer; the entry then counts as a new one. */
export function chooseNext(/** @type {Next | null} */ value) {
  if (next === value) return;
  next = value;
  draft({ key: null });
  emit("next", "record");
}

// The ledger fills in what its table knows, including sticks laid in this hand; only values given explicitly are sent.
/** @type {(won: {request: ScoreRequest}, said: Answers) => any} */
function winOf({ request: { rules: _rules, options: _options, ...win } }, said) {
  const { counters, riichi_sticks: sticks, ...others } = win.context;
  /** @type {Answers} */
  const context = others;
  if (said.counters !== undefined) context.counters = counters ?? 0;
  if (said.riichi_sticks !== undefined) context.riichi_sticks = sticks ?? 0;
  return { ...win, context };
}

/**
 * The entry of a score and of the other winners on the same tile; it refers to the game on screen.
 * @param {{request: ScoreRequest, answer: Api.ScoreBody | null}} score
 * @param {Pick<Draft, "wins" | "answers" | "read" | "models">} of the draft that was scored
 * @param {Next | null} goesOn next round and dealer, if not as the rules say
 */
export function entryOf({ request, answer }, of = app.draft, goesOn = next) {
  const wins = [...of.wins, { request, answer, said: of.answers }];
  /** @type {Record<string, unknown>} */
  const entry = { outcome: "win", seen: revisionSeen(), wins: wins.map((w) => winOf(w, w.said)) };
  entry.models = of.read?.models ?? of.models ?? {};
  if (currentRules().riichi_sticks) {
    entry.riichi = [
      ...new Set(wins.flatMap((w) => declaredSeats({ ...w.request.context, declared: w.said.declared }))),
    ];
  }
  if (goesOn) entry.next = goesOn;
  return { ...entry, ...signed() };
}
