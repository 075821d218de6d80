// What a director does besides hands: plan, timers, announcements, penalties, substitutions, ending a table's game.
import { get, post } from "../../host/api.js";
import { h } from "../../parts/dom.js";
import { literal, signed, t } from "../../words/i18n.js";
import { recall, remember } from "../../host/store.js";
import { button, select, textField } from "../../controls/fields.js";
import { openSheet } from "../../controls/sheet.js";
import { timerBox } from "../clock.js";
import { fold } from "../fold.js";
import { attempt, board } from "../state.js";
import { change } from "./change.js";
import { SEATS } from "../../hand/seats.js";
import { w } from "../words.js";

const KINDS = ["penalty", "chombo", "compensation"];
/** @type {{[field: string]: any, player: number | null, out: number | null, into: number | null}} */
const form = {
  rounds: "",
  minutes: "75",
  text: "",
  player: null,
  kind: "penalty",
  amount: "",
  reason: "",
  out: null,
  into: null,
  why: "",
};

/** @param {Cup} cup */
const base = (cup) => `/tournaments/${cup.id}`;
/** @param {"rounds" | "minutes" | "text" | "amount" | "reason"} key */
const field = (key, more = {}) =>
  textField(`referee-${key}`, w(`cup.${key}`), form[key], (value) => (form[key] = value), more);
/**
 * A typed number for the API; 0 where nothing was typed.
 * @param {string} text
 */
export const numberIn = (text) => literal(text) || "0";

/** The director's name: kept in this browser and sent with every action. */
export const directorName = () => recall("by", "").trim() || undefined;

/**
 * Posts a tournament action with the director's name, and shows the result.
 * @param {Cup} cup
 * @param {string} path
 */
export const tellCup = (cup, path, body = {}, done = () => {}) =>
  attempt(async () => {
    await change("POST", `${base(cup)}${path}`, { by: directorName(), ...body });
    done();
  });

/**
 * Asks for a reason, then does it; nothing happens without one.
 * @param {string} title
 * @param {(reason: string) => unknown} act
 */
export function withReason(title, act) {
  let why = "";
  openSheet(title, (sheet) =>
    h(
      "form.stack",
      {
        onsubmit: (event) => {
          event.preventDefault();
          sheet.close();
          act(why);
        },
      },
      textField("reason", w("cup.reason"), why, (text) => (why = text), {
        required: true,
        maxlength: 200,
        autofocus: true,
      }),
      h("button.button.main", title),
    ));
}

/**
 * A file input that reads a text file and passes its content on.
 * @param {string} key
 * @param {string} words
 * @param {(text: string) => unknown} take
 */
export function fileField(key, words, take) {
  return h(
    "p.field",
    h("label", { for: key }, words),
    h("input", {
      id: key,
      type: "file",
      accept: ".csv,.tsv,.txt,text/csv",
      "data-key": key,
      onchange: async (event) => {
        const [file] = event.target.files;
        if (file) await take(await file.text());
        event.target.value = "";
      },
    }),
  );
}

/**
 * @param {Cup} cup
 * @param {(player: CupPlayer) => boolean} wanted
 */
const people = (cup, wanted = () => true) => [
  { value: null, label: "–" },
  ...cup.players.filter(wanted).map((p) => ({
    value: p.number,
    label: `${p.number}. ${p.name}`,
  })),
];

/** @param {Cup} cup */
function plan(cup) {
  const from = cup.plan[0]?.round;
  const last = cup.plan.at(-1)?.round;
  const again = cup.plan.reduce(
    (all, planned) => all + planned.repeats,
    0,
  );
  return fold(
    `plan-${cup.id}`,
    false,
    w("cup.plan"),
    from && h("p", w("cup.planned", { from, last, n: again })),
    from && h(
      "ul.round-tables",
      cup.plan.map((planned) =>
        h(
          "li",
          h("b", w("cup.round", { n: planned.round })),
          h(
            "ol",
            planned.tables.map((table, i) => h("li", `${table.table ?? i + 1}: ${table.players.join(" · ")}`)),
          ),
        )
      ),
    ),
    h(
      "form.row",
      {
        onsubmit: (event) => {
          event.preventDefault();
          tellCup(cup, "/plan", { rounds: Number(form.rounds) });
        },
      },
      field("rounds", { inputmode: "numeric", required: true }),
      h("button.button", { "data-key": "plan-rounds" }, w("cup.make_plan")),
    ),
    fileField("plan-file", w("cup.import_plan"), (csv) => tellCup(cup, "/plan/import", { csv })),
  );
}

/** @param {Cup} cup */
function timer(cup) {
  const played = cup.rounds.at(-1);
  if (!played) return null;
  const act = (/** @type {string} */ what, more = {}) => () =>
    tellCup(cup, `/rounds/${played.round}/timer`, { act: what, ...more });
  return h(
    "div.row",
    played.timer && timerBox(played.timer),
    !played.timer && field("minutes", { inputmode: "numeric" }),
    !played.timer &&
      button("timer-start", w("cup.timer_start"), () => act("start", { minutes: Number(form.minutes) })()),
    played.timer?.state === "running" && button("timer-pause", w("cup.timer_pause"), act("pause")),
    played.timer?.state === "paused" && button("timer-on", w("cup.timer_on"), act("start")),
    played.timer && button("timer-stop", w("cup.timer_stop"), act("stop"), { look: "quiet" }),
  );
}

/** @param {Cup} cup */
const announce = (cup) =>
  h(
    "form.row",
    {
      onsubmit: (event) => {
        event.preventDefault();
        tellCup(cup, "/announcements", { text: form.text }, () => (form.text = ""));
      },
    },
    field("text", { required: true, maxlength: 300 }),
    h("button.button", { "data-key": "announce" }, w("cup.announce")),
  );

/** @param {Cup} cup */
function penalties(cup) {
  const name = (/** @type {number} */ number) => cup.players.find((p) => p.number === number)?.name;
  return fold(
    `penalties-${cup.id}`,
    false,
    w("cup.penalties", { n: cup.penalties.filter((p) => !p.withdrawn).length }),
    h(
      "ul.ledger",
      cup.penalties.map((p) =>
        h(
          "li",
          { class: p.withdrawn ? "undone" : "", key: p.number },
          h(
            "span",
            `${name(p.player)}: ${signed(p.amount)} · ${w(`cup.kind.${p.kind}`)} · ${p.by} · ${p.reason}`,
            p.withdrawn && h("em", `${p.withdrawn.by} · ${p.withdrawn.reason}`),
          ),
          !p.withdrawn &&
            button(`withdraw-${p.number}`, w("cup.withdraw"), () =>
              withReason(w("cup.withdraw"), (reason) =>
                tellCup(cup, `/penalties/${p.number}/withdraw`, { reason })), { look: "quiet" }),
        )
      ),
    ),
    h(
      "form.stack",
      {
        onsubmit: (event) => {
          event.preventDefault();
          tellCup(cup, "/penalties", {
            player: form.player,
            kind: form.kind,
            amount: numberIn(form.amount),
            reason: form.reason,
          }, () => Object.assign(form, { amount: "", reason: "" }));
        },
      },
      h(
        "div.fields",
        select("penalty-player", w("standing.name"), people(cup), form.player, (v) => (form.player = v)),
        select(
          "penalty-kind",
          w("cup.kind"),
          KINDS.map((k) => ({ value: k, label: w(`cup.kind.${k}`) })),
          form.kind,
          (v) => (form.kind = v),
        ),
        field("amount", { inputmode: "decimal", required: true }),
      ),
      field("reason", { required: true, maxlength: 200 }),
      h("button.button", { "data-key": "penalise" }, w("cup.penalise")),
    ),
  );
}

/** @param {Cup} cup */
function seats(cup) {
  const played = cup.rounds.at(-1);
  if (!played) return null;
  const sitting = new Set(
    played.tables.flatMap((table) => table.players.map((p) => p.number)),
  );
  return fold(
    `seats-${cup.id}`,
    false,
    w("cup.replace"),
    h("p.hint", w("cup.replace_text")),
    h(
      "form.stack",
      {
        onsubmit: (event) => {
          event.preventDefault();
          tellCup(
            cup,
            `/rounds/${played.round}/replace`,
            { out: form.out, into: form.into, reason: form.why },
            () => Object.assign(form, { out: null, into: null, why: "" }),
          );
        },
      },
      h(
        "div.fields",
        select(
          "replace-out",
          w("cup.out"),
          people(cup, (/** @type {CupPlayer} */ p) => sitting.has(p.number)),
          form.out,
          (v) => (form.out = v),
        ),
        select(
          "replace-into",
          w("cup.into"),
          people(cup, (/** @type {CupPlayer} */ p) => !p.left),
          form.into,
          (v) => (form.into = v),
        ),
      ),
      textField("replace-why", w("cup.reason"), form.why, (v) => (form.why = v), { required: true, maxlength: 200 }),
      h("button.button", { "data-key": "replace" }, w("cup.replace")),
    ),
  );
}

/**
 * Whether a table's game is still running and who has signed it; the director may end it and enter signatures.
 * @param {Cup} cup
 * @param {CupRound} played
 * @param {CupTable} table
 */
export function tableEnd(cup, played, table) {
  const mine = board.director.you;
  if (!table.ended) {
    return mine && table.hands > 0 &&
      button(
        `end-${table.game_id}`,
        w("cup.end_table"),
        () =>
          withReason(w("cup.end_table"), (reason) =>
            attempt(async () => {
              const game = await get(`/games/${table.game_id}?last=0`);
              await post(`/games/${table.game_id}/end`, {
                by: directorName() ?? w("director.word"),
                reason,
                seen: { revision: game.revision },
              });
            })),
        { look: "quiet" },
      );
  }
  return h(
    "p.row.signed",
    h("small", w("cup.ended")),
    table.signed_before.length > 0 && h("small.caution", w("cup.signed_before")),
    SEATS.map((
      seat,
      i,
    ) => (table.signed.includes(seat) ? h("small.has-signed", `✓ ${t(`seat.${seat}.sign`)}`) : mine &&
      button(
        `sign-${table.game_id}-${seat}`,
        w("cup.sign", { seat: `${t(`seat.${seat}.sign`)} ${table.players[i].name}` }),
        () =>
          tellCup(cup, `/rounds/${played.round}/tables/${encodeURIComponent(table.table)}/sign`, {
            seat,
            by: table.players[i].name,
          }),
      ))
    ),
  );
}

/**
 * The director's section of a tournament.
 * @param {Cup} cup
 */
export const refereePart = (cup) =>
  h(
    "div.stack",
    textField("director-name", w("cup.by"), recall("by", ""), (name) => {
      remember("by", name);
    }, { maxlength: 40, autocomplete: "name" }),
    timer(cup),
    announce(cup),
    plan(cup),
    penalties(cup),
    seats(cup),
  );

/**
 * The latest announcement, for every viewer.
 * @param {Cup} cup
 */
export const announcement = (cup) =>
  cup.announcements.slice(-1).map((told) => h("p.announced", { role: "status" }, told.text));
