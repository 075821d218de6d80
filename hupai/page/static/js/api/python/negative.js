// A picture with its lightness (CIELAB) inverted, hues kept: in whole numbers, to the bit as OpenCV gives it to a server.
import { round } from "./pixels.js";

/** @typedef {import("./pixels.js").Picture} Picture */

const BASE = 1 << 14;
const LEAST = -8145; // of what is looked up in CUBES

const tabled = (/** @type {number} */ length, /** @type {(step: number) => number} */ of) =>
  Int32Array.from({ length }, (_, step) => of(step));
const LINEAR = tabled(256, (step) => {
  const share = step / 255;
  return Math.round(2040 * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
});
const ROOTS = tabled(3072, (step) => {
  const share = step / 2040;
  return round(32768 * Math.fround(share < 216 / 24389 ? share * 841 / 108 + 16 / 116 : Math.cbrt(share)));
});
const LIGHT = tabled(
  256,
  (step) => Math.round(step <= 20 ? step * BASE * 180 / 414613 : (step * 20 / 51 + 16) ** 3 / 116 ** 3 * BASE),
);
const LIGHT_ROOTS = tabled(
  256,
  (step) => Math.round(step <= 20 ? BASE * (16 / 116 + step * 5 / 1479) : BASE * (step * 20 / 51 + 16) / 116),
);
const CUBES = tabled(BASE * 9 / 4, (step) => {
  const root = step + LEAST;
  if (root <= 3390) return Math.trunc(root * 108 / 841) - 290;
  return Math.trunc(Math.trunc(root * root / BASE) * root / BASE);
});
const SHOWN = tabled(4096, (step) => {
  const share = step / 4096;
  return Math.round(255 * (share <= 0.0031308 ? share * 12.92 : share ** (1 / 2.4) * 1.055 - 0.055));
});

/** @type {(picture: Picture) => Picture} */
export function negativeOf({ width, height, data }) {
  const into = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 3) {
    const r = LINEAR[data[at]], g = LINEAR[data[at + 1]], b = LINEAR[data[at + 2]];
    const fx = ROOTS[(1777 * r + 1541 * g + 778 * b + 2048) >> 12];
    const fy = ROOTS[(871 * r + 2929 * g + 296 * b + 2048) >> 12];
    const fz = ROOTS[(73 * r + 448 * g + 3575 * b + 2048) >> 12];
    const lightness = 255 - ((296 * fy - 1320550) >> 15);
    const green = (500 * (fx - fy) + 4210688) >> 15;
    const blue = (200 * (fy - fz) + 4210688) >> 15;
    const root = LIGHT_ROOTS[lightness];
    const x = CUBES[root + ((5 * green * 53687 + 128) >> 13) - 4194 - LEAST];
    const y = LIGHT[lightness];
    const z = CUBES[root - ((blue * 41943 + 16) >> 9) + 10484 - LEAST];
    into[at] = shown(12615 * x - 6296 * y - 2223 * z);
    into[at + 1] = shown(-3773 * x + 7684 * y + 185 * z);
    into[at + 2] = shown(217 * x - 836 * y + 4715 * z);
  }
  return { width, height, data: into };
}

const shown = (/** @type {number} */ part) => SHOWN[Math.max(0, Math.min((part + 8192) >> 14, 4095))];
