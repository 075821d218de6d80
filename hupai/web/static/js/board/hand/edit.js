// Correcting a hand tile by tile: a tile that was clicked, or one that is missing.
import { post } from "../../host/api.js";
import { h } from "../../parts/dom.js";
import { t } from "../../words/i18n.js";
import { plusButton } from "../../controls/fields.js";
import { keyboard, keyGroups } from "../../controls/keyboard.js";
import { openSheet } from "../../controls/sheet.js";
import { tileButton, tileName } from "../../faces/tile.js";
import { rulesOf } from "./questions.js";
import { addedTo, changedHand, withMeld, withWinning } from "../handrow.js";
import { attempt } from "../state.js";

/** @type {MeldType[]} */
const KONGS = ["kong_open", "kong_added", "kong_concealed"];

/**
 * @param {Laid} hand
 * @param {LaidHand} tiles
 */
const put = (hand, tiles) => attempt(() => post(`/laid/${hand.id}/correct`, { version: hand.version, hand: tiles }));

/**
 * @param {string} title
 * @param {string | null} current
 * @param {(code: string) => void} onpick
 * @param {(sheet: Sheet) => any} extra what else the sheet shows
 */
function pick(title, current, onpick, extra = () => []) {
  openSheet(title, (sheet) => [
    extra(sheet),
    keyboard({
      groups: keyGroups(rulesOf(), { back: false }),
      current,
      onpick: (code) => {
        sheet.close();
        onpick(code);
      },
    }),
  ]);
}

/**
 * Opens the sheet of a tile.
 * @param {Laid} hand
 * @param {Slot} slot
 */
export function editTile(hand, slot) {
  const meld = slot.zone === "meld" ? hand.hand.melds[slot.meld ?? 0] : null;
  /** @type {(words: string, tiles: any, pressed?: string | null) => (sheet: Sheet) => Described} */
  const button = (words, tiles, pressed = null) => (sheet) =>
    h("button.button", {
      type: "button",
      "aria-pressed": pressed,
      onclick: () => {
        sheet.close();
        put(hand, tiles);
      },
    }, words);
  const buttons = [
    ...(slot.zone === "concealed" ? [button(t("tile.won_with"), withWinning(hand.hand, slot))] : []),
    ...(meld?.tiles.length === 4 ? KONGS : []).map((type) =>
      button(t(`meld.${type}`), withMeld(hand.hand, slot.meld ?? 0, type), String(meld?.type === type))
    ),
    ...(meld ? [] : [button(t("tile.remove"), changedHand(hand.hand, slot, null))]),
  ];
  pick(
    tileName(slot.code),
    slot.code,
    (code) => code !== slot.code && put(hand, changedHand(hand.hand, slot, code)),
    (sheet) => h("div.row", buttons.map((make) => make(sheet))),
  );
}

/** @param {string} name */
const asks = (name) => rulesOf().asks.some((a) => a.name === name);

/**
 * Buttons that add what the camera missed; ura indicators are an answer, since they lie face down. The indicators of
 * the first winner also hold for `another`, whose winning tile may lie with the first hand.
 * @param {Laid} hand
 * @param {Answers} said
 * @param {(values: Answers) => void} change
 */
export function addPart(hand, said, change, { another = false } = {}) {
  const add = (/** @type {ListName | "winning_tile"} */ zone, /** @type {string} */ words) =>
    plusButton(
      `add-${hand.id}-${zone}`,
      words,
      () => pick(words, null, (code) => put(hand, addedTo(hand.hand, zone, code))),
    );
  const ura = said.ura_indicators ?? [];
  const declared = said.riichi || said.double_riichi;
  return h(
    "div.row",
    add("concealed", t("add.tile")),
    hand.hand.winning_tile === null && !another && add("winning_tile", t("add.winning")),
    rulesOf().bonus_tiles.length > 0 && add("bonus", t("add.bonus")),
    asks("dora_indicators") && !another && add("dora_indicators", t("add.dora")),
    asks("ura_indicators") && declared && [
      plusButton(
        `add-${hand.id}-ura`,
        t("add.ura"),
        () => pick(t("add.ura"), null, (code) => change({ ura_indicators: [...ura, code] })),
      ),
      ura.map((code, i) =>
        tileButton(code, {
          label: `${t("zone.ura")}: ${tileName(code)}, ${t("tile.remove")}`,
          className: "small",
          key: `ura-${hand.id}-${i}`,
          onclick: () => change({ ura_indicators: ura.filter((_, n) => n !== i) }),
        })
      ),
    ],
  );
}
