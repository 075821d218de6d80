// A game that is over as a picture to share: the standings, who pays whom, points over the hands, the best hand.
import { get } from "../api/api.js";
import { moment, number, signed, t } from "../words/i18n.js";
import { elementName, systemName } from "../names/systems.js";
import { winWords } from "../names/changes.js";
import { totalWords } from "../words/words.js";
import { account, curves, handBlocks, room, sharePicture, words } from "../score/picture.js";
import { paymentWords } from "./settleup.js";

/**
 * The hand of the greatest value, of equal ones that which brought most, as in the player statistics; null without one.
 * @param {LedgerHand[]} hands
 */
function bestOf(hands) {
  const found = hands.flatMap((hand) =>
    hand.wins.flatMap((win, place) =>
      win.total ? [{ hand, win, place, total: win.total, amount: hand.payments[win.player] }] : []
    )
  );
  found.sort((a, b) => Number(b.total.value) - Number(a.total.value) || Number(b.amount) - Number(a.amount));
  return found[0] ?? null;
}

async function bestBlocks(/** @type {Game} */ game, /** @type {NonNullable<ReturnType<typeof bestOf>>} */ best) {
  const whole = await get(`/games/${encodeURIComponent(game.id)}/hands/${best.hand.number}`);
  const { arrangement, elements } = whole.scores[best.place];
  const { bonus = [] } = whole.request.wins.find((/** @type {any} */ { context }) => context.seat === best.win.seat);
  return [
    words(90, t("figures.best", { total: totalWords(best.total), n: signed(best.amount) }), { size: 42, weight: 600 }),
    words(56, winWords(best.win, game), { size: 34, soft: true }),
    room(32),
    ...await handBlocks(
      [...(arrangement ?? []), ...(bonus.length ? [{ tiles: bonus }] : [])],
      elements.map((/** @type {Api.ElementLine} */ line) => elementName(game.rules, line)),
    ),
  ];
}

/** The points of each player at the beginning and after each hand that stands. */
function pointsOver(/** @type {Game} */ { players, starting_points: start, hands }) {
  return players.map((_, player) => {
    let now = Number(start);
    return [now, ...hands.map(({ payments }) => (now += Number(payments[player])))];
  });
}

/**
 * Shares the picture.
 * @param {Game} game
 */
export async function shareGame(game) {
  const hands = game.hands.filter((hand) => !hand.undone_at);
  const best = bestOf(hands);
  const shares = [...game.settlement].sort((one, other) => one.place - other.place);
  const names = shares.map(({ place, player }) => `${number(place)}. ${game.players[player].name}`);
  const blocks = [
    words(96, `${systemName(game.rules)} · ${moment(game.created)}`, { size: 34, soft: true }),
    words(88, game.name || t("game.over"), { size: 72, family: "serif", weight: 600 }),
    room(20),
    ...shares.map(({ player, score }, i) => account(names[i], signed(score), score, player)),
    ...paymentWords(game).map((line, i) => words(i ? 48 : 76, line, { size: 34, soft: true })),
    ...(hands.length ? [room(20), curves(pointsOver({ ...game, hands }), number)] : []),
    ...(hands.length ? [words(30, t("game.hands", { n: hands.length }), { size: 30, soft: true })] : []),
    ...(best ? await bestBlocks(game, best) : []),
  ];
  const result = shares.map(({ score }, i) => `${names[i]} ${signed(score)}`);
  await sharePicture(blocks, [...result, ...paymentWords(game)].join("\n"));
}
