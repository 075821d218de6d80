// A hand that no camera saw, typed in: it waits at the table like one that was laid down.
import { app } from "../../state/app.js";
import { setHand } from "../../state/draft.js";
import { currentRules } from "../../state/rules.js";
import { on } from "../../state/signal.js";
import { freshKey, post } from "../../host/api.js";
import { h, icon } from "../../parts/dom.js";
import { emptyHand, isEmpty, mostMelds, removeTile, tilesMissing } from "../../hand/hand.js";
import { t } from "../../words/i18n.js";
import { scoreRequest } from "../../hand/request.js";
import { countWords, openAddSheet } from "../../felt/addsheet.js";
import { faultList, plusButton } from "../../controls/fields.js";
import { openMeldSheet, openNewMeld } from "../../felt/meldsheet.js";
import { openSheet } from "../../controls/sheet.js";
import { tileButton, tileName } from "../../faces/tile.js";
import { attempt, board, faultsOf } from "../state.js";
import { w } from "../words.js";

/** @type {Sheet | null} */
let open = null;
on(["hand"], () => open?.refresh());

function tiles() {
  const { hand } = app.draft;
  const tile = (/** @type {any} */ one) =>
    tileButton(one.code, {
      className: "small",
      key: `typed-${one.id}`,
      label: `${tileName(one.code)}, ${t("tile.remove")}`,
      onclick: () => setHand(removeTile(app.draft.hand, one.id)),
    });
  const group = (/** @type {string} */ name, /** @type {any[]} */ list) =>
    list.length > 0 && h("span", { class: `laid-group ${name}` }, list);
  const meld = (/** @type {any} */ one) =>
    group(
      "meld",
      one.tiles.map((/** @type {HandTile} */ each) =>
        tileButton(each.code, {
          className: "small",
          label: `${t("meld.title")}: ${tileName(each.code)}`,
          onclick: () => openMeldSheet(one.id),
        })
      ),
    );
  return h(
    "div.laid-row",
    { role: "group", "aria-label": t("add.so_far") },
    group("concealed", hand.concealed.map(tile)),
    group("winning", hand.winning ? [tile(hand.winning)] : []),
    hand.melds.map(meld),
    group("bonus", hand.bonus.map(tile)),
    group("dora", hand.dora.map(tile)),
  );
}

// A second winner's winning tile may lie with the first winner's hand.
/** @param {Hand} hand */
const whole = (hand) => tilesMissing(hand) === 0 || (tilesMissing(hand) === 1 && !hand.winning);

function typed() {
  const { hand } = app.draft;
  const { concealed, melds, winning_tile: winning, bonus } = scoreRequest(currentRules(), {}, hand, {});
  return { concealed, melds, winning_tile: winning, bonus, dora_indicators: hand.dora.map((tile) => tile.code) };
}

/**
 * Opens the sheet; `made` is called with the hand once the server has it. Closing it early keeps the input.
 * @param {(laid: Laid) => unknown} made
 */
export function openEntry(made) {
  const key = freshKey();
  const table = board.chosen;
  /** @type {Fault[]} */
  let faults = [];
  const send = async (/** @type {Sheet} */ sheet) => {
    try {
      const { laid } = await post(`/tables/${encodeURIComponent(table ?? "")}/laid`, { key, hand: typed() });
      setHand(emptyHand());
      sheet.close();
      made(laid);
      await attempt(() => {});
    } catch (error) {
      faults = faultsOf(error);
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
        plusButton("enter-tiles", t("add.title"), () => openAddSheet("hand"), ""),
        hand.melds.length < mostMelds() && plusButton("enter-meld", t("meld.new"), openNewMeld, ""),
      ),
      h(
        "button.button.main.wide",
        {
          type: "button",
          "data-key": "enter-done",
          "aria-disabled": whole(hand) ? null : "true",
          onclick: () => whole(app.draft.hand) && send(sheet),
        },
        icon("check"),
        w("enter.take"),
      ),
      h("div", { role: "alert" }, faultList(faults, "faults-enter")),
    ];
  }, { onclose: () => (open = null) });
}
