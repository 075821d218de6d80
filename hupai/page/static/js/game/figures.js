// Figures about the people one plays with, over all games that the host keeps: a sheet, loaded when it is asked for.
import { download, get } from "../api/api.js";
import { h, icon } from "../dom/dom.js";
import { moment, number, signed, t } from "../words/i18n.js";
import { partWords, totalWords } from "../words/words.js";
import { button, choiceRow } from "../controls/fields.js";
import { attempt } from "../controls/notice.js";
import { openSheet } from "../controls/sheet.js";
import { elementNames, systemName } from "../names/systems.js";

/**
 * What somebody won and paid.
 * @type {(one: Api.PlayerFigures, open: (game: string) => unknown) => Child}
 */
function person(one, open) {
  const { name, rules, hands, best } = one;
  /** @type {[string, any][]} */
  const cells = [
    ["games", number(one.games)],
    ["place", one.average_place === null ? "–" : number(one.average_place)],
    ["hands", number(hands)],
    ["result", h("b", signed(one.result))],
    ["won", partWords(one.self_draws + one.discards, hands)],
    ["self_draws", number(one.self_draws)],
    ["dealt_in", partWords(one.dealt_in, hands)],
    ["average", one.average_win === null ? "–" : signed(one.average_win)],
  ];
  return h(
    "section.card.stack",
    { key: name },
    h("h3", name),
    h("dl.figures", cells.map(([what, value]) => h("div", h("dt", t(`figures.${what}`)), h("dd", value)))),
    best && h(
      "button.game-item",
      { "data-key": `best-${name}`, onclick: () => open(best.game_id) },
      h("b", t("figures.best", { total: totalWords(best.total), n: signed(best.amount) })),
      h("small.soft", [...elementNames(rules, best.elements), moment(best.at)].join(" · ")),
      icon("next"),
    ),
  );
}

const save = () => attempt(() => download("/figures/export.csv", "hupai-figures.csv"));

/** The game that somebody's figures are of: rules, and how many play. */
const tableOf = (/** @type {Api.PlayerFigures} */ { rules, players }) => `${rules} ${players}`;

const tableName = (/** @type {Api.PlayerFigures} */ { rules, players }) =>
  players === 3 ? t("figures.three", { rules: systemName(rules) }) : systemName(rules);

/**
 * Opens the sheet; points of different rule systems are never added, nor games for three to games for four, so it shows
 * one at a time.
 * @param {(game: string) => unknown} open opens a game
 */
export async function openFigures(open) {
  const { figures } = await get("/figures");
  const tables = new Map(figures.map((one) => [tableOf(one), tableName(one)]));
  let [shown] = tables.keys();
  openSheet(t("figures.title"), (sheet) => {
    const choose = (/** @type {string} */ table) => {
      shown = table;
      sheet.refresh();
    };
    const openFrom = (/** @type {string} */ game) => {
      sheet.close();
      open(game);
    };
    const choices = [...tables].map(([value, label]) => ({ value, label }));
    return [
      h("p.soft", t(figures.length ? "figures.text" : "figures.none")),
      tables.size > 1 && choiceRow("figures-rules", t("rules.choose"), choices, shown, choose),
      figures.filter((one) => tableOf(one) === shown).map((one) => person(one, openFrom)),
      figures.length > 0 &&
      button("figures-csv", t("game.csv"), save, { sign: "download" }),
    ];
  });
}
