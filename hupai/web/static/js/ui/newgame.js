// A new game: four names in turn order, the rules, and what is seldom changed.
import { app, currentOptions, currentRules, set, setGame } from "../app.js";
import { freshKey, post } from "../api.js";
import { h, icon, refill } from "../dom.js";
import { houseName, inForce } from "../house.js";
import { t } from "../i18n.js";
import { sentence } from "../phrases.js";
import { calmly } from "../press.js";
import { SEATS } from "../questions.js";
import { recall, remember } from "../store.js";
import { rulesName } from "../systems.js";
import { errorWords } from "../words.js";
import { choiceRow, faultList, select, textField } from "./controls.js";
import { courseOf, lengthFaults, lengthFields } from "./lasting.js";

const ROTATIONS = ["custom", "win_or_draw", "win", "never", "winner", "riichi"];
const form = { name: "", players: recall("players", ["", "", "", ""]), points: "", rotation: "custom", length: null, count: "" };
let faults = [];

// A retry of the same game, after a reload too, begins no second one.
function keyOf(body) {
  const text = JSON.stringify(body);
  const kept = recall("beginning", null);
  if (kept?.text === text) return kept.key;
  const key = freshKey();
  remember("beginning", { text, key });
  return key;
}

// How a game of the preset in force runs; where another length is chosen, its extension belongs to none.
function presetCourse() {
  const { extension, ...course } = inForce(app.settings.rules)?.course ?? {};
  return extension === undefined || form.length !== null ? course : { ...course, extension };
}

async function create(redraw) {
  faults = form.players.flatMap((p, i) =>
    p.trim() ? [] : [{ field: `players[${i}]`, message: t("game.name_needed") }],
  );
  if (faults.length) {
    redraw();
    document.getElementById(`field-player-${faults[0].field.match(/\d/)[0]}`).focus();
    return;
  }
  faults = lengthFaults(form);
  if (faults.length) {
    redraw();
    document.getElementById("field-count").focus();
    return;
  }
  const rules = app.settings.rules;
  const body = {
    players: form.players.map((p) => p.trim()),
    rules,
    options: currentOptions(rules),
    rotation: form.rotation,
  };
  if (form.name.trim()) body.name = form.name.trim();
  const course = { ...presetCourse(), ...courseOf(currentRules(), form) };
  if (Object.keys(course).length) body.course = course;
  const points = form.points.trim() || (inForce(rules)?.points ?? "");
  if (points) body.starting_points = Number(points) || points;
  try {
    const game = await post("/games", body, { headers: { "Idempotency-Key": keyOf(body) } });
    remember("beginning", undefined);
    remember("players", body.players);
    Object.assign(form, { name: "", length: null, count: "" });
    set({ me: null });
    setGame(game);
    scrollTo(0, 0);
    document.getElementById("main").focus({ preventScroll: true });
  } catch (error) {
    faults = errorWords(error)
      ? [{ field: null, message: errorWords(error) }]
      : error.faults?.length
        ? error.faults
        : [{ field: null, message: sentence(error.message) }];
    redraw();
  }
}

/** The form. */
export function newGameForm() {
  const box = h("section", { class: "card" });
  const at = (field) => faults.filter((f) => f.field === field);
  const change = (values) => {
    Object.assign(form, values);
    calmly(redraw)();
  };
  const redraw = () =>
    refill(
      box,
      h("h2", {}, t("game.new")),
      h("p", { class: "soft" }, t("game.new_text")),
      h(
        "form",
        {
          class: "stack",
          novalidate: true,
          onsubmit: (event) => {
            event.preventDefault();
            create(calmly(redraw));
          },
        },
        form.players.map((player, i) =>
          textField(
            `player-${i}`,
            t("game.player", { seat: t(`seat.${SEATS[i]}`) }),
            player,
            (text) => (form.players[i] = text),
            { maxlength: 40, faults: at(`players[${i}]`), autocapitalize: "words" },
          ),
        ),
        app.rules.length > 0 &&
          choiceRow(
            "game-rules",
            t("rules.choose"),
            app.rules.map((r) => ({ value: r.id, label: rulesName(r) })),
            app.settings.rules,
            (id) => {
              form.length = null;
              set({ rules: id });
            },
            {
              hint: inForce(app.settings.rules) || Object.keys(currentOptions(app.settings.rules)).length
                ? t("game.with_house", { name: houseName(app.settings.rules) })
                : t("rules.usual"),
            },
          ),
        currentRules() && lengthFields(currentRules(), form, change, faults),
        h(
          "details",
          { class: "fold" },
          h("summary", { "data-key": "fold-new" }, t("game.more"), icon("down")),
          h(
            "div",
            { class: "stack" },
            textField("game-name", t("game.name"), form.name, (text) => (form.name = text), {
              maxlength: 60,
              faults: at("name"),
            }),
            textField("points", t("game.points"), form.points, (text) => (form.points = text), {
              inputmode: "numeric",
              placeholder: inForce(app.settings.rules)?.points ?? "",
              faults: at("starting_points"),
            }),
            select(
              "rotation",
              t("game.rotation"),
              ROTATIONS.map((r) => ({ value: r, label: t(`rotation.${r}`) })),
              form.rotation,
              (rotation) => change({ rotation, length: null }),
              { faults: at("rotation") },
            ),
          ),
        ),
        faultList(
          faults.filter((f) => !f.field || !/^(players\[|name|starting_points|rotation|course)/.test(f.field)),
          "faults-game",
        ),
        h("button", { class: "button main wide", "data-key": "create-game" }, icon("check"), t("game.begin")),
      ),
    );
  redraw();
  return box;
}
