// Addresses of broadcast overlays: which scene, of which table, with what delay, in which theme.
import { chip, fold, select, textField } from "../../controls/fields.js";
import { h } from "../../dom/dom.js";
import { LATEST, OF_TABLE, SCENES } from "../scenes.js";
import { board, redraw } from "../state.js";
import { w } from "../words.js";

/** @type {{scene: string, table: string | null, late: string, light: boolean}} */
const form = { scene: "bug", table: null, late: "", light: false };

/** Lets the form begin with a scene. */
export const chooseScene = (/** @type {string} */ scene) => (form.scene = scene);

/** Tables that have a camera, and those of the latest round. */
function tables() {
  const played = board.cup?.rounds.at(-1)?.tables.map(({ table }) => table) ?? [];
  return [...new Set([...board.tables.map(({ name }) => name), ...played])];
}

/** The table whose scene is chosen; null if there is none. */
const chosenTable = () => tables().find((name) => name === form.table) ?? board.chosen ?? tables()[0] ?? null;

/** The address of the chosen overlay; `from` is the address of the page, possibly with a token. */
function address(/** @type {string | URL} */ from) {
  const url = new URL(from);
  const table = chosenTable();
  url.searchParams.set("show", form.scene);
  if (OF_TABLE.includes(form.scene) && table) url.searchParams.set("table", table);
  if (board.cup && board.cup.id !== board.cups[0]?.id) url.searchParams.set("tournament", board.cup.id);
  if (Number(form.late) > 0) url.searchParams.set("delay", String(Math.min(Number(form.late), LATEST)));
  if (form.light) url.searchParams.set("theme", "light");
  return url.href;
}

/**
 * Form for an overlay, with its address; `key` tells forms apart, `drawn` is called when it must be redrawn.
 * @type {(key: string, from: string | URL, drawn: () => unknown) => Child}
 */
export function broadcastForm(key, from, drawn) {
  const there = address(from);
  const set = (/** @type {keyof typeof form} */ name) => (/** @type {string | boolean | null} */ value) => {
    Object.assign(form, { [name]: value });
    drawn();
  };
  const names = tables();
  return h(
    "div.stack",
    h("p.hint", w("broadcast.text")),
    select(
      `${key}-scene`,
      w("broadcast.scene"),
      SCENES.map((value) => ({ value, label: w(`scene.${value}`) })),
      form.scene,
      set("scene"),
    ),
    OF_TABLE.includes(form.scene) && names.length > 0 &&
      select(
        `${key}-table`,
        w("tokens.table"),
        names.map((value) => ({ value, label: value })),
        chosenTable() ?? names[0],
        set("table"),
      ),
    textField(`${key}-late`, w("broadcast.late"), form.late, set("late"), {
      type: "number",
      min: 0,
      max: LATEST,
      inputmode: "numeric",
    }),
    chip(`${key}-light`, w("broadcast.light"), form.light, set("light")),
    h("p", h("code.token", { "data-key": `${key}-address` }, there)),
    h(
      "a.button",
      { href: there, target: "_blank", rel: "noopener", "data-key": `${key}-open` },
      w("broadcast.open"),
    ),
  );
}

/** The broadcast section of the board, for every viewer. */
export function broadcastPart() {
  const inside = broadcastForm("broadcast", new URL("/overlay.html", location.href), () => redraw("cup"));
  const cup = board.cup && board.cup.id !== board.cups[0]?.id ? `?tournament=${board.cup.id}` : "";
  const hall = h("a.button", { href: `/hall.html${cup}`, target: "_blank", rel: "noopener" }, w("hall.open"));
  return h("section.card.stack", fold("broadcast", w("broadcast.title"), inside), hall);
}
