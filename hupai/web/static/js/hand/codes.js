// A hand as codes, as tables with cameras and recorded hands have it, and the hand to edit that it makes.
import { emptyHand } from "./hand.js";
import { codesOf } from "./tiles.js";

/**
 * The hand to edit.
 * @param {Partial<Record<"concealed" | "bonus" | "dora_indicators" | "ura_indicators", string[] | string | null>> &
 *   {winning_tile?: string | null, melds?: LaidHand["melds"] | null}} tiles as a request has them
 * @returns {Hand}
 */
export function handFromCodes(tiles) {
  let next = 1;
  const lay = (/** @type {string[] | string | null | undefined} */ codes) =>
    codesOf(codes).map((code) => ({ id: next++, code, seen: null, doubt: null }));
  return {
    ...emptyHand(),
    concealed: lay(tiles.concealed),
    winning: lay(tiles.winning_tile)[0] ?? null,
    melds: (tiles.melds ?? []).map(({ type = "pung", from = null, tiles: codes }) => ({
      id: next++,
      type,
      from,
      tiles: lay(codes),
    })),
    bonus: lay(tiles.bonus),
    dora: lay(tiles.dora_indicators),
    ura: lay(tiles.ura_indicators),
    next,
  };
}

/**
 * The codes of a hand.
 * @param {Hand} hand
 * @returns {LaidHand}
 */
export function codesOfHand({ concealed, winning, melds, bonus, dora }) {
  const codes = (/** @type {HandTile[]} */ tiles) => tiles.map(({ code }) => code);
  return {
    concealed: codes(concealed),
    winning_tile: winning?.code ?? null,
    melds: melds.map(({ type, from, tiles }) => ({ type, from, tiles: codes(tiles) })),
    bonus: codes(bonus),
    dora_indicators: codes(dora),
  };
}
