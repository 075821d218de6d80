// The screen is described, and Preact updates the page to match: existing elements stay, with keyboard focus, typed
// text, open folds and scroll positions. Data is always text, never markup.
// @ts-types="../../types/preact.d.ts"
import { Component, createElement, Fragment, render } from "../vendor/preact.mjs";

export { Component };

/**
 * Describes an element: `h("p.soft.row", { id }, "text")`. Attributes may be left out. `on…` attributes are listeners; an
 * element with a `data-key` keeps its identity when it moves among its neighbours. A fold is unfolded when it gets `open`;
 * then it stays as its reader leaves it.
 * @overload
 * @param {string | (new (props: any) => Component)} tag HTML or SVG with its classes, or a component
 * @param {Attributes} attributes null and undefined are left out
 * @param {...any} children descriptions and text, nested lists of them; null and false are skipped
 * @returns {Described}
 */
/**
 * @overload
 * @param {string} tag
 * @param {...Child} children
 * @returns {Described}
 */
/** @type {(tag: any, ...given: any[]) => Described} */
export function h(tag, ...given) {
  const [first, ...others] = given;
  const [{ open, ...attributes }, children] = first?.constructor === Object ? [first, others] : [{}, given];
  const [name, ...classes] = typeof tag === "string" ? tag.split(".") : [tag];
  if (classes.length) attributes.class ??= classes.join(" ");
  if (name === "button") attributes.type ??= "button"; // what sends a form is a submitKey
  if (name === "details") attributes.ref = open ? unfold : null;
  return createElement(name, { ...attributes, key: attributes.key ?? attributes["data-key"] ?? null }, ...children);
}

const unfold = (/** @type {HTMLDetailsElement | null} */ fold) => fold && (fold.open = true);

class Kept extends Component {
  shouldComponentUpdate(/** @type {{drawn: unknown}} */ next) {
    return next.drawn !== this.props.drawn;
  }

  render(/** @type {{drawn: unknown}} */ { drawn }) {
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

/** The data-key of a control, or of the nearest element around it that has one. */
export const keyOf = (/** @type {Element} */ element) => {
  const found = element.closest("[data-key]");
  return found instanceof HTMLElement ? found.dataset.key : undefined;
};

/**
 * The element with keyboard focus; in the photo it is an outline.
 */
export function focused() {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement || activeElement instanceof SVGElement ? activeElement : null;
}

/** The element of the page with an id. */
export function byId(/** @type {string} */ id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * The pen of a canvas.
 * @type {(canvas: HTMLCanvasElement, settings?: CanvasRenderingContext2DSettings) => CanvasRenderingContext2D}
 */
export function penOf(canvas, settings = {}) {
  const pen = canvas.getContext("2d", settings);
  if (!pen) throw new Error("this browser does not draw");
  return pen;
}

/** An icon from the page's own set. */
export function icon(/** @type {string} */ name) {
  return h("svg.icon", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("use", { href: `#i-${name}` }));
}

/**
 * The QR code of an address, a picture at `src` if there is one, and the address as text to read and tap.
 * @type {(src: string | null, alt: string, url: string) => Child[]}
 */
export const codeAndAddress = (src, alt, url) => [
  src && h("img.qr", { src, alt }),
  h("p.address", h("a", { href: url }, url)),
];
