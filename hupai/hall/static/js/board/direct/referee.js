// What a director does besides hands: plan, timers, announcements, penalties, substitutions.
import { h } from "../../dom/dom.js";
import { signed, t } from "../../words/i18n.js";
import { recall, remember } from "../../api/store.js";
import { button, fileInput, fold, form, select, submitKey, textField } from "../../controls/fields.js";
import { openForm } from "../../controls/sheet.js";
import { timerBox } from "../clock.js";
import { redraw } from "../state.js";
import { numberIn, tellCup } from "./change.js";
import { w } from "../words.js";

const KINDS = ["penalty", "chombo", "compensation"];
/** @type {{[field: string]: any, player: number | null, out: number | null, into: number | null}} */
const typed = {
  rounds: "",
  minutes: "75",
  text: "",
  player: null,
  kind: "penalty",
  amount: "",
  reason: "",
  out: null,
  into: null,
  hands: "seats",
  why: "",
};
export const needed = { required: true, maxlength: 200 };

const field = (/** @type {"rounds" | "minutes" | "text" | "amount" | "reason"} */ key, more = {}) =>
  textField(`referee-${key}`, w(`cup.${key}`), typed[key], (value) => (typed[key] = value), more);

/** Asks for a reason, then does it; nothing happens without one. */
export function withReason(/** @type {string} */ title, /** @type {(reason: string) => unknown} */ act) {
  let why = "";
  openForm(
    title,
    () => textField("reason", w("cup.reason"), why, (text) => (why = text), { ...needed, autofocus: true }),
    () => void act(why),
  );
}

/**
 * A file input that reads a text file and passes its content on.
 * @type {(key: string, words: string, take: (text: string) => unknown) => Child}
 */
export const fileField = (key, words, take) =>
  h(
    "p.field",
    h("label", { for: key }, words),
    fileInput(
      { id: key, accept: ".csv,.tsv,.txt,text/csv", "data-key": key },
      async ([file]) => take(await file.text()),
    ),
  );

const people = (/** @type {Cup} */ cup, /** @type {(player: CupPlayer) => boolean} */ wanted = () => true) => [
  { value: null, label: "–" },
  ...cup.players.filter(wanted).map((p) => ({ value: p.number, label: `${p.number}. ${p.name}` })),
];

function plan(/** @type {Cup} */ cup) {
  const from = cup.plan[0]?.round;
  const last = cup.plan.at(-1)?.round;
  const again = cup.plan.reduce((all, planned) => all + planned.repeats, 0);
  return fold(`plan-${cup.id}`, w("cup.plan"), [
    from && h("p", w("cup.planned", { from, last, n: again })),
    from && h(
      "ul.round-tables",
      cup.plan.map((planned) =>
        h(
          "li",
          h("b", w("cup.round", { n: planned.round })),
          h(
            "ol",
            planned.tables.map((table, i) =>
              h("li", t("label", { name: table.table ?? i + 1 }) + table.players.join(" · "))
            ),
          ),
        )
      ),
    ),
    form(
      "row",
      () => tellCup(cup, "/plan", { rounds: Number(typed.rounds) }),
      field("rounds", { inputmode: "numeric", required: true }),
      submitKey(w("cup.make_plan"), { key: "plan-rounds" }),
    ),
    fileField("plan-file", w("cup.import_plan"), (csv) => tellCup(cup, "/plan/import", { csv })),
  ]);
}

function timer(/** @type {Cup} */ cup) {
  const played = cup.rounds.at(-1);
  if (!played) return null;
  const act = (/** @type {string} */ what, more = {}) =>
    tellCup(cup, `/rounds/${played.round}/timer`, { act: what, ...more });
  if (!played.timer) {
    return h(
      "div.row",
      field("minutes", { inputmode: "numeric" }),
      button("timer-start", w("cup.timer_start"), () => act("start", { minutes: Number(typed.minutes) })),
    );
  }
  return h(
    "div.row",
    timerBox(played.timer),
    played.timer.state === "running"
      ? button("timer-pause", w("cup.timer_pause"), () => act("pause"))
      : button("timer-on", w("cup.timer_on"), () => act("start")),
    button("timer-stop", w("cup.timer_stop"), () => act("stop"), { look: "quiet" }),
  );
}

const announce = (/** @type {Cup} */ cup) =>
  form(
    "row",
    () => tellCup(cup, "/announcements", { text: typed.text }, () => (typed.text = "")),
    field("text", { required: true, maxlength: 300 }),
    submitKey(w("cup.announce"), { key: "announce" }),
  );

/** @type {(cup: Cup, penalty: Cup["penalties"][number]) => Child} */
function penaltyLine(cup, { number, player, amount, kind, by, reason, withdrawn }) {
  const name = cup.players.find((p) => p.number === player)?.name;
  const withdraw = () =>
    withReason(w("cup.withdraw"), (why) => tellCup(cup, `/penalties/${number}/withdraw`, { reason: why }));
  return h(
    "li",
    { class: withdrawn ? "undone" : "", key: number },
    h(
      "span",
      `${t("label", { name })}${signed(amount)} · ${w(`cup.kind.${kind}`)} · ${by} · ${reason}`,
      withdrawn && h("em", `${withdrawn.by} · ${withdrawn.reason}`),
    ),
    !withdrawn && button(`withdraw-${number}`, w("cup.withdraw"), withdraw, { look: "quiet" }),
  );
}

function penalties(/** @type {Cup} */ cup) {
  const send = () => {
    const { player, kind, amount, reason } = typed;
    tellCup(
      cup,
      "/penalties",
      { player, kind, amount: numberIn(amount), reason },
      () => Object.assign(typed, { amount: "", reason: "" }),
    );
  };
  const kinds = KINDS.map((value) => ({ value, label: w(`cup.kind.${value}`) }));
  return fold(
    `penalties-${cup.id}`,
    w("cup.penalties", { n: cup.penalties.filter((p) => !p.withdrawn).length }),
    [
      h("ul.ledger", cup.penalties.map((penalty) => penaltyLine(cup, penalty))),
      form(
        "stack",
        send,
        h(
          "div.fields",
          select("penalty-player", w("standing.name"), people(cup), typed.player, (v) => (typed.player = v)),
          select("penalty-kind", w("cup.kind"), kinds, typed.kind, (v) => (typed.kind = v)),
          field("amount", { inputmode: "decimal", required: true }),
        ),
        field("reason", needed),
        submitKey(w("cup.penalise"), { key: "penalise" }),
      ),
    ],
  );
}

function seats(/** @type {Cup} */ cup) {
  const played = cup.rounds.at(-1);
  if (!played) return null;
  const sitting = new Set(played.tables.flatMap((table) => table.players.map((p) => p.number)));
  const swap = played.tables.some(({ hands, players }) =>
    hands > 0 && [typed.out, typed.into].every((n) => players.some((p) => p.number === n))
  );
  const send = () =>
    tellCup(
      cup,
      `/rounds/${played.round}/replace`,
      { out: typed.out, into: typed.into, hands: swap ? typed.hands : null, reason: typed.why },
      () => Object.assign(typed, { out: null, into: null, why: "" }),
    );
  const out = people(cup, (p) => sitting.has(p.number));
  const into = people(cup, (p) => !p.left);
  const choose = (/** @type {"out" | "into"} */ key) => (/** @type {number | null} */ player) => {
    typed[key] = player;
    redraw("cup");
  };
  const hands = ["seats", "players"].map((value) => ({ value, label: w(`cup.swap.${value}`) }));
  return fold(`seats-${cup.id}`, w("cup.replace"), [
    h("p.hint", w("cup.replace_text")),
    form(
      "stack",
      send,
      h(
        "div.fields",
        select("replace-out", w("cup.out"), out, typed.out, choose("out")),
        select("replace-into", w("cup.into"), into, typed.into, choose("into")),
      ),
      swap && select("replace-hands", w("cup.swap"), hands, typed.hands, (v) => (typed.hands = v)),
      textField("replace-why", w("cup.reason"), typed.why, (v) => (typed.why = v), needed),
      submitKey(w("cup.replace"), { key: "replace" }),
    ),
  ]);
}

/** The director's section of a tournament. */
export const refereePart = (/** @type {Cup} */ cup) =>
  h(
    "div.stack",
    textField("director-name", w("cup.by"), recall("by", ""), (name) => remember("by", name), {
      maxlength: 40,
      autocomplete: "name",
    }),
    timer(cup),
    announce(cup),
    plan(cup),
    penalties(cup),
    seats(cup),
  );

/** The latest announcement, for every viewer. */
export const announcement = (/** @type {Cup} */ cup) =>
  cup.announcements.slice(-1).map((told) => h("p.announced", { role: "status" }, told.text));
