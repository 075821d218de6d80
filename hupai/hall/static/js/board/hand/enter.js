// A hand that no camera saw, typed in: it waits at the table like one that was laid down.
import { app } from "../../state/app.js";
import { setHand } from "../../state/draft.js";
import { on } from "../../state/signal.js";
import { freshKey, post } from "../../api/api.js";
import { h } from "../../dom/dom.js";
import { codesOfHand, emptyHand, isEmpty, meldOf, mostMelds, removeTile, tilesMissing } from "../../hand/hand.js";
import { t } from "../../words/i18n.js";
import { countWords, openAddSheet } from "../../handeditor/addsheet.js";
import { button, faultList, mainKey } from "../../controls/fields.js";
import { openMeldSheet, openNewMeld } from "../../handeditor/meldsheet.js";
import { openSheet } from "../../controls/sheet.js";
import { tileName } from "../../faces/tile.js";
import { handRow } from "../handrow.js";
import { attempt, board, boardFaults } from "../state.js";
import { w } from "../words.js";

/** @type {Sheet | null} */
let open = null;
on(["hand"], () => open?.refresh());

function tiles() {
  const label = (/** @type {HandTile} */ { code }, /** @type {string} */ zone) =>
    zone === "meld" ? `${t("meld.title")}: ${tileName(code)}` : `${tileName(code)}, ${t("remove")}`;
  const pick = (/** @type {HandTile} */ { id }, /** @type {string} */ zone) => {
    const { hand } = app.draft;
    if (zone === "meld") openMeldSheet(meldOf(hand, id)?.id ?? 0);
    else setHand(removeTile(hand, id));
  };
  return h(
    "div.laid-row",
    { role: "group", "aria-label": t("add.so_far") },
    handRow(app.draft.hand, { of: "typed", size: "small", label, onpick: pick }),
  );
}

// A second winner's winning tile may lie with the first winner's hand.
const whole = (/** @type {Hand} */ hand) => tilesMissing(hand) === 0 || (tilesMissing(hand) === 1 && !hand.winning);

/** Opens the sheet; `made` is called with the hand once the server has it. Closing it early keeps the input. */
export function openEntry(/** @type {(laid: Laid) => unknown} */ made) {
  const key = freshKey();
  const table = board.chosen;
  /** @type {Fault[]} */
  let faults = [];
  const send = async (/** @type {Sheet} */ sheet) => {
    try {
      const { laid } = await post(`/tables/${encodeURIComponent(table ?? "")}/laid`, {
        key,
        hand: codesOfHand(app.draft.hand),
      });
      setHand(emptyHand());
      sheet.close();
      made(laid);
      await attempt(() => {});
    } catch (error) {
      faults = boardFaults(error);
      sheet.refresh();
    }
  };
  open = openSheet(w("enter.title"), (sheet) => {
    const { hand } = app.draft;
    return [
      tiles(),
      h("p.soft", { role: "status" }, isEmpty(hand) ? w("enter.text") : countWords(tilesMissing(hand))),
      h(
        "div.row",
        button("enter-tiles", t("add.title"), () => openAddSheet("hand"), { sign: "plus" }),
        hand.melds.length < mostMelds() && button("enter-meld", t("meld.new"), openNewMeld, { sign: "plus" }),
      ),
      mainKey("enter-done", "check", w("enter.take"), () => whole(app.draft.hand) && send(sheet), !whole(hand)),
      h("div", { role: "alert" }, faultList(faults, "faults-enter")),
    ];
  }, { onclose: () => (open = null) });
}
