// The tiles of a photo in reading order: row by row, each from one end to the other, however the photo is turned.
import { centre } from "./polygon.js";

const ROW = 0.7; // a tile belongs to another row if it lies lower by this fraction of a tile's height

/** @typedef {{seen: number, tile: Api.TileBody, across: number, down: number}} Spot */

/**
 * The rows of a reading.
 * @param {Pick<Api.ReadBody, "tiles" | "hand">} read
 * @returns {Spot[][]} tiles by their index, the uppermost row first, each row in reading order;
 *   `across`: how far along the row, in pixels
 */
export function rowsOf(read) {
  if (!read.tiles.length) return [];
  const [cos, sin] = along(read);
  const spots = read.tiles.map((tile, seen) => {
    const [x, y] = centre(tile.corners);
    return { seen, tile, across: x * cos + y * sin, down: y * cos - x * sin };
  });
  const height = median(spots.map(({ tile }) => Math.max(...sides(tile.corners))));
  spots.sort((a, b) => a.down - b.down);
  /** @type {Spot[][]} */
  const rows = [];
  for (const spot of spots) {
    const row = rows.at(-1);
    if (row && spot.down - mean(row) <= ROW * height) row.push(spot);
    else rows.push([spot]);
  }
  return rows.map((row) => row.sort((a, b) => a.across - b.across));
}

/**
 * The tile an arrow key leads to: along the row, on to the beginning of the next row, or to the nearest above or below.
 * @param {Spot[][]} rows
 * @param {number} seen the tile it starts from
 * @param {string} key
 */
export function neighbour(rows, seen, key) {
  const at = rows.findIndex((row) => row.some((spot) => spot.seen === seen));
  const here = rows[at]?.find((spot) => spot.seen === seen);
  if (!here) return seen;
  if (key === "ArrowUp" || key === "ArrowDown") {
    const away = (/** @type {Spot} */ spot) => Math.abs(spot.across - here.across);
    const row = rows[at + (key === "ArrowUp" ? -1 : 1)] ?? [here];
    return row.reduce((best, spot) => (away(spot) < away(best) ? spot : best)).seen;
  }
  const order = rows.flat();
  const step = key === "ArrowLeft" ? -1 : 1;
  return order[(order.indexOf(here) + step + order.length) % order.length].seen;
}

const mean = (/** @type {Spot[]} */ row) => row.reduce((sum, { down }) => sum + down, 0) / row.length;
const median = (/** @type {number[]} */ values) => [...values].sort((a, b) => a - b)[values.length >> 1];
/** @type {(corners: [number, number][]) => [number, number]} */
const sides = ([a, b, c]) => [Math.hypot(b[0] - a[0], b[1] - a[1]), Math.hypot(c[0] - b[0], c[1] - b[1])];

// The direction of the rows. Tiles may lie upside down, so angles are taken without sign; the concealed tiles, which
// the reading has in order, decide which end is the first.
function along(/** @type {Pick<Api.ReadBody, "tiles" | "hand">} */ { tiles, hand }) {
  let [x, y] = [0, 0];
  for (const { corners } of tiles) {
    const angle = 2 * Math.atan2(corners[1][1] - corners[0][1], corners[1][0] - corners[0][0]);
    x += Math.cos(angle);
    y += Math.sin(angle);
  }
  const angle = Math.atan2(y, x) / 2;
  const found = [Math.cos(angle), Math.sin(angle)];
  const row = hand ? tiles.filter((tile) => tile.role === "concealed") : [];
  const first = hand && row.find((tile) => tile.tile === hand.concealed[0]);
  const last = hand && row.findLast((tile) => tile.tile === hand.concealed.at(-1));
  if (!first || !last || first === last) return found;
  const [a, b] = [centre(first.corners), centre(last.corners)];
  return (b[0] - a[0]) * found[0] + (b[1] - a[1]) * found[1] < 0 ? [-found[0], -found[1]] : found;
}
