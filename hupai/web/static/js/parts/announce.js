// What happens is also said: politely for progress, at once for trouble; short notices are shown as well.
import { h, refill } from "./dom.js";
import { calmly } from "./press.js";
import { t } from "../words/i18n.js";

let timer = 0;
let newest = 0; // number of the notice that stands there, or was the last that did

/** Tells screen readers. */
export function say(text) {
  const live = document.getElementById("live");
  live.textContent = "";
  requestAnimationFrame(() => (live.textContent = text));
}

/** A notice under the head of the page, with one action at most; it stays while it is pointed at or focused. */
export function notice(text, { action = null, act = null, lasting = false } = {}) {
  clearTimeout(timer);
  const mine = ++newest;
  const place = document.getElementById("notices");
  const away = () => mine === newest && refill(place);
  const pressed = () => {
    away();
    act?.();
  };
  place.setAttribute("aria-label", t("notices"));
  const told = h(
    "div",
    { class: "notice", key: mine },
    h("p", {}, text),
    h("button", { class: "button quiet", type: "button", onclick: pressed }, action ?? t("close")),
  );
  calmly(() => mine === newest && refill(place, told))();
  const leave = () => {
    if (place.matches(":hover, :focus-within")) timer = setTimeout(leave, 3000);
    else away();
  };
  if (!lasting) timer = setTimeout(leave, 7000);
  // Going to another screen puts it away; the screen it was made for may still be on its way.
  const here = location.hash;
  const gone = () => {
    if (location.hash === here) return;
    removeEventListener("hashchange", gone);
    if (!lasting) away();
  };
  addEventListener("hashchange", gone);
}
