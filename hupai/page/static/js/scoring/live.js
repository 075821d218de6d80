// The score follows every change: while something is missing, that is shown; otherwise the server is asked.
import { app } from "../state/app.js";
import { currentOptions, currentRules } from "../state/rules.js";
import { emit, on } from "../state/signal.js";
import { openGame } from "../state/table.js";
import { mayPass, post } from "../api/api.js";
import { faultsOn } from "../controls/fields.js";
import { entryOf } from "./entry.js";
import { isEmpty, tilesMissing, tilesOf } from "../hand/hand.js";
import { context, known, unanswered } from "./questions.js";
import { KONGS } from "../hand/melds.js";
import { scoreRequest } from "../hand/request.js";

const PAUSE_MS = 120; // a row of quick taps makes two requests: one after the first and one after the last
const AGAIN_MS = 5000;
let timer = 0;
let asked = 0;
let turn = 0; // answers to older requests are dropped, whenever they come
/** @type {AbortController | null} */
let running = null;

/**
 * The Score request for a hand as it is now: the one on the felt, or one that waits.
 * @param {Pick<Draft, "hand" | "answers" | "wins">} of
 */
export function requestNow({ hand, answers, wins } = app.draft) {
  const rules = currentRules();
  const said = context(rules, hand, known(answers, undefined, wins));
  const request = scoreRequest(rules, currentOptions(rules.id), hand, said);
  // Indicators that were entered with the first winner on a tile also count for the others.
  for (const { request: first } of wins) {
    for (const name of ["dora_indicators", "ura_indicators"]) {
      if (request.context[name]?.length === 0) request.context[name] = first.context[name] ?? [];
    }
  }
  return request;
}

/**
 * A request as the winner gains by it in a game: a stick that was laid in this hand comes back, and is no gain.
 * @param {ScoreRequest} request
 */
export function withoutOwnStick(request) {
  const { riichi, double_riichi: double, riichi_sticks: sticks } = request.context;
  if (!app.game || !sticks || !(riichi || double)) return request;
  return { ...request, context: { ...request.context, riichi_sticks: sticks - 1 } };
}

/** What the winner laid in this hand and does not take back: his stick, where another winner is nearer. */
export const lost = (/** @type {Scored} */ { request: { context }, tried }) =>
  context.riichi_sticks ? 0 : (tried?.transfers ?? [])
    .filter(({ from, to }) => from === context.seat && to === "pot")
    .reduce((sum, { amount }) => sum + Number(amount), 0);

/** What keeps the hand from being scored: questions and tiles; `waiting`: only its winning tile is missing; `full`: none. */
export function gaps() {
  const open = unanswered();
  const { flower_win: flowers, honours } = app.draft.answers;
  const { winning, melds } = app.draft.hand;
  const count = tilesMissing(app.draft.hand);
  const kongs = currentOptions().fourth_kong_wins && melds.filter(({ type }) => KONGS.includes(type)).length === 4 &&
    melds.length === 4 && count === 1 && !winning;
  const whole = flowers === true || (honours ?? 0) > 0 || kongs; // no hand is needed, or no winning tile
  return {
    open,
    tiles: whole ? 0 : count,
    winning: !whole && count === 0 && !winning,
    waiting: !whole && count === 1 && !winning,
    full: !whole && count === 0,
  };
}

/** @type {ScoreNow | null} */
let now = null;

/** The score of the hand on the felt, or what it lacks; null: there is no hand. */
export const scoreNow = () => now;

/** The same; while a request is running, what came before it. */
export const lastScore = () => (now?.state === "wait" ? (now.last ?? null) : now);

let shownFaults = "[]";

// "faults" is a separate part: the field the player is using is redrawn only when a fault came or went.
function put(/** @type {ScoreNow | null} */ score) {
  now = score;
  if (score?.state === "wait") return emit("score");
  const faults = JSON.stringify(score?.state === "faults" ? score.faults : []);
  emit("score", ...(faults === shownFaults ? [] : ["faults"]));
  shownFaults = faults;
  return undefined;
}

/** Scores again after a change; the result arrives as a change of "score". */
export function rescore() {
  clearTimeout(timer);
  turn++;
  running?.abort();
  running = null;
  if (!currentRules() || isEmpty(app.draft.hand) || app.draft.read?.naming) return put(null);
  const gap = gaps();
  const pause = Math.max(0, asked + PAUSE_MS - performance.now());
  if (gap.open.length || gap.tiles || gap.winning) {
    if (gap.waiting || gap.full) timer = setTimeout(() => askWaits(gap), pause);
    return put({ state: "missing", ...gap });
  }
  put({ state: "wait", last: lastScore() });
  timer = setTimeout(askScore, pause);
  return undefined;
}

/**
 * Asks the host about the hand on the felt, and puts its answer, unless something has changed since.
 * @param {(signal: AbortSignal) => Promise<ScoreNow>} find
 * @param {(error: Trouble) => void} refused
 */
async function ask(find, refused) {
  asked = performance.now();
  const mine = turn;
  running = new AbortController();
  try {
    const found = await find(running.signal);
    if (mine === turn) put(found);
  } catch (error) {
    if (error.name !== "AbortError" && mine === turn) refused(error);
  }
}

function askScore() {
  const request = requestNow();
  return ask(async (signal) => {
    const answer = await post("/score", { ...request, open: true }, { signal });
    const tried = app.game && answer.legal && answer.payments
      ? await tryIt({ request, answer }, signal, app.game)
      : null;
    // Of several winners on the tile, the ledger knows who takes what lies on the table.
    const all = app.draft.wins.length && tried && "scores" in tried ? tried.scores : [];
    const mine = all.find((s) => Number(s.payments?.[/** @type {Seat} */ (request.context.seat)]) > 0);
    const near = answer.reason?.code === "not_a_winning_hand" && gaps().full ? await askNear(signal) : undefined;
    return { state: "done", answer: mine ? { ...mine, open: answer.open } : answer, request, tried, near };
  }, (error) => refused(error, request));
}

function refused(/** @type {Trouble} */ error, /** @type {ScoreRequest | undefined} */ request = undefined) {
  if (error.status === 422) put({ state: "faults", faults: error.faults, request });
  else failed(error);
}

// Without the host a hand waits: the request is repeated until there is an answer.
function failed(/** @type {Trouble} */ error) {
  put({ state: "failed", error });
  if (mayPass(error)) timer = setTimeout(rescore, AGAIN_MS);
}

// How far the hand is, by its tiles and all others that lie open, in the photo too; not while a tile is unknown.
function askNear(/** @type {AbortSignal} */ signal) {
  const { hand, read } = app.draft;
  const own = [...hand.concealed, ...(hand.winning ? [hand.winning] : [])];
  if (own.some(({ code }) => code === "back")) return undefined;
  const held = tilesOf(hand).map(({ tile }) => tile);
  const ours = new Set(held.map((tile) => tile.seen));
  const open = held.filter((tile) => !own.includes(tile)).map((tile) => tile.code);
  const beside = (read?.tiles ?? []).filter((tile, i) => tile.tile !== "back" && !ours.has(i)).map(({ tile }) => tile);
  const { rules, options, concealed, winning_tile: won, melds, bonus, context } = withoutOwnStick(requestNow());
  const seen = { concealed: won ? [...concealed, won] : concealed, seen: [...open, ...beside] };
  return post("/score/shanten", { rules, options, melds, bonus, context, ...seen }, { signal });
}

// For a hand that lacks its winning tile or an answer: how far it is, and its waits, each with its score once all is
// answered.
const askWaits = (/** @type {ReturnType<typeof gaps>} */ gap) =>
  ask(async (signal) => {
    const near = await askNear(signal);
    const scored = gap.waiting && !gap.open.length;
    const { waits } = scored ? await post("/score/waits", withoutOwnStick(requestNow()), { signal }) : {};
    return { state: "missing", ...gap, near, waits };
  }, (error) => (gap.full || gap.open.length) || refused(error)); // what is asked next does not depend on this answer

// What the ledger would make of it, including sticks, other winners and chips that run out.
/**
 * @param {{request: ScoreRequest, answer: Api.ScoreBody}} score
 * @param {AbortSignal} signal
 * @param {Game} game
 * @returns {Promise<Tried | {error: Trouble}>}
 */
async function tryIt(score, signal, game) {
  try {
    const { correcting } = app.draft;
    const path = `/games/${encodeURIComponent(game.id)}/hands/${correcting ? `${correcting.number}/` : ""}try?last=0`;
    return await post(path, entryOf(score), { signal });
  } catch (error) {
    if (!error.status || error.status >= 500) throw error;
    if (error.status === 409) openGame(game.id).catch(() => {}); // somebody was faster; the stream reports it, too
    return { error };
  }
}

/**
 * The score itself, if there is one; null where something is missing, wrong or on its way.
 * @type {(score: ScoreNow | null | undefined) => Scored | null}
 */
export function finishedScore(score) {
  return score?.state === "done" && score.request && score.answer ? /** @type {Scored} */ (score) : null;
}

/**
 * The faults of the last answer; while a request is running, those of the answer before it.
 * @returns {Fault[]}
 */
export function faultsNow() {
  const score = lastScore();
  return (score?.state === "faults" && score.faults) || [];
}

/** Those that belong to some fields. */
export const faultsAt = (/** @type {string[]} */ ...fields) => faultsOn(faultsNow(), fields);

on(["hand", "answers", "settings", "game", "next"], () => rescore());
