// Who pays whom at the end of a game, so that everybody is even.
import { h } from "../dom/dom.js";
import { number, t } from "../words/i18n.js";

const EXACT = 1e6; // of the rate's currency: amounts are summed as whole numbers

/**
 * The fewest payments that settle a game of at most four: first of those who owe just what another gets, then of the
 * greatest debts.
 * @type {(shares: Pick<Settled, "player" | "money">[]) => {from: number, to: number, amount: number}[]}
 */
export function fewestPayments(shares) {
  const left = shares.map(({ player, money }) => ({ player, sum: Math.round(Number(money) * EXACT) }));
  /** @type {ReturnType<typeof fewestPayments>} */
  const found = [];
  for (;;) {
    left.sort((one, other) => one.sum - other.sum);
    const even = left.find(({ sum }) => sum < 0 && left.some((other) => other.sum === -sum));
    const from = even ?? left[0];
    const to = even ? left.find(({ sum }) => sum === -even.sum) : left.at(-1);
    if (!from || !to || from.sum >= 0 || to.sum <= 0) return found;
    const paid = Math.min(-from.sum, to.sum);
    found.push({ from: from.player, to: to.player, amount: paid / EXACT });
    from.sum += paid;
    to.sum -= paid;
  }
}

/** The payments in words. */
export const paymentWords = (/** @type {Game} */ { players, settlement }) =>
  fewestPayments(settlement).map(({ from, to, amount }) =>
    t("pay.line", { from: players[from].name, to: players[to].name, amount: number(amount) })
  );

/** The payments; nothing where nobody owes anything. */
export function settleUp(/** @type {Game} */ game) {
  const paid = paymentWords(game);
  return paid.length > 0 && [
    h("h3.minor", t("settled.up")),
    h("ul.plain-list.settle-up", paid.map((line) => h("li", line))),
  ];
}
