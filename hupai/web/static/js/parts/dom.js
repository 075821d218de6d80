// The screen is described, and Preact updates the page to match: existing elements stay, with keyboard focus, typed
// text, open folds and scroll positions. Data is always text, never markup.
// @ts-types="../../types/preact.d.ts"
import { Component, createElement, Fragment, render } from "../vendor/preact.mjs";

export { Component };

/**
 * Describes an element. `on…` attributes are listeners; null and undefined are left out; an element with a `data-key`
 * keeps its identity when it moves among its neighbours. A fold with `open` is unfolded, one without keeps its state.
 * @param {string | (new (props: any) => Component)} tag HTML, SVG, or a component
 * @param {Attributes} attributes
 * @param {...any} children descriptions and text, nested lists of them; null and false are skipped
 * @returns {Described}
 */
export function h(tag, attributes = {}, ...children) {
  const key = attributes.key ?? attributes["data-key"] ?? null;
  if (tag !== "details") return createElement(tag, { ...attributes, key }, ...children);
  const { open, ...rest } = attributes;
  const unfold = (/** @type {HTMLDetailsElement | null} */ fold) => fold && (fold.open = true);
  return createElement(tag, { ...rest, key, ref: open ? unfold : null }, ...children);
}

class Kept extends Component {
  /** @param {{drawn: unknown}} next */
  shouldComponentUpdate(next) {
    return next.drawn !== this.props.drawn;
  }

  /** @param {{drawn: unknown}} props */
  render({ drawn }) {
    return drawn;
  }
}

/** A part of the screen that is not redrawn until it is given another description. */
export const memo = (/** @type {unknown} */ drawn) => h(Kept, { drawn });

/**
 * Makes a container show exactly what is described.
 * @param {Element} container
 * @param {...any} children
 */
export function refill(container, ...children) {
  render(createElement(Fragment, null, ...children), container);
}

/**
 * A real element outside any drawing: its listeners stay, and it is never redrawn.
 * @param {Described} described
 * @returns {any}
 */
export function element(described) {
  const place = document.createElement("div");
  refill(place, described);
  return place.firstElementChild;
}

/**
 * The data-key of a control, or of the nearest element around it that has one.
 * @param {Element} element
 */
export const keyOf = (element) => {
  const found = element.closest("[data-key]");
  return found instanceof HTMLElement ? found.dataset.key : undefined;
};

/**
 * The element with keyboard focus; in the photo it is an outline.
 * @returns {HTMLElement | SVGElement | null}
 */
export function focused() {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement || activeElement instanceof SVGElement ? activeElement : null;
}

/**
 * The element of the page with an id.
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * The pen of a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} settings
 */
export function penOf(canvas, settings = {}) {
  const pen = canvas.getContext("2d", settings);
  if (!pen) throw new Error("this browser does not draw");
  return pen;
}

/**
 * An icon from the page's own set.
 * @param {string} name
 */
export function icon(name) {
  return h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("use", { href: `#i-${name}` }));
}
