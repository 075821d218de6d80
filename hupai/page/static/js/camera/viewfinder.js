// The live camera: frames are read one after another, tiles are outlined, and a hand that lies still is photographed
// by itself: a whole one, or one that lacks only its winning tile, whose waits the page then shows.
import { app } from "../state/app.js";
import { sayWhatIsPlayed } from "../state/rules.js";
import { post, served } from "../api/api.js";
import { h } from "../dom/dom.js";
import { handFromRead } from "../hand/fromread.js";
import { tilesMissing, tilesOf } from "../hand/hand.js";
import { t } from "../words/i18n.js";
import { troubleWords } from "../words/words.js";
import { centre } from "../hand/polygon.js";
import { drawn, jpegOf } from "./shrink.js";

const LONGEST = 1280; // of a frame that is read for the preview, not for the score
const QUALITY = 0.8;
const PACE_MS = 1400; // a host accepts 60 photos a minute from one address; the final photo is one of them
const AGAIN_MS = 3000; // after a refusal or no answer
const WHOLE = 2; // readings in a row
const WAITING = 4;
const STILL = 0.02; // of the frame's width: how far a tile may seem to move while it lies still

/** @type {(ms: number, signal: AbortSignal) => Promise<void>} */
const pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * What is in a frame; as long as flowers cannot be named yet, what was read before: the next frame may have them.
 * @param {Blob} blob
 * @param {AbortSignal} signal
 * @returns {Promise<Api.ReadBody & {naming?: boolean}>}
 */
function readFrame(blob, signal) {
  const form = new FormData();
  form.append("photo", blob, "frame.jpg");
  sayWhatIsPlayed(form);
  if (app.settings.set) form.append("set", app.settings.set);
  return new Promise((resolve, reject) => {
    /** @type {CallOptions["progress"]} */
    const progress = (_share, _corners, early) => early && resolve({ ...JSON.parse(early), naming: true });
    post("/read", form, { signal, progress }).then(resolve, reject);
  });
}

/** Whether two readings show the same tiles in the same places. */
export function same(/** @type {Api.ReadBody | null} */ before, /** @type {Api.ReadBody} */ now) {
  if (!before || before.tiles.length !== now.tiles.length) return false;
  const left = before.tiles.map(({ tile, corners }) => ({ tile, at: centre(corners) }));
  return now.tiles.every(({ tile, corners }) => {
    const [x, y] = centre(corners);
    const found = left.findIndex((one) =>
      one.tile === tile && Math.hypot(one.at[0] - x, one.at[1] - y) < STILL * now.width
    );
    return found >= 0 && left.splice(found, 1);
  });
}

/**
 * How many readings in a row must show every tile in its place before a photo is taken: two for a whole hand with its
 * winning tile, more for one that waits, since somebody may just be laying down the last tile; 0: never.
 */
export function steadyFor(/** @type {Api.ReadBody} */ read) {
  const hand = read.hand && handFromRead(read);
  if (!hand) return 0;
  if (hand.winning) return tilesMissing(hand) === 0 ? WHOLE : 0;
  return tilesMissing(hand) === 1 ? WAITING : 0;
}

const outlines = (/** @type {Api.ReadBody} */ { tiles, width, height }) =>
  h(
    "svg.finder",
    { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    tiles.map(({ corners, role }) => h("polygon", { points: corners.join(" "), class: `seen ${role}` })),
  );

/**
 * Watches the camera until the signal aborts.
 * @param {HTMLVideoElement} video
 * @param {object} on
 * @param {(outlines: Described | null, words: string) => void} on.seen called after every frame
 * @param {() => void} on.ready called when a complete hand lies still
 * @param {AbortSignal} signal stops it
 */
export async function watch(video, { seen, ready }, signal) {
  let before = null;
  let alike = 0; // consecutive readings that show the same
  while (!signal.aborted) {
    const begun = performance.now();
    let wait = served || document.hidden ? PACE_MS : 0;
    if (!document.hidden && video.videoWidth) {
      try {
        const read = await readFrame(await jpegOf(drawn(video, LONGEST), QUALITY), signal);
        const needed = read.naming ? 0 : steadyFor(read);
        alike = same(before, read) ? alike + 1 : 1;
        seen(read.tiles.length ? outlines(read) : null, words(read, needed));
        if (needed && alike >= needed && !signal.aborted) ready();
        before = read;
      } catch (error) {
        if (signal.aborted) return;
        before = null;
        seen(null, served ? t(error.code === "offline" ? "camera.no_host" : "camera.waits") : troubleWords(error));
        wait = Math.max(AGAIN_MS, (error.retryAfter ?? 0) * 1000);
      }
    }
    const took = performance.now() - begun;
    // A phone that looks by itself rests as long as each look took: it stays cool, and as fast as it can be.
    await pause(Math.max(served ? 0 : took, wait - took), signal);
  }
}

function words(/** @type {Awaited<ReturnType<typeof readFrame>>} */ read, /** @type {number} */ needed) {
  if (!read.tiles.length) return t("start.text");
  if (read.naming) return t("reading.naming");
  if (needed === WAITING) return t("camera.hold_waiting");
  if (!needed) return t("camera.sees", { n: read.hand ? tilesOf(handFromRead(read)).length : read.tiles.length });
  return t("camera.hold");
}
