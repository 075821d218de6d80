// Form controls: one of several, on or off, a number, each with its label and its own faults.
import { h, icon } from "../dom/dom.js";
import { emit, questions } from "../state/signal.js";
import { number, t } from "../words/i18n.js";
import { rich } from "../faces/rich.js";
import { errorWords } from "../words/words.js";

/** @typedef {{look?: string, sign?: string | null, off?: boolean}} Look main, wide, quiet; `off`: shown as disabled */
/** @typedef {{hint?: string | null, faults?: Fault[]}} Notes below a control */
/**
 * @template T
 * @typedef {{value: T, label: string, note?: string | null, spoken?: string}} Choice
 */

/**
 * A button with words, and perhaps a sign before them.
 * @type {(key: string | null, words: string, onclick: Listener<MouseEvent>, how?: Look & {type?: "submit"}) => Described}
 */
export const button = (key, words, onclick, { look = "", sign = null, off = false, type } = {}) =>
  h(
    "button",
    { class: `button ${look}`, type, "data-key": key, "aria-disabled": off ? "true" : null, onclick },
    sign && icon(sign),
    words,
  );

/**
 * The main key for the next step, within reach of the thumb.
 * @type {(key: string, sign: string, label: string, onclick: () => unknown, off?: boolean) => Described}
 */
export const mainKey = (key, sign, label, onclick, off = false) =>
  button(key, label, onclick, { look: "main wide", sign, off });

/**
 * The key that sends the form it stands in.
 * @type {(words: string, how?: Look & {key?: string | null}) => Described}
 */
export const submitKey = (words, { key = null, ...options } = {}) =>
  button(key, words, null, { ...options, type: "submit" });

/**
 * A form that the page itself sends.
 * @param {"stack" | "row" | "open-option"} look
 * @param {() => unknown} send
 * @param {...any} children
 */
export const form = (look, send, ...children) =>
  h(
    `form.${look}`,
    {
      onsubmit: (event) => {
        event.preventDefault();
        send();
      },
    },
    ...children,
  );

/**
 * A part that is folded away under its title.
 * @param {string} key
 * @param {any} title
 * @param {any} content
 * @param {{open?: boolean, look?: string, ontoggle?: Listener, id?: string}} options `look`: further classes; `id`:
 *   with another one it is a new fold
 */
export const fold = (key, title, content, { open = false, look = "", ontoggle = null, id = key } = {}) =>
  h(
    "details",
    { class: `fold ${look}`, open, key: id, ontoggle },
    h("summary", { "data-key": key }, title, icon("down")),
    h("div.stack", content),
  );

/**
 * A fold whose content the host is asked for when it is opened.
 * @template A
 * @param {string} part is drawn when the answer has come
 */
export function askedFold(part) {
  const asked = questions(part);
  let open = false;
  let times = 0; // that it was opened
  return (
    /** @type {string} */ key,
    /** @type {string} */ title,
    /** @type {{about: string, version?: unknown, ask: () => Promise<A>}} */ { about, version, ask },
    /** @type {(told: {answer?: A, error?: Trouble}) => any} */ inside,
    look = "card",
  ) =>
    fold(key, title, inside(open ? asked(about, version, ask, times) : {}), {
      open,
      look,
      ontoggle: ({ target }) => {
        open = target.open;
        if (open) times += 1;
        emit(part);
      },
    });
}

/**
 * A button with a sign alone; its label is read aloud.
 * @type {(key: string | null, sign: string, label: string, onclick: Listener<MouseEvent>, off?: boolean) => Described}
 */
export const iconButton = (key, sign, label, onclick, off = false) =>
  h(
    "button.icon-button",
    { "aria-label": label, "data-key": key, "aria-disabled": off ? "true" : null, onclick },
    icon(sign),
  );

/** A button that prints the page: an installed page has no browser menu for that. */
export const printButton = () => button("print", t("print"), () => print());

/**
 * What went wrong as faults: in the page's own words for the error's code, or else as the server says it.
 * @type {(error: any) => Fault[]}
 */
export function faultsOf(error) {
  const words = errorWords(error);
  if (words !== null) return [{ message: words }];
  return error.faults?.length ? error.faults : [{ message: error.message }];
}

/**
 * The faults that belong to some fields, or to parts of them.
 * @type {(faults: readonly Fault[], fields: string[]) => Fault[]}
 */
export const faultsOn = (faults, fields) =>
  faults.filter(({ field }) =>
    fields.some((name) => field === name || field?.startsWith(`${name}.`) || field?.startsWith(`${name}[`))
  );

/**
 * Faults by their fields: `at` gives those of some fields, `rest` those that nobody has asked for, so that all are shown.
 * @param {readonly Fault[]} faults
 */
export function byField(faults) {
  const shown = new Set();
  return {
    at: (/** @type {string[]} */ ...fields) => {
      const found = faultsOn(faults, fields);
      for (const fault of found) shown.add(fault);
      return found;
    },
    rest: () => faults.filter((fault) => !shown.has(fault)),
  };
}

/** Faults shown beside their field. */
export function faultList(/** @type {readonly Fault[]} */ faults, /** @type {string} */ id) {
  if (!faults.length) return null;
  return h("ul.faults", { id }, faults.map((f) => h("li", icon("warn"), h("span", rich(f.message)))));
}

/**
 * The width of the longest word on the keys, in letters (a CJK character counts as two, but CJK words may be broken).
 */
function longestWord(/** @type {{label: string}[]} */ choices, /** @type {number} */ cjk) {
  const wide = (/** @type {string} */ word) => [...word].reduce((sum, c) => sum + (c > "\u2e80" ? cjk : 1), 0);
  return Math.max(...choices.flatMap((c) => c.label.split(/[\s-]+/)).map(wide));
}

/** How many keys fit side by side on a phone; `sign` is the room for an icon before the words, in letters. */
function keysPerRow(/** @type {{label: string}[]} */ choices, sign = 0) {
  const longest = longestWord(choices, 2) + sign;
  const fits = longest <= 6 ? 4 : longest <= 10 ? 3 : longest <= 12 ? 2 : 1;
  if (choices.length <= fits) return choices.length;
  return choices.length === 4 ? Math.min(fits, 2) : fits;
}

/**
 * One of several: radio buttons that look like a row of keys.
 * @template T
 * @param {string} name
 * @param {string} legend
 * @param {Choice<T>[]} choices
 * @param {T | null | undefined} value
 * @param {(value: T) => unknown} onchange
 * @param {Notes & {wide?: boolean}} options
 */
export function choiceRow(name, legend, choices, value, onchange, { faults = [], hint = null, wide = false } = {}) {
  const word = `calc(${(0.68 * longestWord(choices, 1.3)).toFixed(2)}em + 12px)`;
  const keys = h(
    "div",
    { class: `keys per-${wide ? 1 : keysPerRow(choices)}`, style: { "--word": word, "--of": choices.length } },
    choices.map((choice) => {
      const checked = choice.value === value;
      const input = h("input", {
        type: "radio",
        name,
        "data-key": `${name}=${choice.value}`,
        checked,
        "aria-label": choice.spoken,
        onchange: () => onchange(choice.value),
      });
      return h(
        "label.key",
        { key: choice.value },
        input,
        h("span", h("b", { title: choice.label }, choice.label), choice.note && h("small", choice.note)),
      );
    }),
  );
  return h(
    "fieldset.choice",
    { "data-field": name, key: name, "aria-describedby": faults.length ? `faults-${name}` : null },
    h("legend", legend),
    keys,
    hint && h("p.hint", hint),
    faultList(faults, `faults-${name}`),
  );
}

/**
 * Any of several, as chips; side by side only if no name has to be broken.
 * @template T
 * @param {string} name
 * @param {string} legend
 * @param {{value: T, label: string}[]} choices
 * @param {T[]} chosen
 * @param {(chosen: T[]) => unknown} onchange
 */
export function chipRow(name, legend, choices, chosen, onchange) {
  const word = `calc(${(0.68 * longestWord(choices, 1.5)).toFixed(2)}em + 38px)`;
  let now = chosen; // the second of two quick taps comes before the row is drawn again
  const toggle = (/** @type {T} */ value) => {
    now = now.includes(value) ? now.filter((v) => v !== value) : [...now, value];
    onchange(now);
  };
  const chips = h(
    "div",
    { class: `chips even per-${keysPerRow(choices, 1)}`, style: { "--word": word } },
    choices.map(({ value, label }) => onOff(`${name}-${value}`, label, chosen.includes(value), () => toggle(value))),
  );
  return h("fieldset.choice", { "data-field": name, key: name }, h("legend", legend), chips);
}

// `described`: the id of its description.
/** @type {(key: string, label: string, on: boolean, onclick: () => unknown, described?: string | null) => Described} */
const onOff = (key, label, on, onclick, described = null) =>
  h(
    "button.chip",
    { "aria-pressed": String(on), "data-key": key, "aria-describedby": described, onclick },
    icon(on ? "check" : "plus"),
    label,
  );

/** @typedef {(on: boolean) => unknown} Switched */

/**
 * On or off, as a chip.
 * @type {(name: string, label: string, on: boolean, onchange: Switched, options?: {faults?: Fault[]}) => Described}
 */
export function chip(name, label, on, onchange, { faults = [] } = {}) {
  return h(
    "div.chip-cell",
    { "data-field": name, key: name },
    onOff(`chip-${name}`, label, on, () => onchange(!on), faults.length ? `faults-${name}` : null),
    faultList(faults, `faults-${name}`),
  );
}

/**
 * On or off, as a switch with its explanation.
 * @type {(key: string, label: string, on: boolean, onchange: Switched, hint?: string | null) => Described}
 */
export function toggle(key, label, on, onchange, hint = null) {
  return h(
    "label.toggle",
    { key },
    h("span.toggle-text", h("b", label), hint && h("small", hint)),
    h("input", {
      type: "checkbox",
      role: "switch",
      "data-key": key,
      checked: on,
      onchange: (event) => onchange(event.target.checked),
    }),
    h("span.track", { "aria-hidden": "true" }),
  );
}

/**
 * A small whole number with a button on either side.
 * @param {string} name
 * @param {string} label
 * @param {number} value
 * @param {(value: number) => unknown} onchange
 * @param {{low?: number, high?: number, faults?: Fault[], hint?: string | null}} options
 */
export function stepper(name, label, value, onchange, { low = 0, high = 99, faults = [], hint = null } = {}) {
  const step = (/** @type {number} */ by) => onchange(Math.min(high, Math.max(low, Number(value) + by)));
  return h(
    "div.stepper",
    { role: "group", "aria-label": label, "data-field": name, key: name },
    h("span.stepper-label", h("b", label), hint && h("small", hint)),
    h(
      "span.stepper-keys",
      iconButton(`${name}minus`, "minus", t("less", { what: label }), () => step(-1), value <= low),
      h("output", { "aria-live": "polite" }, number(value)),
      iconButton(`${name}plus`, "plus", t("more", { what: label }), () => step(1), value >= high),
    ),
    faultList(faults, `faults-${name}`),
  );
}

/**
 * A list to choose from.
 * @template T
 * @param {string} key
 * @param {string} label
 * @param {Choice<T>[]} choices
 * @param {T | undefined} value
 * @param {(value: T) => unknown} onchange
 * @param {Notes} options
 */
export function select(key, label, choices, value, onchange, { hint = null, faults = [] } = {}) {
  const id = `select-${key}`;
  const at = Math.max(
    0,
    choices.findIndex((c) => c.value === value),
  );
  const control = h(
    "select",
    { id, "data-key": id, value: String(at), onchange: (event) => onchange(choices[event.target.selectedIndex].value) },
    choices.map((c, i) => h("option", { value: i }, c.label)),
  );
  return field(key, id, label, control, { hint, faults });
}

/**
 * A control with its label before it, its hint and its faults below it.
 * @type {(key: string, id: string, label: string, control: Described, notes: Required<Notes>) => Described}
 */
const field = (key, id, label, control, { hint, faults }) =>
  h(
    "div.field",
    { "data-field": key, key },
    h("label", { for: id }, label),
    control,
    hint && h("small.hint", hint),
    faultList(faults, `faults-${key}`),
  );

/** @typedef {(text: string) => unknown} Typed */

/**
 * A line of text; further options become attributes of the input.
 * @type {(key: string, label: string, value: string, oninput: Typed, how?: Notes & Record<string, any>) => Described}
 */
export function textField(key, label, value, oninput, { hint = null, faults = [], ...rest } = {}) {
  const id = `field-${key}`;
  const typed = (/** @type {ElementEvent} */ event) => oninput(event.target.value);
  const plain = { id, "data-key": id, type: "text", value, autocomplete: "off", oninput: typed };
  return field(key, id, label, h("input", { ...plain, ...rest }), { hint, faults });
}

/** An input that takes files; the same file can be chosen again. */
export const fileInput = (/** @type {Attributes} */ attributes, /** @type {(files: File[]) => unknown} */ take) =>
  h("input", {
    type: "file",
    ...attributes,
    onchange: (event) => {
      const files = [...event.target.files];
      event.target.value = "";
      if (files.length) take(files);
    },
  });
