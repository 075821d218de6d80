// The piece of the photo that a tile was read from, rectified by its corners.
import { app } from "../state/app.js";
import { h } from "../dom/dom.js";

const WIDTH = 66;
const HEIGHT = 88;

/** A canvas with the tile as the photo shows it, or null without a photo. */
export function cropOf(/** @type {number | null} */ seen) {
  const { read } = app.draft;
  const corners = seen === null || !read ? null : [...read.tiles, ...(read.aside ?? [])][seen]?.corners;
  if (!read || !corners || !app.bitmap) return null;
  const ratio = Math.min(3, devicePixelRatio || 1);
  const [width, height] = [Math.floor(WIDTH * ratio), Math.floor(HEIGHT * ratio)];
  const scale = app.bitmap.width / read.width;
  const [a, b, , d] = corners.map(([x, y]) => [x * scale, y * scale]);
  // Affine map that takes the face's top-left, top-right and bottom-left corners to the canvas with a margin.
  const margin = 0.08;
  const across = [(b[0] - a[0]) / (1 - 2 * margin), (b[1] - a[1]) / (1 - 2 * margin)];
  const down = [(d[0] - a[0]) / (1 - 2 * margin), (d[1] - a[1]) / (1 - 2 * margin)];
  const origin = [a[0] - margin * (across[0] + down[0]), a[1] - margin * (across[1] + down[1])];
  const basis = new DOMMatrix([
    across[0] / width,
    across[1] / width,
    down[0] / height,
    down[1] / height,
    ...origin,
  ]);
  const map = basis.inverse();
  if (!Number.isFinite(map.a)) return null;
  const { bitmap } = app;
  const paint = (/** @type {HTMLCanvasElement | null} */ canvas) => {
    const context = canvas?.getContext("2d");
    if (!context) return;
    context.imageSmoothingQuality = "high";
    context.setTransform(map);
    context.drawImage(bitmap, 0, 0);
  };
  return h("canvas.crop", { width, height, "aria-hidden": "true", ref: paint });
}
