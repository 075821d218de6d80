// The whole keyboard of tiles: one suit at a time on a phone, all at once where there is room.
import { h } from "./dom.js";
import { t } from "../words/i18n.js";
import { copies, plain } from "../hand/tiles.js";
import { tileButton, tileName } from "./tile.js";

const digits = (text, suit) => [...text].map((d) => d + suit);

/** The groups of keys the rules have, each {id, codes}. */
export function keyGroups(rules, { back = true } = {}) {
  const suit = (letter) => [...digits("123456789", letter), ...(rules.red_fives ? [`0${letter}`] : [])];
  const bonus = (letters) => rules.bonus_tiles.filter((c) => letters.includes(c[0]));
  return [
    { id: "m", codes: suit("m") },
    { id: "p", codes: suit("p") },
    { id: "s", codes: suit("s") },
    { id: "z", codes: digits("1234567", "z") },
    { id: "fg", codes: bonus("fg") },
    { id: "a", codes: bonus("a") },
    { id: "b", codes: back ? ["back"] : [] },
  ].filter((g) => g.codes.length);
}

let lastGroup = "m";

/**
 * The keyboard.
 * @param {object} options groups from keyGroups; `current` code that is marked; `used` code -> how many the hand holds;
 * `whole`: all suits at once on a phone, too
 */
export function keyboard({ groups, current = null, used = () => 0, whole = false, onpick }) {
  const key = (code) => {
    const left = copies(code) - used(plain(code));
    const name = tileName(code);
    const button = tileButton(code, {
      label: left > 0 || code === "back" ? name : t("keyboard.used_up", { name }),
      key: `key-${code}`,
      className: `${code === current ? "chosen" : ""} ${left > 0 || code === "back" ? "" : "spent"}`,
      "aria-pressed": current === null ? null : String(code === current),
      onclick: () => onpick(code),
    });
    return button;
  };
  const panel = (group) =>
    h("div", { class: "keyboard-keys", role: "group", "aria-label": t(`suit.${group.id}`) }, group.codes.map(key));
  if (whole || matchMedia("(min-width: 700px)").matches) {
    return h(
      "div",
      { class: "keyboard all" },
      groups.map((group) => h("div", {}, h("h3", {}, t(`suit.${group.id}`)), panel(group))),
    );
  }
  const start = current
    ? groups.find((g) => g.codes.includes(current))?.id
    : groups.find((g) => g.id === lastGroup)?.id;
  return tabbed(groups, start ?? groups[0].id, panel);
}

function tabbed(groups, start, panel) {
  const place = h("div", { class: "keyboard-panel" });
  const tabs = groups.map((group) =>
    h(
      "button",
      {
        class: "keyboard-tab",
        type: "button",
        role: "tab",
        id: `tab-${group.id}`,
        "data-key": `tab-${group.id}`,
        "aria-controls": "keyboard-panel",
        onclick: () => show(group.id),
        onkeydown: (event) => move(event, group.id),
      },
      h("span", { "aria-hidden": "true" }, t(`suit.${group.id}.sign`)),
      h("span", { class: "unseen" }, t(`suit.${group.id}`)),
    ),
  );
  function show(id) {
    lastGroup = id;
    groups.forEach((group, i) => {
      tabs[i].setAttribute("aria-selected", String(group.id === id));
      tabs[i].tabIndex = group.id === id ? 0 : -1;
    });
    place.replaceChildren(panel(groups.find((g) => g.id === id)));
  }
  function move(event, id) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = (groups.findIndex((g) => g.id === id) + step + groups.length) % groups.length;
    show(groups[at].id);
    tabs[at].focus();
  }
  place.id = "keyboard-panel";
  place.setAttribute("role", "tabpanel");
  show(start);
  return h(
    "div",
    { class: "keyboard" },
    place,
    h("div", { class: "keyboard-tabs", role: "tablist", "aria-label": t("keyboard.suits") }, tabs),
  );
}
