// Turns a hand and answers into a Score request; what the chosen rules do not use is left out and listed.
import { isBonus, isRed, plain, suitOf } from "./tiles.js";

const codes = (/** @type {HandTile[]} */ tiles) => tiles.map((t) => t.code);

/** The parts of the hand that the rules do not use: {bonus: codes, reds: count, dora: bool}. */
export function setAside(/** @type {Hand} */ hand, /** @type {Api.RulesBody} */ rules) {
  const letters = new Set(rules.bonus_tiles.map((c) => c[0]));
  const all = [...hand.concealed, ...(hand.winning ? [hand.winning] : []), ...hand.melds.flatMap((m) => m.tiles)];
  return {
    bonus: codes(hand.bonus).filter((c) => isBonus(c) ? !letters.has(suitOf(c)) : !rules.bonus_tiles.includes(c)),
    reds: rules.red_fives ? 0 : all.filter((t) => isRed(t.code)).length,
    dora: hand.dora.length > 0 && !asks(rules, "dora_indicators"),
  };
}

/** Whether the rules read a field of the context. */
export const asks = (/** @type {Api.RulesBody} */ rules, /** @type {string} */ name) =>
  rules.asks.some((ask) => ask.name === name);

/**
 * What rules look for in a photo that a reading under the rules `old` did not: "reds", "dora", groups of bonus tiles.
 */
export function whatElseToRead(/** @type {Api.RulesBody} */ old, /** @type {Api.RulesBody} */ rules) {
  const more = new Set(rules.bonus_tiles.filter((code) => !old.bonus_tiles.includes(code)).map(suitOf));
  return [
    ...(rules.red_fives && !old.red_fives ? ["reds"] : []),
    ...(asks(rules, "dora_indicators") && !asks(old, "dora_indicators") ? ["dora"] : []),
    ...(more.has("f") || more.has("g") ? ["fg"] : []),
    ...(more.has("a") ? ["a"] : []),
  ];
}

/** Whether ura indicators matter: the rules have them and the winner declared riichi. */
export function asksUra(/** @type {Api.RulesBody} */ rules, /** @type {Answers} */ context) {
  return asks(rules, "ura_indicators") && Boolean(context.riichi || context.double_riichi);
}

/**
 * The Score request.
 * @param {Api.RulesBody} rules
 * @param {Options} options house rules that differ from the defaults
 * @param {Hand} hand
 * @param {Answers} context what is known: the table's facts overridden by the answers
 * @returns {ScoreRequest}
 */
export function scoreRequest(rules, options, hand, context) {
  const aside = new Set(setAside(hand, rules).bonus);
  const code = (/** @type {HandTile} */ t) => (rules.red_fives ? t.code : plain(t.code));
  const full = { ...context };
  if (asks(rules, "dora_indicators")) full.dora_indicators = hand.dora.map(code);
  if (asksUra(rules, context)) full.ura_indicators = hand.ura.map(code);
  return {
    rules: rules.id,
    options,
    concealed: hand.concealed.map(code),
    melds: hand.melds.map((m) => ({ type: m.type, tiles: m.tiles.map(code), from: m.from })),
    winning_tile: hand.winning ? code(hand.winning) : null,
    bonus: codes(hand.bonus).filter((c) => !aside.has(c)),
    context: full,
  };
}
