// The corners of a tile: their centre, and whether a tap lies inside them.

/** The middle of corner points [[x, y], …]. */
export const centre = (/** @type {[number, number][]} */ points) =>
  points.reduce(
    ([x, y], p) => [x + p[0] / points.length, y + p[1] / points.length],
    /** @type {[number, number]} */ ([0, 0]),
  );

/** Whether a point lies in the polygon of these corners. */
export function inside(/** @type {[number, number][]} */ points, /** @type {number} */ x, /** @type {number} */ y) {
  let odd = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [[xi, yi], [xj, yj]] = [points[i], points[j]];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}
