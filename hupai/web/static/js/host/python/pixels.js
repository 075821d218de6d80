// Pixels as a server has them: photos decoded upright, made smaller by averaging. RGB, 8 bits, row by row.
//
// Millions of times a photo: loops over one kind of array each, whole numbers, nothing allocated.

/** @typedef {{width: number, height: number, data: Uint8Array}} Picture `data` is RGB */
/** @typedef {{first: Int32Array, weights: Float32Array}} Taps of each pixel: its first source, equally many weights */
/**
 * @typedef {object} Neighbours of each pixel along an axis: the two source pixels nearest to its middle, and how much of
 *   2048 each counts
 * @property {Int32Array} one
 * @property {Int32Array} other
 * @property {Int32Array} ofOne
 * @property {Int32Array} ofOther
 */

const STRIP = 512; // rows that are decoded at once, a multiple of 8

/**
 * Of each pixel along an axis the mean of all that it covers.
 * @type {(from: number, to: number) => Taps}
 */
function averaging(from, to) {
  const scale = from / to;
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
 * Weighs rows, then the pixels of each.
 * @type {(source: Picture, width: number, height: number) => Uint8Array}
 */
function averageArea(source, width, height) {
  const data = source.data;
  const [across, down] = [averaging(source.width, width), averaging(source.height, height)];
  const row = new Float32Array(source.width * 3);
  const [wide, high] = [across.weights.length / width, down.weights.length / height];
  const into = new Uint8Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y++) {
    row.fill(0);
    for (let k = 0; k < high; k++) {
      const weight = down.weights[y * high + k];
      if (weight === 0) continue;
      const start = (down.first[y] + k) * row.length;
      for (let i = 0; i < row.length; i++) row[i] += weight * data[start + i];
    }
    for (let x = 0; x < width; x++, to += 3) {
      let r = 0.5, g = 0.5, b = 0.5; // rounded
      for (let k = 0, at = across.first[x] * 3; k < wide; k++, at += 3) {
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
  return into;
}

/**
 * Means of four, where both sides are even.
 * @type {(source: Picture, width: number, height: number) => Uint8Array}
 */
function averageFours({ data }, width, height) {
  const into = new Uint8Array(width * height * 3);
  const row = width * 6;
  for (let y = 0, to = 0, at = 0; y < height; y++, at += row) {
    for (let x = 0; x < width; x++, to += 3, at += 6) {
      into[to] = (data[at] + data[at + 3] + data[at + row] + data[at + row + 3] + 2) >> 2;
      into[to + 1] = (data[at + 1] + data[at + 4] + data[at + row + 1] + data[at + row + 4] + 2) >> 2;
      into[to + 2] = (data[at + 2] + data[at + 5] + data[at + row + 2] + data[at + row + 5] + 2) >> 2;
    }
  }
  return into;
}

/** @type {WeakMap<Picture, Picture>} */
const halves = new WeakMap();

/** @type {(source: Picture) => Picture} */
function halved(source) {
  const known = halves.get(source);
  if (known) return known; // one photo is looked at in several sizes
  const [width, height] = [source.width >> 1, source.height >> 1];
  const even = source.width % 2 === 0 && source.height % 2 === 0;
  const half = { width, height, data: (even ? averageFours : averageArea)(source, width, height) };
  halves.set(source, half);
  return half;
}

const round = (/** @type {number} */ x) => x % 1 === 0.5 ? 2 * Math.round(x / 2) : Math.round(x); // halves to even

/** @type {(from: number, to: number) => Neighbours} */
function neighbours(from, to) {
  const scale = 1 / (to / from);
  const [one, other, ofOne, ofOther] = Array.from({ length: 4 }, () => new Int32Array(to));
  for (let i = 0; i < to; i++) {
    const at = Math.fround((i + 0.5) * scale - 0.5);
    const first = Math.floor(at);
    const share = Math.fround(at - first);
    one[i] = Math.max(0, Math.min(first, from - 1));
    other[i] = Math.max(0, Math.min(first + 1, from - 1));
    ofOne[i] = round(2048 * Math.fround(1 - share));
    ofOther[i] = round(2048 * share);
  }
  return { one, other, ofOne, ofOther };
}

/**
 * Interpolates along one row of a picture.
 * @type {(data: Uint8Array, start: number, across: Neighbours, into: Int32Array) => void}
 */
function interpolate(data, start, { one, other, ofOne, ofOther }, into) {
  for (let x = 0, to = 0; x < one.length; x++, to += 3) {
    const left = start + one[x] * 3, right = start + other[x] * 3, ofLeft = ofOne[x], ofRight = ofOther[x];
    into[to] = (data[left] * ofLeft + data[right] * ofRight) >> 4;
    into[to + 1] = (data[left + 1] * ofLeft + data[right + 1] * ofRight) >> 4;
    into[to + 2] = (data[left + 2] * ofLeft + data[right + 2] * ofRight) >> 4;
  }
}

/**
 * Bilinear, rounded as the vectors of OpenCV round on a server: networks of eight bits take one grey level for more.
 * @type {(source: Picture, width: number, height: number) => Picture}
 */
function interpolated(source, width, height) {
  const [across, down] = [neighbours(source.width, width), neighbours(source.height, height)];
  const rows = [new Int32Array(width * 3), new Int32Array(width * 3)]; // of the source, by whether they are odd
  const held = [-1, -1];
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y++) {
    for (const row of [down.one[y], down.other[y]]) {
      if (held[row % 2] !== row) interpolate(source.data, row * source.width * 3, across, rows[row % 2]);
      held[row % 2] = row;
    }
    const above = rows[down.one[y] % 2], below = rows[down.other[y] % 2], over = down.ofOne[y], under = down.ofOther[y];
    for (let i = 0; i < above.length; i++, to++) {
      data[to] = (((over * above[i]) >> 16) + ((under * below[i]) >> 16) + 2) >> 2;
    }
  }
  return { width, height, data };
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
    if (photo.scales) {
      const frame = await photo.#scaled({});
      [photo.width, photo.height] = [frame.displayWidth, frame.displayHeight];
      frame.close(); // its colours are rounded otherwise
    } else {
      photo.#bitmap = await photo.#decode();
      [photo.width, photo.height] = [photo.#bitmap.width, photo.#bitmap.height];
    }
    return photo;
  }

  /** @type {ImageBitmap | null} */
  #bitmap = null;
  /** @type {Map<number, Picture>} */
  #views = new Map();

  constructor(/** @type {Blob} */ file, /** @type {boolean} */ reduces) {
    this.file = file;
    this.reduces = reduces;
    this.scales = reduces && "ImageDecoder" in globalThis;
    this.width = 0;
    this.height = 0;
  }

  // As stored: neither the colours of a profile nor the brightness of transparent pixels are changed.
  #decode() {
    return createImageBitmap(this.file, { imageOrientation: "from-image", colorSpaceConversion: "none" });
  }

  // A JPEG made smaller while it is decoded: to the bit as on a server, and never in memory as a whole.
  async #scaled(/** @type {{desiredWidth?: number, desiredHeight?: number}} */ size) {
    const data = await this.file.arrayBuffer();
    const decoder = new ImageDecoder({ data, type: "image/jpeg", colorSpaceConversion: "none", ...size });
    try {
      return (await decoder.decode()).image;
    } finally {
      decoder.close();
    }
  }

  /** The photo with its longer side at least `side` pixels: of a JPEG 1/8, 1/4 or 1/2 of it, as decoders make them. */
  async view(/** @type {number} */ side) {
    const longest = Math.max(this.width, this.height);
    const wanted = (this.reduces && [8, 4, 2].find((by) => Math.ceil(longest / by) >= side)) || 1;
    const known = Math.max(...[...this.#views.keys()].filter((by) => by <= wanted));
    if (known > 0) return /** @type {Picture} */ (this.#views.get(known));
    const view = await this.#reduced(wanted);
    this.#views.set(wanted, view);
    return view;
  }

  async #reduced(/** @type {number} */ by) {
    if (this.scales && by > 1) {
      const [width, height] = [this.width, this.height].map((side) => Math.ceil(side / by));
      const frame = await this.#scaled({ desiredWidth: width, desiredHeight: height });
      const bitmap = await createImageBitmap(frame); // drawn itself, a frame stays in memory
      frame.close();
      if (bitmap.width === width && bitmap.height === height) return pixelsOf(bitmap, 1);
      bitmap.close(); // this browser makes other sizes
      this.scales = false;
    }
    const bitmap = this.#bitmap ?? await this.#decode();
    this.#bitmap = null;
    return pixelsOf(bitmap, by);
  }
}

/**
 * A picture on white, its sides divided by a whole number, rounded up; the bitmap is closed.
 * @type {(bitmap: ImageBitmap, by: number) => Picture}
 */
function pixelsOf(bitmap, by) {
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.ceil(side / by));
  const data = new Uint8Array(width * height * 3);
  const canvas = new OffscreenCanvas(bitmap.width, Math.min(STRIP, bitmap.height));
  const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  for (let top = 0; top < bitmap.height; top += STRIP) {
    const high = Math.min(STRIP, bitmap.height - top);
    pen.fillStyle = "white";
    pen.fillRect(0, 0, canvas.width, high);
    pen.drawImage(bitmap, 0, -top);
    average(pen.getImageData(0, 0, bitmap.width, high), by, data.subarray(top / by * width * 3));
  }
  bitmap.close();
  return { width, height, data };
}

/**
 * Means of squares of a canvas, at the right and below of what is left of them.
 * @type {(strip: ImageData, by: number, into: Uint8Array) => void}
 */
function average({ width, height, data }, by, into) {
  for (let top = 0, to = 0; top < height; top += by) {
    const bottom = Math.min(top + by, height);
    for (let left = 0; left < width; left += by, to += 3) {
      const right = Math.min(left + by, width), n = (bottom - top) * (right - left);
      let r = n >> 1, g = r, b = r; // rounded
      for (let y = top; y < bottom; y++) {
        for (let at = (y * width + left) * 4, end = at + (right - left) * 4; at < end; at += 4) {
          r += data[at];
          g += data[at + 1];
          b += data[at + 2];
        }
      }
      into[to] = r / n;
      into[to + 1] = g / n;
      into[to + 2] = b / n;
    }
  }
}
