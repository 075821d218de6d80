// The tiles of a photo as a reader takes them: row by row, each from one end to the other, however the photo is turned.
import { centre } from "./ui/polygon.js";

const ROW = 0.7; // tiles further down than this part of a tile's height lie in another row

/**
 * The rows of a reading.
 * @param {{tiles: {corners: number[][]}[], hand: object | null}} read a Read response
 * @returns {{seen: number, across: number}[][]} tiles by their index, the uppermost row first, each row in the order it is
 *   read; `across`: how far along the row, in pixels
 */
export function rowsOf(read) {
  const spots = read.tiles.map((tile, seen) => ({ seen, tile, at: centre(tile.corners) }));
  if (!spots.length) return [];
  const [cos, sin] = along(read);
  for (const spot of spots) {
    const [x, y] = spot.at;
    spot.across = x * cos + y * sin;
    spot.down = y * cos - x * sin;
  }
  const height = median(spots.map(({ tile }) => Math.max(...sides(tile.corners))));
  spots.sort((a, b) => a.down - b.down);
  const rows = [];
  for (const spot of spots) {
    if (!rows.length || spot.down - mean(rows.at(-1)) > ROW * height) rows.push([]);
    rows.at(-1).push(spot);
  }
  return rows.map((row) => row.sort((a, b) => a.across - b.across));
}

/** The tile an arrow key leads to: along the row, from its end to the next one's beginning, or the nearest above or below. */
export function neighbour(rows, seen, key) {
  const at = rows.findIndex((row) => row.some((spot) => spot.seen === seen));
  const here = rows[at].find((spot) => spot.seen === seen);
  if (key === "ArrowUp" || key === "ArrowDown") {
    const away = (spot) => Math.abs(spot.across - here.across);
    const row = rows[at + (key === "ArrowUp" ? -1 : 1)] ?? [here];
    return row.reduce((best, spot) => (away(spot) < away(best) ? spot : best)).seen;
  }
  const order = rows.flat();
  const step = key === "ArrowLeft" ? -1 : 1;
  return order[(order.indexOf(here) + step + order.length) % order.length].seen;
}

const mean = (row) => row.reduce((sum, { down }) => sum + down, 0) / row.length;
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const sides = ([a, b, c]) => [Math.hypot(b[0] - a[0], b[1] - a[1]), Math.hypot(c[0] - b[0], c[1] - b[1])];

// The direction rows run in. Tiles stand on their head as they come, so angles count without their sign; which end is the
// first is told by the concealed tiles, which the reading has in order.
function along({ tiles, hand }) {
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
