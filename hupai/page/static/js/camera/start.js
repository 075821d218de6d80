// The first screen: a photo from the camera or the gallery, or tiles typed in.
import { app } from "../state/app.js";
import { served } from "../api/api.js";
import { h, icon } from "../dom/dom.js";
import { number, t } from "../words/i18n.js";
import { readPhoto } from "./reading.js";
import { cameraWorks, openCamera, openWayToCamera } from "./camera.js";
import { fileInput } from "../controls/fields.js";
import { tilePicture } from "../faces/tile.js";
import { ownWord } from "../names/systems.js";

/**
 * A button that takes a picture from the phone's camera (`capture`) or its storage; the picture is read at once.
 * @type {(id: string, capture: boolean, key: string, label: string, sign: string, className: string) => Described}
 */
export function picker(id, capture, key, label, sign, className) {
  const source = { class: "unseen", id, accept: "image/*", capture: capture ? "environment" : null, "data-key": key };
  const input = fileInput(source, ([file]) => readPhoto(file));
  return h("label", { class: className, for: id }, input, icon(sign), h("span", label));
}

/**
 * A button that takes a photo: with live preview where the browser allows it, else with the phone's own camera.
 * @type {(id: string, key: string, label: string, className: string) => Described}
 */
export function camera(id, key, label, className) {
  if (!cameraWorks()) return picker(id, true, key, label, "camera", className);
  const open = () => openCamera(readPhoto);
  return h(
    "button",
    { class: className, "data-key": key, onclick: open },
    icon("camera"),
    h("span", label),
  );
}

/** @type {any} */
let offer = null; // the browser's question whether to install the page; it may be asked once
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // not now, over the screen
  offer = event;
});

async function install() {
  const { openInstall } = await import("./install.js");
  const ask = () => {
    offer.prompt();
    offer = null;
  };
  openInstall(offer && ask);
}

// Whether the page is kept, but opened in a browser's tab.
const canBeInstalled = () =>
  !served && navigator.serviceWorker?.controller && !matchMedia("(display-mode: standalone)").matches;

const FAN = ["1z", "1z", "1z", "7z", "7z", "7z", "6z", "6z", "6z", "9m"];

const more = (/** @type {string} */ key, /** @type {string} */ label, /** @type {() => unknown} */ onclick) =>
  h("button.start-told", { "data-key": key, onclick }, label);

// What is on its way on a first visit without a server; a photo may be taken meanwhile.
function loading() {
  const all = Number(document.documentElement.dataset.megabytes);
  const done = number((app.loaded * all).toFixed(1));
  return h(
    "div.start-loading",
    h("p", { role: "status" }, app.loaded < 1 ? t("start.loading", { done, all: number(all) }) : t("start.starting")),
    h("progress", { max: 1, value: app.loaded < 1 ? app.loaded : null, "aria-label": t("start.starting") }),
  );
}

// Without a server the games are this browser's.
/** @type {() => any} */
let keepLine = () => null;
if (!served) import("../game/files/keepfile.js").then((found) => ({ keepLine } = found));

/**
 * The start.
 * @param {() => unknown} ontype begins a hand by keyboard
 * @param {() => unknown} onpoints asks for a result without tiles
 * @param {() => unknown} onalone goes back to the winner noted before, with whom nobody else won
 */
export function start(ontype, onpoints, onalone) {
  const ready = served || app.rules.length > 0; // a server is there at once
  return h(
    "div.start.felt",
    h(
      "div.start-words",
      h("div.fan", { "aria-hidden": "true" }, FAN.map((code) => tilePicture(code, { label: null }))),
      h("h2", t("start.title")),
      h("p", t("start.text")),
      !served && h("p.soft", t("start.alone")),
      !ready && loading(),
      served && app.away && h("p.caution", icon("offline"), h("span", t("start.away"))),
    ),
    app.draft.wins.length > 0 && h("p.other-wins", t("start.other_winner", { n: app.draft.wins.length })),
    h(
      "div.start-keys",
      picker("choose", false, "choose", t("start.choose"), "picture", "start-key"),
      camera("take", "shutter", t("start.take"), "shutter"),
      ready
        ? h(
          "button.start-key",
          { "data-key": "type", onclick: ontype },
          icon("tiles"),
          h("span", t("start.type")),
        )
        : h("span.start-key"),
      ready && h(
        "div.start-more",
        app.draft.wins.length > 0
          ? more("no-other-winner", t("start.no_other_winner"), onalone)
          : more("told", ownWord("outcome.told"), onpoints),
        keepLine(),
        canBeInstalled() && more("install", t("install.title"), install),
        served && !isSecureContext && more("way-to-camera", t("camera.way"), openWayToCamera),
      ),
    ),
  );
}
