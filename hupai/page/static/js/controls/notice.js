// Announces what happens to screen readers: politely for progress, at once for trouble; short notices are also shown.
import { byId, h, refill } from "../dom/dom.js";
import { button } from "./fields.js";
import { calmly } from "../dom/press.js";
import { t } from "../words/i18n.js";
import { troubleWords } from "../words/words.js";

let timer = 0;
let newest = 0; // number of the latest notice, whether or not it is still shown

/** Announces a text to screen readers. */
export function say(/** @type {string} */ text) {
  const live = byId("live");
  live.textContent = "";
  requestAnimationFrame(() => (live.textContent = text));
}

/** Does something; a refusal is shown, and the answer is false. */
export async function attempt(/** @type {() => unknown} */ act) {
  try {
    await act();
    return true;
  } catch (error) {
    notice(troubleWords(error));
    return false;
  }
}

/**
 * A notice under the head of the page, with one action at most; it stays while it is pointed at or focused.
 * @param {string} text
 * @param {{action?: string | null, act?: (() => unknown) | null, lasting?: boolean}} options
 * @returns {() => void} takes it away, if it is still shown
 */
export function notice(text, { action = null, act = null, lasting = false } = {}) {
  clearTimeout(timer);
  say(text);
  const mine = ++newest;
  const place = byId("notices");
  const away = () => {
    if (mine === newest) refill(place);
  };
  const pressed = () => {
    away();
    act?.();
  };
  place.setAttribute("aria-label", t("notices"));
  const told = h(
    "div.notice",
    { key: mine },
    h("p", text),
    button(null, action ?? t("close"), pressed, { look: "quiet" }),
  );
  calmly(() => mine === newest && refill(place, told))();
  const leave = () => {
    if (place.matches(":hover, :focus-within")) timer = setTimeout(leave, 3000);
    else away();
  };
  if (!lasting) timer = setTimeout(leave, 7000);
  // Going to another screen removes it; the screen it was made for may still be loading.
  const here = location.hash;
  const gone = () => {
    if (location.hash === here) return;
    removeEventListener("hashchange", gone);
    if (!lasting) away();
  };
  addEventListener("hashchange", gone);
  return away;
}
