// Correcting a recorded hand: it is put on the felt or into its form again, and everything after it is settled again.
import { app, theGame } from "../state/app.js";
import { correctedHand } from "../state/draft.js";
import { get } from "../api/api.js";
import { h, icon } from "../dom/dom.js";
import { entryOf } from "../scoring/entry.js";
import { t } from "../words/i18n.js";
import { seatName } from "../names/seats.js";
import { cropBeside, keepCropOf } from "../camera/crops.js";
import { beginCorrection, canLay, endCorrection } from "./correction.js";
import { confirmed, newPreview, previewOf } from "../outcomes/preview.js";
import { mover, SEATS } from "../hand/seats.js";
import { openAmendment } from "./amend.js";
import { attempt, notice } from "../controls/notice.js";
import { handWords } from "../names/changes.js";
import { button, choiceRow, mainKey } from "../controls/fields.js";
import { FORMS, moveForm, outcomesNow } from "../outcomes/forms.js";
import { winnerRows } from "../outcomes/winner.js";
import { netTable } from "../score/payments.js";
import { openSheet } from "../controls/sheet.js";
import { howWords } from "../handeditor/who.js";

function lay(/** @type {any} */ whole, /** @type {number | null} */ place) {
  if (!canLay()) return notice(t("mend.busy"));
  beginCorrection(whole, place);
  location.hash = "#/hand";
  return undefined;
}

/**
 * The button of an open sheet that puts the hand on the felt instead.
 * @param {string} key
 * @param {string} words
 * @param {any} whole
 * @param {number | null} place
 */
const layButton = (key, words, whole, place) =>
  button(key, words, (event) => {
    event.target.closest("dialog").close();
    lay(whole, place);
  }, { look: "wide", sign: "tiles" });

// Asks which of several winners on the same tile.
function openWhose(/** @type {any} */ whole) {
  openSheet(t("mend.title", { n: whole.number }), (sheet) => [
    choiceRow(
      "whose",
      t("mend.whose"),
      whole.request.wins.map((/** @type {any} */ { context: { seat } }, /** @type {number} */ place) => ({
        value: place,
        label: seatName(seat, atHand(whole)),
      })),
      null,
      (place) => {
        sheet.close();
        lay(whole, place);
      },
    ),
  ]);
}

const atHand = (/** @type {Pick<LedgerHand, "seats" | "number">} */ { seats, number }) => ({
  ...theGame(),
  seats,
  number,
});
const kindOf = (/** @type {any} */ { outcome, request }) =>
  request.wins?.length === 1 && request.wins[0].result ? "told" : outcome;

/** @type {(number: number, game?: Game) => LedgerHand} */
function handNow(number, game = theGame()) {
  const found = game.hands.find((hand) => hand.number === number);
  if (!found) throw new Error(`the game has no hand ${number}`);
  return found;
}

/** Fetches a recorded hand and opens a sheet for it. */
const withHand = (/** @type {number} */ number, /** @type {(whole: any) => void} */ open) =>
  attempt(async () => open(await get(`/games/${encodeURIComponent(theGame().id)}/hands/${number}`)));

/** Opens a standing hand for correction. */
export const openCorrection = (/** @type {{number: number}} */ { number }) =>
  withHand(number, (whole) => {
    if (kindOf(whole) !== "win") openOutcome(whole, kindOf(whole));
    else if (whole.request.wins.length === 1) openPlayers(whole);
    else openWhose(whole);
  });

const correctionOf = (/** @type {number} */ number) => ({
  title: t("mend.title", { n: number }),
  path: `/hands/${number}`,
  puts: true,
  kind: "corrected",
  hand: number,
  holds: () => theGame().hands.some((hand) => hand.number === number && !hand.undone_at),
  done: () => t("change.corrected", { n: number, what: handWords(handNow(number)) }),
  after: () => {
    if (app.draft.correcting?.number !== number) return;
    keepCropOf(theGame().id, handNow(number).key);
    endCorrection({ own: true });
    location.hash = "#/game";
  },
});

/**
 * The entry of a recorded win with another winner or payer, as far as they are said.
 * @param {any} whole
 * @param {{seat: Seat, win: string | null, from: Seat | null}} state
 */
function entryWith({ request, wins: [was] }, { seat, win, from }) {
  const { scored: _scored, seen: _seen, expected_payments: _expected, ...entry } = request;
  const [{ context, ...tiles }] = entry.wins;
  const { from: _from, win: _win, ...circumstances } = context;
  const others = { ...circumstances, seat, ...(win ? { win } : {}), ...(from ? { from } : {}) };
  if (entry.riichi && (context.riichi || context.double_riichi)) {
    /** @type {Record<string, Seat>} */
    const swap = { [was.seat]: seat, [seat]: was.seat }; // of two who had declared, both did
    entry.riichi = entry.riichi.map((/** @type {Seat} */ declared) => swap[declared] ?? declared);
  }
  return { ...entry, wins: [{ ...tiles, context: others }] };
}

/** The commonest correction: another winner or payer; tiles and circumstances are corrected on the felt. */
function openPlayers(/** @type {any} */ whole) {
  const { number, wins: [{ seat, win }], request } = whole;
  const { from = null } = request.wins[0].context;
  const at = () => atHand(handNow(number));
  const entry = (/** @type {any} */ state) => state.win ? entryWith(whole, state) : null;
  const preview = newPreview();
  const body = (/** @type {any} */ state) => confirmed(entry(state), preview, at());
  openAmendment({
    ...correctionOf(number),
    state: { seat, win, from },
    build: (state, change, _incomplete, sheet) => [
      cropBeside(handNow(number)),
      winnerRows("mend", state, change, at()),
      previewOf(entry(state), preview, sheet, at()),
      layButton("mend-tiles", t("mend.tiles"), { ...whole, request: entryWith(whole, state) }, 0),
    ],
    body,
    ready: (state) => Boolean(body(state)),
    turned: (_state, before) => SEATS.every((s) => handNow(number, before).seats[s] === handNow(number).seats[s]),
  });
}

// Asks what the hand should have been, if not a win.
function openOutcome(/** @type {any} */ whole, /** @type {string} */ outcome) {
  const { number } = whole;
  const fresh = (/** @type {string} */ kind) => FORMS[kind].fresh(kind === kindOf(whole) ? whole.request : undefined);
  const kinds = [...new Set([...outcomesNow(), outcome])];
  const preview = newPreview();
  const at = () => atHand(handNow(number));
  const body = (/** @type {any} */ { kind, form }) =>
    kind === "win" ? null : confirmed(FORMS[kind].body(form), preview, at());
  openAmendment({
    ...correctionOf(number),
    state: { kind: outcome, form: fresh(outcome) },
    build: (state, change, incomplete, sheet) => [
      choiceRow(
        "mend-kind",
        t("mend.kind"),
        [...kinds.map((kind) => ({ value: kind, label: t(`outcome.${kind}`) })), {
          value: "win",
          label: t("outcome.win"),
        }],
        state.kind,
        (kind) => change(kind === "win" ? { kind } : { kind, form: fresh(kind) }),
      ),
      state.kind === "win" ? [h("p.soft", t("mend.lay_text")), layButton("mend-lay", t("mend.lay"), whole, null)] : [
        FORMS[state.kind].build(
          state.form,
          (/** @type {object} */ values) => change({ form: Object.assign(state.form, values) }),
          at(),
          incomplete,
        ),
        previewOf(FORMS[state.kind].body(state.form), preview, sheet, at()),
      ],
    ],
    body,
    ready: (state) => Boolean(body(state)),
    turned: (state, before) => {
      const move = mover(handNow(number, before).seats, handNow(number).seats);
      state.form = moveForm(state.form, move);
      return true;
    },
  });
}

/** The card over a hand that will replace a recorded one: which hand it replaces, and ways to cancel. */
export function correctingCard() {
  const hand = correctedHand();
  if (!hand) return null;
  const noWin = () =>
    withHand(hand.number, (whole) => openOutcome(whole, whole.outcome in FORMS ? whole.outcome : "draw"));
  const leave = () => {
    endCorrection();
    location.hash = "#/game";
  };
  return h(
    "section.card.stack.correcting",
    { "aria-label": t("mend.title", { n: hand.number }) },
    h("h2", icon("pencil"), t("mend.title", { n: hand.number })),
    h("p", handWords(hand)),
    cropBeside(hand),
    h("p.hint", t("mend.seats")),
    h(
      "div.three",
      button("mend-leave", t("mend.leave"), leave, { sign: "undo" }),
      button("mend-no-win", t("mend.no_win"), noWin),
    ),
  );
}

/** How many later hands a correction would settle again. */
export function resettlementNote(/** @type {ScoreNow} */ { tried }) {
  const n = tried?.settled_again?.length;
  return n ? h("p.hint", t("mend.again", { n })) : null;
}

/** The main key while a recorded hand is being corrected. */
export function correctionKey(/** @type {Scored} */ score, /** @type {boolean} */ stands) {
  const number = app.draft.correcting?.number ?? 0;
  const paid = score.tried?.payments;
  const open = () =>
    openAmendment({
      ...correctionOf(number),
      build: () => [
        h("p", howWords(score.request.context)),
        paid && netTable(paid, t("pay.title")),
        resettlementNote(score),
      ],
      body: () => ({ ...entryOf(score), expected_payments: paid }),
      turned: () => false, // what happened meanwhile is shown above the hand, with the choice
    });
  return h(
    "div.bar-keys",
    mainKey("correct", "check", t("mend.title", { n: number }), () => stands && open(), !stands),
  );
}
