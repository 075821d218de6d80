// The rules tab: the system, house rules by name and one by one, and the table of elements.
import { app } from "../state/app.js";
import { currentRules } from "../state/rules.js";
import { set } from "../state/settings.js";
import { emit } from "../state/signal.js";
import { h, icon } from "../dom/dom.js";
import { inOwnWords, number, t } from "../words/i18n.js";
import { troubleWords } from "../words/words.js";
import { faultsAt } from "../scoring/live.js";
import { elementName, groupName, nativeName, rulesName } from "../names/systems.js";
import { say } from "../controls/notice.js";
import { button, choiceRow, faultList, printButton } from "../controls/fields.js";
import { changeHouse, houseName, ownHouse } from "../rules/house.js";
import { optionField, optionHint, optionLabel, typed } from "../rules/option.js";
import { loadPresets, presetCard } from "../rules/presets.js";

export const title = () => t("tab.rules");

function reset() {
  const { id } = currentRules();
  set({ options: { ...app.settings.options, [id]: {} }, preset: { ...app.settings.preset, [id]: undefined } });
}

function systems() {
  const choices = app.rules.map((r) => ({
    value: r.id,
    label: rulesName(r),
    note: r.native === rulesName(r) ? null : r.native,
  }));
  return h(
    "section.card",
    h("h2.on-paper", app.game ? rulesName() : `${rulesName()} · ${houseName()}`),
    app.game
      ? [
        h("h2.on-screen", t("rules.of_game")),
        h("p.on-screen", rulesName()),
        h("p.hint.on-screen", t("rules.of_game_text")),
        h("a.button", { href: "#/game" }, icon("people"), t("tab.game")),
      ]
      : choiceRow("rules", t("rules.choose"), choices, currentRules().id, (id) => {
        set({ rules: id });
        say(rulesName());
      }),
  );
}

let changing = false; // the values of elements

// The house rules of the game, or else those chosen on this phone, as far as they differ from the usual ones.
/** @returns {Options} */
const chosen = () => app.game ? app.game.options : ownHouse(currentRules().id);

function house() {
  const rules = currentRules();
  const fixed = Boolean(app.game);
  const values = chosen();
  const changedCount = Object.keys(values).length;
  // The values of elements stand beside these.
  const options = rules.options.filter((o) => !o.elements.length || typeof values[o.name] === "string");
  return h(
    "section.card.stack",
    h("h2", t("rules.house")),
    h("p.soft.on-screen", changedCount ? t("rules.changed", { n: changedCount }) : t("rules.usual")),
    h(
      "div.options.on-screen",
      options.map((o) =>
        optionField(rules, o, values[o.name] ?? o.default, (value) => changeHouse(rules.id, o, value), {
          fixed,
          faults: faultsAt(`options.${o.name}`),
          own: o.name in values,
        })
      ),
    ),
    h(
      "div.on-paper",
      options.map((o) => optionField(rules, o, values[o.name] ?? o.default, () => {}, { fixed: true })),
    ),
    !fixed &&
      changedCount > 0 &&
      button("reset", t("rules.reset"), reset, { sign: "undo" }),
    printButton(),
  );
}

// The option by which a house gives elements its own values; none where the rules have none, or a table by name.
function valuesOption() {
  const option = currentRules().options.find((o) => o.elements.length > 0);
  return option && typeof chosen()[option.name] !== "string" ? option : undefined;
}

// The values of the house: how many, and how they are changed.
function ownValues(/** @type {Api.OptionBody | undefined} */ option) {
  if (!option) return null;
  const rules = currentRules();
  const count = Object.keys(chosen()[option.name] ?? {}).length;
  return h(
    "div.stack",
    count > 0 && h("p.soft", `${optionLabel(rules, option)}: ${number(count)}`),
    faultList(faultsAt(`options.${option.name}`), "faults-values"),
    changing && h("p.hint", optionHint(rules, option)),
    !app.game && button("change-values", t(changing ? "done" : "option.change_values"), () => {
      changing = !changing;
      emit("elements");
    }),
  );
}

/** @type {(element: Api.ElementBody, option: Api.OptionBody | undefined) => Child} */
function elementValue(element, option) {
  const rules = currentRules();
  const values = (option && chosen()[option.name]) ?? {};
  const own = values[element.id];
  const words = own === undefined
    ? element.value
    : [h("b", own ? number(own) : t("rules.not_played")), " ", h("small", t("rules.listed", { value: element.value }))];
  if (!option || !changing || app.game || !option.elements.includes(element.id)) return h("td", words);
  const put = (/** @type {ElementEvent} */ event) => {
    const { [element.id]: _, ...rest } = values;
    const value = typed(event.target.value);
    changeHouse(rules.id, option, value === null ? rest : { ...rest, [element.id]: value });
  };
  return h(
    "td",
    words,
    h("input.on-screen", {
      id: `field-value-${element.id}`,
      "data-key": `value-${element.id}`,
      "aria-label": elementName(rules.id, element),
      inputmode: "numeric",
      autocomplete: "off",
      value: own ?? "",
      onchange: put,
    }),
  );
}

function elements() {
  const rules = currentRules();
  const option = valuesOption();
  const groups = [...new Set(rules.elements.map((e) => e.group))];
  return h(
    "section.card",
    h(
      "details.fold",
      h(
        "summary",
        { "data-key": "fold-elements" },
        h("h2", t("rules.elements", { n: rules.elements.length })),
        icon("down"),
      ),
      ownValues(option),
      groups.map((group) =>
        h(
          "div.element-group",
          group && h("h3", groupName(group)),
          h(
            "table.elements",
            h("caption.unseen", group ? groupName(group) : t("rules.elements_caption")),
            h(
              "thead.unseen",
              h("tr", h("th", { scope: "col" }, t("rules.element")), h("th", { scope: "col" }, t("rules.value"))),
            ),
            h(
              "tbody",
              rules.elements
                .filter((e) => e.group === group)
                .map((e) =>
                  h(
                    "tr",
                    h(
                      "th",
                      { scope: "row" },
                      h("b", elementName(rules.id, e)),
                      " ",
                      nativeName(rules.id, e) && h("span.native", e.native),
                      h("p.soft", inOwnWords(e.condition)),
                    ),
                    elementValue(e, option),
                  )
                ),
            ),
          ),
        )
      ),
    ),
  );
}

export const parts = [
  {
    on: ["settings", "language", "game", "about"],
    draw: () => (currentRules() ? systems() : h("p", troubleWords({ code: "offline" }))),
  },
  { on: ["presets", "settings", "language", "game"], draw: () => (currentRules() && !app.game ? presetCard() : null) },
  { on: ["settings", "language", "game", "faults"], draw: () => (currentRules() ? house() : null) },
  { on: ["language", "game", "settings", "faults", "elements"], draw: () => (currentRules() ? elements() : null) },
];

export function enter() {
  changing = false;
  return loadPresets();
}
