// What the log of another program says otherwise than hupai, which has scored its hands anew.
import { theGame } from "../../state/app.js";
import { openSheet } from "../../controls/sheet.js";
import { notice } from "../../controls/notice.js";
import { rich } from "../../faces/rich.js";
import { elementNames } from "../../names/systems.js";
import { h } from "../../dom/dom.js";
import { number, signed, t } from "../../words/i18n.js";

const named = (/** @type {number} */ player) => theGame().players[player].name;
const everybody = (/** @type {number[]} */ amounts, /** @type {(amount: number) => string} */ word) =>
  amounts.map((amount, player) => `${named(player)} ${word(amount)}`).join(" · ");
/** @type {(parts: string[]) => string} */
const listed = (parts) => parts.join(" · ") || t("imported.nothing");

/** @type {Record<string, (value: any) => string>} parts of a table */
const TABLE = {
  round: (seat) => t("imported.round", { wind: t(`seat.${seat}`) }),
  dealer: (player) => t("imported.dealer", { name: named(player) }),
  counters: (n) => t("imported.counters", { n }),
  riichi_sticks: (n) => t("game.sticks", { n }),
};

/** @type {Record<string, (value: any) => any>} what differs -> one side of it in words; none where a side says nothing */
const SIDE = {
  start: (amounts) => everybody(amounts, number),
  yaku: (found) =>
    listed(Object.entries(found).map(([id, han]) => `${elementNames("riichi", [id])[0]} ${number(han)}`)),
  fu: (n) => t("total.fu", { n }),
  tiles: (message) => message && rich(message),
  payments: (amounts) => everybody(amounts, signed),
  table: (table) => listed(Object.entries(table).map(([name, value]) => TABLE[name](value))),
  ended: (reason) => reason === null ? t("imported.goes_on") : reason === "yes" ? t("game.over") : t(`ended.${reason}`),
  final: (amounts) => everybody(amounts, number),
};

function difference(/** @type {Imported["differences"][number]} */ { hand, what, logged, scored, player }) {
  const [log, here] = [logged, scored].map(SIDE[what]);
  return h(
    "li",
    h(
      "b",
      [t("round.open", { n: hand }), t(`imported.${what}`), player !== null && named(player)].filter(Boolean).join(
        " · ",
      ),
    ),
    log && h("p", h("span.soft", t("label", { name: t("imported.log") })), log),
    here && h("p", h("span.soft", t("label", { name: "hupai" })), here),
  );
}

/** Says of the open game, which was just imported, what differs from its log. */
export function showImported(/** @type {Imported} */ { differences }) {
  if (!differences.length) return notice(t("imported.same"));
  return openSheet(t("imported.title"), () => [
    h("p.soft", t("imported.text")),
    h("ol.changes", differences.map(difference)),
  ]);
}
