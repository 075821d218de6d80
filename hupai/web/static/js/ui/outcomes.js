// What a hand can end in beside a win: a draw, a payment between players, a false win.
import { app, currentRules, setGame } from "../app.js";
import { freshKey, post } from "../api.js";
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { sentence } from "../phrases.js";
import { SEATS } from "../questions.js";
import { seenNow } from "../seen.js";
import { seatName, seatNote } from "../names.js";
import { errorWords } from "../words.js";
import { notice, say } from "./announce.js";
import { chipRow, choiceRow, faultList, select, textField, toggle } from "./controls.js";
import { openSheet } from "./sheet.js";
import { undoHand } from "./undo.js";

function opener(title, initial, build) {
  return () => {
    const state = initial();
    let key = freshKey();
    let fault = null;
    openSheet(t(title), (sheet) => {
      const change = (values) => {
        Object.assign(state, values);
        key = freshKey();
        sheet.refresh();
      };
      const send = async (body) => {
        try {
          const { hand, game } = await post(`/games/${encodeURIComponent(app.game.id)}/hands`, { ...body, seen: seenNow() }, {
            headers: { "Idempotency-Key": key },
          });
          setGame(game);
          sheet.close();
          say(t("record.done", { n: hand.number }));
          notice(t("record.done", { n: hand.number }), { action: t("undo"), act: () => undoHand(hand.number) });
        } catch (error) {
          fault = error;
          sheet.refresh();
        }
      };
      const faults = fault
        ? errorWords(fault) || !fault.faults.length
          ? [{ message: errorWords(fault) ?? sentence(fault.message) }]
          : fault.faults
        : [];
      return [build(state, change, send), h("div", { role: "alert" }, faultList(faults, "faults-outcome"))];
    });
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
