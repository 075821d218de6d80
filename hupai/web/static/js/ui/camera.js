// Live camera preview where the browser allows it (HTTPS or localhost); elsewhere the file input takes the photo.
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { notice } from "./announce.js";

/** Whether a live preview can be tried. */
export const cameraWorks = () => isSecureContext && typeof navigator.mediaDevices?.getUserMedia === "function";

function fallback(onphoto) {
  const input = h("input", {
    type: "file",
    accept: "image/*",
    capture: "environment",
    onchange: () => input.files[0] && onphoto(input.files[0]),
  });
  input.click();
}

async function grab(video) {
  const [track] = video.srcObject.getVideoTracks();
  if (typeof ImageCapture === "function") {
    try {
      return await new ImageCapture(track).takePhoto();
    } catch {
      // not every camera takes stills: the frame on screen will do
    }
  }
  const canvas = h("canvas", { width: video.videoWidth, height: video.videoHeight });
  canvas.getContext("2d").drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
}

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
  const opener = document.activeElement;
  const video = h("video", { autoplay: true, playsinline: true, "aria-label": t("camera.preview") });
  video.muted = true;
  video.srcObject = stream;
  const shutter = h("button", { class: "shutter", type: "button", "aria-label": t("start.take") }, icon("camera"));
  const dialog = h(
    "dialog",
    { class: "camera", "aria-label": t("camera.preview") },
    video,
    h("p", { class: "camera-hint" }, t("start.text")),
    h(
      "div",
      { class: "camera-keys" },
      h(
        "button",
        { class: "icon-button", type: "button", "aria-label": t("close"), onclick: () => dialog.close() },
        icon("close"),
      ),
      shutter,
      h("span", {}),
    ),
  );
  shutter.addEventListener("click", async () => {
    shutter.disabled = true;
    const photo = await grab(video);
    dialog.close();
    if (photo) onphoto(photo);
  });
  dialog.addEventListener("close", () => {
    for (const track of stream.getTracks()) track.stop();
    dialog.remove();
    opener?.focus?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  shutter.focus();
}
