// What a hand ended in beside a win, entered in the ledger.
import { app, on, setGame } from "../app.js";
import { freshKey } from "../api.js";
import { t } from "../i18n.js";
import { mover } from "../seats.js";
import { seenNow, tookRefusal } from "../seen.js";
import { mainKey } from "./controls.js";
import { lookAgain, sendingState } from "./lookagain.js";
import { FORMS, movedForm } from "./outcomeforms.js";
import { entered, forget, sendEntry, takeUpOutbox } from "./outbox.js";
import { openSheet } from "./sheet.js";

let hear = () => {}; // the open sheet hears of changes of the game
on(["game"], () => hear());

function opener(form) {
  return () => {
    const state = form.fresh();
    let key = freshKey();
    let fault = null;
    let sending = null;
    let seen = app.game; // the game as the person at this sheet saw it
    let looks = false; // whether it has changed since, and he has not looked again
    let incomplete = false; // it was to be entered, and something was missing
    const options = {
      onclose: () => {
        hear = () => {};
        if (!sending) return;
        sending.abort();
        takeUpOutbox(); // whether it was entered is not known: it is offered once more
      },
    };
    openSheet(t(form.title), (sheet) => {
      const change = (values) => {
        Object.assign(state, values);
        key = freshKey();
        sheet.refresh();
      };
      hear = () => {
        if (!app.game || app.game.id !== seen.id) return sheet.close();
        const mine = app.game.hands.find((hand) => hand.key === key);
        if (mine) return done(mine); // its answer was lost
        if (app.game.revision === seen.revision) return undefined;
        Object.assign(state, movedForm(state, mover(seen.seats, app.game.seats)));
        key = freshKey();
        seen = app.game;
        looks = true;
        return sheet.refresh();
      };
      const done = (hand, game = null) => {
        hear = () => {};
        sending = null;
        forget(key);
        if (game) setGame(game, { own: true });
        sheet.close();
        entered(hand);
      };
      const send = async () => {
        if (sending || looks) return;
        const body = form.body(state);
        incomplete = !body;
        if (incomplete) {
          sheet.refresh();
          if (form.field) document.getElementById(form.field).focus();
          return;
        }
        const entry = { game: seen.id, key, body: { ...body, seen: seenNow(seen) } };
        const controller = new AbortController();
        sending = controller;
        fault = null;
        sheet.refresh();
        try {
          const { hand, game } = await sendEntry(entry, controller.signal);
          done(hand, game);
        } catch (error) {
          sending = null;
          fault = error.code === "offline" ? { code: "unsure", faults: [] } : error;
          if (tookRefusal(error)) fault = null;
          if (sheet.element.isConnected) sheet.refresh();
        }
      };
      const looked = () => {
        looks = false;
        sheet.refresh();
      };
      const fields = form.build(state, change, app.game, incomplete);
      if (looks) return lookAgain(t("meanwhile.sheet"), looked, fields);
      return [fields, enterKey(send, form.field || form.body(state)), sendingState(sending, fault, "faults-outcome")];
    }, options);
  };
}

// Where a field can be typed into, what is wrong with it is said when the key is pressed.
const enterKey = (send, allowed) =>
  mainKey("outcome", "check", t("record.enter"), () => allowed && send(), !allowed);

/** Nobody won. */
export const openDraw = opener(FORMS.draw);
/** One player pays another. */
export const openPayment = opener(FORMS.payment);
/** Somebody declared a win that is none. */
export const openFalseWin = opener(FORMS.false_win);
/** A payment the rules know by name. */
export const openInstant = opener(FORMS.instant);

const enterTold = opener(FORMS.told);

/** A result without tiles: entered in the open game, or only looked at. */
export function openTold() {
  if (app.game && !app.game.ended) return enterTold();
  const state = FORMS.told.fresh();
  return openSheet(t(FORMS.told.title), (sheet) => {
    const change = (values) => {
      Object.assign(state, values);
      if (sheet.element.isConnected) sheet.refresh();
    };
    return FORMS.told.build(state, change, null);
  });
}
