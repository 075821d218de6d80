// The questions that the chosen rules ask about this hand, and the context that their answers make.
import { app } from "../state/app.js";
import { table } from "../state/draft.js";
import { currentOptions, currentRules } from "../state/rules.js";
import { SEATS, seatsTaken } from "../hand/seats.js";

export const WINS = ["self_draw", "discard", "robbed_kong"];

/** Fields that the hand's own lists contain (bonus tiles, indicators); they are not asked. */
const IN_HAND = ["bonus", "dora_indicators", "ura_indicators"];

/**
 * What the conditions of questions name: house rules, answers, how the hand was won, facts of the hand.
 * @type {(rules: Api.RulesBody, hand: Hand, c: Answers) => Record<string, unknown>}
 */
function factsOf(rules, hand, c) {
  const kongs = hand.melds.filter((m) => m.type.startsWith("kong")).length;
  const chosen = currentOptions();
  const inForce = rules.options.map(({ name, default: usual }) => [`house.${name}`, chosen[name] ?? usual]);
  return {
    ...Object.fromEntries(inForce.map(([name, value]) => [name, value !== "none" && Boolean(value)])),
    ...c,
    dora_indicators: hand.dora.length > 0,
    liable: c.liable?.seat,
    ...Object.fromEntries(WINS.map((win) => [win, c.win === win])),
    dealer: c.seat === "E",
    closed: hand.melds.every((m) => m.type === "kong_concealed"),
    unmelded: hand.melds.length === 0,
    kong: kongs > 0,
    two_kongs: kongs > 1,
    bonus: hand.bonus.length > 0,
    seven_bonus: hand.bonus.length >= 7,
  };
}

const canMatter = (/** @type {string[]} */ when, /** @type {Record<string, unknown>} */ facts) =>
  when.every((any) => any.split("|").some((name) => (name.startsWith("!") ? !facts[name.slice(1)] : facts[name])));

/**
 * What is known: the ledger's facts overridden by the answers. Who won is never assumed.
 * @param {Answers} answers
 * @param {Game | null} game
 * @param {Won[]} wins others on the same tile
 * @returns {Answers}
 */
export function known(answers = app.draft.answers, game = table(), wins = app.draft.wins) {
  /** @type {Answers} */
  const base = game ? { ...game.context } : {};
  const all = { ...base, ...answers };
  // The likeliest fortune is assumed until somebody has said that a tile is turned up at this table.
  if (all.indicator === undefined && app.settings.fortune !== "tile" && currentOptions().permanent !== true) {
    all.indicator = "permanent";
  }
  for (const [name, value] of game && base.riichi_sticks !== undefined ? Object.entries(taken(all, game, wins)) : []) {
    if (answers[name] === undefined) all[name] = value;
  }
  return all;
}

/**
 * Counters and sticks, those laid in this hand too: all go to the winner who is nearest after the discarder, or each
 * takes the counters and his own stick, as the house has it.
 * @type {(all: Answers, game: Game, wins: Won[]) => Answers}
 */
function taken(all, { context: { riichi_sticks: lying = 0 }, play }, wins) {
  const others = wins.map(({ request, said }) => ({ ...request.context, declared: said.declared }));
  const laid = new Set([all, ...others].flatMap(declaredSeats)).size;
  const own = (/** @type {Answers} */ winner) => (winner.riichi || winner.double_riichi ? 1 : 0);
  const place = (/** @type {Seat | null | undefined} */ seat) => SEATS.findIndex((one) => one === seat);
  const turns = (/** @type {Answers} */ { seat }) => (place(seat) - place(all.from) + 4) % 4;
  if (all.seat && others.some((other) => turns(other) < turns(all))) {
    return play?.each_takes ? { riichi_sticks: own(all) } : { counters: 0, riichi_sticks: 0 };
  }
  return { riichi_sticks: lying + laid - (play?.each_takes ? others.filter(own).length : 0) };
}

/** Seats that declared riichi in this hand: the winner's own riichi and those named beside it. */
export function declaredSeats(/** @type {Answers} */ context) {
  const own = context.seat && (context.riichi || context.double_riichi) ? [context.seat] : [];
  return [...new Set([...own, ...(context.declared ?? [])])];
}

/**
 * The rules' questions that can currently matter for this hand, as entries of `asks`.
 * @type {(rules?: Api.RulesBody, hand?: Hand, context?: Answers) => Api.ContextFieldBody[]}
 */
export function questions(rules = currentRules(), hand = app.draft.hand, context = known()) {
  const facts = factsOf(rules, hand, context);
  return rules.asks.filter((ask) => !IN_HAND.includes(ask.name) && canMatter(ask.when, facts));
}

// What needs no asking: an indicator lies there, the game knows it, or a tile is never turned up at this table.
/** @type {(ask: Api.ContextFieldBody, hand: Hand) => boolean} */
function isSaid({ name, kind }, hand) {
  const { answers, wins } = app.draft;
  if (kind === "tiles") {
    return hand[zoneOf(name)].length > 0 || wins.some(({ request }) => request.context[name]?.length > 0);
  }
  if (kind === "tile") return answers[name] !== undefined || app.settings.fortune === "permanent";
  return kind === "number" && name in (table()?.context ?? {});
}

/** The list of the hand that holds the tiles of a field. */
export const zoneOf = (/** @type {string} */ name) => /** @type {"dora" | "ura"} */ (name.replace(/_indicators$/, ""));

/** The questions that nearly every hand turns on, in the rules' order: those that are open, and what is switched on. */
export function prompts() {
  const [rules, { hand }, context] = [currentRules(), app.draft, known()];
  const facts = factsOf(rules, hand, context);
  return rules.prompts
    .flatMap((name) => rules.asks.find((ask) => ask.name === name) ?? [])
    .filter((ask) => canMatter(ask.when, facts) && !isSaid(ask, hand));
}

/**
 * Of these what to ask for beside a score: what is switched on, and what can still change it.
 * @param {Api.ScoreBody} answer to a request with `open`; it supposes no wild tile, and nothing where nobody has paid
 */
export const openPrompts = ({ open, payments }) =>
  prompts().filter((ask) =>
    !payments || ask.kind === "tile" || known()[ask.name] || open?.some(({ name }) => name === ask.name)
  );

/** A number as people say it: what counts from 1, as the dealer's hands do, is for them how often since the first. */
export const spokenNumber = (/** @type {Api.ContextFieldBody} */ { low }, /** @type {any} */ value) =>
  (value ?? low) - low;

/** The answer to a question: given, or the rules' default. */
export const valueOf = (/** @type {Api.ContextFieldBody} */ ask, /** @type {Answers} */ context = known()) =>
  context[ask.name] === undefined ? ask.default : context[ask.name];

/** Names of questions that must be answered before there is a score. */
export function unanswered() {
  const context = known();
  /** @type {string[]} */
  const open = [];
  if (!context.seat || !seatsTaken().includes(context.seat)) open.push("seat");
  if (!context.win || !WINS.includes(context.win)) open.push("win");
  else if (context.win !== "self_draw" && (context.from === undefined || context.from === context.seat)) {
    open.push("from");
  }
  for (const ask of questions()) {
    if (ask.name === "indicator" && valueOf(ask, context) === null) open.push("indicator");
  }
  return open;
}

/**
 * The context of the Score request: only fields that these rules read and that can matter.
 * @type {(rules?: Api.RulesBody, hand?: Hand, all?: Answers) => Answers}
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
