// A new tournament: name, rules and house rules, how tables count, players.
import { app } from "../../state/app.js";
import { h } from "../../dom/dom.js";
import { number, t } from "../../words/i18n.js";
import { rulesName } from "../../names/systems.js";
import { fold, form, select, submitKey, textField, toggle } from "../../controls/fields.js";
import { attempt, board, redraw } from "../state.js";
import { once } from "../../api/once.js";
import { numberIn } from "./change.js";
import { showList } from "./playerlist.js";
import { w } from "../words.js";

/** @typedef {{start?: string, back: string, divide?: string, places: string[]}} Counted as typed */
/** @typedef {Counted & {divide: string, ties: string[], threes: Counted | null}} Counting as typed */

// The usual values; everything can be changed before the tournament begins.
const PLAIN = {
  start: "0",
  back: "",
  divide: "1",
  places: ["0", "0", "0", "0"],
  ties: ["places", "won"],
  threes: /** @type {Counted | null} */ (null),
};
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

/**
 * A field for players, one per line.
 * @type {(key: string, value: string, rows: number, put: (text: string) => unknown) => Child}
 */
export const playersField = (key, value, rows, put) =>
  h(
    "p.field",
    h("label", { for: key }, w("cup.players")),
    h("textarea", { id: key, "data-key": key, rows, value, oninput: (event) => put(event.target.value) }),
  );

/** How tables count, as the API takes it. */
export const countingBody = (/** @type {Counting} */ { divide, places, ties, back, threes }) => ({
  divide: numberIn(divide),
  places: places.map(numberIn),
  tie_breaks: ties,
  return_points: back.trim() ? numberIn(back) : null,
  threes: threes && {
    starting_points: numberIn(threes.start ?? ""),
    return_points: threes.back.trim() ? numberIn(threes.back) : null,
    places: threes.places.map(numberIn),
  },
});

/** The numbers of players that may sit at a table by some rules. */
const sizesOf = (/** @type {string} */ rules) =>
  app.rules.find((r) => r.id === rules)?.options.find((o) => o.name === "players")?.values?.map(Number) ?? [];

/**
 * Whether three who are left over play at a table of their own, and how that counts; nothing where it cannot be.
 * @param {string} prefix of their keys
 * @param {string} rules
 * @param {Counting} counting
 */
export function threesFields(prefix, rules, counting) {
  const usual = USUAL[rules]?.[3];
  if (!usual || !sizesOf(rules).includes(3) || counting.places.length !== 4) return null;
  const turn = (/** @type {boolean} */ on) => {
    counting.threes = on ? { start: usual.start, back: usual.back, places: [...usual.places] } : null;
    redraw("cup");
  };
  return [
    toggle(`${prefix}-threes`, w("cup.threes"), counting.threes !== null, turn),
    counting.threes && countingFields(`${prefix}-three`, counting.threes),
  ];
}

/**
 * The fields for how tables count; starting points only where there are some.
 * @param {string} prefix of their keys
 * @param {Counted} counting
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
      counting.divide !== undefined && line("divide", "divide"),
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

// The players are added once the director has seen what was made of the list; it stays typed in until then.
async function begin() {
  const before = board.cup?.id;
  const { name, rules, table } = typed;
  const preset = board.presets.find((p) => p.name === typed.preset && p.rules === rules);
  const { players: _, ...options } = preset?.options ?? {};
  await attempt(async () => {
    board.cup = await once("POST", "/tournaments", {
      name,
      rules,
      options: table === 4 ? options : { ...options, players: table },
      starting_points: numberIn(typed.start),
      ...countingBody(typed),
    });
    Object.assign(typed, { name: "" });
    begun += 1;
  });
  if (board.cup?.id !== before && typed.players.trim()) {
    await showList(/** @type {Cup} */ (board.cup), typed.players, () => (typed.players = ""));
  }
}

/** The form, folded once a tournament exists. */
export function newCupForm() {
  const presets = board.presets.filter((p) => p.rules === typed.rules);
  const take = (/** @type {Partial<typeof typed>} */ chosen) => {
    const { rules, table } = Object.assign(typed, chosen);
    Object.assign(typed, structuredClone(USUAL[rules]?.[table] ?? PLAIN));
    redraw("cup");
  };
  const sizes = sizesOf(typed.rules);
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
        sizes.map((value) => ({ value, label: number(value) })),
        typed.table,
        (table) => take({ table }),
      ),
    fold("cup-counting", w("cup.counting"), [
      h("p.hint", w("cup.counting_text")),
      countingFields("cup", typed),
      threesFields("cup", typed.rules, typed),
    ], {
      open: typed.rules in USUAL,
      id: `counting-${typed.rules}-${typed.table}`,
    }),
    playersField("cup-players", typed.players, 8, (text) => (typed.players = text)),
    submitKey(w("cup.begin"), { look: "main" }),
  );
  const open = board.cups.length === 0;
  return h("div.card", fold("cup-new", w("cup.new"), inside, { open, id: `new-${begun}` }));
}
