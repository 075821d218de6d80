// A line drawn around tiles in the photo: what it encloses becomes a photo of its own, read by itself and so closer.
import { app } from "../state/app.js";
import { element, h, penOf, refill } from "../dom/dom.js";
import { notice } from "../controls/notice.js";
import { t } from "../words/i18n.js";
import { jpegOf } from "./shrink.js";
import { readPhoto } from "./reading.js";

const LEAST = 40; // pixels on screen that a line must reach across; a shorter one is a tap
const QUALITY = 0.92;

/** @typedef {[number, number]} Point */

const boundsOf = (/** @type {Point[]} */ line) => {
  const [xs, ys] = [line.map(([x]) => x), line.map(([, y]) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
};

/**
 * The part of a picture within a line, as a JPEG; around it lies its average colour, in which nothing is read.
 * @param {ImageBitmap} picture
 * @param {Point[]} line in pixels of the picture
 */
function partOf(picture, line) {
  const bounds = boundsOf(line);
  const [left, top] = [Math.max(0, Math.floor(bounds.left)), Math.max(0, Math.floor(bounds.top))];
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.min(picture.width, Math.ceil(bounds.right)) - left);
  canvas.height = Math.max(1, Math.min(picture.height, Math.ceil(bounds.bottom)) - top);
  const pen = penOf(canvas, { alpha: false });
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, left, top, canvas.width, canvas.height, 0, 0, 1, 1);
  pen.drawImage(canvas, 0, 0, 1, 1, 0, 0, canvas.width, canvas.height);
  pen.beginPath();
  for (const [x, y] of line) pen.lineTo(x - left, y - top);
  pen.closePath();
  pen.clip();
  pen.drawImage(picture, -left, -top);
  return jpegOf(canvas, QUALITY);
}

// What was answered meanwhile stays: the hand is the same.
const read = (/** @type {Blob} */ photo) => readPhoto(photo, { answers: app.draft.answers });

async function readPart(/** @type {Point[]} */ line) {
  const [{ blob }, picture] = [app, app.bitmap];
  if (!blob || !picture) return;
  const part = await partOf(picture, line);
  notice(t("photo.part_read"), { action: t("photo.whole"), act: () => read(blob) });
  await read(part);
}

/**
 * Lets a finger draw on the photo's stage once it was asked to.
 * @param {HTMLElement} stage
 * @param {(x: number, y: number) => Point} toPhoto turns a place on the stage into one in the photo
 * @returns {() => void} asks for a line, or no longer
 */
export function attachLasso(stage, toPhoto) {
  const shown = element(h("svg.lasso", { "aria-hidden": "true" }));
  stage.append(shown);
  /** @type {Point[] | null} */
  let line = null;
  const asked = () => stage.classList.contains("asks-line");
  const ask = (/** @type {boolean} */ on) => {
    stage.classList.toggle("asks-line", on);
    line = null;
    refill(shown);
  };
  // Before the stage's own listeners, which move the photo and open tiles.
  const first = (/** @type {string} */ name, /** @type {(event: PointerEvent) => unknown} */ act) =>
    stage.addEventListener(name, (/** @type {any} */ event) => {
      if (!asked()) return;
      event.stopImmediatePropagation();
      act(event);
    }, { capture: true });
  const extend = (/** @type {PointerEvent} */ event) => {
    const box = stage.getBoundingClientRect();
    line?.push([event.clientX - box.left, event.clientY - box.top]);
    refill(shown, h("polygon", { points: (line ?? []).map((p) => p.join()).join(" ") }));
  };
  first("pointerdown", (event) => {
    stage.setPointerCapture(event.pointerId);
    line = [];
    extend(event);
  });
  first("pointermove", (event) => line && extend(event));
  first("pointercancel", () => ask(true));
  first("pointerup", () => {
    const drawn = line ?? [];
    const { left, top, right, bottom } = boundsOf(drawn);
    const enough = drawn.length > 2 && Math.min(right - left, bottom - top) >= LEAST;
    ask(!enough);
    if (enough) readPart(drawn.map(([x, y]) => toPhoto(x, y)));
  });
  return () => {
    ask(!asked());
    if (asked()) notice(t("photo.draw"));
  };
}
