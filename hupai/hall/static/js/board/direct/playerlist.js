// A list of players from a file, or pasted: what was made of its columns and rows is shown before it is taken.
import { call } from "../../api/api.js";
import { h } from "../../dom/dom.js";
import { button } from "../../controls/fields.js";
import { openSheet } from "../../controls/sheet.js";
import { attempt, PERSON } from "../state.js";
import { w } from "../words.js";
import { tellCup } from "./change.js";

/** @typedef {Partial<Record<typeof PERSON[number], string>> & {substitute: boolean}} Listed */
/** @typedef {{title: string, field: string | null}} Column */
/** @typedef {{columns: Column[], players: Listed[], refused: {message: string}[]}} List */

const detailsOf = (/** @type {Listed} */ player) => [
  ...PERSON.slice(1).map((key) => player[key]),
  player.substitute && w("person.substitute"),
];

/**
 * Shows what the server makes of a list, and adds its players when the director says so.
 * @type {(cup: Cup, csv: string, done?: () => void) => Promise<unknown>}
 */
export const showList = (cup, csv, done) =>
  attempt(async () => {
    /** @type {List} */
    const { columns, players, refused } = await call("POST", `/tournaments/${cup.id}/players/import/try`, { csv });
    openSheet(w("list.title"), (sheet) => {
      const add = () => {
        sheet.close();
        tellCup(cup, "/players/import", { csv }, done);
      };
      const column = (/** @type {Column} */ { title, field }, /** @type {number} */ i) =>
        h("li", title || w("list.column", { n: i + 1 }), " → ", h("b", w(field ? `person.${field}` : "list.unused")));
      const row = (/** @type {Listed} */ player) =>
        h("li", h("span.name", player.name, h("small.soft", detailsOf(player).filter(Boolean).map((d) => ` ${d}`))));
      return [
        h("ul.columns", columns.map(column)),
        h("p.hint", w("list.hint")),
        refused.length > 0 && h("p.caution", w("list.refused", { n: refused.length })),
        h("ul.refused", refused.map(({ message }) => h("li", message))),
        h("ul.people", players.map(row)),
        players.length > 0 && button("list-add", w("list.add", { n: players.length }), add, { look: "main" }),
      ];
    });
  });
