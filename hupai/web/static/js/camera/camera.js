// Live camera preview where the browser allows it (HTTPS or localhost); elsewhere the file input takes the photo.
import { focused, h, icon } from "../parts/dom.js";
import { t } from "../words/i18n.js";
import { recall, remember } from "../host/store.js";
import { notice } from "../parts/announce.js";
import { openSheet } from "../parts/sheet.js";
import { watch } from "./viewfinder.js";

const STILL_MS = 5000; // how long a still may take: the frame on screen will do

/** Whether a live preview can be tried. */
export const cameraWorks = () => isSecureContext && typeof navigator.mediaDevices?.getUserMedia === "function";

/** The way to the live camera, where the page was opened without HTTPS. */
export function openWayToCamera() {
  const there = new URL("/", location.href);
  there.protocol = "https:";
  const step = (n) => h("li", {}, h("p", {}, t(`camera.way.${n}`)));
  openSheet(t("camera.way"), () => [
    h("p", {}, t("camera.way.why")),
    h("ol", { class: "way" }, step("1"), h("li", {}, h("p", {}, t("camera.way.2")), h("code", {}, there.href)), step("3"), step("4")),
    h("p", { class: "soft" }, t("camera.way.without")),
  ]);
}

function fallback(onphoto) {
  const input = h("input", {
    type: "file",
    accept: "image/*",
    capture: "environment",
    onchange: () => input.files[0] && onphoto(input.files[0]),
  });
  input.click();
}

// A still of the camera; null where it takes none, or has none after a while: some cameras never answer.
const still = (track) =>
  Promise.race([
    new ImageCapture(track).takePhoto().catch(() => null),
    new Promise((resolve) => setTimeout(resolve, STILL_MS, null)),
  ]);

async function grab(video) {
  const [track] = video.srcObject.getVideoTracks();
  const photo = typeof ImageCapture === "function" ? await still(track) : null;
  if (photo) return photo;
  const canvas = h("canvas", { width: video.videoWidth, height: video.videoHeight });
  canvas.getContext("2d").drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
}

// The screen stays lit while the camera is open, where the browser can do that.
function keepAwake(signal) {
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

// A key that is on or off.
function switchKey(key, sign, label, on, onchange) {
  const button = h(
    "button",
    {
      class: "camera-switch",
      type: "button",
      "data-key": key,
      "aria-pressed": String(on),
      onclick: () => {
        const now = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(now));
        onchange(now);
      },
    },
    icon(sign),
    label,
  );
  return button;
}

const torch = (track) =>
  track.getCapabilities?.().torch
    ? switchKey("torch", "torch", t("camera.torch"), false, (on) =>
        track.applyConstraints({ advanced: [{ torch: on }] }).catch(() => notice(t("camera.no_torch"))),
      )
    : h("span", {});

/** Opens the preview; `onphoto` gets the picture taken. */
export async function openCamera(onphoto) {
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
  const video = h("video", { autoplay: true, playsinline: true, "aria-label": t("camera.preview") });
  video.muted = true;
  video.srcObject = stream;
  const open = new AbortController();
  const finder = h("div", {});
  const hint = h("p", { class: "camera-hint", role: "status" }, t("start.text"));
  const shutter = h("button", { class: "shutter", type: "button", "aria-label": t("start.take") }, icon("camera"));
  const auto = switchKey("auto-shutter", "check", t("camera.auto"), recall("auto_shutter", true), (on) => remember("auto_shutter", on));
  const dialog = h(
    "dialog",
    { class: "camera", "aria-label": t("camera.preview") },
    video,
    finder,
    hint,
    h(
      "div",
      { class: "camera-keys" },
      auto,
      shutter,
      torch(stream.getVideoTracks()[0]),
    ),
    h(
      "button",
      { class: "icon-button camera-close", type: "button", "aria-label": t("close"), onclick: () => dialog.close() },
      icon("close"),
    ),
  );
  const take = async () => {
    if (shutter.disabled) return;
    shutter.disabled = true;
    open.abort();
    hint.textContent = t("camera.takes");
    const photo = await grab(video);
    const wanted = dialog.open;
    dialog.close();
    if (photo && wanted) onphoto(photo);
  };
  shutter.addEventListener("click", take);
  dialog.addEventListener("close", () => {
    open.abort();
    for (const track of stream.getTracks()) track.stop();
    dialog.remove();
    opener?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  shutter.focus();
  keepAwake(open.signal);
  const seen = (outlines, words) => {
    finder.replaceChildren(...(outlines ? [outlines] : []));
    if (hint.textContent !== words) hint.textContent = words;
  };
  const ready = () => auto.getAttribute("aria-pressed") === "true" && take();
  watch(video, { seen, ready }, open.signal);
}
