// A new tournament: name, rules and house rules, how tables count, players.
import { app } from "../../state/app.js";
import { h } from "../../dom/dom.js";
import { number, t } from "../../words/i18n.js";
import { rulesName } from "../../names/systems.js";
import { fold, form, select, submitKey, textField } from "../../controls/fields.js";
import { attempt, board, redraw } from "../state.js";
import { once } from "../../api/once.js";
import { numberIn } from "./change.js";
import { w } from "../words.js";

/** @typedef {{start?: string, back: string, divide: string, places: string[], ties: string[]}} Counting as typed */

// The usual values; everything can be changed before the tournament begins.
const PLAIN = { start: "0", back: "", divide: "1", places: ["0", "0", "0", "0"], ties: ["places", "won"] };
/** @type {Record<string, Record<number, typeof PLAIN>>} by the players at a table */
const USUAL = {
  riichi: {
    3: { ...PLAIN, start: "35000", divide: "1000", places: ["15", "0", "-15"] },
    4: { ...PLAIN, start: "25000", divide: "1000", places: ["15", "5", "-5", "-15"] },
  },
  mcr: { 4: { ...PLAIN, divide: "0", places: ["4", "2", "1", "0"], ties: ["won"] } },
};
const typed = {
  name: "",
  rules: "hongkong",
  preset: /** @type {string | null} */ (null),
  table: 4, // players at one
  players: "",
  ...structuredClone(PLAIN),
};
let begun = 0; // how many tournaments were begun with the form

/** Players from lines of text: a name, or a name and a club with a comma between. */
const playersIn = (/** @type {string} */ text) =>
  text.split("\n").map((l) => l.trim()).filter(Boolean).map((l) => {
    const [name, ...club] = l.split(/[,，、;\t]/).map((p) => p.trim());
    return { name, club: club.join(", ") };
  });

/**
 * A field for players, one per line.
 * @param {string} key
 * @param {string} value
 * @param {number} rows
 * @param {(text: string) => unknown} put
 */
export const playersField = (key, value, rows, put) =>
  h(
    "p.field",
    h("label", { for: key }, w("cup.players")),
    h("textarea", { id: key, "data-key": key, rows, value, oninput: (event) => put(event.target.value) }),
  );

/** How tables count, as the API takes it. */
export const countingBody = (/** @type {Counting} */ { divide, places, ties, back }) => ({
  divide: numberIn(divide),
  places: places.map(numberIn),
  tie_breaks: ties,
  return_points: back.trim() ? numberIn(back) : null,
});

/**
 * The fields for how tables count; starting points only where there are some.
 * @param {string} prefix of their keys
 * @param {Counting} counting
 */
export function countingFields(prefix, counting) {
  const line = (/** @type {string} */ name, /** @type {"start" | "back" | "divide"} */ part) =>
    textField(`${prefix}-${name}`, w(`cup.${name}`), counting[part] ?? "", (text) => (counting[part] = text), {
      inputmode: "decimal",
    });
  return [
    h(
      "div.fields",
      counting.start !== undefined && line("start", "start"),
      line("return_points", "back"),
      line("divide", "divide"),
    ),
    h(
      "div.fields.narrow",
      counting.places.map((place, i) =>
        textField(`${prefix}-place-${i}`, w("cup.place", { n: i + 1 }), place, (v) => (counting.places[i] = v), {
          inputmode: "decimal",
        })
      ),
    ),
  ];
}

function begin() {
  const { name, rules, table } = typed;
  const preset = board.presets.find((p) => p.name === typed.preset && p.rules === rules);
  const { players: _, ...options } = preset?.options ?? {};
  return attempt(async () => {
    board.cup = await once("POST", "/tournaments", {
      name,
      rules,
      options: table === 4 ? options : { ...options, players: table },
      players: playersIn(typed.players),
      starting_points: numberIn(typed.start),
      ...countingBody(typed),
    });
    Object.assign(typed, { name: "", players: "" });
    begun += 1;
  });
}

/** The form, folded once a tournament exists. */
export function newCupForm() {
  const presets = board.presets.filter((p) => p.rules === typed.rules);
  const take = (/** @type {Partial<typeof typed>} */ chosen) => {
    const { rules, table } = Object.assign(typed, chosen);
    Object.assign(typed, structuredClone(USUAL[rules]?.[table] ?? PLAIN));
    redraw("cup");
  };
  const sizes = app.rules.find((r) => r.id === typed.rules)?.options.find((o) => o.name === "players")?.values ?? [];
  const inside = form(
    "stack",
    begin,
    textField("cup-name", w("cup.name"), typed.name, (v) => (typed.name = v), { required: true, maxlength: 60 }),
    select(
      "cup-rules",
      w("cup.rules"),
      app.rules.map((r) => ({ value: r.id, label: rulesName(r) })),
      typed.rules,
      (rules) => take({ rules, preset: null, table: 4 }),
    ),
    presets.length > 0 &&
      select(
        "cup-preset",
        t("rules.house"),
        [{ value: null, label: t("rules.usual") }, ...presets.map((p) => ({ value: p.name, label: p.name }))],
        typed.preset,
        (preset) => {
          const table = Number(presets.find((p) => p.name === preset)?.options?.players ?? 4);
          return table === typed.table ? Object.assign(typed, { preset }) : take({ preset, table });
        },
      ),
    sizes.length > 0 &&
      select(
        "cup-table",
        w("cup.table_size"),
        sizes.map((value) => ({ value: Number(value), label: number(Number(value)) })),
        typed.table,
        (table) => take({ table }),
      ),
    fold("cup-counting", w("cup.counting"), [h("p.hint", w("cup.counting_text")), countingFields("cup", typed)], {
      open: typed.rules in USUAL,
      id: `counting-${typed.rules}-${typed.table}`,
    }),
    playersField("cup-players", typed.players, 8, (text) => (typed.players = text)),
    submitKey(w("cup.begin"), { look: "main" }),
  );
  const open = board.cups.length === 0;
  return h("div.card", fold("cup-new", w("cup.new"), inside, { open, id: `new-${begun}` }));
}
