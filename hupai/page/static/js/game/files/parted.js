// Two phones have gone on with one game apart: what each has, side by side, and what is to be kept.
import { h } from "../../dom/dom.js";
import { number, signed, t } from "../../words/i18n.js";
import { handWords } from "../../names/changes.js";
import { button } from "../../controls/fields.js";
import { openSheet } from "../../controls/sheet.js";

const SIDES = /** @type {const} */ (["here", "file"]);

/** @type {(hand: LedgerHand | null, players: Game["players"]) => any} */
const cell = (hand, players) =>
  h(
    "td",
    hand === null ? h("span.soft", t("parted.none")) : [
      h(hand.undone_at ? "s" : "b", handWords(hand, /** @type {any} */ ({ players }))),
      h("small.soft", hand.payments.map((amount, i) => `${players[i]?.name} ${signed(amount)}`).join(" · ")),
      hand.undone_at && h("em", t("game.taken_back")),
    ],
  );

/**
 * Shows them; `take` takes over the file anew, with what was chosen as the query of the request.
 * @type {(parted: Parted, take: (how: string) => unknown) => void}
 */
export function openParted({ hand, revision, hands, players }, take) {
  const choose = (/** @type {string} */ how) => {
    sheet.close();
    take(how);
  };
  const row = (/** @type {any} */ first, /** @type {any[]} */ cells) =>
    h("tr", h("th", { scope: "row" }, first), cells);
  const sheet = openSheet(t("parted.title"), () => [
    h("p", t("parted.text", { n: hand })),
    h(
      "table.parted",
      h("thead", row(t("parted.hand"), SIDES.map((side) => h("th", { scope: "col" }, t(`parted.${side}`))))),
      h(
        "tbody",
        hands.length === 0 && h("tr", h("td", { colspan: 3 }, t("parted.same"))),
        hands.map((one) => row(number(one.number), SIDES.map((side) => cell(one[side], players[side])))),
        players.here.map((player, i) =>
          row(player.name, SIDES.map((side) => h("td", number(players[side][i]?.total ?? 0))))
        ),
      ),
    ),
    button("parted-both", t("parted.both"), () => choose("?beside=1"), { look: "main wide", sign: "check" }),
    button("parted-here", t("parted.keep"), () => sheet.close(), { look: "wide" }),
    button("parted-file", t("parted.take"), () => choose(`?replaces=${revision}`), { look: "danger wide" }),
    h("p.hint", t("parted.take_text")),
  ]);
}
