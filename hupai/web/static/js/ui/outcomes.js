// What a hand can end in beside a win: a draw, a payment between players, a false win.
import { app, currentRules, on, setGame } from "../app.js";
import { freshKey } from "../api.js";
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { SEATS } from "../questions.js";
import { movedAnswers, mover } from "../seats.js";
import { seenNow, tookRefusal } from "../seen.js";
import { seatName, seatNote } from "../names.js";
import { chipRow, choiceRow, select, textField, toggle } from "./controls.js";
import { lookAgain, sendingState } from "./lookagain.js";
import { entered, forget, sendEntry, takeUpOutbox } from "./outbox.js";
import { openSheet } from "./sheet.js";

let hear = () => {}; // the open sheet hears of changes of the game
on(["game"], () => hear());

function opener(title, initial, build) {
  return () => {
    const state = initial();
    let key = freshKey();
    let fault = null;
    let sending = null;
    let seen = app.game; // the game as the person at this sheet saw it
    let looks = false; // whether it has changed since, and he has not looked again
    const options = {
      onclose: () => {
        hear = () => {};
        if (!sending) return;
        sending.abort();
        takeUpOutbox(); // whether it was entered is not known: it is offered once more
      },
    };
    openSheet(t(title), (sheet) => {
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
        Object.assign(state, movedAnswers(state, mover(seen.seats, app.game.seats)));
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
      const send = async (body) => {
        if (sending || looks) return;
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
      if (looks) return lookAgain(t("meanwhile.sheet"), looked, build(state, change, () => {}));
      return [build(state, change, send), sendingState(sending, fault, "faults-outcome")];
    }, options);
  };
}

const confirm = (send, body, allowed = true) =>
  h(
    "button",
    {
      class: "button main wide",
      type: "button",
      "data-key": "outcome",
      "aria-disabled": allowed ? null : "true",
      onclick: () => allowed && send(body()),
    },
    icon("check"),
    t("record.enter"),
  );

const seatKeys = (seats) => seats.map((s) => ({ value: s, label: seatName(s), note: seatNote(s) }));

/** Nobody won. Riichi asks who was ready, who declared, and for nagashi mangan. */
export const openDraw = opener(
  "game.draw",
  () => ({ ready: [], riichi: [], nagashi: [], abortive: false }),
  (state, change, send) => {
    const riichi = currentRules().riichi_sticks;
    return [
      h("p", { class: "soft" }, t(riichi ? "draw.text_riichi" : "draw.text")),
      riichi && [
        toggle(
          "abortive",
          t("draw.abortive"),
          state.abortive,
          (abortive) => change({ abortive }),
          t("draw.abortive.hint"),
        ),
        chipRow("riichi", t("draw.riichi"), seatKeys(SEATS), state.riichi, (seats) =>
          change({ riichi: seats, ready: [...new Set([...state.ready, ...seats])] }),
        ),
        !state.abortive &&
          chipRow("ready", t("draw.ready"), seatKeys(SEATS), state.ready, (ready) => change({ ready })),
        !state.abortive &&
          chipRow("nagashi", t("draw.nagashi"), seatKeys(SEATS), state.nagashi, (nagashi) => change({ nagashi })),
      ],
      confirm(send, () => {
        const body = { outcome: "draw" };
        if (!riichi) return body;
        if (state.riichi.length) body.riichi = state.riichi;
        return state.abortive ? { ...body, abortive: true } : { ...body, ready: state.ready, nagashi: state.nagashi };
      }),
    ];
  },
);

/** One player pays another (a penalty, an instant payment). */
export const openPayment = opener(
  "game.payment",
  () => ({ from: "E", to: "S", amount: "", why: "" }),
  (state, change, send) => {
    const amount = state.amount.trim().replace(",", ".");
    const good = () =>
      /^\d+(\.\d+)?$/.test(state.amount.trim().replace(",", ".")) && Number(state.amount.replace(",", ".")) > 0;
    return [
      choiceRow("pay-from", t("pay.from"), seatKeys(SEATS), state.from, (from) =>
        change({ from, ...(from === state.to ? { to: SEATS.find((s) => s !== from) } : {}) }),
      ),
      choiceRow("pay-to", t("pay.to"), seatKeys(SEATS.filter((s) => s !== state.from)), state.to, (to) =>
        change({ to }),
      ),
      textField("pay-amount", t("pay.amount"), state.amount, (text) => (state.amount = text), {
        inputmode: "decimal",
        onchange: () => change({}),
        faults: amount && !good() ? [{ message: t("pay.amount_bad") }] : [],
      }),
      textField("pay-why", t("pay.why"), state.why, (text) => (state.why = text), { maxlength: 80 }),
      h(
        "button",
        {
          class: "button main wide",
          type: "button",
          "data-key": "outcome",
          onclick: () =>
            good()
              ? send({
                  outcome: "payment",
                  transfers: [
                    {
                      from: state.from,
                      to: state.to,
                      amount: state.amount.trim().replace(",", "."),
                      why: state.why.trim() || t("game.payment"),
                    },
                  ],
                })
              : ((state.amount ||= "?"), change({}), document.getElementById("field-pay-amount").focus()),
        },
        icon("check"),
        t("record.enter"),
      ),
    ];
  },
);

/** Somebody declared a win that is none: the penalty of the rules. */
export const openFalseWin = opener(
  "game.false_win",
  () => ({ offender: null }),
  (state, change, send) => [
    h("p", { class: "soft" }, t("false_win.text")),
    choiceRow("offender", t("false_win.who"), seatKeys(SEATS), state.offender, (offender) => change({ offender })),
    confirm(send, () => ({ outcome: "false_win", offender: state.offender }), state.offender !== null),
  ],
);

/** A payment the rules know by name (a bite, a set of flowers, a kong), made at once by the three others. */
export const openInstant = opener(
  "game.instant",
  () => ({ seat: null, event: null, dealt: false }),
  (state, change, send) => {
    const events = currentRules().instant_events;
    return [
      h("p", { class: "soft" }, t("instant.text")),
      choiceRow("instant-seat", t("instant.who"), seatKeys(SEATS), state.seat, (seat) => change({ seat })),
      select(
        "instant-event",
        t("instant.event"),
        [{ value: null, label: t("instant.choose") }, ...events.map((e) => ({ value: e, label: t(`instant.${e}`) }))],
        state.event,
        (event) => change({ event }),
      ),
      toggle("dealt", t("instant.dealt"), state.dealt, (dealt) => change({ dealt })),
      confirm(
        send,
        () => ({ outcome: "instant", seat: state.seat, event: state.event, dealt: state.dealt }),
        state.seat !== null && state.event !== null,
      ),
    ];
  },
);
