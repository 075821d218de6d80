// House rules by name: common presets, and the user's own.
import { app } from "../state/app.js";
import { currentRules } from "../state/rules.js";
import { set } from "../state/settings.js";
import { emit, fetched } from "../state/signal.js";
import { get, post, remove } from "../api/api.js";
import { h, icon } from "../dom/dom.js";
import { list, t } from "../words/i18n.js";
import { houseName, inForce, ownHouse, seldomPlain, takeHouse, usualName } from "./house.js";
import { optionLabel } from "./option.js";
import { attempt, notice } from "../controls/notice.js";
import { button, choiceRow, fold, form, iconButton, select, submitKey, textField } from "../controls/fields.js";
import { confirmSheet } from "../controls/sheet.js";
import { troubleWords } from "../words/words.js";

const saved = fetched("presets", async () => (await get("/presets")).presets);
let name = "";
/** @type {string | null} */
let fault = null;

/** Fetches the saved house rules from the host. */
export function loadPresets() {
  fault = null;
  return saved.load();
}

async function save() {
  const { id } = currentRules();
  if (!name.trim()) {
    fault = t("presets.name_needed");
    return emit("presets");
  }
  try {
    const kept = await post("/presets", { name: name.trim(), rules: id, options: ownHouse(id) });
    set({ preset: { ...app.settings.preset, [id]: kept.name } });
    notice(t("presets.saved", { name: kept.name }));
    name = "";
    return await loadPresets();
  } catch (error) {
    fault = troubleWords(error);
    return emit("presets");
  }
}

async function drop(/** @type {Api.SavedPreset} */ preset) {
  if (!(await confirmSheet(t("presets.delete", { name: preset.name }), t("presets.delete_text"), t("delete")))) return;
  const gone = await attempt(() => remove(`/presets/${encodeURIComponent(preset.name)}`));
  if (gone && app.settings.preset[preset.rules] === preset.name) {
    set({ preset: { ...app.settings.preset, [preset.rules]: null } });
  }
  await loadPresets();
}

function choose(/** @type {any} */ preset) {
  takeHouse(currentRules().id, preset);
  notice(t("presets.used", { name: houseName() }));
}

// The options that a preset's source leaves open, so that players agree on them.
function open(/** @type {any} */ preset) {
  const rules = currentRules();
  if (!preset.unsettled.length) return null;
  const label = (/** @type {string} */ name) => {
    const option = rules.options.find((one) => one.name === name);
    return option ? optionLabel(rules, option) : t(`course.${name}`);
  };
  return h("p.hint", t("presets.unsettled", { list: list(preset.unsettled.map(label)) }));
}

const usual = { id: "usual", options: {} };

/** The id of the preset of the rules that is in force; null with house rules of one's own. */
function presetInForce(/** @type {Api.RulesBody} */ { id }) {
  const now = inForce(id);
  return now?.source ? now.id : now === null && Object.keys(ownHouse(id)).length === 0 ? usual.id : null;
}

/** The presets of the rules, the most common first. */
const presetsOf = (/** @type {Api.RulesBody} */ rules) =>
  seldomPlain(rules.id) ? [...rules.presets, usual] : [usual, ...rules.presets];

const presetName = (/** @type {Api.RulesBody} */ rules, /** @type {{id: string}} */ { id }) =>
  id === usual.id ? usualName(rules.id) : t(`preset.${id}`);

/** The presets of the rules as a list to choose from; `onchoose` is called once one is in force. */
export function presetSelect(/** @type {Api.RulesBody} */ rules, /** @type {() => void} */ onchoose) {
  const presets = presetsOf(rules);
  const chosen = presetInForce(rules);
  const own = chosen === null ? [{ value: null, label: houseName(rules.id) }] : [];
  return select(
    "game-preset",
    t("presets.title"),
    [...own, ...presets.map((preset) => ({ value: preset.id, label: presetName(rules, preset) }))],
    chosen,
    (id) => {
      if (id !== null) takeHouse(rules.id, presets.find((preset) => preset.id === id));
      onchoose();
    },
  );
}

/** The chooser of named house rules. */
export function presetCard() {
  const rules = currentRules();
  const now = inForce(rules.id);
  const mine = (saved.answer ?? []).filter((p) => p.rules === rules.id);
  const presets = presetsOf(rules);
  const chosen = presetInForce(rules);
  const faults = fault ? [{ message: fault }] : [];
  return h(
    "section.card.stack",
    { "aria-label": t("presets.title") },
    h("h2", t("presets.title")),
    choiceRow(
      "preset",
      t("presets.text"),
      presets.map((preset) => ({ value: preset.id, label: presetName(rules, preset) })),
      chosen,
      (id) => choose(presets.find((preset) => preset.id === id)),
    ),
    now?.unsettled && open(now),
    mine.length > 0 && h("h3.minor", t("presets.own")),
    mine.length > 0 &&
      h(
        "ul.plain-list",
        mine.map((p) =>
          h(
            "li",
            { key: p.name },
            h(
              "button.button.grow",
              {
                "data-key": `preset-${p.name}`,
                "aria-pressed": String(now?.name === p.name),
                onclick: () => choose(p),
              },
              now?.name === p.name && icon("check"),
              p.name,
            ),
            iconButton(`preset-del-${p.name}`, "bin", t("presets.delete", { name: p.name }), () => drop(p)),
          )
        ),
      ),
    fold(
      "fold-save",
      t("presets.save_as"),
      form(
        "stack",
        save,
        textField("preset-name", t("presets.name"), name, (text) => (name = text), { maxlength: 60, faults }),
        submitKey(t("presets.save"), { key: "preset-save", look: "main", sign: "check" }),
      ),
      { open: faults.length > 0 },
    ),
    button("preset-share", t("presets.share"), async () => (await import("./link.js")).openShare(), {
      look: "wide",
      sign: "people",
    }),
  );
}
