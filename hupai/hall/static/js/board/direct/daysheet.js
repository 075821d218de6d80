// The day sheet: what is missing before the next round can begin, one button each, and the last step undone by one.
import { SEATS } from "../../hand/seats.js";
import { h } from "../../dom/dom.js";
import { list, t } from "../../words/i18n.js";
import { button } from "../../controls/fields.js";
import { tellCup } from "./change.js";
import { about } from "./cupchange.js";
import { withReason } from "./referee.js";
import { askTotals, endTable, sitter } from "./tableend.js";
import { PERSON } from "../state.js";
import { w } from "../words.js";

/** Tells the lines apart: a table may lack the reasons for several false wins. */
const keyOf = (/** @type {Missing} */ missing) =>
  missing.missing === "registration"
    ? `registration-${missing.number}`
    : [missing.missing, missing.game_id, "seat" in missing ? missing.seat : "hand" in missing ? missing.hand : ""].join(
      "-",
    );

/**
 * A player who waits to be let in.
 * @type {(cup: Cup, waiting: WaitingPlayer) => any[]}
 */
function registration(cup, waiting) {
  const numbers = [waiting.number];
  const answer = (/** @type {string} */ what, more = {}) =>
    tellCup(cup, `/registrations/${what}`, { numbers, ...more });
  const decline = () => withReason(w("day.decline"), (reason) => answer("decline", { reason }));
  return [
    w("day.registration", { name: PERSON.map((key) => waiting[key]).filter(Boolean).join(", ") }),
    button(`confirm-${waiting.number}`, w("day.confirm"), () => answer("confirm")),
    button(`decline-${waiting.number}`, w("day.decline"), decline, { look: "quiet" }),
  ];
}

/**
 * What is missing at a table, and the button that does it.
 * @type {(cup: Cup, missing: Missing) => any[]}
 */
function line(cup, missing) {
  if (missing.missing === "registration") return registration(cup, missing);
  const played = /** @type {CupRound} */ (cup.rounds.find(({ round }) => round === missing.round));
  const table = /** @type {CupTable} */ (played.tables.find((one) => one.game_id === missing.game_id));
  const tell = (/** @type {string} */ what, /** @type {object} */ body) =>
    tellCup(cup, `/rounds/${played.round}/tables/${encodeURIComponent(table.table)}/${what}`, body);
  const sitting = (/** @type {Seat} */ seat) => sitter(table, SEATS.indexOf(seat));
  const key = `missing-${keyOf(missing)}`;
  const act = (/** @type {string} */ words, /** @type {() => unknown} */ what) => button(key, words, what);
  const place = [
    played !== cup.rounds.at(-1) && w("cup.round", { n: played.round }),
    w("table.title", { name: table.table }),
  ];
  const title = t("label", { name: place.filter(Boolean).join(" · ") });
  switch (missing.missing) {
    case "result":
      return [
        title + w("day.result"),
        act(w("cup.totals"), () => askTotals(table, (result) => tell("result", result))),
        table.hands > 0 && button(`end-${key}`, w("cup.end_table"), () => endTable(table), { look: "quiet" }),
      ];
    case "objection":
      return [
        title + w("cup.objects", { seat: sitting(missing.seat), why: missing.reason }),
        act(w("cup.sign", { seat: sitting(missing.seat) }), () => tell("sign", { seats: [missing.seat] })),
      ];
    case "signature":
      return [
        title + w("day.signatures", { names: list(missing.seats.map(sitting)) }),
        act(w("day.sign"), () => tell("sign", { seats: missing.seats })),
      ];
    case "reason":
      return [
        title + w("day.reason", { name: missing.player, n: missing.hand }),
        act(
          w("day.give_reason"),
          () => withReason(w("day.give_reason"), (reason) => tell("reason", { hand: missing.hand, reason })),
        ),
      ];
  }
}

/** What the last step was, and the button that undoes it. */
function undo(/** @type {Cup} */ cup) {
  const step = cup.last_step;
  if (!step?.can_be_undone) return null;
  const what = [w(`done.${step.kind}`), ...about(cup, step), step.reason].filter(Boolean).join(" · ");
  return h(
    "p.row",
    h("span.soft", what),
    button("undo-step", t("undo"), () => tellCup(cup, "/undo", { revision: step.revision }), { look: "quiet" }),
  );
}

/** What is missing, and the last step; nothing before there is anything. */
export function daySheet(/** @type {Cup} */ cup) {
  if (!cup.rounds.length && !cup.last_step && !cup.missing.length) return null;
  const waiting = cup.missing.flatMap((one) => one.missing === "registration" ? [one.number] : []);
  const lines = cup.missing.map((missing) => {
    const [words, ...buttons] = line(cup, missing);
    return h("li", { key: keyOf(missing) }, h("span", words), h("span.row", buttons));
  });
  return h(
    "section.day-sheet.stack",
    { "aria-label": w("day.title") },
    (cup.rounds.length > 0 || lines.length > 0) && [
      h("h3", w("day.title")),
      lines.length ? h("ul", lines) : h("p", w("day.complete")),
    ],
    waiting.length > 1 && button(
      "confirm-all",
      w("day.confirm_all", { n: waiting.length }),
      () => tellCup(cup, "/registrations/confirm", { numbers: waiting }),
    ),
    undo(cup),
  );
}
