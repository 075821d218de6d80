// Pixels as a server has them: photos decoded upright, made smaller by averaging. RGB, 8 bits, row by row.
//
// Millions of times a photo: loops over one kind of array each, whole numbers, nothing allocated.

/** @typedef {{width: number, height: number, data: Uint8Array}} Picture `data` is RGB */
/** @typedef {{into: Int32Array, source: Int32Array, share: Float32Array}} Cover which pixel gets what share of which */
/**
 * @typedef {object} Neighbours of each pixel along an axis: the two source pixels nearest to its middle, and how much of
 *   2048 each counts
 * @property {Int32Array} one
 * @property {Int32Array} other
 * @property {Int32Array} ofOne
 * @property {Int32Array} ofOther
 */

const STRIP = 512; // rows that are decoded at once, a multiple of 8
const EDGE = 1e-3; // what covers less of a pixel counts nothing, as in OpenCV

/** Rounded, halves to even, if not negative: from 2**52 on there is nothing between whole numbers. */
export const round = (/** @type {number} */ x) => (x + 2 ** 52) - 2 ** 52;

/**
 * Of an axis made shorter: which pixel gets what share of which one before, in order.
 * @type {(from: number, to: number) => Cover}
 */
function coverOf(from, to) {
  const scale = from / to;
  /** @type {number[][]} */
  const found = [];
  for (let i = 0; i < to; i++) {
    const start = i * scale, end = start + scale, width = Math.min(scale, from - start);
    const last = Math.min(Math.floor(end), from - 1), first = Math.min(Math.ceil(start), last);
    if (first - start > EDGE) found.push([i, first - 1, (first - start) / width]);
    for (let at = first; at < last; at++) found.push([i, at, 1 / width]);
    if (end - last > EDGE) found.push([i, last, Math.min(end - last, 1, width) / width]);
  }
  const [into, source, share] = [0, 1, 2].map((k) => found.map((one) => one[k]));
  return { into: Int32Array.from(into), source: Int32Array.from(source), share: Float32Array.from(share) };
}

/**
 * Means of all that each pixel covers, added up in the order of OpenCV, each step rounded to a float32.
 * @type {(source: Picture, width: number, height: number) => Uint8Array}
 */
function averageArea({ data, ...source }, width, height) {
  const { fround } = Math;
  const [across, down] = [coverOf(source.width, width), coverOf(source.height, height)];
  const [row, sum] = [new Float32Array(width * 3), new Float32Array(width * 3)];
  const into = new Uint8Array(width * height * 3);
  for (let j = 0; j < down.into.length; j++) {
    row.fill(0);
    const start = down.source[j] * source.width * 3;
    for (let k = 0; k < across.into.length; k++) {
      const at = start + across.source[k] * 3, x = across.into[k] * 3, share = across.share[k];
      row[x] += fround(data[at] * share);
      row[x + 1] += fround(data[at + 1] * share);
      row[x + 2] += fround(data[at + 2] * share);
    }
    const share = down.share[j], y = down.into[j];
    for (let i = 0; i < row.length; i++) sum[i] += fround(share * row[i]);
    if (y === down.into[j + 1]) continue;
    for (let i = 0, to = y * row.length; i < row.length; i++, to++) into[to] = round(sum[i]);
    sum.fill(0);
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

/** @type {(source: Picture, width: number, height: number) => Picture} */
function averaged(source, width, height) {
  if (width < source.width && height < source.height) return halved(source);
  return { width, height, data: averageArea(source, width, height) };
}

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
 * A picture at another size: each side halved as long as it stays large enough, then interpolated.
 * @type {(picture: Picture, width: number, height: number) => Picture}
 */
export function resized(picture, width, height) {
  let now = picture;
  while (now.width >= 2 * width || now.height >= 2 * height) {
    now = averaged(now, now.width >> Number(now.width >= 2 * width), now.height >> Number(now.height >= 2 * height));
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
    if (photo.decoderReduces) {
      const frame = await photo.#frame();
      [photo.width, photo.height] = [frame.displayWidth, frame.displayHeight];
      frame.close(); // only its size is used: decoded whole, its colours are not quite a server's
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

  constructor(/** @type {Blob} */ file, /** @type {boolean} */ isJpeg) {
    this.file = file;
    this.isJpeg = isJpeg;
    this.decoderReduces = isJpeg && "ImageDecoder" in globalThis;
    this.width = 0;
    this.height = 0;
  }

  // As stored: neither the colours of a profile nor the brightness of transparent pixels are changed.
  #decode() {
    return createImageBitmap(this.file, { imageOrientation: "from-image", colorSpaceConversion: "none" });
  }

  // A JPEG by a decoder that can make it smaller: to the bit as on a server, and the whole is never in memory.
  async #frame(/** @type {{desiredWidth?: number, desiredHeight?: number}} */ size = {}) {
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
    const wanted = (this.isJpeg && [8, 4, 2].find((by) => Math.ceil(longest / by) >= side)) || 1;
    const known = Math.max(...[...this.#views.keys()].filter((by) => by <= wanted));
    if (known > 0) return /** @type {Picture} */ (this.#views.get(known));
    const view = await this.#reduced(wanted);
    this.#views.set(wanted, view);
    return view;
  }

  async #reduced(/** @type {number} */ by) {
    if (this.decoderReduces && by > 1) {
      const [width, height] = [this.width, this.height].map((side) => Math.ceil(side / by));
      const frame = await this.#frame({ desiredWidth: width, desiredHeight: height });
      const bitmap = await createImageBitmap(frame); // drawn itself, a frame stays in memory
      frame.close();
      if (bitmap.width === width && bitmap.height === height) return pixelsOf(bitmap, 1);
      bitmap.close(); // this browser makes other sizes
      this.decoderReduces = false;
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
