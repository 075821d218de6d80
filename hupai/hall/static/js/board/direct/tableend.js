// A table of a round: its players, the end of its game by their totals or as it stands, signatures and objections.
import { get, post } from "../../api/api.js";
import { h } from "../../dom/dom.js";
import { number, t } from "../../words/i18n.js";
import { button, textField, toggle } from "../../controls/fields.js";
import { openForm, openSheet } from "../../controls/sheet.js";
import { extraWords } from "../clock.js";
import { attempt, board } from "../state.js";
import { directorName, numberIn, tellCup } from "./change.js";
import { needed, withReason } from "./referee.js";
import { SEATS } from "../../hand/seats.js";
import { w } from "../words.js";

const MOST_CAMERAS = 2;
/** @type {{of: string | null, totals: string[], signed: boolean, reason: string}} */
let typed = { of: null, totals: [], signed: false, reason: "" }; // the totals that are being entered

/** The seats at a table. */
const seatsOf = (/** @type {CupTable} */ { players }) => SEATS.slice(0, players.length);

/** A player of a table by the first seat: its sign and the name. */
export const sitter = (/** @type {CupTable} */ { players }, /** @type {number} */ i) =>
  `${t(`seat.${SEATS[i]}.sign`)} ${players[i].name}`;

/** The players of a table by their winds, with their points. */
export const seatedPlayers = (/** @type {CupTable} */ table) =>
  table.players.map((p, i) => h("li", h("span.name", sitter(table, i)), h("b", number(p.total))));

/** Asks what to give a table beyond the round's time. */
const giveExtra = (/** @type {(extra: object) => unknown} */ send) =>
  openSheet(
    w("cup.extra"),
    (sheet) =>
      [["minutes", 5], ["minutes", 10], ["hands", 1]].map(([what, n]) =>
        button(`extra-${what}-${n}`, w(`cup.extra_${what}`, { n }), () => {
          sheet.close();
          send({ [what]: n });
        }, { look: "main" })
      ),
  );

const isFilmed = (/** @type {CupTable} */ { table }) => board.tables.some(({ name }) => name === table);

/** The tables with a camera that a match of the last round may move to: few, since each is a key at every other table. */
const cameras = (/** @type {CupRound} */ { round }) =>
  round === board.cup?.rounds.length && board.tables.length <= MOST_CAMERAS ? board.tables : [];

/** Ends a table's game. */
export const endTable = (/** @type {CupTable} */ table) =>
  withReason(w("cup.end_table"), (reason) =>
    attempt(async () => {
      const { revision } = await get(`/games/${table.game_id}?last=0`);
      const by = directorName() ?? w("director.word");
      await post(`/games/${table.game_id}/end`, { by, reason, seen: { revision } });
    }));

/**
 * Asks for the players' totals, and whether their sheet of paper is signed; they stay typed in for another try.
 * Totals that were entered before are corrected with a reason.
 * @param {CupTable} table
 * @param {(result: {totals: string[], signed: readonly Seat[], reason?: string}) => unknown} send
 */
export function askTotals(table, send) {
  const seats = seatsOf(table), title = table.ended ? w("cup.correct_totals") : w("cup.totals");
  const of = `${table.game_id} ${table.revision}`;
  if (typed.of !== of) {
    const before = table.players.map(({ total }) => (table.ended ? String(total) : ""));
    typed = { of, totals: before, signed: false, reason: "" };
  }
  const line = (/** @type {unknown} */ _, /** @type {number} */ i) =>
    textField(`total-${i}`, sitter(table, i), typed.totals[i], (text) => (typed.totals[i] = text), {
      inputmode: "decimal",
      required: true,
      autofocus: i === 0,
    });
  openForm(title, (_, sheet) => [
    h("p.hint", w("cup.totals_text")),
    seats.map(line),
    table.ended && textField("reason", w("cup.reason"), typed.reason, (text) => (typed.reason = text), needed),
    toggle("totals-signed", w("day.all_signed"), typed.signed, (on) => {
      typed.signed = on;
      sheet.refresh();
    }),
  ], () => {
    const { totals, signed, reason } = typed;
    send({ totals: totals.map(numberIn), signed: signed ? seats : [], reason: reason || undefined });
  });
}

/**
 * Whether a table's game is still running, who has signed it and who objects, and the keys for all that.
 * @param {Cup} cup
 * @param {CupRound} played
 * @param {CupTable} table
 * @param {boolean} amends whether whoever looks may correct a result
 */
export function tableEnd(cup, played, table, amends = true) {
  const mine = board.director.you;
  const tell = (/** @type {"sign" | "object" | "result" | "extra" | "move"} */ what, /** @type {object} */ body) =>
    tellCup(cup, `/rounds/${played.round}/tables/${encodeURIComponent(table.table)}/${what}`, body);
  const id = table.game_id;
  const totals = () => askTotals(table, (result) => tell("result", result));
  if (!table.ended) {
    return mine && h(
      "p.row",
      table.extra && h("small", extraWords(table.extra)),
      amends && button(`extra-${id}`, w("cup.extra"), () => giveExtra((extra) => tell("extra", extra)), {
        look: "quiet",
      }),
      amends && !isFilmed(table) &&
        cameras(played).map(({ name }) =>
          button(`film-${id}-${name}`, w("cup.film", { name }), () => tell("move", { to: name }), { look: "quiet" })
        ),
      button(`totals-${id}`, w("cup.totals"), totals, { look: "quiet" }),
      table.hands > 0 && button(`end-${id}`, w("cup.end_table"), () => endTable(table), { look: "quiet" }),
    );
  }
  const signature = (/** @type {Seat} */ seat, /** @type {number} */ i) => {
    if (table.signed.includes(seat)) return h("small.has-signed", `✓ ${t(`seat.${seat}.sign`)}`);
    const why = table.objected[seat];
    const by = table.players[i].name;
    const object = () => withReason(w("cup.object"), (reason) => tell("object", { seat, by, reason }));
    return [
      why && h("small.caution", w("cup.objects", { seat: sitter(table, i), why })),
      mine && button(`sign-${id}-${seat}`, w("cup.sign", { seat: sitter(table, i) }), () => tell("sign", { seat, by })),
      mine && !why && button(`object-${id}-${seat}`, w("cup.object"), object, { look: "quiet" }),
    ];
  };
  return h(
    "p.row.signed",
    h("small", w("cup.ended")),
    table.signed_before.length > 0 && h("small.caution", w("cup.signed_before")),
    seatsOf(table).map(signature),
    mine && amends && table.by_totals && button(`totals-${id}`, w("cup.correct_totals"), totals, { look: "quiet" }),
  );
}
