// Who pays whom, in names.
import { app } from "../state/app.js";
import { h } from "../dom/dom.js";
import { number, signed, t } from "../words/i18n.js";
import { seatName, seatNote } from "../names/seats.js";
import { rich } from "../faces/rich.js";
import { seatsTaken } from "../hand/seats.js";

/** The CSS class that shows whether an amount is won or lost. */
export const amountClass = (/** @type {Money} */ value) => Number(value) > 0 ? "gain" : Number(value) < 0 ? "loss" : "";

/**
 * The seats that somebody sits in, and the pot where it gains or pays.
 * @type {(net: Pick<Api.PaymentsBody, "pot">) => (Seat | "pot")[]}
 */
export const accountsOf = (net) => [...seatsTaken(), ...(Number(net.pot) ? [/** @type {const} */ ("pot")] : [])];

/** What everybody gains or pays by a hand: in a game what is recorded, with sticks and other winners; else null. */
export const netOf = (/** @type {Scored} */ { answer, tried }) =>
  tried?.payments ?? (tried && app.draft.wins.length ? null : answer.payments);

/**
 * What each player gains or pays.
 * @param {Api.PaymentsBody} net
 * @param {string} caption
 * @param {Seating} [at] the table where they sit, if not that of the hand on the felt
 */
export function netTable(net, caption, at) {
  return h(
    "table.net",
    h("caption.unseen", caption),
    h(
      "thead.unseen",
      h("tr", h("th", { scope: "col" }, t("pay.player")), h("th", { scope: "col" }, t("pay.amount"))),
    ),
    h(
      "tbody",
      accountsOf(net).map((seat) =>
        h(
          "tr",
          { class: amountClass(net[seat] ?? 0) },
          h(
            "th",
            { scope: "row" },
            seatName(seat, at),
            seat !== "pot" && seatNote(seat) && h("small", seatNote(seat)),
          ),
          h("td", signed(net[seat] ?? 0)),
        )
      ),
    ),
  );
}

/** Who pays whom and why, below each player's total; one table per possible discarder if the discarder is unknown. */
export function payments(/** @type {Scored} */ score) {
  const { answer, tried } = score;
  if (!answer.legal) {
    return h("section.card", h("h2", t("pay.title")), h("p.soft", t("pay.nothing")));
  }
  if (!answer.payments) {
    return h(
      "section.card",
      h("h2", t("pay.title")),
      h("p.soft", t("pay.unknown")),
      Object.entries(answer.payments_if_from ?? {}).map(([seat, net]) =>
        h(
          "div.pay-if",
          h("h3", t("pay.if", { name: seatName(seat) })),
          netTable(net, t("pay.if", { name: seatName(seat) })),
        )
      ),
    );
  }
  if (!netOf(score)) return null;
  const transfers = tried?.transfers ?? answer.transfers ?? [];
  return h(
    "section.card",
    h("h2", t("pay.title")),
    h(
      "ul.transfers",
      transfers.map((p) =>
        h(
          "li",
          h("b", t("pay.line", { from: seatName(p.from), to: seatName(p.to), amount: number(p.amount) })),
          h("small.soft", rich(p.why)),
        )
      ),
    ),
  );
}
