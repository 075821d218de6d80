// The hand being mended: functions from one hand to the next, which depend on nothing but the number of its sets.
//
// A hand is {next, concealed, winning, melds, bonus, dora, ura}. A tile is {id, code, seen, doubt}: `seen` is its
// index in the reading (null when typed in), `doubt` why it should be looked at (null once it was). A meld is
// {id, type, from, tiles}; `from` is a seat or null. A zone is "concealed", "winning", "bonus", "dora", "ura" or
// "meld:<id>".
import { meldSize } from "./melds.js";
import { compareCodes, isBonus, isPlayable, plain } from "./tiles.js";

let sets = 4;

/** Says how many sets a hand has beside its pair under the rules in play. */
export const playWith = (many) => {
  sets = many;
};

/** How many melds a hand can have. */
export const mostMelds = () => sets;

export const LISTS = ["concealed", "bonus", "dora", "ura"];

/** A hand without tiles. */
export function emptyHand() {
  return { next: 1, concealed: [], winning: null, melds: [], bonus: [], dora: [], ura: [] };
}

/** All tiles with their zone. */
export function tilesOf(hand) {
  return [
    ...hand.concealed.map((tile) => ({ tile, zone: "concealed" })),
    ...(hand.winning ? [{ tile: hand.winning, zone: "winning" }] : []),
    ...hand.melds.flatMap((m) => m.tiles.map((tile) => ({ tile, zone: `meld:${m.id}` }))),
    ...["bonus", "dora", "ura"].flatMap((zone) => hand[zone].map((tile) => ({ tile, zone }))),
  ];
}

/** {tile, zone} of an id, or undefined. */
export const findTile = (hand, id) => tilesOf(hand).find(({ tile }) => tile.id === id);

export const isEmpty = (hand) => tilesOf(hand).length === 0;

/** Concealed tiles a winning hand needs beside the winning one. */
export const wanted = (hand) => Math.max(0, 3 * (sets - hand.melds.length) + 1);

/** Tiles still missing (negative: too many), the winning tile counted. */
export function missing(hand) {
  return wanted(hand) + 1 - hand.concealed.length - (hand.winning ? 1 : 0);
}

/** Whether tiles came from a photo: then their order is the photo's and is kept. */
export const fromPhoto = (hand) => tilesOf(hand).some(({ tile }) => tile.seen !== null);

function mapTiles(hand, change) {
  const map = (tiles) => tiles.map(change).filter(Boolean);
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

/** The tile becomes another; a bonus tile among the others goes to the bonus tiles, and the other way round. */
export function changeTile(hand, id, code) {
  const found = findTile(hand, id);
  if (!found) return hand;
  const changed = mapTiles(hand, (t) => (t.id === id ? { ...t, code, doubt: null } : t));
  if (found.zone === "bonus" && isPlayable(code)) return moveTile(changed, id, "concealed");
  if ((found.zone === "concealed" || found.zone === "winning") && isBonus(code)) return moveTile(changed, id, "bonus");
  return changed;
}

/** The tile was looked at and is right. */
export const confirmTile = (hand, id) => mapTiles(hand, (t) => (t.id === id ? { ...t, doubt: null } : t));

/** Without this tile; a meld that loses one gives the others back to the concealed tiles. */
export function removeTile(hand, id) {
  const found = findTile(hand, id);
  if (!found) return hand;
  const whole = found.zone.startsWith("meld:") ? breakMeld(hand, Number(found.zone.slice(5))) : hand;
  return mapTiles(whole, (t) => (t.id === id ? null : t));
}

/** A new tile; beyond the concealed ones that fit, the next is the winning tile. */
export function addTile(hand, code, zone = null, extra = {}) {
  const tile = { id: hand.next, code, seen: null, doubt: null, ...extra };
  const grown = { ...hand, next: hand.next + 1 };
  const into =
    zone ??
    (isBonus(code) ? "bonus" : hand.concealed.length >= wanted(hand) && !hand.winning ? "winning" : "concealed");
  return place(grown, tile, into);
}

function place(hand, tile, zone) {
  if (zone === "winning") {
    const back = hand.winning ? [hand.winning] : [];
    return { ...hand, winning: tile, concealed: ordered(hand, [...hand.concealed, ...back]) };
  }
  const list = [...hand[zone], tile];
  return { ...hand, [zone]: zone === "concealed" ? ordered(hand, list) : list };
}

function ordered(hand, tiles) {
  if (fromPhoto(hand)) return [...tiles].sort(readingOrder);
  return [...tiles].sort((a, b) => compareCodes(a.code, b.code));
}

// Tiles of the photo keep its order; typed ones follow.
function readingOrder(a, b) {
  return (a.place ?? a.seen ?? 1e6) - (b.place ?? b.seen ?? 1e6) || a.id - b.id;
}

/** Sorted by suit and number. */
export function sortConcealed(hand) {
  const concealed = [...hand.concealed].sort((a, b) => compareCodes(a.code, b.code));
  return { ...hand, concealed: concealed.map((t, place) => ({ ...t, place })) };
}

/** The tile goes to another list or becomes the winning tile; the former winning tile goes back. */
export function moveTile(hand, id, zone) {
  const found = findTile(hand, id);
  if (!found || found.zone === zone) return hand;
  return place(removeTile(hand, id), found.tile, zone);
}

/** Loose tiles become a meld, which takes the place of their ids among concealed and winning tiles. */
export function makeMeld(hand, ids, type, from = null) {
  const tiles = ids.map((id) => findTile(hand, id)?.tile).filter(Boolean);
  if (tiles.length !== ids.length) return hand;
  const rest = ids.reduce((left, id) => mapTiles(left, (t) => (t.id === id ? null : t)), hand);
  const meld = { id: hand.next, type, from: type === "kong_concealed" ? null : from, tiles };
  return { ...rest, next: hand.next + 1, melds: [...rest.melds, meld] };
}

/** A meld of new tiles. */
export function addMeld(hand, type, codes) {
  let next = hand.next + 1;
  const tiles = codes.map((code) => ({ id: next++, code, seen: null, doubt: null }));
  return { ...hand, next, melds: [...hand.melds, { id: hand.next, type, from: null, tiles }] };
}

/**
 * Another type for a meld. From pung to kong the fourth tile is one that lies loose, else a new one; from kong to pung
 * one is taken away.
 */
export function changeMeld(hand, id, { type, from }) {
  let next = hand.next;
  let { concealed } = hand;
  const melds = hand.melds.map((m) => {
    if (m.id !== id) return m;
    const kind = type ?? m.type;
    let tiles = m.tiles;
    if (kind !== "chow" && m.type !== "chow") {
      if (tiles.length < meldSize(kind)) {
        const loose = missing(hand) < 0 && concealed.find((t) => plain(t.code) === plain(m.tiles[0].code));
        concealed = concealed.filter((t) => t !== loose);
        tiles = [...tiles, loose || { id: next++, code: plain(tiles[0].code), seen: null, doubt: null }];
      }
      if (tiles.length > meldSize(kind)) tiles = tiles.slice(0, meldSize(kind));
    }
    const source = from === undefined ? m.from : from;
    return { ...m, type: kind, tiles, from: kind === "kong_concealed" ? null : source };
  });
  return { ...hand, next, melds, concealed };
}

/** The meld's tiles go back to the concealed ones. */
export function breakMeld(hand, id) {
  const meld = hand.melds.find((m) => m.id === id);
  if (!meld) return hand;
  const melds = hand.melds.filter((m) => m.id !== id);
  return { ...hand, melds, concealed: ordered(hand, [...hand.concealed, ...meld.tiles]) };
}

/** The meld is right: none of its tiles needs to be looked at. */
export const confirmMeld = (hand, id) => ({
  ...hand,
  melds: hand.melds.map((m) => (m.id === id ? { ...m, tiles: m.tiles.map((tile) => ({ ...tile, doubt: null })) } : m)),
});

/** The tiles of a meld become these, in their order. */
export const nameMeld = (hand, id, type, codes) =>
  confirmMeld(
    {
      ...hand,
      melds: hand.melds.map((m) =>
        m.id === id ? { ...m, type, tiles: m.tiles.map((tile, i) => ({ ...tile, code: codes[i] })) } : m,
      ),
    },
    id,
  );

/** The meld and its tiles are gone. */
export const removeMeld = (hand, id) => ({ ...hand, melds: hand.melds.filter((m) => m.id !== id) });

/** How many of a kind the hand holds, indicators not counted. */
export function held(hand, code) {
  const loose = (zone) => zone !== "dora" && zone !== "ura";
  return tilesOf(hand).filter(({ tile, zone }) => plain(tile.code) === plain(code) && loose(zone)).length;
}

/** Tiles that still should be looked at. */
export const doubtful = (hand) => tilesOf(hand).filter(({ tile }) => tile.doubt);
