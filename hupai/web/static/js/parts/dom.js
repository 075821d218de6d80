// Building elements without markup strings: data is always text, never HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Whether the browser moves an element without taking the keyboard from it. */
export const MOVES = "moveBefore" in Element.prototype;
const heard = new WeakMap(); // field that is typed into -> [[event, listener]]

/**
 * An HTML element. `on…` attributes are listeners, `true` is a bare attribute, null and false are left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} attributes
 * @param {...any} children nodes and text, nested lists of them
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * An SVG element, attributes as for `h`.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} attributes
 * @param {...any} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) listen(element, name.slice(2), value);
    else if (name === "value" && "value" in element && element.namespaceURI !== SVG) element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function listen(element, event, listener) {
  element.addEventListener(event, listener);
  if ("selectionStart" in element) heard.set(element, [...(heard.get(element) ?? []), [event, listener]]);
}

/** Appends nodes and text; nested lists are flattened, null and false are skipped. */
export function append(parent, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child);
  }
  return parent;
}

/**
 * Replaces what a container holds. The keyboard stays where it was and folds stay open (they are matched by `data-key`).
 */
export function refill(container, ...children) {
  const nodes = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  // What stands there already stays untouched (a photo keeps its zoom).
  if (nodes.length === container.childNodes.length && nodes.every((node, i) => node === container.childNodes[i]))
    return;
  const active = focused();
  const held = active && container.contains(active) ? keyOf(active) : undefined;
  const range = held && "selectionStart" in active ? safeRange(active) : null;
  const unfolded = [...container.querySelectorAll("details[open] > summary[data-key]")].map((s) => s.dataset.key);
  const gone = [...container.childNodes].filter((node) => !nodes.includes(node));
  const next = held === undefined ? null : within(nodes, keyed(held));
  for (const node of nodes) {
    if (MOVES && node.parentNode === container) container.moveBefore(node, null);
    else container.append(node);
  }
  if (MOVES && range && next && next !== active) carry(active, next);
  for (const node of gone) node.remove();
  for (const key of unfolded) container.querySelector(`details > ${keyed(key)}`)?.parentElement.setAttribute("open", "");
  if (!next || document.activeElement === active) return;
  next.focus({ preventScroll: true });
  if (range && "setSelectionRange" in next) next.setSelectionRange(...range);
}

// A field that is typed into goes into the new drawing as it is, and what was drawn there tells it how to be now: a word
// that is being composed and a phone's keyboard last as long as their field does.
function carry(field, drawn) {
  drawn.parentNode.moveBefore(field, drawn);
  drawn.remove();
  for (const [event, listener] of heard.get(field) ?? []) field.removeEventListener(event, listener);
  for (const [event, listener] of heard.get(drawn) ?? []) field.addEventListener(event, listener);
  heard.set(field, heard.get(drawn) ?? []);
  for (const name of field.getAttributeNames()) if (!drawn.hasAttribute(name)) field.removeAttribute(name);
  for (const { name, value } of drawn.attributes) if (field.getAttribute(name) !== value) field.setAttribute(name, value);
  if (field.value !== drawn.value) field.value = drawn.value;
}

function within(nodes, selector) {
  const elements = nodes.filter((node) => node instanceof Element);
  return elements.find((e) => e.matches(selector)) ?? elements.map((e) => e.querySelector(selector)).find(Boolean) ?? null;
}

/**
 * The data-key of a control, or of what it is in.
 * @param {Element} element
 */
export const keyOf = (element) => {
  const found = element.closest("[data-key]");
  return found instanceof HTMLElement ? found.dataset.key : undefined;
};

/**
 * What has the keyboard.
 * @returns {HTMLElement | null}
 */
export const focused = () => (document.activeElement instanceof HTMLElement ? document.activeElement : null);

const keyed = (key) => `[data-key="${CSS.escape(key)}"]`;

function safeRange(input) {
  try {
    return input.selectionStart === null ? null : [input.selectionStart, input.selectionEnd];
  } catch {
    return null; // number and e-mail inputs have no selection
  }
}

/** An icon from the page's own set. */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("use", { href: `#i-${name}` }));
}
