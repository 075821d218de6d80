// Marks where the table is: four corners clicked in the camera's picture.
import { post } from "../../api/api.js";
import { h } from "../../dom/dom.js";
import { button } from "../../controls/fields.js";
import { openSheet } from "../../controls/sheet.js";
import { attempt } from "../state.js";
import { w } from "../words.js";

/** Opens the picture of a table and takes four clicks. */
export function aim(/** @type {CameraTable} */ table) {
  /** @type {[number, number][]} */
  let corners = [];
  let seen = true; // until the picture turns out to be missing
  const url = `/api/v1/tables/${encodeURIComponent(table.name)}/preview?at=${Date.now()}`;
  openSheet(w("aim.title", { name: table.name }), (sheet) => {
    const send = (/** @type {[number, number][] | null} */ value) =>
      attempt(() => post(`/tables/${encodeURIComponent(table.name)}/corners`, { corners: value })).then(() =>
        sheet.close()
      );
    const marks = h(
      "svg.aim-marks",
      {
        viewBox: "0 0 1 1",
        preserveAspectRatio: "none",
        "aria-hidden": "true",
      },
      h("polygon", {
        points: (corners.length ? corners : (table.corners ?? [])).map((c) => c.join(",")).join(" "),
      }),
    );
    if (!seen) return [h("p.caution", h("span", w("aim.none")))];
    return [
      h("p", w("aim.text")),
      h(
        "div.aim",
        {
          onclick: (event) => {
            const box = event.currentTarget.getBoundingClientRect();
            if (corners.length === 4) corners = [];
            corners.push([(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]);
            sheet.refresh();
          },
        },
        h("img", {
          src: url,
          alt: w("aim.picture", { name: table.name }),
          onerror: () => {
            seen = false;
            sheet.refresh();
          },
        }),
        marks,
      ),
      h(
        "div.row",
        h("button.button.main", {
          disabled: corners.length !== 4,
          onclick: () => send(corners),
        }, w("aim.take")),
        button(null, w("aim.tiles"), () => send(null)),
      ),
    ];
  });
}
