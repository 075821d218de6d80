// Correcting a hand tile by tile: a tile that was clicked, or one that is missing.
import { post } from "../../api/api.js";
import { h } from "../../dom/dom.js";
import { t } from "../../words/i18n.js";
import { button } from "../../controls/fields.js";
import { openKeyboard } from "../../controls/keyboard.js";
import { tileButton, tileName } from "../../faces/tile.js";
import { ownWord } from "../../names/systems.js";
import { addTile, changeTile, codesOfHand, handFromCodes, meldOf, moveTile, removeTile } from "../../hand/hand.js";
import { changeMeld } from "../../hand/handmelds.js";
import { KONGS } from "../../hand/melds.js";
import { asks } from "../../hand/request.js";
import { currentRules } from "../../state/rules.js";
import { handRow } from "../handrow.js";
import { attempt } from "../state.js";

const put = (/** @type {Laid} */ laid, /** @type {Hand} */ hand) =>
  attempt(() => post(`/laid/${laid.id}/correct`, { version: laid.version, hand: codesOfHand(hand) }));

/**
 * Opens the sheet of a tile.
 * @type {(laid: Laid, hand: Hand, tile: HandTile, zone: string) => void}
 */
function editTile(laid, hand, { id, code }, zone) {
  const meld = meldOf(hand, id);
  const act = (/** @type {Sheet} */ sheet, /** @type {string} */ words, /** @type {Hand} */ now) =>
    button(null, words, () => {
      sheet.close();
      put(laid, now);
    });
  const kongs = (/** @type {Sheet} */ sheet) =>
    meld?.tiles.length === 4 && KONGS.map((type) =>
      h("button.button", {
        "aria-pressed": String(meld.type === type),
        onclick: () => {
          sheet.close();
          put(laid, changeMeld(hand, meld.id, { type }));
        },
      }, t(`meld.${type}`))
    );
  const above = (/** @type {Sheet} */ sheet) =>
    h(
      "div.row",
      zone === "concealed" && act(sheet, t("tile.won_with"), moveTile(hand, id, "winning")),
      kongs(sheet),
      !meld && act(sheet, t("remove"), removeTile(hand, id)),
    );
  const change = (/** @type {string} */ now) => now !== code && put(laid, changeTile(hand, id, now));
  openKeyboard(tileName(code), currentRules(), change, { current: code, above });
}

/**
 * A hand laid down at a table; with `edits`, a click on a tile changes it.
 * @param {Laid} laid
 * @param {{edits?: boolean, doubtful?: Set<string>, of?: string}} options as for handRow
 */
export function laidRow(laid, { edits = true, ...options } = {}) {
  const hand = handFromCodes(laid.hand);
  const onpick = (/** @type {HandTile} */ tile, /** @type {string} */ zone) => editTile(laid, hand, tile, zone);
  return h("div.laid-row", handRow(hand, { ...options, size: "small", onpick: edits ? onpick : null }));
}

/**
 * Buttons that add what the camera missed; ura indicators are an answer, since they lie face down. The indicators of
 * the `first` winner also hold for another, whose winning tile may lie with the first hand.
 * @type {(laid: Laid, said: Answers, change: (values: Answers) => void, first?: Laid | null) => Child}
 */
export function addPart(laid, said, change, first = null) {
  const hand = handFromCodes(laid.hand);
  const turned = handFromCodes((first ?? laid).hand).dora.length;
  const rules = currentRules();
  const plus = (/** @type {string} */ name, /** @type {string} */ words, /** @type {(code: string) => void} */ add) =>
    button(`add-${laid.id}-${name}`, words, () => openKeyboard(words, rules, add), { look: "quiet", sign: "plus" });
  const add = (/** @type {ListZone | "winning"} */ zone, /** @type {string} */ words) =>
    plus(zone, words, (code) => put(laid, addTile(hand, code, zone)));
  const ura = said.ura_indicators ?? [];
  const declared = said.riichi || said.double_riichi;
  return h(
    "div.row",
    add("concealed", t("add.tile")),
    !hand.winning && !first && add("winning", t("add.winning")),
    rules.bonus_tiles.length > 0 && add("bonus", ownWord("add.bonus")),
    asks(rules, "dora_indicators") && !first && add("dora", t("add.dora")),
    asks(rules, "ura_indicators") && declared && [
      ura.length < turned && plus("ura", t("add.ura"), (code) => change({ ura_indicators: [...ura, code] })),
      ura.map((code, i) =>
        tileButton(code, {
          label: `${t("zone.ura")}: ${tileName(code)}, ${t("remove")}`,
          className: "small",
          key: `ura-${laid.id}-${i}`,
          onclick: () => change({ ura_indicators: ura.filter((_, n) => n !== i) }),
        })
      ),
    ],
  );
}
