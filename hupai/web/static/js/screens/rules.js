// The rules tab: which system, its house rules, saved ones by name, and the table of elements.
import { app, changed, currentRules, set } from "../app.js";
import { get, post, remove } from "../api.js";
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { faultsAt } from "../live.js";
import { sentence } from "../phrases.js";
import { elementName, groupName, nativeName, rulesName } from "../systems.js";
import { notice, say } from "../ui/announce.js";
import { choiceRow, textField } from "../ui/controls.js";
import { optionField } from "../ui/option.js";
import { confirmSheet } from "../ui/sheet.js";
import { errorWords } from "../words.js";

export const title = () => t("tab.rules");

let presets = null;
let name = "";
let fault = null;

async function loadPresets() {
  try {
    presets = (await get("/presets")).presets;
  } catch (error) {
    presets = null;
    fault = errorWords(error);
  }
  changed("presets");
}

const mine = () => app.settings.options[currentRules().id] ?? {};

function put(values, preset = null) {
  const { id } = currentRules();
  set({ options: { ...app.settings.options, [id]: values }, preset: { ...app.settings.preset, [id]: preset } });
}

function change(option, value) {
  const { [option.name]: _, ...rest } = mine();
  put(
    JSON.stringify(value) === JSON.stringify(option.default) ? rest : { ...rest, [option.name]: value },
    app.settings.preset[currentRules().id],
  );
}

function systems() {
  const choices = app.rules.map((r) => ({
    value: r.id,
    label: rulesName(r),
    note: r.native === rulesName(r) ? null : r.native,
  }));
  return h(
    "section",
    { class: "card" },
    app.game
      ? [
          h("h2", {}, t("rules.of_game")),
          h("p", {}, rulesName()),
          h("p", { class: "hint" }, t("rules.of_game_text")),
          h("a", { class: "button", href: "#/game" }, icon("people"), t("tab.game")),
        ]
      : choiceRow("rules", t("rules.choose"), choices, currentRules().id, (id) => {
          set({ rules: id });
          say(rulesName());
        }),
  );
}

function house() {
  const rules = currentRules();
  const fixed = Boolean(app.game);
  const values = fixed ? app.game.options : mine();
  const changedCount = Object.keys(values).length;
  return h(
    "section",
    { class: "card stack" },
    h("h2", {}, t("rules.house")),
    h("p", { class: "soft" }, changedCount ? t("rules.changed", { n: changedCount }) : t("rules.usual")),
    h(
      "div",
      { class: "options" },
      rules.options.map((o) =>
        optionField(rules, o, values[o.name] ?? o.default, (value) => change(o, value), {
          fixed,
          faults: faultsAt(`options.${o.name}`),
          own: o.name in values,
        }),
      ),
    ),
    !fixed &&
      changedCount > 0 &&
      h(
        "button",
        { class: "button", type: "button", "data-key": "reset", onclick: () => put({}) },
        icon("undo"),
        t("rules.reset"),
      ),
  );
}

async function save() {
  const { id } = currentRules();
  if (!name.trim()) {
    fault = t("presets.name_needed");
    changed("presets");
    return;
  }
  try {
    const saved = await post("/presets", { name: name.trim(), rules: id, options: mine() });
    set({ preset: { ...app.settings.preset, [id]: saved.name } });
    notice(t("presets.saved", { name: saved.name }));
    name = "";
    fault = null;
    await loadPresets();
  } catch (error) {
    fault = errorWords(error) ?? error.message;
    changed("presets");
  }
}

function saved() {
  const here = (presets ?? []).filter((p) => p.rules === currentRules().id);
  return h(
    "section",
    { class: "card stack" },
    h("h2", {}, t("presets.title")),
    presets === null
      ? h("p", { class: "soft" }, fault ?? t("presets.none"))
      : here.length === 0 && h("p", { class: "soft" }, t("presets.none")),
    here.length > 0 &&
      h(
        "ul",
        { class: "plain-list" },
        here.map((p) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                class: "button grow",
                type: "button",
                "data-key": `preset-${p.name}`,
                "aria-pressed": String(app.settings.preset[p.rules] === p.name),
                onclick: () => {
                  put(p.options, p.name);
                  notice(t("presets.used", { name: p.name }));
                },
              },
              app.settings.preset[p.rules] === p.name && icon("check"),
              p.name,
            ),
            h(
              "button",
              {
                class: "icon-button",
                type: "button",
                "aria-label": t("presets.delete", { name: p.name }),
                "data-key": `preset-del-${p.name}`,
                onclick: () => drop(p),
              },
              icon("bin"),
            ),
          ),
        ),
      ),
    h(
      "form",
      {
        class: "stack",
        onsubmit: (event) => {
          event.preventDefault();
          save();
        },
      },
      textField("preset-name", t("presets.save_as"), name, (text) => (name = text), {
        maxlength: 60,
        faults: fault && presets !== null ? [{ message: fault }] : [],
      }),
      h("button", { class: "button main", "data-key": "preset-save" }, icon("check"), t("presets.save")),
    ),
  );
}

async function drop(preset) {
  if (!(await confirmSheet(t("presets.delete", { name: preset.name }), t("presets.delete_text"), t("delete")))) return;
  try {
    await remove(`/presets/${encodeURIComponent(preset.name)}`);
    if (app.settings.preset[preset.rules] === preset.name)
      set({ preset: { ...app.settings.preset, [preset.rules]: null } });
  } catch (error) {
    notice(errorWords(error) ?? error.message);
  }
  await loadPresets();
}

function elements() {
  const rules = currentRules();
  const groups = [...new Set(rules.elements.map((e) => e.group))];
  return h(
    "section",
    { class: "card" },
    h(
      "details",
      { class: "fold" },
      h(
        "summary",
        { "data-key": "fold-elements" },
        h("h2", {}, t("rules.elements", { n: rules.elements.length })),
        icon("down"),
      ),
      groups.map((group) =>
        h(
          "div",
          { class: "element-group" },
          group && h("h3", {}, groupName(group)),
          h(
            "table",
            { class: "elements" },
            h("caption", { class: "unseen" }, group ? groupName(group) : t("rules.elements_caption")),
            h(
              "thead",
              { class: "unseen" },
              h("tr", {}, h("th", { scope: "col" }, t("rules.element")), h("th", { scope: "col" }, t("rules.value"))),
            ),
            h(
              "tbody",
              {},
              rules.elements
                .filter((e) => e.group === group)
                .map((e) =>
                  h(
                    "tr",
                    {},
                    h(
                      "th",
                      { scope: "row" },
                      h("b", {}, elementName(rules.id, e)),
                      " ",
                      nativeName(rules.id, e) && h("span", { class: "native" }, e.native),
                      h("p", { class: "soft" }, sentence(e.condition)),
                    ),
                    h("td", {}, sentence(e.value)),
                  ),
                ),
            ),
          ),
        ),
      ),
    ),
  );
}

export const parts = [
  {
    on: ["settings", "language", "game", "about"],
    draw: () => (currentRules() ? systems() : h("p", {}, t("error.offline"))),
  },
  { on: ["settings", "language", "game", "faults"], draw: () => (currentRules() ? house() : null) },
  { on: ["presets", "settings", "language", "game"], draw: () => (currentRules() && !app.game ? saved() : null) },
  { on: ["language", "game", "settings"], draw: () => (currentRules() ? elements() : null) },
];

export function enter() {
  fault = null;
  loadPresets();
}
