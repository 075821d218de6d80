// The sheet that corrects a recorded hand: another winner or payer, another outcome, or its tiles on the felt; everything
// after it is settled again. Loaded when it is first asked for.
import { app, theGame } from "../state/app.js";
import { get } from "../api/api.js";
import { cropBeside, keepCropOf } from "../camera/crops.js";
import { h } from "../dom/dom.js";
import { entryOf } from "../scoring/entry.js";
import { t } from "../words/i18n.js";
import { seatName } from "../names/seats.js";
import { beginCorrection, canLay, endCorrection } from "./correction.js";
import { confirmed, newPreview, previewOf } from "../outcomes/preview.js";
import { mover, SEATS } from "../hand/seats.js";
import { openAmendment } from "./amend.js";
import { resettlementNote } from "./correctcard.js";
import { notice } from "../controls/notice.js";
import { handWords } from "../names/changes.js";
import { button, choiceRow } from "../controls/fields.js";
import { FORMS, moveForm, outcomesNow } from "../outcomes/forms.js";
import { winnerRows } from "../outcomes/winner.js";
import { netTable } from "../score/payments.js";
import { howWords } from "../handeditor/who.js";

/**
 * Puts the hand on the felt in place of a sheet.
 * @param {Sheet} sheet
 * @param {any} whole
 * @param {number | null} place which of its winners; null if it was not a win
 */
function lay(sheet, whole, place) {
  sheet.close();
  if (!canLay()) return notice(t("mend.busy"));
  beginCorrection(whole, place);
  location.hash = "#/hand";
  return undefined;
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
 * @type {(whole: any, state: {seat: Seat, win: string | null, from: Seat | null}) => any}
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

// A win: of one winner who won and who paid; its tiles, and those of several winners, are corrected on the felt.
/** @type {(whole: any, state: any, change: (values: object) => void, sheet: Sheet) => Child} */
function winFields(whole, state, change, sheet) {
  const { number, request: { wins = [] } } = whole;
  if (kindOf(whole) !== "win") {
    const open = () => lay(sheet, whole, null);
    return [h("p.soft", t("mend.lay_text")), button("mend-lay", t("mend.lay"), open, { look: "wide", sign: "tiles" })];
  }
  const at = atHand(handNow(number));
  if (wins.length > 1) {
    const winners = wins.map((/** @type {any} */ { context: { seat } }, /** @type {number} */ place) => ({
      value: place,
      label: seatName(seat, at),
    }));
    return choiceRow("whose", t("mend.whose"), winners, null, (place) => lay(sheet, whole, place));
  }
  const open = () => lay(sheet, { ...whole, request: entryWith(whole, state) }, 0);
  return [
    winnerRows("mend", state, change, at),
    button("mend-tiles", t("mend.tiles"), open, { look: "wide", sign: "tiles" }),
  ];
}

/**
 * Opens a standing hand for correction.
 * @param {{number: number}} hand
 * @param {(whole: any) => string} kind what it should have been
 */
export async function openCorrection({ number }, kind = kindOf) {
  const whole = await get(`/games/${encodeURIComponent(theGame().id)}/hands/${number}`);
  const { wins: [was], request } = whole;
  const recorded = kindOf(whole);
  const { seat = null, win = null } = recorded === "win" && whole.wins.length === 1 ? was : {};
  const fresh = (/** @type {string} */ to) => FORMS[to]?.fresh(to === recorded ? request : undefined);
  const kinds = [...new Set([...outcomesNow(), recorded, "win"])].map((value) => ({
    value,
    label: t(`outcome.${value}`),
  }));
  const preview = newPreview();
  const at = () => atHand(handNow(number));
  const entry = (/** @type {any} */ state) =>
    state.kind !== "win" ? FORMS[state.kind].body(state.form) : seat && state.win ? entryWith(whole, state) : null;
  const body = (/** @type {any} */ state) => confirmed(entry(state), preview, at());
  openAmendment({
    ...correctionOf(number),
    state: { kind: kind(whole), form: fresh(kind(whole)), seat, win, from: request.wins?.[0].context.from ?? null },
    build: (state, change, incomplete, sheet) => [
      cropBeside(handNow(number)),
      choiceRow("mend-kind", t("mend.kind"), kinds, state.kind, (to) => change({ kind: to, form: fresh(to) })),
      state.kind === "win" ? winFields(whole, state, change, sheet) : FORMS[state.kind].build(
        state.form,
        (/** @type {object} */ values) => change({ form: Object.assign(state.form, values) }),
        at(),
        incomplete,
      ),
      (state.kind !== "win" || seat) && previewOf(entry(state), preview, sheet, at()),
    ],
    body,
    ready: (state) => Boolean(body(state)),
    turned: (state, before) => {
      const [then, now] = [handNow(number, before).seats, handNow(number).seats];
      if (state.kind === "win") return SEATS.every((one) => then[one] === now[one]);
      state.form = moveForm(state.form, mover(then, now));
      return true;
    },
  });
}

/** Opens the sheet that puts the hand on the felt in the place of the recorded one. */
export function openReplacement(/** @type {Scored} */ score) {
  const paid = score.tried?.payments;
  openAmendment({
    ...correctionOf(app.draft.correcting?.number ?? 0),
    build: () => [
      h("p", howWords(score.request.context)),
      paid && netTable(paid, t("pay.title")),
      resettlementNote(score),
    ],
    body: () => ({ ...entryOf(score), expected_payments: paid }),
    turned: () => false, // what happened meanwhile is shown above the hand, with the choice
  });
}
