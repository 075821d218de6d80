// What happens is also said: politely for progress, at once for trouble; short notices are shown as well.
import { h } from "./dom.js";
import { t } from "../words/i18n.js";
import { calmly } from "./press.js";

let timer = 0;
let newest = null;
const put = calmly(() => {
  const notices = document.getElementById("notices");
  notices.setAttribute("aria-label", t("notices"));
  notices.replaceChildren(newest);
});

/** Tells screen readers. */
export function say(text) {
  const live = document.getElementById("live");
  live.textContent = "";
  requestAnimationFrame(() => (live.textContent = text));
}

/** A notice under the head of the page, with one action at most; it stays while it is pointed at or focused. */
export function notice(text, { action = null, act = null, lasting = false } = {}) {
  clearTimeout(timer);
  const box = h("div", { class: "notice" }, h("p", {}, text));
  if (action)
    box.append(
      h(
        "button",
        {
          class: "button quiet",
          type: "button",
          onclick: () => {
            box.remove();
            act();
          },
        },
        action,
      ),
    );
  else box.append(h("button", { class: "button quiet", type: "button", onclick: () => box.remove() }, t("close")));
  newest = box;
  put();
  const leave = () => {
    if (box.matches(":hover, :focus-within")) timer = setTimeout(leave, 3000);
    else box.remove();
  };
  if (!lasting) timer = setTimeout(leave, 7000);
  // Going to another screen puts it away; the screen it was made for may still be on its way.
  const here = location.hash;
  const gone = () => {
    if (location.hash === here) return;
    removeEventListener("hashchange", gone);
    if (!lasting) box.remove();
  };
  addEventListener("hashchange", gone);
}
