// Nothing is drawn anew while a control is pressed: one that is replaced between down and up swallows the tap, and one
// that has moved gives it to its neighbour. Nor while a list is open: the browser closes it when its control is replaced;
// nor, where a field cannot move into the new drawing (see `refill`), while a word is composed in it.
import { MOVES } from "./dom.js";

const CLICK_MS = 300; // a touch becomes a click some time after the finger has left, on a busy phone later
const LIST_MS = 200; // how often it is checked whether a list was closed, which no event tells, or a word is finished
const LEFT_MS = 10_000; // a list that was touched so long ago is taken for closed where the browser does not say
const TELLS = CSS.supports("selector(select:open)");
const late = new Set(); // drawings that wait
let pressed = false;
let timer = 0;
let composed = null; // the field in which a word is composed, as Chinese and Japanese are typed
let touched = null; // {list, at}: where the browser does not tell, the list that may be open

function listOpen() {
  if (TELLS) return document.querySelector("select:open") !== null;
  return touched !== null && document.activeElement === touched.list && Date.now() - touched.at < LEFT_MS;
}

const engaged = () => (composed !== null && document.activeElement === composed) || listOpen();

function press() {
  clearTimeout(timer);
  pressed = true;
}

function letGo() {
  clearTimeout(timer);
  pressed = false;
  if (late.size && engaged()) {
    letGoSoon(LIST_MS);
    return;
  }
  for (const draw of late) queueMicrotask(draw);
  late.clear();
}

function letGoSoon(ms) {
  clearTimeout(timer);
  timer = setTimeout(letGo, ms);
}

addEventListener("pointerdown", (event) => event.isPrimary && event.button === 0 && press(), true);
addEventListener("pointerup", (event) => event.isPrimary && letGoSoon(CLICK_MS), true);
// The space bar, too, presses when it is let go; an open list keeps that to itself, so any key will do.
addEventListener("keydown", (event) => event.key === " " && press(), true);
addEventListener("keyup", () => letGoSoon(0), true);
// What the click itself changes is drawn at once; what waited, when everybody has heard of the click.
addEventListener(
  "click",
  () => {
    pressed = false;
    letGoSoon(0);
  },
  true,
);
if (!TELLS) {
  const touch = (event) => (touched = event.target.matches?.("select") ? { list: event.target, at: Date.now() } : null);
  addEventListener("pointerdown", touch, true);
  addEventListener("keydown", (event) => [" ", "F4"].includes(event.key) && touch(event), true);
  for (const name of ["change", "focusout"]) addEventListener(name, () => (touched = null), true);
}
if (!MOVES) {
  addEventListener("compositionstart", (event) => (composed = event.target), true);
  addEventListener("compositionend", () => (composed = null), true);
}
for (const name of ["pointercancel", "contextmenu"]) addEventListener(name, letGo, true);
addEventListener("blur", letGo); // the window's own: what happens elsewhere is not heard here

/**
 * Makes a drawing wait while a control is pressed. What changed meanwhile is drawn together, once.
 * @param {(parts: Set<string>) => void} draw is told the parts of all calls it stands for
 * @returns {(some?: Iterable<string>) => void}
 */
export function calmly(draw) {
  /** @type {Set<string> | null} */
  let parts = null;
  const now = () => {
    const all = parts;
    parts = null;
    if (all) draw(all);
  };
  return (some = []) => {
    parts = new Set([...(parts ?? []), ...some]);
    const waits = engaged();
    if (pressed || waits) late.add(now);
    if (!pressed && waits) letGoSoon(LIST_MS);
    else if (!pressed) now();
  };
}
