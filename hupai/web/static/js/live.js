// The score follows every change: what is missing is said, the rest is asked of the server.
import { app, changed, currentOptions, currentRules, on } from "./app.js";
import { post } from "./api.js";
import { entryOf } from "./entry.js";
import { isEmpty, missing } from "./hand.js";
import { openGame } from "./ledger.js";
import { context, unanswered } from "./questions.js";
import { scoreRequest } from "./request.js";

const PAUSE_MS = 120; // a row of quick taps is two questions to the server: after the first and after the last
let timer = 0;
let asked = 0;
let turn = 0; // answers to older questions are dropped, whenever they come
let running = null;

/** The Score request for the hand as it stands. */
export function requestNow() {
  const rules = currentRules();
  const request = scoreRequest(rules, currentOptions(rules.id), app.draft.hand, context(rules));
  // Indicators that were entered with the first winner of a tile lie there for the others, too.
  for (const { request: first } of app.draft.wins) {
    for (const name of ["dora_indicators", "ura_indicators"]) {
      if (request.context[name]?.length === 0) request.context[name] = first.context[name] ?? [];
    }
  }
  return request;
}

/** What keeps the hand from being scored: questions and tiles. */
export function gaps() {
  const open = unanswered();
  const { flower_win: flowers, honours } = app.draft.answers;
  const whole = flowers === true || honours > 0; // no hand is needed
  const count = missing(app.draft.hand);
  return { open, tiles: whole ? 0 : count, winning: !whole && count === 0 && !app.draft.hand.winning };
}

let shownFaults = "[]";

// "faults" is told apart: what the player is touching is drawn anew only when a fault came or went.
function put(score) {
  app.score = score;
  if (score?.state === "wait") return changed("score");
  const faults = JSON.stringify(score?.state === "faults" ? score.faults : []);
  changed("score", ...(faults === shownFaults ? [] : ["faults"]));
  shownFaults = faults;
  return undefined;
}

/** Scores again after a change; the answer arrives as a change of "score". */
export function rescore() {
  clearTimeout(timer);
  turn++;
  running?.abort();
  running = null;
  if (!currentRules() || isEmpty(app.draft.hand)) return put(null);
  const gap = gaps();
  if (gap.open.length || gap.tiles || gap.winning) return put({ state: "missing", ...gap });
  put({ state: "wait", last: app.score?.state === "wait" ? app.score.last : app.score });
  timer = setTimeout(ask, Math.max(0, asked + PAUSE_MS - performance.now()));
  return undefined;
}

async function ask() {
  asked = performance.now();
  const mine = turn;
  const request = requestNow();
  running = new AbortController();
  const { signal } = running;
  try {
    const answer = await post("/score", request, { signal });
    const tried = app.game && answer.legal && answer.payments ? await tryIt({ request, answer }, signal) : null;
    if (mine === turn) put({ state: "done", answer, request, tried });
  } catch (error) {
    if (error.name === "AbortError" || mine !== turn) return;
    if (error.status === 422) put({ state: "faults", faults: error.faults, request });
    else put({ state: "failed", error });
  }
}

// What the ledger would make of it: sticks, other winners and chips that run out are part of that.
async function tryIt(score, signal) {
  try {
    return await post(`/games/${encodeURIComponent(app.game.id)}/hands/try?last=0`, entryOf(score), { signal });
  } catch (error) {
    if (!error.status || error.status >= 500) throw error;
    if (error.status === 409) openGame(app.game.id).catch(() => {}); // somebody was faster: the stream says so, too
    return { error };
  }
}

/** The faults of the last answer; while the next one is under way, those of the one before. */
export function faultsNow() {
  const score = app.score?.state === "wait" ? app.score.last : app.score;
  return score?.state === "faults" ? score.faults : [];
}

/** Faults that sit in a field (or in one whose name begins with it). */
export function faultsAt(...fields) {
  const faults = faultsNow();
  return faults.filter((f) =>
    fields.some((name) => f.field === name || f.field?.startsWith(`${name}[`) || f.field?.startsWith(`${name}.`)),
  );
}

on(["hand", "answers", "settings", "game", "next"], () => rescore());
