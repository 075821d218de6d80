// Live camera preview where the browser allows it (HTTPS or localhost); elsewhere the file input takes the photo.
import { element, focused, h, icon, refill } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { recall, remember } from "../api/store.js";
import { attempt, notice } from "../controls/notice.js";
import { fileInput } from "../controls/fields.js";
import { openOver, openSheet } from "../controls/sheet.js";
import { drawn, jpegOf } from "./shrink.js";

const STILL_MS = 5000; // how long a still may take; after that the frame on screen is used

/** Whether a live preview can be tried. */
export const cameraWorks = () => isSecureContext && typeof navigator.mediaDevices?.getUserMedia === "function";

const step = (/** @type {string} */ key, /** @type {Described | null} */ more = null) => h("li", h("p", t(key)), more);

/** Leads to the live camera where the page was opened without HTTPS. */
export function openWayToCamera() {
  const there = new URL("/", location.href);
  there.protocol = "https:";
  const steps = [step("camera.way.1"), step("camera.way.2", h("code", there.href)), step("camera.way.3")];
  openSheet(t("camera.way"), () => [
    h("p", t("camera.way.why")),
    h("ol.way", steps),
    h("p.soft", t("camera.way.without")),
  ]);
}

/** Leads to a phone that trusts the certificate, where the browser was told to go past its warning. */
export function openTrust() {
  const file = h("a", { href: "/hupai-ca.pem" }, new URL("/hupai-ca.pem", location.href).href);
  openSheet(t("trust.title"), () => [
    h("p", t("trust.withheld")),
    h("ol.way", step("trust.1", file), step("trust.2"), step("trust.3"), step("trust.4")),
  ]);
}

const fallback = (/** @type {(photo: Blob) => unknown} */ onphoto) =>
  element(fileInput({ accept: "image/*", capture: "environment" }, ([photo]) => onphoto(photo))).click();

// A still from the camera; null if it takes none or has none in time: some cameras never answer.
const still = (/** @type {MediaStreamTrack} */ track) =>
  Promise.race([
    new ImageCapture(track).takePhoto().catch(() => null),
    new Promise((resolve) => setTimeout(resolve, STILL_MS, null)),
  ]);

async function grab(/** @type {HTMLVideoElement} */ video) {
  const [track] = /** @type {MediaStream} */ (video.srcObject).getVideoTracks();
  const photo = typeof ImageCapture === "function" ? await still(track) : null;
  if (photo) return photo;
  return jpegOf(drawn(video, Infinity), 0.92);
}

// The screen stays lit while the camera is open, where the browser can do that.
function keepAwake(/** @type {AbortSignal} */ signal) {
  const ask = async () => {
    if (document.hidden || signal.aborted) return;
    try {
      const lock = await navigator.wakeLock?.request("screen");
      if (signal.aborted) lock?.release();
      else signal.addEventListener("abort", () => lock?.release());
    } catch {
      // the battery is low, or the browser does not want to: the screen goes dark as usual
    }
  };
  document.addEventListener("visibilitychange", ask, { signal });
  ask();
}

// A button that is on or off.
/** @type {(key: string, sign: string, label: string, on: boolean, onchange: (on: boolean) => unknown) => Child} */
const switchKey = (key, sign, label, on, onchange) =>
  h(
    "button.camera-switch",
    {
      "data-key": key,
      "aria-pressed": String(on),
      onclick: () => onchange(!on),
    },
    icon(sign),
    label,
  );

// The preview: the camera's picture, what the page recognises in it, and the buttons.
function preview(
  /** @type {any} */ { words, outlines, takes, auto, torch },
  /** @type {any} */ { video, keys, light },
) {
  return [
    h("video", { autoplay: true, playsinline: "", muted: true, "aria-label": t("camera.preview"), ...video }),
    h("div", outlines),
    h("p.camera-hint", { role: "status" }, words),
    h(
      "div.camera-keys",
      switchKey("auto-shutter", "check", t("camera.auto"), auto, keys.auto),
      h("button.shutter", {
        disabled: takes,
        autofocus: true,
        "aria-label": t("start.take"),
        onclick: keys.take,
      }, icon("camera")),
      light ? switchKey("torch", "torch", t("camera.torch"), torch, keys.torch) : h("span"),
    ),
    h(
      "button.icon-button.camera-close",
      { "aria-label": t("close"), onclick: keys.close },
      icon("close"),
    ),
  ];
}

/** Opens the preview; `onphoto` receives the picture taken. */
export async function openCamera(/** @type {(photo: Blob) => unknown} */ onphoto) {
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: "environment", width: { ideal: 3840 }, height: { ideal: 2160 } },
    });
  } catch (error) {
    notice(t(error.name === "NotAllowedError" ? "camera.refused" : "camera.none"));
    fallback(onphoto);
    return;
  }
  const opener = focused();
  /** @type {any} */
  // TypeScript knows of no torch
  const track = stream.getVideoTracks()[0];
  const open = new AbortController();
  const now = {
    words: t("start.text"),
    outlines: null,
    takes: false,
    auto: recall("auto_shutter", true),
    torch: false,
  };
  const dialog = element(h("dialog.camera", { "aria-label": t("camera.preview") }));
  const change = (/** @type {object} */ values) => {
    Object.assign(now, values);
    refill(dialog, preview(now, shown));
  };
  const take = async () => {
    if (now.takes) return;
    open.abort();
    change({ takes: true, words: t("camera.takes") });
    const photo = await grab(dialog.querySelector("video"));
    const wanted = dialog.open;
    dialog.close();
    if (photo && wanted) onphoto(photo);
  };
  const keys = {
    take,
    auto: (/** @type {boolean} */ auto) => {
      remember("auto_shutter", auto);
      change({ auto });
    },
    torch: (/** @type {boolean} */ torch) => {
      change({ torch });
      track.applyConstraints({ advanced: [{ torch }] }).catch(() => notice(t("camera.no_torch")));
    },
    close: () => dialog.close(),
  };
  const shown = { video: { srcObject: stream }, keys, light: Boolean(track.getCapabilities?.().torch) };
  dialog.addEventListener("close", () => {
    open.abort();
    for (const one of stream.getTracks()) one.stop();
    dialog.remove();
    opener?.focus();
  });
  change({});
  openOver(dialog);
  keepAwake(open.signal);
  const seen = (/** @type {Described | null} */ outlines, /** @type {string} */ words) => change({ outlines, words });
  const ready = () => now.auto && take();
  attempt(async () => {
    const { watch } = await import("./viewfinder.js");
    if (!open.signal.aborted) watch(dialog.querySelector("video"), { seen, ready }, open.signal);
  });
}
