// Building elements without markup strings: data is always text, never HTML.

const SVG = "http://www.w3.org/2000/svg";

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
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in element && element.namespaceURI !== SVG) element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
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
  container.replaceChildren(...nodes);
  for (const key of unfolded) container.querySelector(`details > ${keyed(key)}`)?.parentElement.setAttribute("open", "");
  if (held === undefined) return;
  const next = container.querySelector(keyed(held));
  if (!next) return;
  next.focus({ preventScroll: true });
  if (range && "setSelectionRange" in next) next.setSelectionRange(...range);
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
