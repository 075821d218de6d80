// What the camera saw (a Read response) as a hand that can be mended.
import { emptyHand, tilesOf } from "./hand.js";
import { rowsOf } from "./rows.js";
import { isBonus, isPlayable, plain } from "./tiles.js";

/** Why a tile should be looked at, by its index in the reading. */
export function doubtsByTile(read) {
  const why = new Map();
  for (const repair of read.repairs ?? []) {
    // A red five that the rules do not have is the same five; there is nothing to look at.
    if (plain(repair.read) !== plain(repair.used)) why.set(repair.tile, "repaired");
  }
  for (const doubt of read.doubts ?? []) {
    if (doubt.tile !== null && doubt.tile !== undefined) why.set(doubt.tile, doubt.code);
  }
  return why;
}

/** Doubts about the hand as a whole, and about tiles that were not taken into it. */
export const generalDoubts = (read) =>
  (read?.doubts ?? []).filter((d) => d.tile === null || d.tile === undefined || d.code === "left_out");

/** The hand of a reading; where none was made out, the tiles as the eyes saw them. */
export function handFromRead(read) {
  const why = doubtsByTile(read);
  const used = new Map((read.repairs ?? []).map((r) => [r.tile, r.used]));
  const pool = read.tiles.map((t, seen) => ({ seen, role: t.role, group: t.group, code: used.get(seen) ?? t.tile }));
  const places = new Map(rowsOf(read).flat().map(({ seen }, place) => [seen, place]));
  let next = 1;
  let last = -1;
  const make = (code, found) => {
    last = found ? places.get(found.seen) : last; // a tile that was not seen stays with the one before it
    return { id: next++, code, seen: found?.seen ?? null, doubt: found ? (why.get(found.seen) ?? null) : null, place: last };
  };
  const take = (code, fits) => {
    const index = pool.findIndex((t) => t.code === code && fits(t));
    return index < 0 ? null : pool.splice(index, 1)[0];
  };
  const list = (codes, role) =>
    codes.map((code) =>
      make(
        code,
        take(code, (t) => t.role === role),
      ),
    );
  if (!read.hand) return looseHand(pool, make, () => next);

  const winning = read.hand.winning_tile;
  const hand = emptyHand();
  hand.winning = winning
    ? make(
        winning,
        take(winning, (t) => t.role === "winning"),
      )
    : null;
  hand.melds = read.hand.melds.map((meld) => {
    const group = groupOf(meld.tiles, pool);
    const tiles = meld.tiles.map((code) =>
      make(
        code,
        take(code, (t) => t.role === "meld" && t.group === group),
      ),
    );
    // Face-down tiles of a concealed kong stand for faces the reading filled in.
    for (const tile of tiles) {
      if (tile.seen !== null) continue;
      const back = take("back", (t) => t.role === "meld" && t.group === group);
      if (back) Object.assign(tile, { seen: back.seen, place: places.get(back.seen) });
    }
    return { id: next++, type: meld.type, from: meld.from ?? null, tiles };
  });
  hand.concealed = list(read.hand.concealed, "concealed");
  hand.bonus = list(read.hand.bonus ?? [], "bonus");
  hand.dora = list(read.hand.dora_indicators ?? [], "dora");
  return { ...hand, next };
}

// The group of the reading that shows most of a meld's tiles.
function groupOf(codes, pool) {
  const votes = new Map();
  for (const tile of pool) {
    if (tile.role !== "meld") continue;
    if (codes.includes(tile.code)) votes.set(tile.group, (votes.get(tile.group) ?? 0) + 1);
  }
  return [...votes.entries()].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function looseHand(pool, make, next) {
  const hand = emptyHand();
  for (const tile of pool) {
    if (isBonus(tile.code)) hand.bonus.push(make(tile.code, tile));
    else if (isPlayable(tile.code)) hand.concealed.push(make(tile.code, tile));
  }
  return { ...hand, next: next() };
}

/**
 * The tiles of a photo as their owner corrected them: [{label, corners}], those he removed left out.
 * Tiles that are no part of the hand keep the label they were read with.
 */
export function correctedTiles(read, tiles) {
  const mended = namesNow(read, tiles);
  const taken = takenIn(read);
  return read.tiles.flatMap((t, seen) => {
    if (mended.has(seen)) return [{ label: mended.get(seen), corners: t.corners }];
    return taken.has(seen) && t.tile !== "back" ? [] : [{ label: t.tile, corners: t.corners }];
  });
}

/** How many seen tiles carry another name now than the eyes gave them, or were removed. */
export function mendedCount(read, tiles) {
  const now = namesNow(read, tiles);
  const taken = takenIn(read);
  return read.tiles.filter((t, seen) => {
    if (!now.has(seen)) return t.tile !== "back" && taken.has(seen);
    return plain(now.get(seen)) !== plain(t.tile);
  }).length;
}

// Indices of the tiles that the reading took into the hand; bonus tiles of rules without them are not.
const takenIn = (read) =>
  new Set(
    tilesOf(handFromRead(read))
      .map(({ tile }) => tile.seen)
      .filter((seen) => seen !== null),
  );

// What its owner says each seen tile shows. The face-down tiles of a kong stay what they are, whatever they stand for.
function namesNow(read, tiles) {
  const shows = ({ tile, zone }) =>
    read.tiles[tile.seen].tile === "back" && zone.startsWith("meld:") ? "back" : tile.code;
  return new Map(tiles.filter(({ tile }) => tile.seen !== null).map((entry) => [entry.tile.seen, shows(entry)]));
}
