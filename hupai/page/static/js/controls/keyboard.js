// The complete tile keyboard: one suit at a time on a phone, all at once where there is room.
import { Component, h } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { seatsTaken } from "../hand/seats.js";
import { copies, plain } from "../hand/tiles.js";
import { tileButton, tileName } from "../faces/tile.js";
import { openSheet } from "./sheet.js";

/** @type {(text: string, suit: string) => string[]} */
const digits = (text, suit) => [...text].map((d) => d + suit);

/** @typedef {{id: string, codes: string[]}} Group */

/**
 * The groups of keys for the rules; three players play without 2m to 8m.
 * @param {Pick<Api.RulesBody, "red_fives" | "bonus_tiles">} rules
 * @returns {Group[]}
 */
export function keyGroups(rules, { back = true } = {}) {
  /** @type {(letter: string) => string[]} */
  const suit = (letter) => [...digits("123456789", letter), ...(rules.red_fives ? [`0${letter}`] : [])];
  const bonus = (/** @type {string} */ letters) => rules.bonus_tiles.filter((c) => letters.includes(c[0]));
  return [
    { id: "m", codes: suit("m") },
    { id: "p", codes: suit("p") },
    { id: "s", codes: suit("s") },
    { id: "z", codes: digits("1234567", "z") },
    { id: "fg", codes: bonus("fg") },
    { id: "a", codes: bonus("a") },
    { id: "b", codes: back ? ["back"] : [] },
  ].map(({ id, codes }) => ({ id, codes: codes.filter(isDealt) })).filter((g) => g.codes.length);
}

const isDealt = (/** @type {string} */ code) => seatsTaken().length === 4 || !/^[02-8]m$/.test(code);

let lastGroup = "m";

/**
 * The keyboard.
 * @param {{groups: Group[], current?: string | null, used?: (code: string) => number, whole?: boolean,
 *   onpick: (code: string) => unknown}} options `current` code that is marked; `used` code -> number in the hand;
 *   `whole`: all suits at once, even on a phone
 */
export function keyboard({ groups, current = null, used = () => 0, whole = false, onpick }) {
  const key = (/** @type {string} */ code) => {
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
  const panel = (/** @type {Group} */ group) =>
    h("div.keyboard-keys", { role: "group", "aria-label": t(`suit.${group.id}`) }, group.codes.map(key));
  if (whole || matchMedia("(min-width: 700px)").matches) {
    return h("div.keyboard.all", groups.map((group) => h("div", h("h3", t(`suit.${group.id}`)), panel(group))));
  }
  const start = current
    ? groups.find((g) => g.codes.includes(current))?.id
    : groups.find((g) => g.id === lastGroup)?.id;
  return h(Tabbed, { groups, start: start ?? groups[0].id, panel });
}

/**
 * Opens a sheet in which one tile is picked.
 * @param {string} title
 * @param {Pick<Api.RulesBody, "red_fives" | "bonus_tiles">} rules
 * @param {(code: string) => unknown} onpick
 * @param {{current?: string | null, whole?: boolean, above?: (sheet: Sheet) => any}} options as for keyboard; `above`:
 *   what else the sheet shows
 */
export function openKeyboard(title, rules, onpick, { current, whole, above = () => null } = {}) {
  openSheet(title, (sheet) => [
    above(sheet),
    keyboard({
      groups: keyGroups(rules, { back: false }),
      current,
      whole,
      onpick: (code) => {
        onpick(code);
        sheet.close();
      },
    }),
  ]);
}

// One suit at a time; the suit used last is shown first.
/** @typedef {{groups: Group[], start: string, panel: (group: Group) => Described}} Tabs */

/** @extends {Component<Tabs, {id: string}>} */
class Tabbed extends Component {
  /** @param {Tabs} props */
  constructor(props) {
    super(props);
    this.state = { id: props.start };
    lastGroup = props.start;
  }

  show(/** @type {string} */ id) {
    lastGroup = id;
    this.setState({ id });
  }

  move(/** @type {ElementEvent & KeyboardEvent} */ event, /** @type {string} */ id) {
    const { groups } = this.props;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    if (!step) return;
    event.preventDefault();
    const next = groups[(groups.findIndex((g) => g.id === id) + step + groups.length) % groups.length].id;
    this.show(next);
    event.currentTarget.parentElement.querySelector(`#tab-${next}`).focus();
  }

  tab(/** @type {Group} */ { id }) {
    const shown = id === this.state.id;
    return h(
      "button.keyboard-tab",
      {
        role: "tab",
        id: `tab-${id}`,
        "data-key": `tab-${id}`,
        "aria-controls": "keyboard-panel",
        "aria-selected": String(shown),
        tabindex: shown ? 0 : -1,
        onclick: () => this.show(id),
        onkeydown: (event) => this.move(event, id),
      },
      h("span", { "aria-hidden": "true" }, t(`suit.${id}.sign`)),
      h("span.unseen", t(`suit.${id}`)),
    );
  }

  render(/** @type {Tabs} */ { groups, panel }) {
    const shown = groups.find(({ id }) => id === this.state.id) ?? groups[0];
    return h(
      "div.keyboard",
      h("div.keyboard-panel", { id: "keyboard-panel", role: "tabpanel" }, panel(shown)),
      h(
        "div.keyboard-tabs",
        { role: "tablist", "aria-label": t("keyboard.suits") },
        groups.map((group) => this.tab(group)),
      ),
    );
  }
}
