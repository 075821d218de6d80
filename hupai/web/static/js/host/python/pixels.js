// Pixels as a server has them: photos decoded upright, made smaller by averaging. RGB, 8 bits, row by row.

/** @typedef {{width: number, height: number, data: Uint8Array | Uint8ClampedArray}} Picture `data` is RGB; RGBA where clamped */
/** @typedef {{first: Int32Array, weights: Float32Array}} Taps of each pixel: its first source, equally many weights */

const STRIP = 512; // rows that are decoded at once

/**
 * Of each pixel along an axis the mean of all that it covers.
 * @type {(from: number, to: number, scale?: number) => Taps}
 */
function averaging(from, to, scale = from / to) {
  const most = Number.isInteger(scale) ? scale : Math.ceil(scale) + 1;
  const taps = { first: new Int32Array(to), weights: new Float32Array(to * most) };
  for (let i = 0; i < to; i++) {
    const [start, end] = [i * scale, Math.min((i + 1) * scale, from)];
    const first = Math.max(0, Math.min(Math.floor(start), from - most));
    taps.first[i] = first;
    for (let k = 0; k < most; k++) {
      const covered = Math.min(end, first + k + 1) - Math.max(start, first + k);
      taps.weights[i * most + k] = Math.max(0, covered) / (end - start);
    }
  }
  return taps;
}

/**
 * Weighs rows, then the pixels of each, into RGB.
 * @param {Picture} source
 * @param {Taps} across
 * @param {Taps} down
 * @param {Uint8Array} into
 */
function weigh({ width, data }, across, down, into) {
  const step = data instanceof Uint8ClampedArray ? 4 : 3;
  const row = new Float32Array(width * step);
  const [columns, rows] = [across.first.length, down.first.length];
  const [wide, high] = [across.weights.length / columns, down.weights.length / rows];
  for (let y = 0, to = 0; y < rows; y++) {
    row.fill(0);
    for (let k = 0; k < high; k++) {
      const weight = down.weights[y * high + k];
      if (weight === 0) continue;
      const start = (down.first[y] + k) * row.length;
      for (let i = 0; i < row.length; i++) row[i] += weight * data[start + i];
    }
    for (let x = 0; x < columns; x++, to += 3) {
      let [r, g, b] = [0.5, 0.5, 0.5]; // rounded
      for (let k = 0, at = across.first[x] * step; k < wide; k++, at += step) {
        const weight = across.weights[x * wide + k];
        r += weight * row[at];
        g += weight * row[at + 1];
        b += weight * row[at + 2];
      }
      into[to] = r;
      into[to + 1] = g;
      into[to + 2] = b;
    }
  }
}

/** @type {WeakMap<Picture, Picture>} */
const halves = new WeakMap();

/** @type {(source: Picture) => Picture} */
function halved(source) {
  const known = halves.get(source);
  if (known) return known; // one photo is looked at in several sizes
  const [width, height] = [source.width, source.height].map((side) => Math.floor(side / 2));
  const data = new Uint8Array(width * height * 3);
  weigh(source, averaging(source.width, width), averaging(source.height, height), data);
  const half = { width, height, data };
  halves.set(source, half);
  return half;
}

const round = (/** @type {number} */ x) => x % 1 === 0.5 ? 2 * Math.round(x / 2) : Math.round(x); // halves to even

/** Of each pixel along an axis the two source pixels nearest to its middle, and how much of 2048 each counts. */
function nearest(/** @type {number} */ from, /** @type {number} */ to) {
  const scale = 1 / (to / from);
  return Array.from({ length: to }, (_, i) => {
    const at = Math.fround((i + 0.5) * scale - 0.5);
    const first = Math.floor(at);
    const share = Math.fround(at - first);
    const [one, other] = [first, first + 1].map((place) => Math.max(0, Math.min(place, from - 1)));
    return [one, other, round(2048 * Math.fround(1 - share)), round(2048 * share)];
  });
}

/**
 * Bilinear, rounded as the vectors of OpenCV round on a server: networks of eight bits take one grey level for more.
 * @type {(source: Picture, width: number, height: number) => Picture}
 */
function interpolated({ width: from, height: high, data }, width, height) {
  const across = nearest(from, width);
  /** @type {Map<number, Int32Array>} */
  const rows = new Map();
  const rowAt = (/** @type {number} */ y) => {
    const row = rows.get(y) ?? new Int32Array(width * 3);
    if (rows.has(y)) return row;
    for (let x = 0, to = 0; x < width; x++) {
      const [one, other, left, right] = across[x];
      for (let c = 0; c < 3; c++, to++) {
        const [a, b] = [data[(y * from + one) * 3 + c], data[(y * from + other) * 3 + c]];
        row[to] = (a * left + b * right) >> 4;
      }
    }
    rows.delete(y - 2);
    rows.set(y, row);
    return row;
  };
  const made = new Uint8Array(width * height * 3);
  for (const [y, [one, other, over, under]] of nearest(high, height).entries()) {
    const [above, below] = [rowAt(one), rowAt(other)];
    for (let i = 0, to = y * width * 3; i < width * 3; i++, to++) {
      made[to] = (((over * above[i]) >> 16) + ((under * below[i]) >> 16) + 2) >> 2;
    }
  }
  return { width, height, data: made };
}

/**
 * A picture at another size: halved as long as it stays large enough, then interpolated.
 * @type {(picture: Picture, width: number, height: number) => Picture}
 */
export function resized(picture, width, height) {
  let now = picture;
  while (now.width >= 2 * width && now.height >= 2 * height) {
    now = halved(now);
  }
  return now.width === width && now.height === height ? now : interpolated(now, width, height);
}

/**
 * What lies between left, top and right, bottom.
 * @type {(picture: Picture, window: number[]) => Picture}
 */
export function part(picture, [left, top, right, bottom]) {
  const [width, height] = [right - left, bottom - top];
  if (width === picture.width && height === picture.height) return picture;
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const start = ((top + y) * picture.width + left) * 3;
    data.set(picture.data.subarray(start, start + width * 3), y * width * 3);
  }
  return { width, height, data };
}

/**
 * The same with black on the right and below, up to the next multiple.
 * @type {(picture: Picture, multiple: number) => Picture}
 */
export function padded({ width, height, data }, multiple) {
  const [wide, high] = [width, height].map((side) => Math.ceil(side / multiple) * multiple);
  if (wide === width && high === height) return { width, height, data };
  const all = new Uint8Array(wide * high * 3);
  for (let y = 0; y < height; y++) all.set(data.subarray(y * width * 3, (y + 1) * width * 3), y * wide * 3);
  return { width: wide, height: high, data: all };
}

const JPEG = [0xff, 0xd8, 0xff];

/** A photo, decoded when its pixels are asked for: what is held is its file and the sizes it was asked for. */
export class Photo {
  /** @param {Blob} file */
  static async open(file) {
    const head = new Uint8Array(await file.slice(0, JPEG.length).arrayBuffer());
    const photo = new Photo(file, JPEG.every((byte, i) => byte === head[i]));
    const bitmap = await photo.#decode();
    photo.width = bitmap.width;
    photo.height = bitmap.height;
    photo.#bitmap = bitmap;
    return photo;
  }

  /** @type {ImageBitmap | null} */
  #bitmap = null;
  /** @type {Map<number, Picture>} */
  #views = new Map();

  constructor(/** @type {Blob} */ file, /** @type {boolean} */ reduces) {
    this.file = file;
    this.reduces = reduces;
    this.width = 0;
    this.height = 0;
  }

  // As stored: neither the colours of a profile nor the brightness of transparent pixels are changed.
  #decode() {
    return createImageBitmap(this.file, { imageOrientation: "from-image", colorSpaceConversion: "none" });
  }

  /** The photo with its longer side at least `side` pixels: of a JPEG 1/8, 1/4 or 1/2 of it, as decoders make them. */
  async view(/** @type {number} */ side) {
    const longest = Math.max(this.width, this.height);
    const wanted = (this.reduces && [8, 4, 2].find((by) => Math.ceil(longest / by) >= side)) || 1;
    const known = Math.max(...[...this.#views.keys()].filter((by) => by <= wanted));
    if (known > 0) return /** @type {Picture} */ (this.#views.get(known));
    const bitmap = this.#bitmap ?? await this.#decode();
    this.#bitmap = null;
    const view = pixelsOf(bitmap, wanted);
    bitmap.close();
    this.#views.set(wanted, view);
    return view;
  }
}

/**
 * A picture on white, its sides divided by a whole number, rounded up.
 * @type {(bitmap: ImageBitmap, by: number) => Picture}
 */
function pixelsOf(bitmap, by) {
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.ceil(side / by));
  const data = new Uint8Array(width * height * 3);
  const canvas = new OffscreenCanvas(bitmap.width, Math.min(STRIP, bitmap.height));
  const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  const across = averaging(bitmap.width, width, by);
  for (let top = 0; top < bitmap.height; top += STRIP) {
    const high = Math.min(STRIP, bitmap.height - top);
    pen.fillStyle = "white";
    pen.fillRect(0, 0, canvas.width, high);
    pen.drawImage(bitmap, 0, -top);
    const strip = pen.getImageData(0, 0, bitmap.width, high);
    weigh(strip, across, averaging(high, Math.ceil(high / by), by), data.subarray(top / by * width * 3));
  }
  return { width, height, data };
}
