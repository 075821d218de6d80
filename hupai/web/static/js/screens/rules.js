// The rules tab: the system, house rules by name and one by one, and the table of elements.
import { app } from "../state/app.js";
import { currentRules } from "../state/rules.js";
import { set } from "../state/settings.js";
import { h, icon } from "../parts/dom.js";
import { t } from "../words/i18n.js";
import { faultsAt } from "../play/live.js";
import { elementName, groupName, nativeName, rulesName } from "../names/systems.js";
import { say } from "../controls/notice.js";
import { button, choiceRow, printButton } from "../controls/fields.js";
import { changeHouse, houseName, ownHouse } from "../rules/house.js";
import { optionField } from "../rules/option.js";
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

function house() {
  const rules = currentRules();
  const fixed = Boolean(app.game);
  /** @type {Options} */
  const values = fixed ? app.game?.options ?? {} : ownHouse(rules.id);
  const changedCount = Object.keys(values).length;
  return h(
    "section.card.stack",
    h("h2", t("rules.house")),
    h("p.soft.on-screen", changedCount ? t("rules.changed", { n: changedCount }) : t("rules.usual")),
    h(
      "div.options.on-screen",
      rules.options.map((o) =>
        optionField(rules, o, values[o.name] ?? o.default, (value) => changeHouse(rules.id, o, value), {
          fixed,
          faults: faultsAt(`options.${o.name}`),
          own: o.name in values,
        })
      ),
    ),
    h(
      "div.on-paper",
      rules.options.map((o) => optionField(rules, o, values[o.name] ?? o.default, () => {}, { fixed: true })),
    ),
    !fixed &&
      changedCount > 0 &&
      button("reset", t("rules.reset"), reset, { sign: "undo" }),
    printButton(),
  );
}

function elements() {
  const rules = currentRules();
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
                      h("p.soft", e.condition),
                    ),
                    h("td", e.value),
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
    draw: () => (currentRules() ? systems() : h("p", t("error.offline"))),
  },
  { on: ["presets", "settings", "language", "game"], draw: () => (currentRules() && !app.game ? presetCard() : null) },
  { on: ["settings", "language", "game", "faults"], draw: () => (currentRules() ? house() : null) },
  { on: ["language", "game", "settings"], draw: () => (currentRules() ? elements() : null) },
];

export const enter = loadPresets;
