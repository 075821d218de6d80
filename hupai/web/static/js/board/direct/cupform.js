// A new tournament: name, rules and house rules, how tables count, players.
import { h } from "../../parts/dom.js";
import { t } from "../../words/i18n.js";
import { rulesName } from "../../names/systems.js";
import { select, textField } from "../../controls/fields.js";
import { closeFold, fold } from "../fold.js";
import { attempt, board, redraw } from "../state.js";
import { change } from "./change.js";
import { numberIn } from "./referee.js";
import { w } from "../words.js";

// The usual values; everything can be changed before the tournament begins.
const PLAIN = { start: "0", back: "", divide: "1", places: ["0", "0", "0", "0"], ties: ["places", "won"] };
/** @type {Record<string, typeof PLAIN>} */
const USUAL = {
  riichi: { ...PLAIN, start: "25000", divide: "1000", places: ["15", "5", "-5", "-15"] },
  mcr: { ...PLAIN, divide: "0", places: ["4", "2", "1", "0"], ties: ["won"] },
};
const form = {
  name: "",
  rules: "hongkong",
  preset: /** @type {string | null} */ (null),
  players: "",
  ...structuredClone(PLAIN),
};

/**
 * Players from lines of text: a name, or a name and a club with a comma between.
 * @param {string} text
 */
export const playersIn = (text) =>
  text.split("\n").map((l) => l.trim()).filter(Boolean).map((l) => {
    const [name, ...club] = l.split(/[,，、;\t]/).map((p) => p.trim());
    return { name, club: club.join(", ") };
  });

function body() {
  const preset = board.presets.find((p) => p.name === form.preset && p.rules === form.rules);
  return {
    name: form.name,
    rules: form.rules,
    options: preset?.options ?? {},
    players: playersIn(form.players),
    starting_points: numberIn(form.start),
    divide: numberIn(form.divide),
    places: form.places.map(numberIn),
    tie_breaks: form.ties,
    return_points: form.back.trim() ? numberIn(form.back) : null,
  };
}

function begin() {
  return attempt(async () => {
    board.cup = await change("POST", "/tournaments", body());
    Object.assign(form, { name: "", players: "" });
    closeFold("cup-new");
  });
}

function counting() {
  const line = (
    /** @type {string} */ key,
    /** @type {string} */ value,
    /** @type {(text: string) => unknown} */ put,
    more = {},
  ) => textField(`cup-${key}`, w(`cup.${key}`), value, put, { inputmode: "decimal", ...more });
  return fold(
    "cup-counting",
    form.rules in USUAL,
    w("cup.counting"),
    h("p.hint", w("cup.counting_text")),
    h(
      "div.fields",
      line("start", form.start, (/** @type {any} */ v) => (form.start = v)),
      line("return_points", form.back, (/** @type {any} */ v) => (form.back = v)),
      line("divide", form.divide, (/** @type {any} */ v) => (form.divide = v)),
    ),
    h(
      "div.fields.four",
      form.places.map((place, i) =>
        textField(`cup-place-${i}`, w("cup.place", { n: i + 1 }), place, (v) => (form.places[i] = v), {
          inputmode: "decimal",
        })
      ),
    ),
  );
}

/** The form, folded once a tournament exists. */
export function newCupForm() {
  const presets = board.presets.filter((p) => p.rules === form.rules);
  return h(
    "div.card",
    fold(
      "cup-new",
      board.cups.length === 0,
      w("cup.new"),
      h(
        "form.stack",
        {
          onsubmit: (event) => {
            event.preventDefault();
            begin();
          },
        },
        textField("cup-name", w("cup.name"), form.name, (v) => (form.name = v), { required: true, maxlength: 60 }),
        select(
          "cup-rules",
          w("cup.rules"),
          board.rules.map((r) => ({ value: r.id, label: rulesName(r) })),
          form.rules,
          (id) => {
            Object.assign(form, { rules: id, preset: null }, structuredClone(USUAL[id] ?? PLAIN));
            closeFold("cup-counting");
            redraw("cup");
          },
        ),
        presets.length > 0 &&
          select(
            "cup-preset",
            t("rules.house"),
            [{ value: null, label: t("rules.usual") }, ...presets.map((p) => ({ value: p.name, label: p.name }))],
            form.preset,
            (name) => (form.preset = name),
          ),
        counting(),
        h(
          "p.field",
          h("label", { for: "cup-players" }, w("cup.players")),
          h("textarea", {
            id: "cup-players",
            "data-key": "cup-players",
            rows: 8,
            oninput: (event) => (form.players = event.target.value),
            value: form.players,
          }),
        ),
        h("button.button.main", w("cup.begin")),
      ),
    ),
  );
}
