// Entering the hand in the ledger: what is confirmed is what was shown, and a retry is never a second hand.
import { app, changed, currentRules, draft, setGame } from "../app.js";
import { freshKey, post } from "../api.js";
import { h, icon } from "../dom.js";
import { keepEntered } from "../entered.js";
import { t } from "../i18n.js";
import { openGame } from "../ledger.js";
import { seenNow } from "../seen.js";
import { rescore } from "../live.js";
import { seatName } from "../names.js";
import { sentence } from "../phrases.js";
import { declaredSeats, known, SEATS } from "../questions.js";
import { nextHand } from "../screens/hand.js";
import { errorWords, totalWords } from "../words.js";
import { notice, say } from "./announce.js";
import { offerCorrection } from "./correction.js";
import { faultList, select } from "./controls.js";
import { undoHand } from "./undo.js";

const state = { sending: false, fault: null, next: null };

function put(values) {
  Object.assign(state, values);
  changed("record");
}

// Another choice is another entry: it needs a key of its own.
function choose(values) {
  draft({ key: null });
  put({ ...values, fault: null });
}

// The ledger fills in what its table knows, sticks laid in this hand included; only what was said otherwise is sent.
function winOf({ request: { rules, options, ...win } }, said) {
  const { counters, riichi_sticks: sticks, ...context } = win.context;
  if (said.counters !== undefined) context.counters = counters ?? 0;
  if (said.riichi_sticks !== undefined) context.riichi_sticks = sticks ?? 0;
  return { ...win, context };
}

function bodyOf(score) {
  const wins = [...app.draft.wins, { request: score.request, answer: score.answer, said: app.draft.answers }];
  const entry = { outcome: "win", seen: seenNow(), wins: wins.map((w) => winOf(w, w.said)), models: app.draft.read?.models ?? {} };
  if (currentRules().riichi_sticks)
    entry.riichi = [
      ...new Set(wins.flatMap((w) => declaredSeats({ ...w.request.context, declared: w.said.declared }))),
    ];
  else if (wins.length === 1) entry.expected_payments = score.answer.payments;
  if (state.next) entry.next = state.next;
  return entry;
}

/** Enters the hand; the same key goes with every try of the same entry. */
export async function recordNow(score) {
  if (state.sending || !score.answer.payments) return;
  put({ sending: true, fault: null });
  if (!app.draft.key) draft({ key: freshKey() });
  try {
    const path = `/games/${encodeURIComponent(app.game.id)}/hands`;
    const { hand, game } = await post(path, bodyOf(score), { headers: { "Idempotency-Key": app.draft.key } });
    const share = offerCorrection();
    put({ sending: false, next: null });
    setGame(game);
    keepEntered(hand.number);
    nextHand({ recorded: true });
    location.hash = "#/game";
    say(t("record.done", { n: hand.number }));
    notice(t("record.done", { n: hand.number }), { action: t("undo"), act: () => undoHand(hand.number) });
    share?.();
  } catch (error) {
    put({ sending: false, fault: error });
    if (error.status === 409 || error.status === 404) await reread();
  }
}

// Somebody else recorded a hand meanwhile: show the table as it is now, and score again with it.
async function reread() {
  try {
    await openGame(app.game.id);
    draft({ key: null });
    rescore();
  } catch (error) {
    put({ fault: error });
  }
}

function otherWinner(score) {
  const { request, answer } = score;
  const wins = [...app.draft.wins, { request, answer, said: app.draft.answers }];
  const { win, from } = request.context;
  nextHand({ keep: { wins, answers: { win, from, declared: app.draft.answers.declared } } });
  location.hash = "#/hand";
}

function seatsAfter() {
  const { game } = app;
  const { next } = state;
  const dealers = [
    { value: null, label: t("record.as_rules") },
    ...game.players.map((p) => ({ value: p.number, label: p.name })),
  ];
  const winds = SEATS.map((round) => ({ value: round, label: t(`seat.${round}`) }));
  return h(
    "details",
    { class: "fold", open: next !== null },
    h("summary", { "data-key": "fold-next" }, t("record.next"), icon("down")),
    h(
      "div",
      { class: "stack" },
      select("next-dealer", t("record.next_dealer"), dealers, next?.dealer ?? null, (dealer) =>
        choose({ next: dealer === null ? null : { round: next?.round ?? game.state.round, dealer } }),
      ),
      next &&
        select("next-round", t("record.next_round"), winds, next.round, (round) =>
          choose({ next: { ...next, round } }),
        ),
    ),
  );
}

function trouble() {
  const { fault } = state;
  if (!fault) return null;
  const words = errorWords(fault);
  const faults =
    words === null && fault.faults?.length ? fault.faults : [{ message: words ?? sentence(fault.message) }];
  return h("div", { role: "alert" }, faultList(faults, "faults-record"));
}

/** The card under the payments: what else belongs to the entry. */
export function recordCard(score) {
  if (!score.answer.legal) return h("p", { class: "hint" }, t("record.not_legal"));
  if (!app.game) {
    return h(
      "section",
      { class: "card stack" },
      h("p", { class: "soft" }, t("record.no_game")),
      h("a", { class: "button", href: "#/game" }, icon("people"), t("game.new")),
    );
  }
  const claimed = score.request.context.win !== "self_draw";
  const more = claimed && app.draft.wins.length + 1 < currentRules().winners && score.answer.payments;
  const others = app.draft.wins
    .map((w) => `${seatName(w.request.context.seat)} ${totalWords(w.answer.total)}`)
    .join(", ");
  const sticks = currentRules().riichi_sticks ? declaredSeats(known()) : [];
  return h(
    "section",
    { class: "card stack record" },
    sticks.length > 0 && h("p", { class: "hint" }, t("record.sticks", { list: sticks.map(seatName).join(", ") })),
    others && h("p", { class: "hint" }, t("record.with", { list: others })),
    !score.answer.payments && h("p", { class: "hint" }, t("record.needs_from")),
    trouble(),
    more &&
      h(
        "button",
        { class: "button", type: "button", "data-key": "other-winner", onclick: () => otherWinner(score) },
        icon("plus"),
        t("record.other_winner"),
      ),
    seatsAfter(),
  );
}

/** The key under the thumb on the score screen: enter the hand, or go on to the next one where there is no game. */
export function recordBar(score) {
  if (!app.game) {
    const next = () => {
      nextHand({});
      location.hash = "#/hand";
    };
    return h(
      "div",
      { class: "bar-keys" },
      h(
        "button",
        { class: "button main wide", type: "button", "data-key": "next-hand", onclick: next },
        icon("camera"),
        t("hand.next"),
      ),
    );
  }
  if (!score.answer.legal) return null;
  return h(
    "div",
    { class: "bar-keys" },
    h(
      "button",
      {
        class: "button main wide",
        type: "button",
        "data-key": "record",
        "aria-disabled": state.sending || !score.answer.payments ? "true" : null,
        onclick: () => recordNow(score),
      },
      icon("check"),
      t(state.sending ? "record.sending" : "record.enter"),
    ),
  );
}

/** Forgets what was said about an entry that was left. */
export function leaveRecord() {
  Object.assign(state, { fault: null, next: null });
}
