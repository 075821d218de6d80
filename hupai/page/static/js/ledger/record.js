// Entering the hand in the ledger: exactly what was shown is confirmed, and a retry never makes a second hand.
import { app, theGame } from "../state/app.js";
import { draft, table } from "../state/draft.js";
import { currentRules } from "../state/rules.js";
import { emit, on } from "../state/signal.js";
import { openGame, setGame } from "../state/table.js";
import { freshKey, mayPass, post, served } from "../api/api.js";
import { h, icon } from "../dom/dom.js";
import { chooseNext, chosenNext, entryOf } from "../scoring/entry.js";
import { announce, keepEntered } from "./undo.js";
import { t } from "../words/i18n.js";
import { rescore, scoreNow } from "../scoring/live.js";
import { seatName } from "../names/seats.js";
import { handFromCodes } from "../hand/hand.js";
import { seatsTaken } from "../hand/seats.js";
import { declaredSeats, known } from "../scoring/questions.js";
import { nextHand } from "../scoring/nexthand.js";
import { hasMovedOn, takeRefusal } from "../scoring/revision.js";
import { sameHand, sameKeys } from "./samehand.js";
import { totalWords } from "../words/words.js";
import { notice } from "../controls/notice.js";
import { correctionKey, resettlementNote } from "./correctcard.js";
import { keepCropOf } from "../camera/crops.js";
import { offerCorrection } from "../camera/samples.js";
import { button, faultList, faultsOf, fold, mainKey, select } from "../controls/fields.js";
import { keepKey } from "./waiting.js";

/** @type {{sending: AbortController | null, fault: Partial<Trouble> | null}} */
const state = { sending: null, fault: null };

function put(/** @type {Partial<typeof state>} */ values) {
  Object.assign(state, values);
  emit("record");
}

const choose = (/** @type {Next | null} */ next) => {
  chooseNext(next);
  put({ fault: null });
};

// Whether the score on screen belongs to the current answers and to the game as its owner has seen it.
const stands = (/** @type {Scored} */ score) =>
  scoreNow() === score && score.state === "done" && Boolean(score.tried?.payments) && !hasMovedOn();

/** Enters the hand; every try sends the same key and the same entry. */
async function recordNow(/** @type {Scored} */ score) {
  if (state.sending || !stands(score)) return;
  const sending = new AbortController();
  put({ sending, fault: null });
  const { key, body } = app.draft.key ??
    { key: freshKey(), body: { ...entryOf(score), expected_payments: score.tried?.payments } };
  draft({ key: { key, body } });
  try {
    const path = `/games/${encodeURIComponent(theGame().id)}/hands`;
    const options = { headers: { "Idempotency-Key": key }, signal: sending.signal };
    const { hand, game } = await post(path, body, options);
    entered(hand, game);
  } catch (error) {
    put({ sending: null, fault: error.name === "AbortError" ? { code: "unsure", faults: [] } : unsure(error) });
    if (takeRefusal(error)) return put({ fault: null });
    if (error.status === 409 || error.status === 404) await reread();
  }
  return undefined;
}

// Without an answer it is unknown whether the hand is in the ledger; pressing again never enters it twice.
const unsure = (/** @type {any} */ error) =>
  error.code === "offline" ? { ...error, code: "unsure", faults: [] } : error;

function entered(/** @type {LedgerHand} */ hand, /** @type {Game} */ game) {
  const share = offerCorrection();
  keepCropOf(game.id, hand.key);
  put({ sending: null, fault: null });
  chooseNext(null);
  setGame(game, { own: true });
  keepEntered(hand.number);
  nextHand({ recorded: true });
  location.hash = "#/game";
  if (hand.undone_at) notice(t("record.undone_since", { n: hand.number }));
  else announce([hand.number]);
  share?.();
}

// The answer to an entry was lost, but the game contains it: it is done.
on(["game"], () => {
  const { key } = app.draft;
  const mine = key && app.game?.hands.find((hand) => hand.key === key.key);
  if (!mine) return;
  state.sending?.abort();
  entered(mine, theGame());
});

// Fetches the current game and scores again with it.
async function reread() {
  try {
    await openGame(theGame().id);
    draft({ key: null });
    rescore();
  } catch (error) {
    put({ fault: error });
  }
}

function otherWinner(/** @type {Scored} */ score) {
  const { request, answer } = score;
  const wins = [...app.draft.wins, { request, answer, said: app.draft.answers }];
  const { win, from } = request.context;
  const { seen } = app.draft;
  nextHand({ keep: { wins, seen, answers: { win, from, declared: app.draft.answers.declared } } });
  location.hash = "#/hand";
}

/** Puts the winner noted last on the felt again, where nobody else won on the tile after all. */
export function leaveOutWinner() {
  const { wins, seen } = app.draft;
  const [{ request, said }] = wins.slice(-1);
  const hand = handFromCodes({ ...request.context, ...request });
  nextHand({ keep: { wins: wins.slice(0, -1), seen, answers: said, hand } });
}

function seatsAfter() {
  const game = theGame();
  const next = chosenNext();
  const dealers = [
    { value: null, label: t("record.as_rules") },
    ...game.players.map((p) => ({ value: p.number, label: p.name })),
  ];
  const winds = seatsTaken().map((round) => ({ value: round, label: t(`seat.${round}`) }));
  const deals = (/** @type {number | null} */ dealer) =>
    choose(dealer === null ? null : { round: next?.round ?? (table() ?? game).state.round, dealer });
  return fold(
    "fold-next",
    t("record.next"),
    [
      select("next-dealer", t("record.next_dealer"), dealers, next?.dealer ?? null, deals),
      next && select("next-round", t("record.next_round"), winds, next.round, (round) => choose({ ...next, round })),
    ],
    { open: next !== null },
  );
}

// Why it was not entered: beside the key that was pressed, since the card under the payments may be out of sight.
function trouble(/** @type {any} */ fault) {
  if (!fault) return null;
  return h("div.bar-faults", { role: "alert" }, faultList(faultsOf(fault), "faults-record"));
}

/** The card under the payments with the other parts of the entry. */
export function recordCard(/** @type {Scored} */ score) {
  if (!score.answer.legal) return h("p.hint", t("record.not_legal"));
  if (!app.game) {
    return h(
      "section.card.stack",
      h("p.soft", t("record.no_game")),
      h("a.button", { href: "#/game" }, icon("people"), t("game.new")),
    );
  }
  const claimed = score.request.context.win !== "self_draw";
  const more = claimed && app.draft.wins.length + 1 < (app.game.play ?? currentRules()).winners &&
    score.answer.payments;
  const others = app.draft.wins
    .map((w) => `${seatName(w.request.context.seat)} ${totalWords(w.answer?.total)}`)
    .join(", ");
  const sticks = currentRules().riichi_sticks ? declaredSeats(known()) : [];
  return h(
    "section.card.stack.record",
    sticks.length > 0 &&
      h("p.hint", t("record.sticks", { list: sticks.map((seat) => seatName(seat)).join(", ") })),
    others && h("p.hint", t("record.with", { list: others })),
    resettlementNote(score),
    !score.answer.payments && h("p.hint", t("record.needs_from")),
    more &&
      button(
        "other-winner",
        t("record.other_winner"),
        () => scoreNow() === score && otherWinner(score),
        { sign: "plus", off: scoreNow() !== score },
      ),
    seatsAfter(),
  );
}

/** The main key of the score screen: enter the hand, or go on to the next one if there is no game. */
export function recordBar(/** @type {Scored} */ score) {
  if (!app.game) {
    const next = () => {
      nextHand({});
      location.hash = "#/hand";
    };
    return h("div.bar-keys", mainKey("next-hand", served ? "camera" : "tiles", t("hand.next"), next));
  }
  if (!score.answer.legal) return null;
  const fault = trouble(state.fault ?? score.tried?.error);
  if (app.draft.correcting) return [fault, correctionKey(score, stands(score))];
  const same = sameHand();
  if (same) return h("div.bar-keys", sameKeys(same));
  const passing = mayPass(state.fault);
  const words = state.sending ? "record.sending" : passing ? "retry" : "record.enter";
  const keys = h(
    "div.bar-keys",
    mainKey("record", "check", t(words), () => recordNow(score), Boolean(state.sending) || !stands(score)),
    state.sending &&
      button("record-cancel", t("cancel"), () => state.sending?.abort()),
    passing && keepKey(""),
  );
  return [fault, keys];
}

/** Drops the faults and choices of an entry that was left. */
export function leaveRecord() {
  chooseNext(app.draft.correcting?.next ?? null);
  Object.assign(state, { fault: null });
}
