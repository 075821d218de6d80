// The tournament: players, rounds, standings, files.
import { get } from "../../api/api.js";
import { app } from "../../state/app.js";
import { questions } from "../../state/signal.js";
import { h, icon } from "../../dom/dom.js";
import { signed } from "../../words/i18n.js";
import { troubleWords } from "../../words/words.js";
import { rulesName } from "../../names/systems.js";
import { button, fold, form, printButton, select as choice, submitKey } from "../../controls/fields.js";
import { tellCup } from "./change.js";
import { editPlayer, eraseButton, historyFold, settingsForm, versionOf } from "./cupchange.js";
import { newCupForm, playersField } from "./cupform.js";
import { broadcastPart } from "./broadcast.js";
import { timerBox } from "../clock.js";
import { isFor } from "../rounds.js";
import { daySheet } from "./daysheet.js";
import { nextRound } from "./nextround.js";
import { showList } from "./playerlist.js";
import { livePart } from "./live.js";
import { announcement, fileField, refereePart } from "./referee.js";
import { printSlips } from "./slips.js";
import { seatedPlayers, tableEnd } from "./tableend.js";
import { attempt, board, redraw } from "../state.js";
import { tokensPart } from "./tokens.js";
import { w } from "../words.js";

/** Whether the European Mahjong Association ranks such a tournament. */
const isRanked = (/** @type {Cup} */ cup) =>
  ["mcr", "riichi"].includes(cup.rules) && cup.table_size === 4 &&
  cup.rounds.every(({ tables }) => tables.every(({ players }) => players.length === 4));
const ELSEWHERE = { target: "_blank", rel: "noopener" }; // opened beside the board
let late = ""; // players that are being added
/** @type {{cup: string, round: number} | null} */
let upto = null; // {cup, round} whose standings are shown; null: the current standings
/** @type {ReturnType<typeof questions<{standings: Standing[]}>>} */
const askStandings = questions("cup");

const uptoOf = (/** @type {Cup} */ cup) => upto?.cup === cup.id && upto.round <= cup.rounds.length ? upto.round : null;

// The standings that were asked for, and why they did not come. They are fetched again when the tournament has changed;
// until then the old ones of that round stay.
/** @type {(cup: Cup) => {answer?: {standings: Standing[]}, error?: Trouble}} */
function standingsOf(cup) {
  const round = uptoOf(cup);
  if (!round) return { answer: cup };
  const path = `/tournaments/${cup.id}/standings?round=${round}`;
  return askStandings(path, versionOf(cup), () => get(path), cup);
}

function standings(/** @type {Cup} */ cup) {
  if (!cup.standings.length || !cup.rounds.length) return null;
  const word = (/** @type {string} */ name) =>
    name === "placed" ? w("cup.place", { n: cup.places.map((_, i) => i + 1).join(" · ") }) : w(`standing.${name}`);
  const head = (/** @type {string} */ name) => h("th", { scope: "col", role: "columnheader" }, word(name));
  // On a phone a player takes two lines, and each figure on the second line is labelled.
  const cell = (/** @type {string} */ name, /** @type {any[]} */ ...content) =>
    h("td", { class: `of-${name}`, role: "cell", "data-label": word(name) }, content);
  const line = (/** @type {Standing} */ s) => {
    const club = s.club && h("small.soft", ` ${s.club}`);
    const penalties = Number(s.penalties) !== 0 && w("standing.penalties", { n: signed(s.penalties) });
    return h(
      "tr",
      { role: "row" },
      cell("rank", s.rank),
      h("th.of-name", { scope: "row", role: "rowheader" }, s.name, club),
      cell("score", h("b", signed(s.score))),
      cell("won", signed(s.won)),
      cell("tables", s.tables),
      cell("placed", s.placed.join(" · "), penalties && h("small.soft", ` ${penalties}`)),
    );
  };
  const rounds = cup.rounds.map((r) => ({ value: r.round, label: w("cup.round", { n: r.round }) }));
  const choose = (/** @type {number | null} */ n) => {
    upto = n === null ? null : { cup: cup.id, round: n };
    redraw("cup");
  };
  const titles = ["rank", "name", "score", "won", "tables", "placed"].map(head);
  const team = (/** @type {Cup["teams"][number]} */ { rank, team: name, score }) =>
    h("li", h("span.name", `${rank}. ${name}`), h("b", signed(score)));
  const { answer, error } = standingsOf(cup);
  return h(
    "div.scroll.stack",
    rounds.length > 1 &&
      choice("standings-after", w("cup.after"), [{ value: null, label: w("cup.now") }, ...rounds], uptoOf(cup), choose),
    error && h("p.caution", icon("warn"), troubleWords(error)),
    answer && h(
      "table.standings",
      { role: "table" },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, titles)),
      h("tbody", { role: "rowgroup" }, answer.standings.map(line)),
    ),
    !uptoOf(cup) && cup.teams.length > 0 &&
      fold(`teams-${cup.id}`, w("cup.teams"), h("ol.people", cup.teams.map(team))),
  );
}

function resting(/** @type {Cup} */ cup, /** @type {CupRound} */ played) {
  const seated = new Set(
    played.tables.flatMap((table) => table.players.map((p) => p.number)),
  );
  const rest = cup.players.filter((p) => isFor(played, p) && !seated.has(p.number));
  return played.round === cup.rounds.length && rest.length > 0 &&
    h("p.soft", w("cup.resting", { names: rest.map((p) => p.name).join(", ") }));
}

function round(/** @type {Cup} */ cup, /** @type {CupRound} */ played) {
  const last = played.round === cup.rounds.length;
  const line = (/** @type {CupTable} */ table) => {
    const hands = { "data-key": `hands-${table.game_id}`, href: `./#join=${table.game_id}`, ...ELSEWHERE };
    return h(
      "li",
      { key: table.game_id },
      h(
        "p",
        h("b", w("table.title", { name: table.table })),
        " ",
        h("a.soft", hands, w("cup.hands", { n: table.hands })),
      ),
      h("ol", seatedPlayers(table)),
      tableEnd(cup, played, table),
    );
  };
  return fold(
    `round-${cup.id}-${played.round}`,
    w("cup.round", { n: played.round }),
    [
      h("ul.round-tables", played.tables.map(line)),
      resting(cup, played),
      board.director.you &&
      button(`slips-${played.round}`, w("cup.slips"), () => printSlips(cup, played), { look: "quiet" }),
    ],
    { open: last, id: `round-${cup.id}-${played.round}-${last}` },
  );
}

function players(/** @type {Cup} */ cup) {
  const line = (/** @type {CupPlayer} */ p) => {
    const about = [p.substitute && w("person.substitute"), p.club, p.country, p.team].filter(Boolean);
    const leave = () => tellCup(cup, `/players/${p.number}/leave`, { back: p.left });
    return h(
      "li",
      { class: p.left ? "left" : "", key: p.number },
      h("span.name", `${p.number}. ${p.name}`, h("small.soft", about.map((more) => ` ${more}`))),
      button(`edit-${p.number}`, w("cup.change"), () => editPlayer(cup, p), { look: "quiet" }),
      button(`player-${p.number}`, w(p.left ? "cup.back" : "cup.leave"), leave, { look: "quiet" }),
    );
  };
  return fold(
    `players-${cup.id}`,
    w("cup.people", { n: cup.players.filter((p) => !p.left).length }),
    [
      h("ul.people", cup.players.map(line)),
      form(
        "stack",
        () => showList(cup, late, () => (late = "")),
        playersField("cup-late", late, 2, (text) => (late = text)),
        submitKey(w("cup.add")),
      ),
      fileField("players-file", w("cup.import_players"), (csv) => showList(cup, csv)),
    ],
  );
}

function shown(/** @type {Cup} */ cup) {
  const mine = board.director.you;
  const timer = cup.rounds.at(-1)?.timer;
  return h(
    "section.card.stack",
    h("div.row", h("h2", cup.name), h("small.soft", rulesName(app.rules.find((r) => r.id === cup.rules)))),
    announcement(cup),
    !mine && timer && timerBox(timer),
    mine && daySheet(cup),
    mine && nextRound(cup),
    standings(cup),
    mine && refereePart(cup),
    mine && livePart(cup),
    cup.rounds.toReversed().map((r) => round(cup, r)),
    mine && players(cup),
    mine && settingsForm(cup),
    mine && eraseButton(cup),
    historyFold(cup),
    h(
      "p.row",
      printButton(),
      h("a.button.quiet", { href: `/report.html?tournament=${cup.id}`, ...ELSEWHERE }, w("report.title")),
      ["standings.csv", "tables.csv", isRanked(cup) && "ema.csv", "export.json"].filter(Boolean).map((f) =>
        h("a.button.quiet", { href: `/api/v1/tournaments/${cup.id}/${f}`, download: "" }, f)
      ),
    ),
  );
}

/** The tournament section of the board. */
export function cupPart() {
  const { cup } = board;
  const choose = (/** @type {string | undefined} */ id) =>
    attempt(async () => {
      board.cup = await get(`/tournaments/${id}`);
    }, () => {});
  const cups = board.cups.map((c) => ({ value: c.id, label: c.name }));
  return h(
    "section.stack",
    { "aria-label": w("cup.title") },
    cups.length > 1 && choice("cup-choice", w("cup.title"), cups, cup?.id, choose),
    cup && shown(cup),
    broadcastPart(),
    tokensPart(),
    board.director.you && newCupForm(),
  );
}
