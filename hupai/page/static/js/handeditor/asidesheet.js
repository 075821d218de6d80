// One thing that was set aside: what the photo shows, what it looks like, and whether it is a tile.
import { h } from "../dom/dom.js";
import { dropAside, keepAside } from "../camera/reading.js";
import { button } from "../controls/fields.js";
import { openSheet } from "../controls/sheet.js";
import { tileName, tilePicture } from "../faces/tile.js";
import { t } from "../words/i18n.js";
import { cropOf } from "./crop.js";

/** Opens the sheet of a thing that was set aside. */
export function openAsideSheet(/** @type {Api.AsideBody & {seen: number}} */ thing) {
  openSheet(t("aside.title"), (sheet) => {
    const crop = cropOf(thing.seen);
    const act = (/** @type {() => unknown} */ does) => () => {
      sheet.close();
      does();
    };
    return [
      h(
        "section.likeliest",
        crop && h("div.shown", crop, h("small", t("sheet.photo"))),
        h("div", tilePicture(thing.tile, { label: null }), h("small", tileName(thing.tile))),
      ),
      button("keep-this", t("aside.keep_one"), act(() => keepAside([thing])), { look: "main wide", sign: "check" }),
      button("drop-this", t("aside.drop"), act(() => dropAside([thing.number])), { look: "wide", sign: "close" }),
    ];
  });
}
