// The hand being edited: pure functions from one hand to the next, and from and to codes; the only setting is the
// number of sets.
//
// A hand is {next, concealed, winning, melds, bonus, dora, ura}. A tile is {id, code, seen, doubt}: `seen` is its
// index in the reading (null when typed in), `doubt` why it should be looked at (null once it has been). A meld is
// {id, type, from, tiles}; `from` is a seat or null. A zone is "concealed", "winning", "bonus", "dora", "ura" or
// "meld:<id>".
import { codesOf, compareCodes, isBonus, isPlayable, plain } from "./tiles.js";

let sets = () => 4;

/** Says where to learn how many sets a hand has beside its pair under the rules in play. */
export const countSetsBy = (/** @type {() => number} */ many) => {
  sets = many;
};

/** How many melds a hand can have. */
export const mostMelds = () => sets();

/** @type {ListZone[]} */
const LISTS = ["concealed", "bonus", "dora", "ura"];

/**
 * A hand without tiles.
 * @returns {Hand}
 */
export function emptyHand() {
  return { next: 1, concealed: [], winning: null, melds: [], bonus: [], dora: [], ura: [] };
}

/**
 * All tiles with their zone.
 * @type {(hand: Hand) => PlacedTile[]}
 */
export function tilesOf(hand) {
  return [
    ...hand.concealed.map((tile) => ({ tile, zone: /** @type {const} */ ("concealed") })),
    ...(hand.winning ? [{ tile: hand.winning, zone: /** @type {const} */ ("winning") }] : []),
    ...hand.melds.flatMap((m) => m.tiles.map((tile) => ({ tile, zone: /** @type {const} */ (`meld:${m.id}`) }))),
    ...LISTS.slice(1).flatMap((zone) => hand[zone].map((tile) => ({ tile, zone }))),
  ];
}

/** {tile, zone} of an id, or undefined. */
export const findTile = (/** @type {Hand} */ hand, /** @type {number} */ id) =>
  tilesOf(hand).find(({ tile }) => tile.id === id);

/** The meld that holds a tile, or undefined. */
export const meldOf = (/** @type {Hand} */ hand, /** @type {number} */ id) =>
  hand.melds.find(({ tiles }) => tiles.some((tile) => tile.id === id));

export const isEmpty = (/** @type {Hand} */ hand) => tilesOf(hand).length === 0;

/** Concealed tiles a winning hand needs beside the winning one. */
export const tilesNeeded = (/** @type {Hand} */ hand) => Math.max(0, 3 * (sets() - hand.melds.length) + 1);

/** Tiles still missing (negative: too many), the winning tile counted. */
export function tilesMissing(/** @type {Hand} */ hand) {
  return tilesNeeded(hand) + 1 - hand.concealed.length - (hand.winning ? 1 : 0);
}

/** Whether the tiles came from a photo; if so, the photo's order is kept. */
export const fromPhoto = (/** @type {Hand} */ hand) => tilesOf(hand).some(({ tile }) => tile.seen !== null);

/**
 * Every tile changed.
 * @param {Hand} hand
 * @param {(tile: HandTile) => HandTile | null} change returns null to remove a tile
 * @returns {Hand}
 */
export function mapTiles(hand, change) {
  const map = (/** @type {HandTile[]} */ tiles) => tiles.map(change).filter((tile) => tile !== null);
  return {
    ...hand,
    concealed: map(hand.concealed),
    winning: hand.winning ? change(hand.winning) : null,
    melds: hand.melds.map((m) => ({ ...m, tiles: map(m.tiles) })).filter((m) => m.tiles.length),
    bonus: map(hand.bonus),
    dora: map(hand.dora),
    ura: map(hand.ura),
  };
}

/** The tile becomes another; one that turns into a bonus tile moves to the bonus tiles, and vice versa. */
export function changeTile(/** @type {Hand} */ hand, /** @type {number} */ id, /** @type {string} */ code) {
  const found = findTile(hand, id);
  if (!found) return hand;
  const changed = mapTiles(hand, (t) => (t.id === id ? { ...t, code, doubt: null } : t));
  if (found.zone === "bonus" && isPlayable(code)) return moveTile(changed, id, "concealed");
  if ((found.zone === "concealed" || found.zone === "winning") && isBonus(code)) return moveTile(changed, id, "bonus");
  return changed;
}

/**
 * Marks a tile as looked at and right, but for what is to be asked next.
 * @type {(hand: Hand, id: number, next: string | null) => Hand}
 */
export const confirmTile = (hand, id, next) => mapTiles(hand, (t) => (t.id === id ? { ...t, doubt: next } : t));

/** The hand without this tile; a meld that loses a tile gives its others back to the concealed tiles. */
export function removeTile(/** @type {Hand} */ hand, /** @type {number} */ id) {
  const found = findTile(hand, id);
  if (!found) return hand;
  const whole = found.zone.startsWith("meld:") ? breakMeld(hand, Number(found.zone.slice(5))) : hand;
  return mapTiles(whole, (t) => (t.id === id ? null : t));
}

/**
 * The hand with a new tile; once the concealed tiles are complete, the next one is the winning tile.
 * @type {(hand: Hand, code: string, zone?: Zone | null, extra?: Partial<HandTile>) => Hand}
 */
export function addTile(hand, code, zone = null, extra = {}) {
  const tile = { id: hand.next, code, seen: null, doubt: null, ...extra };
  const grown = { ...hand, next: hand.next + 1 };
  const into = zone ??
    (isBonus(code) ? "bonus" : hand.concealed.length >= tilesNeeded(hand) && !hand.winning ? "winning" : "concealed");
  return place(grown, tile, into);
}

/** @type {(hand: Hand, tile: HandTile, zone: Zone) => Hand} */
function place(hand, tile, zone) {
  if (zone === "winning") {
    const back = hand.winning ? [hand.winning] : [];
    return { ...hand, winning: tile, concealed: ordered(hand, [...hand.concealed, ...back]) };
  }
  const into = LISTS.find((name) => name === zone);
  if (!into) throw new Error(`no tile is put into ${zone}`);
  const list = [...hand[into], tile];
  return { ...hand, [into]: into === "concealed" ? ordered(hand, list) : list };
}

function ordered(/** @type {Hand} */ hand, /** @type {HandTile[]} */ tiles) {
  if (fromPhoto(hand)) return [...tiles].sort(readingOrder);
  return [...tiles].sort((a, b) => compareCodes(a.code, b.code));
}

// Tiles of the photo keep its order; typed ones follow.
/** @type {(a: HandTile, b: HandTile) => number} */
function readingOrder(a, b) {
  return (a.place ?? a.seen ?? 1e6) - (b.place ?? b.seen ?? 1e6) || a.id - b.id;
}

/**
 * Sorted by suit and number.
 * @type {(hand: Hand) => Hand}
 */
export function sortConcealed(hand) {
  const concealed = [...hand.concealed].sort((a, b) => compareCodes(a.code, b.code));
  return { ...hand, concealed: concealed.map((t, place) => ({ ...t, place })) };
}

/** Moves a tile to another list or makes it the winning tile; the former winning tile goes back. */
export function moveTile(/** @type {Hand} */ hand, /** @type {number} */ id, /** @type {Zone} */ zone) {
  const found = findTile(hand, id);
  if (!found || found.zone === zone) return hand;
  return place(removeTile(hand, id), found.tile, zone);
}

/** The hand of another winner on a tile: it wins with it, too, unless its own winning tile is known. */
export function wonWith(/** @type {Hand} */ hand, /** @type {string} */ code) {
  const unsure = (/** @type {HandTile | null} */ tile) => tile?.doubt === "winning_tile_unknown";
  const missing = tilesMissing(hand);
  if (!hand.winning && missing === 1) return addTile(hand, code, "winning");
  if ((hand.winning && !unsure(hand.winning)) || missing) return hand;
  const held = [hand.winning, ...hand.concealed].find((tile) => tile?.code === code);
  if (!held) return hand;
  return moveTile(mapTiles(hand, (tile) => (unsure(tile) ? { ...tile, doubt: null } : tile)), held.id, "winning");
}

/** The meld's tiles go back to the concealed ones. */
export function breakMeld(/** @type {Hand} */ hand, /** @type {number} */ id) {
  const meld = hand.melds.find((m) => m.id === id);
  if (!meld) return hand;
  const melds = hand.melds.filter((m) => m.id !== id);
  return { ...hand, melds, concealed: ordered(hand, [...hand.concealed, ...meld.tiles]) };
}

/** How many copies of a tile the hand holds, indicators not counted. */
export function copiesHeld(/** @type {Hand} */ hand, /** @type {string} */ code) {
  const loose = (/** @type {Zone} */ zone) => zone !== "dora" && zone !== "ura";
  return tilesOf(hand).filter(({ tile, zone }) => plain(tile.code) === plain(code) && loose(zone)).length;
}

/** Tiles that should still be looked at; first those of melds: which tile won depends on what is declared. */
export const doubtfulTiles = (/** @type {Hand} */ hand) => {
  const isMelded = (/** @type {PlacedTile} */ { zone }) => Number(zone.startsWith("meld:"));
  return tilesOf(hand).filter(({ tile }) => tile.doubt).sort((a, b) => isMelded(b) - isMelded(a));
};

/**
 * The hand to edit that tables with cameras and recorded hands have as codes.
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
 * @type {(hand: Hand) => LaidHand}
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
