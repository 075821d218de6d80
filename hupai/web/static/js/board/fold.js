// A fold that stays open or closed as the director left it, even when the page is redrawn.
import { h, icon } from "../parts/dom.js";

const left = new Map(); // key -> whether the fold was left open

/**
 * A fold; `open` is its state until the user touches it.
 * @param {string} key
 * @param {boolean} open
 * @param {string} title
 */
export function fold(key, open, title, /** @type {any[]} */ ...content) {
  const touched = (/** @type {ElementEvent} */ event) => left.set(key, !event.currentTarget.parentElement.open);
  return h(
    "details.fold",
    { open: left.get(key) ?? open, key },
    h("summary", { "data-key": key, onclick: touched }, title, icon("down")),
    h("div.stack", content),
  );
}

/**
 * Forgets the state a fold was left in; it is closed until it is drawn again.
 * @param {string} key
 */
export function closeFold(key) {
  left.delete(key);
  document.querySelector(`details[open] > [data-key="${key}"]`)?.parentElement?.removeAttribute("open");
}
