// The melds of the hand being edited: made from its tiles, changed, named, removed.
import { findTile, mapTiles, tilesMissing } from "./hand.js";
import { meldSize } from "./melds.js";
import { plain } from "./tiles.js";

/** @typedef {(meld: HandMeld) => HandMeld} Change */
/** @type {(hand: Hand, id: number, change: Change) => Hand} */
const withMeld = (hand, id, change) => ({ ...hand, melds: hand.melds.map((m) => (m.id === id ? change(m) : m)) });

/**
 * Turns loose tiles into a meld; `ids` may be among the concealed tiles or the winning tile.
 * @type {(hand: Hand, ids: number[], type: MeldType) => Hand}
 */
export function makeMeld(hand, ids, type) {
  const tiles = ids.flatMap((id) => findTile(hand, id)?.tile ?? []);
  if (tiles.length !== ids.length) return hand;
  const rest = ids.reduce((left, id) => mapTiles(left, (t) => (t.id === id ? null : t)), hand);
  const meld = { id: hand.next, type, from: null, tiles };
  return { ...rest, next: hand.next + 1, melds: [...rest.melds, meld] };
}

/**
 * The hand with a meld of new tiles.
 * @type {(hand: Hand, type: MeldType, codes: string[]) => Hand}
 */
export function addMeld(hand, type, codes) {
  let next = hand.next + 1;
  const tiles = codes.map((code) => ({ id: next++, code, seen: null, doubt: null }));
  return { ...hand, next, melds: [...hand.melds, { id: hand.next, type, from: null, tiles }] };
}

/**
 * Changes the type of a meld. From pung to kong, the fourth tile is a loose one if there is one, otherwise a new one;
 * from kong to pung, one tile is removed.
 * @type {(hand: Hand, id: number, change: {type?: MeldType, from?: Seat | null}) => Hand}
 */
export function changeMeld(hand, id, { type, from }) {
  let next = hand.next;
  let { concealed } = hand;
  const changed = withMeld(hand, id, (m) => {
    const kind = type ?? m.type;
    let tiles = m.tiles;
    if (kind !== "chow" && m.type !== "chow") {
      if (tiles.length < meldSize(kind)) {
        const loose = tilesMissing(hand) < 0 && concealed.find((t) => plain(t.code) === plain(m.tiles[0].code));
        concealed = concealed.filter((t) => t !== loose);
        tiles = [...tiles, loose || { id: next++, code: plain(tiles[0].code), seen: null, doubt: null }];
      }
      if (tiles.length > meldSize(kind)) tiles = tiles.slice(0, meldSize(kind));
    }
    const source = from === undefined ? m.from : from;
    return { ...m, type: kind, tiles, from: kind === "kong_concealed" ? null : source };
  });
  return { ...changed, next, concealed };
}

/**
 * Marks a meld as right: none of its tiles needs to be looked at any more.
 * @type {(hand: Hand, id: number) => Hand}
 */
export const confirmMeld = (hand, id) =>
  withMeld(hand, id, (m) => ({ ...m, tiles: m.tiles.map((tile) => ({ ...tile, doubt: null })) }));

/**
 * Gives the tiles of a meld these codes, in order.
 * @type {(hand: Hand, id: number, type: MeldType, codes: string[]) => Hand}
 */
export const nameMeld = (hand, id, type, codes) =>
  withMeld(hand, id, (m) => ({
    ...m,
    type,
    tiles: m.tiles.map((tile, i) => ({ ...tile, code: codes[i], doubt: null })),
  }));

/**
 * Removes the meld with its tiles.
 * @type {(hand: Hand, id: number) => Hand}
 */
export const removeMeld = (hand, id) => ({ ...hand, melds: hand.melds.filter((m) => m.id !== id) });
