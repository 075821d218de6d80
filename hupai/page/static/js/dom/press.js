// Nothing is redrawn while a finger or the mouse is down: if a control moved away, the tap would hit its neighbour.

const CLICK_MS = 300; // a touch becomes a click some time after the finger has left, longer on a busy phone
/** @type {Set<() => void>} */
const late = new Set(); // drawings that are waiting
let pressed = false;
let timer = 0;

function letGo() {
  clearTimeout(timer);
  pressed = false;
  for (const draw of late) queueMicrotask(draw);
  late.clear();
}

function letGoSoon(/** @type {number} */ ms) {
  clearTimeout(timer);
  timer = setTimeout(letGo, ms);
}

function press(/** @type {PointerEvent} */ event) {
  if (!event.isPrimary || event.button !== 0) return;
  clearTimeout(timer);
  pressed = true;
}

// What the click itself changes is drawn at once; what waited is drawn after all listeners have handled the click.
function click() {
  pressed = false;
  letGoSoon(0);
}

addEventListener("pointerdown", press, true);
addEventListener("pointerup", (event) => event.isPrimary && letGoSoon(CLICK_MS), true);
addEventListener("click", click, true);
for (const name of ["pointercancel", "contextmenu"]) addEventListener(name, letGo, true);
addEventListener("blur", letGo); // events outside the window are not received here

/**
 * Makes a drawing wait while something is pressed. Everything that changed meanwhile is drawn at once afterwards.
 * @param {(parts: Set<string>) => void} draw receives the parts of all calls that it combines
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
    if (pressed) late.add(now);
    else now();
  };
}
