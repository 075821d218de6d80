// Changes to a tournament: its name, its scoring rules, details of players; and the history of all changes.
import { get, remove } from "../../api/api.js";
import { questions } from "../../state/signal.js";
import { h } from "../../dom/dom.js";
import { signed } from "../../words/i18n.js";
import { button, chipRow, fold, form, submitKey, textField, toggle } from "../../controls/fields.js";
import { confirmSheet, openSheet } from "../../controls/sheet.js";
import { tellCup } from "./change.js";
import { countingBody, countingFields, threesFields } from "./cupform.js";
import { extraWords } from "../clock.js";
import { attempt, board, PERSON, redraw } from "../state.js";
import { clock, w } from "../words.js";

const TIES = ["places", "won", "penalties", "best", "last"];
/** @type {(import("./cupform.js").Counting & {id: string, name: string, reason: string}) | null} */
let typed = null; // settings that are being changed
/** @type {ReturnType<typeof questions<{changes: any[], game_changes: any[]}>>} */
const askHistory = questions("cup");

async function erase(/** @type {Cup} */ cup) {
  if (!(await confirmSheet(w("cup.erase"), w("cup.erase_text", { name: cup.name }), w("cup.erase")))) return;
  await attempt(async () => {
    await remove(`/tournaments/${cup.id}`);
    board.cup = null; // then the newest other tournament is shown
  });
}

/** Deletes a tournament that was created by mistake; one that already has a round cannot be deleted. */
export const eraseButton = (/** @type {Cup} */ cup) =>
  cup.rounds.length === 0 &&
  button("erase-cup", w("cup.erase"), () => erase(cup), { look: "quiet" });

/** Form that changes the tournament's scoring rules; a reason is required. */
export function settingsForm(/** @type {Cup} */ cup) {
  const now = typed?.id === cup.id ? typed : {
    id: cup.id,
    name: cup.name,
    divide: String(cup.divide),
    places: cup.places.map(String),
    back: String(cup.return_points ?? ""),
    ties: cup.tie_breaks,
    threes: cup.threes && {
      start: String(cup.threes.starting_points),
      back: String(cup.threes.return_points ?? ""),
      places: cup.threes.places.map(String),
    },
    reason: "",
  };
  typed = now;
  const send = () =>
    tellCup(
      cup,
      "/settings",
      { name: now.name, ...countingBody(now), reason: now.reason },
      () => (typed = null),
    );
  return fold(
    `settings-${cup.id}`,
    w("cup.settings"),
    form(
      "stack",
      send,
      textField("settings-name", w("cup.name"), now.name, (v) => (now.name = v), { required: true, maxlength: 60 }),
      countingFields("settings", now),
      threesFields("settings", cup.rules, now),
      chipRow(
        "settings-ties",
        w("cup.ties", { order: now.ties.map((tie) => w(`cup.tie.${tie}`)).join(" › ") }),
        TIES.map((value) => ({ value, label: w(`cup.tie.${value}`) })),
        now.ties,
        (ties) => {
          now.ties = ties;
          redraw("cup");
        },
      ),
      textField("settings-reason", w("cup.reason"), now.reason, (v) => (now.reason = v), {
        required: true,
        maxlength: 200,
      }),
      submitKey(w("cup.change"), { key: "settings" }),
    ),
  );
}

const hasPlayed = (/** @type {Cup} */ cup, /** @type {CupPlayer} */ { number }) =>
  cup.rounds.some(({ tables }) => tables.some(({ players }) => players.some((p) => p.number === number)));

async function take(/** @type {Cup} */ cup, /** @type {CupPlayer} */ player) {
  if (await confirmSheet(w("cup.remove"), w("cup.remove_text", { name: player.name }), w("cup.remove"))) {
    await tellCup(cup, `/players/${player.number}/remove`);
  }
}

/** Form that changes a player's details; a player not yet seated in any round can be removed from the list. */
export function editPlayer(/** @type {Cup} */ cup, /** @type {CupPlayer} */ player) {
  /** @type {Record<string, any>} */
  const said = { ...player };
  openSheet(player.name, (sheet) => {
    const send = () => {
      sheet.close();
      const details = [...PERSON, "substitute"].map((key) => [key, said[key]]);
      tellCup(cup, `/players/${player.number}`, Object.fromEntries(details));
    };
    return form(
      "stack",
      send,
      PERSON.map((key) =>
        textField(`player-${key}`, w(`person.${key}`), said[key], (v) => (said[key] = v), {
          maxlength: 40,
          required: key === "name",
        })
      ),
      toggle("player-substitute", w("person.substitute"), said.substitute, (on) => {
        said.substitute = on;
        sheet.refresh();
      }),
      submitKey(w("cup.change"), { look: "main" }),
      !hasPlayed(cup, player) &&
        button("remove-player", w("cup.remove"), () => {
          sheet.close();
          take(cup, player);
        }, { look: "quiet" }),
    );
  });
}

/** Who or what a change is about: round, player, points, text. */
export function about(/** @type {Cup} */ cup, /** @type {any} */ { round, table, detail = { round, table } }) {
  const name = (/** @type {number} */ number) => cup.players.find((p) => p.number === number)?.name;
  return [
    detail.round > 0 && w("cup.round", { n: detail.round }),
    detail.table && w("table.title", { name: [detail.table, detail.to].filter(Boolean).join(" → ") }),
    name(detail.player),
    detail.registrations && detail.players?.map(name).join(", "),
    detail.amount !== undefined && signed(detail.amount),
    detail.out !== undefined && `${name(detail.out)} → ${name(detail.into)}`,
    detail.first?.map(name).join(" › "),
    (detail.now ?? detail.was)?.name,
    detail.minutes !== undefined && detail.hands !== undefined && extraWords(detail),
    detail.text,
    detail.seconds !== undefined && `${detail.seconds} s`,
  ];
}

/** Another one after every change of the tournament or its games: a clock may be set back, their numbers only grow. */
export const versionOf = (/** @type {Cup} */ cup) =>
  [cup.revision, ...cup.rounds.flatMap(({ tables }) => tables.map(({ revision }) => revision))].join();

/** Everything that was done in the tournament and to the games of its rounds, latest first. */
export function historyFold(/** @type {Cup} */ cup) {
  const path = `/tournaments/${cup.id}/changes`;
  const { changes, game_changes } = askHistory(path, versionOf(cup), () => get(path), cup).answer ??
    { changes: [], game_changes: [] };
  const all = [...changes, ...game_changes].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).toReversed();
  const line = (/** @type {any} */ c) =>
    [
      clock(c.at),
      c.by,
      w(c.game_id ? `done.game.${c.kind}` : `done.${c.kind}`, { n: c.hand }),
      ...about(cup, c),
      c.reason,
    ].filter(Boolean).join(" · ");
  return fold(
    `history-${cup.id}`,
    w("cup.history", { n: all.length || cup.revision }),
    h("ul.ledger", all.map((c) => h("li", h("span", line(c))))),
  );
}
