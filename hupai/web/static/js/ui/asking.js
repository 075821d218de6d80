// The questions on screen: who won and how, what lies on the table, what was special.
import { answer, app, currentRules, set } from "../app.js";
import { h, icon } from "../dom.js";
import { t, worded } from "../i18n.js";
import { faultsAt } from "../live.js";
import { seatName, seatNote } from "../names.js";
import { known, questions, SEATS, valueOf, WINS } from "../questions.js";
import { chip, chipRow, choiceRow, select, stepper } from "./controls.js";
import { fedField, indicatorField, liableField, responsibleField } from "./rare.js";

const seatChoices = (seats) => seats.map((s) => ({ value: s, label: seatName(s), note: seatNote(s) }));

function winner(context) {
  return choiceRow(
    "seat",
    t("ask.seat"),
    seatChoices(SEATS),
    context.seat,
    (seat) => {
      if (app.game) set({ me: app.game.seats[seat] });
      answer({ seat, ...(context.from === seat ? { from: undefined } : {}) });
    },
    { faults: faultsAt("context.seat") },
  );
}

function how(context) {
  return choiceRow(
    "win",
    t("ask.win"),
    WINS.map((w) => ({ value: w, label: t(`win.${w}`) })),
    context.win,
    (win) => answer({ win, ...(win === "self_draw" ? { from: undefined } : {}) }),
    { faults: faultsAt("context.win") },
  );
}

function whose(context) {
  if (!context.win || context.win === "self_draw") return null;
  const others = SEATS.filter((s) => s !== context.seat);
  return choiceRow(
    "from",
    t(`ask.from.${context.win}`),
    [...seatChoices(others), { value: null, label: t("unknown") }],
    context.from,
    (from) => answer({ from }),
    { faults: faultsAt("context.from") },
  );
}

// The ledger wants to know who laid a stick; the winner's own riichi is asked above.
function declared(context) {
  const others = seatChoices(SEATS.filter((s) => s !== context.seat));
  return chipRow("declared", t("ask.declared"), others, context.declared ?? [], (seats) => answer({ declared: seats }));
}

/** Fewer than ten honours win nothing: the first step is to ten, and one back from there is to none. */
const stepped = (name, v, before) => (name === "honours" && v > 0 && v < 10 ? (v > before ? 10 : 0) : v);

function control(ask, context) {
  const value = valueOf(ask, context);
  const faults = faultsAt(`context.${ask.name}`);
  const label = worded(`ask.${ask.name}`, ask.name.replaceAll("_", " "));
  const hint = worded(`ask.${ask.name}.hint`, ask.doc);
  const put = (v) => answer({ [ask.name]: v });
  switch (ask.kind) {
    case "switch":
      return chip(ask.name, label, value === true, put, { faults });
    case "number":
      return stepper(
        ask.name,
        label,
        value ?? ask.low,
        (v) => put(stepped(ask.name, v, value ?? 0)),
        { low: ask.low, faults, hint },
      );
    case "seat": {
      const none = ask.default === null ? [{ value: null, label: t("nobody") }] : [];
      return select(
        ask.name,
        label,
        [...none, ...SEATS.map((s) => ({ value: s, label: ask.name === "round" ? t(`seat.${s}`) : seatName(s) }))],
        value,
        put,
        { faults, hint },
      );
    }
    case "tile":
      return indicatorField(ask, label, value, put, faults);
    case "liable":
      return liableField(ask, label, value, put, faults);
    case "responsible":
      return responsibleField(label, value, put, faults);
    case "fed":
      return fedField(label, value ?? {}, put, faults);
    default:
      return null;
  }
}

/** The questions of the chosen rules. */
export function asking() {
  const rules = currentRules();
  const context = known();
  const asked = questions(rules, app.draft.hand, context);
  const chips = asked.filter((a) => a.kind === "switch");
  const rare = asked.filter((a) => a.place === "rare");
  const table = asked.filter((a) => a.place === "table");
  const other = asked.filter((a) => a.kind !== "switch" && !rare.includes(a) && !table.includes(a));
  const on = chips.filter((a) => valueOf(a, context) === true);
  const rareOpen =
    rare.some((a) => context[a.name] !== undefined && context[a.name] !== a.default) || rare.some(faulty);
  return h(
    "section",
    { class: "card asking stack", "aria-label": t("asking.title"), id: "asking" },
    winner(context),
    how(context),
    whose(context),
    other.map((a) => control(a, context)),
    chips.length > 0 &&
      h(
        "div",
        {},
        h("h3", { class: "minor" }, t("asking.special")),
        h(
          "div",
          { class: "chips" },
          chips.map((a) => control(a, context)),
        ),
        on.length > 0 &&
          h(
            "ul",
            { class: "hint" },
            on.map((a) => h("li", {}, worded(`ask.${a.name}.hint`, a.doc))),
          ),
      ),
    app.game && rules.riichi_sticks && declared(context),
    table.length > 0 &&
      fold(
        "table",
        !app.game || table.some(faulty),
        t(app.game ? "asking.table_game" : "asking.table"),
        table.map((a) => control(a, context)),
      ),
    rare.length > 0 &&
      fold(
        "rare",
        rareOpen,
        t("asking.rare"),
        rare.map((a) => control(a, context)),
      ),
  );
}

const faulty = (ask) => faultsAt(`context.${ask.name}`).length > 0;
const folds = new Map(); // name -> open, as the player left it

function fold(name, open, title, content) {
  const box = h(
    "details",
    { class: "fold", open: open || folds.get(name) === true },
    h("summary", { "data-key": `fold-${name}`, onclick: () => folds.set(name, !box.open) }, title, icon("down")),
    h("div", { class: "stack" }, content),
  );
  return box;
}
