// A hand laid out on the screen.
import { handFromCodes } from "../hand/hand.js";
import { h } from "../dom/dom.js";
import { tileButton, tileName, tilePicture } from "../faces/tile.js";

/**
 * The tiles in groups; with `onpick` they are buttons.
 * @param {Hand} hand
 * @param {{onpick?: ((tile: HandTile, zone: string) => unknown) | null, size?: string, doubtful?: Set<string>,
 *   of?: string, label?: (tile: HandTile, zone: string) => string}} options `doubtful`: uncertain codes; `of` tells
 *   several hands apart
 */
export function handRow(
  hand,
  { onpick = null, size = "", doubtful = new Set(), of = "slot", label = ({ code }) => tileName(code) } = {},
) {
  const tile = (/** @type {HandTile} */ one, /** @type {string} */ zone) => {
    if (!onpick) return tilePicture(one.code, { className: size });
    const unsure = doubtful.has(one.code);
    return tileButton(one.code, {
      label: label(one, zone),
      className: `${size} ${unsure ? "doubtful" : ""}`,
      key: `${of}-${one.id}`,
      badge: zone === "winning" ? "won" : unsure ? "doubt" : null,
      onclick: () => onpick(one, zone),
    });
  };
  const group = (/** @type {string} */ zone, /** @type {HandTile[]} */ tiles) =>
    tiles.length > 0 && h("span", { class: `laid-group ${zone}` }, tiles.map((one) => tile(one, zone)));
  return [
    group("concealed", hand.concealed),
    group("winning", hand.winning ? [hand.winning] : []),
    hand.melds.map(({ tiles }) => group("meld", tiles)),
    group("bonus", hand.bonus),
    group("dora", hand.dora),
  ];
}

/** Tiles given as codes, to look at. */
export const tileRow = (/** @type {Parameters<typeof handFromCodes>[0]} */ tiles, size = "") =>
  h("div.laid-row", handRow(handFromCodes(tiles), { size }));
