// Scenes of one table: the hand that was laid or won, the last win with its picture, the points, the score bug.
import { amountClass } from "../score/payments.js";
import { handRow } from "../board/handrow.js";
import { h } from "../dom/dom.js";
import { tilePicture } from "../faces/tile.js";
import { handFromCodes, sortConcealed } from "../hand/hand.js";
import { elementName } from "../names/systems.js";
import { number, signed, t } from "../words/i18n.js";
import { limitWords, roundWords, totalWords } from "../words/words.js";
import { w } from "../board/words.js";
import { SEATS } from "../hand/seats.js";
import { parameters } from "./address.js";
import { movedUp } from "./rounds.js";
/** @typedef {import("./poll.js").Known} Known */

// The tiles in order, whatever order they were laid in; the indicators of the dora are named.
const tiles = (/** @type {Parameters<typeof handFromCodes>[0]} */ codes) => {
  const hand = sortConcealed(handFromCodes(codes));
  return h("div.laid-row", handRow({ ...hand, dora: [] }), doraOf(hand.dora.map(({ code }) => code)));
};

const doraOf = (/** @type {string[]} */ codes) =>
  codes.length > 0 &&
  h("span.laid-group.dora", h("small", w("overlay.dora")), codes.map((code) => tilePicture(code)));

/** @type {(won: any, i: number) => Child} */
function winner(won, i) {
  const win = won.wins[i];
  const scored = won.request.scored[i]; // without tiles if only its points were entered
  /** @type {Api.ScoreBody} */
  const { rules, elements, total } = won.scores[i];
  const name = (/** @type {number} */ player) => won.names[player] ?? t("somebody");
  const counted = elements.map((e) => `${elementName(rules, e)}${e.count > 1 ? ` ×${e.count}` : ""}`);
  return [
    h(
      "h1",
      t(`outcome.win.${win.win}`, { name: name(win.player), from: name(win.from_player) }),
      total?.limit && h("small.limit", limitWords(total)),
    ),
    scored.concealed?.length > 0 && tiles({ ...scored.context, ...scored }),
    h("p.elements", counted.join(" · "), " ", h("b", totalWords(total))),
  ];
}

function winParts(/** @type {any} */ won) {
  const line = (/** @type {Money} */ amount, /** @type {number} */ i) =>
    h("li", { class: amountClass(amount) }, h("span", won.names[i]), h("b", signed(amount)));
  return [
    won.wins.map((/** @type {unknown} */ _, /** @type {number} */ i) => winner(won, i)),
    h(
      "ul.gains",
      won.payments.map(line).filter((/** @type {unknown} */ _, /** @type {number} */ i) => Number(won.payments[i])),
    ),
  ];
}

/** The hand on the table; for a while a confirmed hand, even if it was removed or another one was laid. */
export function hand(/** @type {Known} */ { table, won }) {
  if (won) return { of: `won ${won.game} ${won.number}`, parts: winParts(won) };
  const last = table?.hands.find((laid) => !laid.gone_at);
  if (!last || last.status === "dismissed") return null;
  return {
    of: `laid ${last.id}`,
    parts: [h("h1", w("table.title", { name: parameters.table })), tiles(last.hand)],
  };
}

/** The last win of the game: the picture its camera took, and its score. */
export function win(/** @type {Known} */ { table, won }) {
  if (!won) return null;
  const laid = (table?.hands ?? []).filter((one) =>
    one.frame && one.game_id === won.game && one.hand_number === won.number
  );
  const still = laid.find(({ id }) => id === won.request.laid) ?? laid[0];
  return {
    of: `won ${won.game} ${won.number}`,
    parts: [
      still && h("img.still", { src: `/api/v1/frames/${still.frame}`, alt: w("laid.frame") }),
      h("div.beside", winParts(won)),
    ],
  };
}

/** The points of a table's players. */
export function points(/** @type {Known} */ { game }) {
  if (!game) return null;
  return {
    of: game.id,
    parts: [
      h("h1", w("table.title", { name: parameters.table })),
      h("ul.gains", game.players.map(({ name, total }) => h("li", h("span", name), h("b", number(total))))),
    ],
  };
}

// The state of the game: the round with its counters, sticks on the table, the dealer's streak; or that it is over.
function standing(/** @type {Game} */ game) {
  if (game.ended) return [h("b", w("cup.ended"))];
  const { streak, riichi_sticks: sticks } = game.state;
  const more = [
    sticks > 0 && t("game.sticks", { n: sticks }),
    "streak" in game.context && streak > 1 && t("game.streak", { n: streak }),
  ].filter(Boolean);
  return [h("b", roundWords(game)), more.length > 0 && h("small", more.join(" · "))];
}

// What was won, for as long as it is news: winner, value, limit, dora.
const news = (/** @type {any} */ won) =>
  won.wins.map((/** @type {any} */ win, /** @type {number} */ i) => {
    const { total } = won.scores[i];
    const { context = {} } = won.request.scored[i];
    return h(
      "div.news",
      h("b.name", won.names[win.player] ?? t("somebody")),
      total?.limit && h("small.limit", limitWords(total)),
      h("b", totalWords(total)),
      i === 0 && doraOf([...(context.dora_indicators ?? []), ...(context.ura_indicators ?? [])]),
    );
  });

const ranked = (/** @type {number[]} */ totals, /** @type {number} */ mine) =>
  1 + totals.filter((total) => total > mine).length;

/** The score bug: the state of the game, what was won just now, and each player's wind, name, points and place. */
export function bug(/** @type {Known} */ { game, fresh, won }) {
  if (!game) return null;
  const change = game.hands.find(({ number: n }) => fresh?.game === game.id && n === fresh.number)?.payments;
  const now = game.players.map(({ total }) => Number(total));
  const before = now.map((total, i) => total - Number(change?.[i] ?? 0));
  const player = (/** @type {Game["players"][number]} */ { number: n, name, total }, /** @type {number} */ i) => {
    const deals = n === game.state.dealer && !game.ended;
    const gain = change?.[i] ?? 0;
    const rank = ranked(now, now[i]);
    return h(
      "li",
      { class: deals ? "dealer" : "" },
      h("span.wind", t(`seat.${SEATS.find((seat) => game.seats[seat] === n)}.sign`)),
      h("span.name", name),
      deals && h("small.deals", w("overlay.dealer")),
      Number(gain) !== 0 && h("em", { class: `change ${amountClass(gain)}` }, signed(gain)),
      h("b.total", number(total)),
      new Set(now).size > 1 && h("span.rank", `${rank}.`, change && movedUp(ranked(before, before[i]), rank)),
    );
  };
  return {
    of: game.id,
    parts: [
      h("div.round", standing(game), won?.game === game.id && news(won)),
      h("ol.seats", game.players.map(player)),
    ],
  };
}
