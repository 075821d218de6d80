// The corners of tiles: their centre, whether a tap lies inside them, and the part of the photo around them.

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

/**
 * Left, top, right and bottom around points, with a margin.
 * @param {[number, number][]} points
 */
export function around(points) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const pad = 0.06 * (Math.max(...xs) - Math.min(...xs)) + 12;
  return [Math.min(...xs) - pad, Math.min(...ys) - pad, Math.max(...xs) + pad, Math.max(...ys) + pad];
}
