// A sheet that opens at the foot of the screen: a modal dialog with a name, a close button, and focus that returns.
import { byId, element, focused, h, keyOf, refill } from "../dom/dom.js";
import { button, form, iconButton, submitKey } from "./fields.js";
import { calmly } from "../dom/press.js";
import { t } from "../words/i18n.js";
import { troubleWords } from "../words/words.js";

// Returns the focus to the control that has it now. It may have been redrawn since, or be gone, like a tile that was
// removed: then to the next in its group that is still there, or else to the screen.
function wayBack() {
  const opener = focused();
  const key = opener ? keyOf(opener) : undefined;
  const group = [...(opener?.closest("section")?.querySelectorAll("[data-key]") ?? [])].map(keyOf);
  const at = group.indexOf(key);
  /** @type {string[]} */
  const keys = key
    ? [key, ...group.slice(at + 1), ...group.slice(0, Math.max(at, 0)).reverse()].filter((one) => one !== undefined)
    : [];
  return () => {
    const found = key
      ? keys.map((one) => document.querySelector(`[data-key="${CSS.escape(one)}"]`)).find(Boolean)
      : opener;
    const there = (found instanceof HTMLElement || found instanceof SVGElement) && found.isConnected;
    if (there) found.focus();
    else byId("main").focus({ preventScroll: true });
  };
}

// Back closes the sheet that lies on top: each depth of sheets is an entry of the history, at the address of its screen.
// A sheet that is closed otherwise leaves its entry, which the next sheet takes over and Back passes by.
/** @type {{sheets: number, hash: string} | null} */
let entry = history.state;

const openDialogs = () => /** @type {HTMLDialogElement[]} */ ([...document.querySelectorAll("dialog[open]")]);

addEventListener("popstate", () => {
  const left = entry;
  entry = history.state;
  const depth = entry?.sheets ?? 0;
  if (!left || left.hash !== location.hash || depth >= left.sheets) return;
  const above = openDialogs().slice(depth);
  for (const dialog of above.reverse()) dialog.close();
  if (above.length === 0) history.back();
});

/** Opens a dialog over the page; Back closes it. */
export function openOver(/** @type {HTMLDialogElement} */ dialog) {
  document.body.append(dialog);
  dialog.showModal();
  const sheets = openDialogs().length;
  if ((history.state?.sheets ?? 0) >= sheets) return;
  entry = { sheets, hash: location.hash };
  history.pushState(entry, "");
}

/** @type {Map<string, Sheet>} */
const opened = new Map(); // the last sheet of each name

/**
 * Opens a sheet. What loads before it can open is often tapped twice: one with its name that is open stays the only one.
 * @param {string} title its name, shown
 * @param {(sheet: Sheet) => any} build makes (and on refresh remakes) its content
 * @param {{onclose?: () => void}} options
 */
export function openSheet(title, build, { onclose } = {}) {
  const twin = opened.get(title);
  if (twin?.element.open) {
    if (onclose) twin.element.addEventListener("close", onclose);
    return twin;
  }
  const back = wayBack();
  const name = `sheet-${Math.random().toString(36).slice(2)}`;
  const dialog = element(h("dialog.sheet", { "aria-labelledby": name }));
  const close = () => dialog.close();
  const draw = () =>
    refill(
      dialog,
      h("header.sheet-head", h("h2", { id: name }, title), iconButton(null, "close", t("close"), close)),
      h("div.sheet-inside", build(sheet)),
    );
  /** @type {Sheet} */
  const sheet = {
    close,
    refresh: calmly(draw),
    rename: (/** @type {string} */ text) => {
      title = text;
      draw();
    },
    element: dialog,
  };
  opened.set(title, sheet);
  dialog.addEventListener("close", () => {
    refill(dialog);
    dialog.remove();
    onclose?.();
    requestAnimationFrame(() => document.querySelector("dialog[open]") ?? back());
  });
  dialog.addEventListener("click", (/** @type {Event} */ event) => {
    if (event.target === dialog) dialog.close();
  });
  draw();
  openOver(dialog);
  return sheet;
}

/** Closes every sheet, and the camera; what was asked in them counts as not confirmed. */
export function closeSheets() {
  for (const dialog of openDialogs()) dialog.close();
}

/**
 * Asks something in a sheet; resolves to the answer, or to null when the sheet is closed instead.
 * @template A
 * @param {string} title
 * @param {(answer: (said: A) => void, sheet: Sheet) => any} build makes the sheet's content; `answer` closes it
 * @returns {Promise<A | null>}
 */
export const askSheet = (title, build) =>
  new Promise((resolve) => {
    /** @type {A | null} */
    let answer = null;
    const give = (/** @type {Sheet} */ sheet) => (/** @type {A} */ said) => {
      answer = said;
      sheet.close();
    };
    openSheet(title, (sheet) => build(give(sheet), sheet), { onclose: () => resolve(answer) });
  });

/** Asks before something that cannot be undone; resolves to true when confirmed. */
export const confirmSheet = (/** @type {string} */ title, /** @type {string} */ text, /** @type {string} */ verb) =>
  askSheet(title, (answer, sheet) => [
    h("p", text),
    h(
      "div.row.end",
      h("button.button", { autofocus: true, onclick: sheet.close }, t("cancel")),
      button(null, verb, () => answer(true), { look: "danger" }),
    ),
  ]);

/**
 * Opens a sheet with a form, which closes it when what it sent was accepted; why it was not is told to its fields.
 * Resolves to true then, or to null when the sheet is closed instead.
 * @param {string} title
 * @param {(faults: Fault[], sheet: Sheet) => any} fields
 * @param {() => unknown} send
 * @param {{text?: Described | null, verb?: string, look?: string, sign?: string | null, faults?: Fault[]}} options
 *   `text`: before the form; `verb`, `look`, `sign`: of the key that sends
 */
export function openForm(title, fields, send, options = {}) {
  const { text = null, verb = title, look = "main", sign = null } = options;
  let { faults = [] } = options;
  return askSheet(title, (answer, sheet) => {
    const give = async () => {
      try {
        await send();
        answer(true);
      } catch (error) {
        faults = [{ message: troubleWords(error) }];
        sheet.refresh();
      }
    };
    return [text, form("stack", give, fields(faults, sheet), submitKey(verb, { look, sign }))];
  });
}
