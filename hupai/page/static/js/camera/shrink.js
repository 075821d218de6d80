// A photo as the phone took it -> an upright JPEG small enough to send, large enough for small tiles.
import { penOf } from "../dom/dom.js";

/** Longest side sent, pixels: a row of 18 tiles across it still has 140 pixels a tile. */
const LONGEST = 2560;
const QUALITY = 0.85;

/** The browser cannot show this picture (HEIC outside Safari, for example); the server may still read it. */
export class NotShown extends Error {}

/**
 * Why no browser, or only this one, cannot show a file, as the code of an error.
 * @param {Blob} file
 */
export async function whyNotShown(file) {
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  if (/^.{4}ftyp(?:hei|hev|mif|msf)/s.test(start)) return "heic";
  return /^(?:$|\xff\xd8\xff|\x89PNG|RIFF.{4}WEBP)/s.test(start) ? "damaged" : "not_shown";
}

// Whether part of a JPEG or PNG is missing: Firefox shows what is missing in grey, without an error.
async function breaksOff(/** @type {Blob} */ file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const view = new DataView(bytes.buffer);
  let at;
  if (bytes.length > 8 && view.getUint32(0) === 0x89504e47) {
    const header = (/** @type {number} */ at) => at + 8 <= bytes.length;
    for (at = 8; header(at) && view.getUint32(at + 4) !== 0x49454e44; at += 12 + view.getUint32(at)); // IEND
    return !header(at) && at !== bytes.length;
  }
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return false;
  // The segments before the scan are stepped over: a thumbnail in them has an end mark of its own.
  for (at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda;) {
    at += 2 + view.getUint16(at + 2);
  }
  for (; at >= 0; at = bytes.indexOf(0xff, at + 1)) if (bytes[at + 1] === 0xd9) return false;
  return true;
}

// createImageBitmap works off the main thread; an <img> knows formats it does not in some browsers (SVG, HEIC).
async function decoded(/** @type {Blob} */ file) {
  if (await breaksOff(file)) throw new NotShown("the file breaks off");
  try {
    return await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    const url = URL.createObjectURL(file);
    const image = new Image();
    image.src = url;
    try {
      await image.decode();
      return await createImageBitmap(image);
    } catch (error) {
      throw new NotShown(error.message);
    } finally {
      URL.revokeObjectURL(url);
    }
  }
}

/** Draws a picture at its size, or smaller so that its longest side has so many pixels. */
export function drawn(/** @type {ImageBitmap | HTMLVideoElement} */ picture, /** @type {number} */ longest) {
  const [width, height] = "videoWidth" in picture
    ? [picture.videoWidth, picture.videoHeight]
    : [picture.width, picture.height];
  const scale = Math.min(1, longest / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const pen = penOf(canvas, { alpha: false });
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** @type {(canvas: HTMLCanvasElement, quality: number) => Promise<any>} */
export const jpegOf = (canvas, quality) => new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));

/**
 * Decodes and shrinks a photo; its EXIF orientation is applied and its metadata (place, camera) is dropped.
 * @param {Blob} file
 * @returns {Promise<{blob: Blob, bitmap: ImageBitmap}>} the JPEG and the picture at the size sent
 * @throws {NotShown}
 */
export async function shrink(file) {
  const picture = await decoded(file);
  const canvas = drawn(picture, LONGEST);
  picture.close();
  const [blob, bitmap] = await Promise.all([jpegOf(canvas, QUALITY), createImageBitmap(canvas)]);
  if (!blob) throw new NotShown("the picture is too large for this browser");
  return { blob, bitmap };
}
