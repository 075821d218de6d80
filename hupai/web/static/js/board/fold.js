// Something that unfolds, and stays as the director left it though the page is drawn anew.
import { h, icon } from "../parts/dom.js";

const left = new Map(); // key -> open, as it was left

/** A fold; `open` holds until it is touched. */
export function fold(key, open, title, ...content) {
  const touched = (event) => left.set(key, !event.currentTarget.parentElement.open);
  return h("details", { class: "fold", open: left.get(key) ?? open, key },
    h("summary", { "data-key": key, onclick: touched }, title, icon("down")),
    h("div", { class: "stack" }, content));
}

/** Forgets how it was left, and folds it until it is drawn. */
export function unfolded(key) {
  left.delete(key);
  document.querySelector(`details[open] > [data-key="${key}"]`)?.parentElement.removeAttribute("open");
}
