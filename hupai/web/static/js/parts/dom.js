// What is on screen is described, and Preact makes it so: what stands there already stays, with the keyboard, what is
// typed, open folds and places in lists. Data is always text, never markup.
// @ts-types="../../types/preact.d.ts"
import { Component, Fragment, createElement, render } from "../vendor/preact.mjs";

export { Component };

/**
 * Describes an element. `on…` attributes are listeners, null and undefined are left out; what has a `data-key` is the
 * same element wherever it stands among its neighbours. A fold with `open` is unfolded, one without stays as it was left.
 * @param {string | (new (props: any) => Component)} tag HTML, SVG, or a component
 * @param {Record<string, any>} attributes
 * @param {...any} children descriptions and text, nested lists of them; null and false are skipped
 * @returns {Described}
 */
export function h(tag, attributes = {}, ...children) {
  const key = attributes.key ?? attributes["data-key"] ?? null;
  if (tag !== "details") return createElement(tag, { ...attributes, key }, ...children);
  const { open, ...rest } = attributes;
  const unfold = (fold) => fold && (fold.open = true);
  return createElement(tag, { ...rest, key, ref: open ? unfold : null }, ...children);
}

class Kept extends Component {
  shouldComponentUpdate(next) {
    return next.drawn !== this.props.drawn;
  }

  render({ drawn }) {
    return drawn;
  }
}

/** A part of a drawing, left alone until another description is given. */
export const kept = (drawn) => h(Kept, { drawn });

/**
 * Makes a container hold what is described, and nothing else.
 * @param {Element} container
 * @param {...any} children
 */
export function refill(container, ...children) {
  render(createElement(Fragment, null, ...children), container);
}

/**
 * A real element, for what is no part of a drawing: its listeners stay, and nothing draws it anew.
 * @param {Described} described
 * @returns {any}
 */
export function element(described) {
  const place = document.createElement("div");
  refill(place, described);
  return place.firstElementChild;
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

/** An icon from the page's own set. */
export function icon(name) {
  return h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("use", { href: `#i-${name}` }));
}
