// Hand and answers to a Score request; what the chosen rules do not use is left out and named.
import { known } from "./questions.js";
import { isBonus, isRed, plain, suitOf } from "./tiles.js";

const codes = (tiles) => tiles.map((t) => t.code);

/** What of the hand the rules do not use: {bonus: codes, reds: count, dora: bool}. */
export function setAside(hand, rules) {
  const letters = new Set(rules.bonus_tiles.map((c) => c[0]));
  const all = [...hand.concealed, ...(hand.winning ? [hand.winning] : []), ...hand.melds.flatMap((m) => m.tiles)];
  return {
    bonus: codes(hand.bonus).filter((c) => isBonus(c) && !letters.has(suitOf(c))),
    reds: rules.red_fives ? 0 : all.filter((t) => isRed(t.code)).length,
    dora: hand.dora.length > 0 && !asks(rules, "dora_indicators"),
  };
}

/** Whether the rules read a field of the context. */
export const asks = (rules, name) => rules.asks.some((ask) => ask.name === name);

/** Whether indicators underneath matter: the rules have them and the winner declared riichi. */
export function asksUra(rules, context = known()) {
  return asks(rules, "ura_indicators") && Boolean(context.riichi || context.double_riichi);
}

/**
 * The Score request.
 * @param {object} rules entry of GET /rules
 * @param {object} context what is known: answers laid over what the table knows
 */
export function scoreRequest(rules, options, hand, context) {
  const aside = new Set(setAside(hand, rules).bonus);
  const code = (t) => (rules.red_fives ? t.code : plain(t.code));
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
