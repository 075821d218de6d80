// Typing tiles in: the keyboard stays open, and the typed tiles stand above it.
import { app } from "../state/app.js";
import { setHand } from "../state/draft.js";
import { currentRules, withRules } from "../state/rules.js";
import { h } from "../dom/dom.js";
import { addTile, copiesHeld, removeTile, tilesMissing, tilesOf } from "../hand/hand.js";
import { t } from "../words/i18n.js";
import { asks, asksUra } from "../hand/request.js";
import { known, zoneOf } from "../scoring/questions.js";
import { isBonus, isPlayable } from "../hand/tiles.js";
import { say } from "../controls/notice.js";
import { button, choiceRow } from "../controls/fields.js";
import { keyboard, keyGroups, openKeyboard } from "../controls/keyboard.js";
import { openSheet } from "../controls/sheet.js";
import { tileName, tilePicture } from "../faces/tile.js";
import { ownWord } from "../names/systems.js";

/** Zones tiles can be typed into under these rules. */
function zonesFor(/** @type {Api.RulesBody} */ rules) {
  return [
    "hand",
    "winning",
    ...(rules.bonus_tiles.length ? ["bonus"] : []),
    ...(asks(rules, "dora_indicators") ? ["dora"] : []),
    ...(asksUra(rules, known()) && app.draft.hand.dora.length ? ["ura"] : []),
  ];
}

function keysFor(/** @type {Api.RulesBody} */ rules, /** @type {string} */ zone) {
  const groups = keyGroups(rules, { back: false });
  if (zone === "bonus" && rules.bonus_tiles.includes("4z")) return [{ id: "z", codes: ["4z"] }];
  if (zone === "bonus") return groups.filter((g) => g.codes.every(isBonus));
  return zone === "hand" ? groups : groups.filter((g) => g.codes.every(isPlayable));
}

/** Opens the typing sheet for a zone: "hand", "winning", "bonus", "dora" or "ura". */
export function openAddSheet(start = "hand") {
  withRules(() => openWith(start));
}

function openWith(/** @type {string} */ start) {
  let zone = start;
  /** @type {number[]} */
  let typed = [];
  openSheet(t("add.title"), (sheet) => {
    const rules = currentRules();
    const hand = app.draft.hand;
    const zones = zonesFor(rules);
    const left = tilesMissing(hand);
    const takeBack = () => {
      const last = typed.at(-1);
      if (last === undefined) return;
      setHand(removeTile(app.draft.hand, last));
      typed = typed.slice(0, -1);
      sheet.refresh();
    };
    return [
      zones.length > 1 &&
      choiceRow(
        "add-zone",
        t("add.where"),
        zones.map((z) => ({ value: z, label: ownWord(`zone.${z}`) })),
        zone,
        (z) => {
          zone = z;
          sheet.refresh();
        },
      ),
      h(
        "div.typed.felt",
        { "aria-label": t("add.so_far"), role: "group" },
        tilesOf(hand).map(({ tile, zone: at }) =>
          tilePicture(tile.code, { className: `small ${at === "winning" ? "chosen" : ""}` })
        ),
      ),
      h(
        "p.row",
        h("span.soft.grow", zone === "hand" || zone === "winning" ? countWords(left) : ""),
        button("add-undo", t("undo"), takeBack, { sign: "undo", off: !typed.length }),
      ),
      keyboard({
        groups: keysFor(rules, zone),
        used: (code) => (zone === "dora" || zone === "ura" ? 0 : copiesHeld(app.draft.hand, code)),
        onpick: (code) => {
          const id = app.draft.hand.next;
          setHand(addTile(app.draft.hand, code, zone === "hand" ? null : /** @type {Zone} */ (zone)));
          typed = [...typed, id];
          say(`${tileName(code)}. ${zone === "hand" ? countWords(tilesMissing(app.draft.hand)) : ""}`);
          if (zone === "winning") sheet.close();
          else sheet.refresh();
        },
      }),
      button("add-done", t("done"), sheet.close, { look: "main wide" }),
    ];
  });
}

/** Opens the sheet for an indicator of a field: every tile is in sight, and one tap places it. */
export function openIndicators(/** @type {string} */ name) {
  const zone = zoneOf(name);
  openKeyboard(t(`add.${zone}`), { ...currentRules(), bonus_tiles: [] }, (code) => {
    setHand(addTile(app.draft.hand, code, zone));
    say(tileName(code));
  }, { whole: true });
}

/** "2 tiles are missing", "one too many", or that the hand is complete. */
export function countWords(/** @type {number} */ left) {
  if (left > 0) return t("count.missing", { n: left });
  return left < 0 ? t("count.over", { n: -left }) : t("count.full");
}
