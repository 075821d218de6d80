// Upright crops of quads, and crops turned, to the bit as OpenCV cuts them on a server (vision/models/opencv.py).
import { resized, round } from "./pixels.js";

/** @typedef {import("./pixels.js").Picture} Picture */

const MOST_TIMES = 3;
const { fround } = Math;

/**
 * Solves linear equations, each its factors and what they give.
 * @type {(rows: number[][]) => number[]}
 */
function solve(rows) {
  for (let k = 0; k < rows.length; k++) {
    let most = k;
    for (let i = k; i < rows.length; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[most][k])) most = i;
    [rows[k], rows[most]] = [rows[most], rows[k]];
    const pivot = rows[k];
    for (const row of rows) {
      const by = row === pivot ? 0 : row[k] / pivot[k];
      if (by) row.forEach((factor, j) => row[j] = factor - by * pivot[j]);
    }
  }
  return rows.map((row, k) => row[rows.length] / row[k]);
}

/**
 * From a crop, `times` as large, to its quad: nine float32, row by row.
 * @type {(quad: Float32Array, target: Float32Array, times: number) => Float32Array}
 */
function homography(quad, target, times) {
  const rows = [];
  for (let k = 0; k < 8; k++) {
    const [x, y] = quad.subarray(k & 6), to = target[k];
    const place = k % 2 ? [0, 0, 0, x, y, 1] : [x, y, 1, 0, 0, 0];
    rows.push([...place, -fround(x * to), -fround(y * to), to]);
  }
  const [a, b, c, d, e, f, g, h] = solve(rows).map((one, k) => k < 6 ? one * times : one);
  const x = [e - f * h, c * h - b, b * f - c * e];
  const y = [f * g - d, a - c * g, c * d - a * f];
  const z = [d * h - e * g, b * g - a * h, a * e - b * d];
  const area = a * x[0] + b * y[0] + c * z[0];
  return Float32Array.from([...x, ...y, ...z], (one) => one / area);
}

/** @type {(quad: Float32Array, k: number) => number} the length of an edge */
const edge = (quad, k) => {
  const [across, down] = [fround(quad[k + 2] - quad[k]), fround(quad[k + 3] - quad[k + 1])];
  return fround(Math.sqrt(fround(across * across + down * down)));
};

/**
 * One crop after the other, each quad with so much more around it; what lies beyond the picture repeats its border.
 * @param {Picture} picture
 * @param {Float32Array} quads
 * @param {number[]} size width and height of a crop
 * @param {number} margin
 */
export function cropsOf(picture, quads, [width, height], margin) {
  const [w, h] = [width / (1 + margin), height / (1 + margin)];
  const [x, y] = [(width - w) / 2, (height - h) / 2];
  const target = Float32Array.of(x, y, x + w, y, x + w, y + h, x, y + h);
  const bytes = width * height * 3;
  const into = new Uint8Array(quads.length / 8 * bytes);
  for (let n = 0; n < quads.length / 8; n++) {
    const quad = quads.subarray(n * 8, n * 8 + 8);
    // A large tile is cut at two or three times the size and averaged down, against aliasing.
    const longest = Math.max(edge(quad, 0), edge(quad, 2) * width / height);
    const times = Math.min(Math.max(round(longest / width), 1), MOST_TIMES);
    cut(picture, homography(quad, target, times), times, width, into.subarray(n * bytes, (n + 1) * bytes));
  }
  return into;
}

/**
 * Bilinear, each step rounded to a float32, and means of squares of the result.
 * @type {(picture: Picture, places: Float32Array, times: number, width: number, into: Uint8Array) => void}
 */
function cut({ data, ...picture }, [a, b, c, d, e, f, g, h, i], times, width, into) {
  const [right, bottom, line] = [picture.width - 1, picture.height - 1, picture.width * 3];
  const sums = new Int32Array(width * 3);
  const count = times * times, half = count >> 1;
  for (let y = 0, to = 0; to < into.length; y++) {
    const startX = fround(fround(b * y) + c), startY = fround(fround(e * y) + f), depth = fround(fround(h * y) + i);
    for (let x = 0; x < width * times; x++) {
      const by = fround(g * x + depth);
      const atX = fround(fround(a * x + startX) / by), atY = fround(fround(d * x + startY) / by);
      const left = Math.floor(atX), top = Math.floor(atY);
      const shareX = fround(atX - left), shareY = fround(atY - top);
      const x0 = Math.max(0, Math.min(left, right)) * 3, x1 = Math.max(0, Math.min(left + 1, right)) * 3;
      const y0 = Math.max(0, Math.min(top, bottom)) * line, y1 = Math.max(0, Math.min(top + 1, bottom)) * line;
      for (let k = 0, at = Math.floor(x / times) * 3; k < 3; k++, at++) {
        const one = data[y0 + x0 + k], other = data[y1 + x0 + k];
        const upper = fround(one + shareX * (data[y0 + x1 + k] - one));
        const lower = fround(other + shareX * (data[y1 + x1 + k] - other));
        sums[at] += round(fround(upper + shareY * fround(lower - upper)));
      }
    }
    if ((y + 1) % times) continue;
    for (let k = 0; k < sums.length; k++, to++) into[to] = (sums[k] + half) / count;
    sums.fill(0);
  }
}

/**
 * A crop turned by so many quarters, at the same size: by one, its second corner, clockwise, becomes the first.
 * @type {(crop: Picture, quarters: number) => Picture}
 */
export function turned(crop, quarters) {
  const { width, height } = crop;
  const last = width * height - 1;
  if (quarters === 0) return crop;
  if (quarters === 2) return reordered(crop, width, height, (x, y) => last - (y * width + x));
  const quarter = reordered(crop, height, width, (x, y) => x * width + width - 1 - y);
  return turned(resized(quarter, width, height), quarters - 1);
}

/** @type {(crop: Picture, width: number, height: number, from: (x: number, y: number) => number) => Picture} */
function reordered({ data }, width, height, from) {
  const into = new Uint8Array(data.length);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 3) {
      const at = from(x, y) * 3;
      for (let k = 0; k < 3; k++) into[to + k] = data[at + k];
    }
  }
  return { width, height, data: into };
}
