// A tile on screen: a picture with a name, or a button with one.
import { app } from "../state/app.js";
import { h, icon } from "../dom/dom.js";
import { face } from "./face.js";
import { known, language, t } from "../words/i18n.js";
import { isRed, numberOf, suitOf } from "../hand/tiles.js";

const CJK = "〇一二三四五六七八九";

/** The name of a tile in the page's language. */
export function tileName(/** @type {string} */ code) {
  const suit = suitOf(code);
  if (suit === "b") return t("tile.back");
  if ("mps".includes(suit)) {
    const values = { n: numberOf(code), c: CJK[numberOf(code)] };
    const name = t(`tile.${suit}`, values);
    return isRed(code) ? t("tile.red", { name }) : name;
  }
  return t(`tile.${suit}.${numberOf(code)}`);
}

/** The names of some tiles, for reading aloud. */
export const tileNames = (/** @type {string[]} */ codes) => codes.map(tileName).join(", ");

/** Whether tiles carry small Latin numbers. */
export const showsCaptions = () => app.settings.captions ?? language() === "en";

function caption(/** @type {string} */ code) {
  const suit = suitOf(code);
  if (!showsCaptions() || !"mpsz".includes(suit)) return null;
  const key = `caption.z.${numberOf(code)}`;
  const text = suit === "z" ? (known(key) ? t(key) : "") : String(numberOf(code));
  return text ? h("span.caption", { "data-caption": text }) : null; // part of the picture, no label: the style writes it
}

/**
 * A tile to look at. `label` null hides it from screen readers (an adjacent text names it).
 * @type {(code: string, options?: {label?: string | null, className?: string}) => Child}
 */
export function tilePicture(code, { label = tileName(code), className = "" } = {}) {
  const named = label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  return h("span", { class: `tile ${className}`, "data-code": code, ...named }, face(code), caption(code));
}

const BADGES = { doubt: "query", repaired: "pencil", won: null }; // that of the winning tile is written by the style

/**
 * A tile to press; its badge is shown by a sign and not by colour alone. Further options become attributes.
 * @param {string} code
 * @param {{label?: string, badge?: keyof typeof BADGES | null, key?: string | null, onclick: () => unknown,
 *   className?: string, [attribute: string]: any}} options
 */
export function tileButton(
  code,
  { label = tileName(code), badge = null, key = null, onclick, className = "", ...rest },
) {
  return h(
    "button",
    {
      class: `tile ${className}`,
      "data-code": code,
      "data-key": key,
      "aria-label": label,
      onclick,
      ...rest,
    },
    face(code),
    caption(code),
    badge && h("span", { class: `badge ${badge}`, "aria-hidden": "true" }, BADGES[badge] && icon(BADGES[badge])),
  );
}
