// What the camera saw (a Read response) as a hand that can be edited.
import { emptyHand, tilesOf } from "./hand.js";
import { rowsOf } from "./rows.js";
import { isBonus, isPlayable, plain } from "./tiles.js";

/** @typedef {{seen: number, role: string, group: number, code: string}} PoolTile a tile of the reading, not yet taken */
/** @typedef {(code: string, found: PoolTile | null) => HandTile} Make */

/**
 * Why each doubtful tile should be looked at first, by its index in the reading.
 * @type {(read: Api.ReadBody) => Map<number, string>}
 */
export function doubtsByTile(read) {
  const why = new Map();
  for (const { tile, code } of read.doubts) {
    if (tile !== null && !why.has(tile)) why.set(tile, code);
  }
  for (const { tile, read: seen, used } of read.repairs) {
    // A red five that the rules do not have counts as a plain five; there is nothing to look at.
    if (plain(seen) !== plain(used) && !why.has(tile)) why.set(tile, "repaired");
  }
  return why;
}

/**
 * What is asked of a tile when its doubt is settled, in the order of the reading.
 * @type {(read: Api.ReadBody | null, tile: HandTile) => string | null}
 */
export function nextDoubt(read, tile) {
  const codes = (read?.doubts ?? []).filter((doubt) => doubt.tile === tile.seen).map(({ code }) => code);
  return tile.seen === null ? null : codes[codes.indexOf(tile.doubt ?? "") + 1] ?? null;
}

/** Doubts about the hand as a whole, and about tiles that were not taken into it. */
export const generalDoubts = (/** @type {Api.ReadBody | null} */ read) =>
  (read?.doubts ?? []).filter((d) => d.tile === null || d.code === "left_out");

/**
 * What the reading set aside and nobody has called a tile, or none; each is `seen` behind the tiles of the reading.
 * @type {(draft: Pick<Draft, "read" | "dropped">) => (Api.AsideBody & {seen: number})[]}
 */
export const asideOf = ({ read, dropped }) =>
  (read?.aside ?? [])
    .map((one, at) => ({ ...one, seen: (read?.tiles.length ?? 0) + at }))
    .filter(({ number }) => !dropped.includes(number));

/** The hand of a reading; if no hand was made out, the loose tiles as they were recognised. */
export function handFromRead(/** @type {Api.ReadBody} */ read) {
  const why = doubtsByTile(read);
  const used = new Map(read.repairs.map((r) => [r.tile, r.used]));
  const pool = read.tiles.map((t, seen) => ({ seen, role: t.role, group: t.group, code: used.get(seen) ?? t.tile }));
  const places = new Map(rowsOf(read).flat().map(({ seen }, place) => [seen, place]));
  let next = 1;
  let last = -1;
  /** @type {Make} */
  const make = (code, found) => {
    last = found ? (places.get(found.seen) ?? last) : last; // a tile that was not seen stays with the one before it
    return {
      id: next++,
      code,
      seen: found?.seen ?? null,
      doubt: found ? (why.get(found.seen) ?? null) : null,
      place: last,
    };
  };
  /** @type {(code: string, fits: (tile: PoolTile) => boolean) => PoolTile | null} */
  const take = (code, fits) => {
    const index = pool.findIndex((t) => t.code === code && fits(t));
    return index < 0 ? null : pool.splice(index, 1)[0];
  };
  /** @type {(code: string, fits: (tile: PoolTile) => boolean) => HandTile} */
  const lay = (code, fits) => make(code, take(code, fits));
  /** @type {(codes: string[], role: string) => HandTile[]} */
  const list = (codes, role) => codes.map((code) => lay(code, (t) => t.role === role));
  if (!read.hand) return looseHand(pool, make, () => next);

  const winning = read.hand.winning_tile;
  const hand = emptyHand();
  hand.winning = winning ? lay(winning, (t) => t.role === "winning") : null;
  hand.melds = read.hand.melds.map((meld) => {
    const group = groupOf(meld.tiles, pool);
    const its = (/** @type {PoolTile} */ t) => t.role === "meld" && t.group === group;
    const tiles = meld.tiles.map((code) => lay(code, its));
    // Face-down tiles of a concealed kong stand for faces that the reading filled in.
    for (const tile of tiles) {
      if (tile.seen !== null) continue;
      const back = take("back", its);
      if (back) Object.assign(tile, { seen: back.seen, place: places.get(back.seen) });
    }
    const [type, from] = [/** @type {MeldType} */ (meld.type), /** @type {Seat | null} */ (meld.from)];
    return { id: next++, type, from, tiles };
  });
  hand.concealed = list(read.hand.concealed, "concealed");
  hand.bonus = list(read.hand.bonus, "bonus");
  hand.dora = list(read.hand.dora_indicators, "dora");
  return { ...hand, next };
}

// The group of the reading that contains most of a meld's tiles.
/** @type {(codes: string[], pool: PoolTile[]) => number | undefined} */
function groupOf(codes, pool) {
  const votes = new Map();
  for (const tile of pool) {
    if (tile.role !== "meld") continue;
    if (codes.includes(tile.code)) votes.set(tile.group, (votes.get(tile.group) ?? 0) + 1);
  }
  return [...votes.entries()].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** @type {(pool: PoolTile[], make: Make, next: () => number) => Hand} */
function looseHand(pool, make, next) {
  const hand = emptyHand();
  for (const tile of pool) {
    if (isBonus(tile.code)) hand.bonus.push(make(tile.code, tile));
    else if (isPlayable(tile.code)) hand.concealed.push(make(tile.code, tile));
  }
  return { ...hand, next: next() };
}

/**
 * The tiles of a photo as corrected by their owner: [{label, corners}], without those that were removed.
 * Tiles that are not part of the hand keep the label they were read with.
 */
export function correctedTiles(/** @type {Api.ReadBody} */ read, /** @type {PlacedTile[]} */ tiles) {
  const mended = namesNow(read, tiles);
  const taken = takenIn(read);
  return read.tiles.flatMap((t, seen) => {
    const label = mended.get(seen);
    if (label !== undefined) return [{ label, corners: t.corners }];
    return taken.has(seen) && t.tile !== "back" ? [] : [{ label: t.tile, corners: t.corners }];
  });
}

/** How many seen tiles were removed or now carry another name than the one they were read with. */
export function mendedCount(/** @type {Api.ReadBody} */ read, /** @type {PlacedTile[]} */ tiles) {
  const now = namesNow(read, tiles);
  const taken = takenIn(read);
  return read.tiles.filter((t, seen) => {
    const name = now.get(seen);
    return name === undefined ? t.tile !== "back" && taken.has(seen) : plain(name) !== plain(t.tile);
  }).length;
}

// Indices of the tiles that the reading took into the hand; bonus tiles of rules without them are not.
const takenIn = (/** @type {Api.ReadBody} */ read) =>
  new Set(
    tilesOf(handFromRead(read))
      .map(({ tile }) => tile.seen)
      .filter((seen) => seen !== null),
  );

// The name of each seen tile after corrections. The face-down tiles of a kong stay face-down, whatever they stand for.
function namesNow(/** @type {Api.ReadBody} */ read, /** @type {PlacedTile[]} */ tiles) {
  const shows = (/** @type {number} */ seen, /** @type {PlacedTile} */ { tile, zone }) =>
    read.tiles[seen].tile === "back" && zone.startsWith("meld:") ? "back" : tile.code;
  /** @type {Map<number, string>} */
  const names = new Map();
  for (const entry of tiles) if (entry.tile.seen !== null) names.set(entry.tile.seen, shows(entry.tile.seen, entry));
  return names;
}
