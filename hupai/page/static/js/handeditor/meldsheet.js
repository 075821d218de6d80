// A meld: its type, from whom it was claimed, or a new one typed in.
import { app } from "../state/app.js";
import { setHand } from "../state/draft.js";
import { currentRules } from "../state/rules.js";
import { h } from "../dom/dom.js";
import { breakMeld, copiesHeld } from "../hand/hand.js";
import { addMeld, changeMeld, removeMeld } from "../hand/handmelds.js";
import { t } from "../words/i18n.js";
import { isMeld, likelyType, MELD_TYPES, meldFrom } from "../hand/melds.js";
import { seatName } from "../names/seats.js";
import { seatsTaken } from "../hand/seats.js";
import { known } from "../scoring/questions.js";
import { ownWord } from "../names/systems.js";
import { button, choiceRow } from "../controls/fields.js";
import { keyboard, keyGroups } from "../controls/keyboard.js";
import { openSheet } from "../controls/sheet.js";
import { settle, standIn } from "./tilesheet.js";
import { tileNames, tilePicture } from "../faces/tile.js";

/**
 * Types these tiles can form: kongs and pungs turn into one another, a chow stays a chow.
 * @type {(meld: HandMeld) => MeldType[]}
 */
function typesFor(meld) {
  const codes = meld.tiles.map((tile) => tile.code);
  if (likelyType(codes, standIn()) === "chow") return ["chow"];
  return MELD_TYPES.filter((type) => type !== "chow" || isMeld("chow", codes, standIn()));
}

/** Opens the sheet of a meld. */
export function openMeldSheet(/** @type {number} */ id) {
  const meld = () => app.draft.hand.melds.find((m) => m.id === id);
  openSheet(t("meld.title"), (sheet) => {
    const now = meld();
    if (!now) return [];
    const winner = known().seat;
    const sources = [
      ...seatsTaken().filter((s) => s !== winner).map((s) => ({ value: s, label: seatName(s) })),
      { value: null, label: t("unknown") },
    ];
    const change = (/** @type {{type?: MeldType, from?: Seat | null}} */ values) => {
      setHand(changeMeld(app.draft.hand, id, values));
      sheet.refresh();
    };
    return [
      h("div.meld-tiles.centre", now.tiles.map((tile) => tilePicture(tile.code))),
      typesFor(now).length > 1 &&
      choiceRow(
        "meld-type",
        t("meld.kind"),
        typesFor(now).map((type) => ({ value: type, label: ownWord(`meld.${type}`) })),
        now.type,
        (type) => change({ type }),
      ),
      now.type === "kong_concealed"
        ? null
        : choiceRow("meld-from", t("meld.from"), sources, now.from, (from) => change({ from }), {
          hint: t("meld.from.hint"),
        }),
      h(
        "div.actions",
        button(null, t("meld.break"), () => settle(sheet, breakMeld(app.draft.hand, id), t("meld.broken")), {
          sign: "undo",
        }),
        app.draft.hand.melds.length > 1 &&
          button("break-all", t("meld.break_all"), () => {
            const { hand } = app.draft;
            settle(sheet, hand.melds.reduce((left, one) => breakMeld(left, one.id), hand), t("meld.all_broken"));
          }, { sign: "undo" }),
        button(null, t("remove"), () => settle(sheet, removeMeld(app.draft.hand, id), t("meld.removed")), {
          sign: "bin",
        }),
      ),
      button(null, t("done"), sheet.close, { look: "main wide" }),
    ];
  });
}

/** Opens the sheet for typing in a new meld: its type, then its (lowest) tile. */
export function openNewMeld() {
  const types = MELD_TYPES.slice(seatsTaken().length === 4 ? 0 : 1); // three players call no chows
  let [type] = types;
  openSheet(t("meld.new"), (sheet) => {
    const groups = keyGroups({ ...currentRules(), red_fives: false, bonus_tiles: [] }, { back: false })
      .map((g) => ({ ...g, codes: g.codes.filter((code) => meldFrom(type, code)) }))
      .filter((g) => g.codes.length);
    return [
      choiceRow(
        "new-meld-type",
        t("meld.kind"),
        types.map((kind) => ({ value: kind, label: ownWord(`meld.${kind}`) })),
        type,
        (kind) => {
          type = kind;
          sheet.refresh();
        },
      ),
      h("p.hint", t(type === "chow" ? "meld.lowest" : "meld.tile")),
      keyboard({
        groups,
        used: (code) => copiesHeld(app.draft.hand, code),
        onpick: (code) => {
          const codes = meldFrom(type, code) ?? [];
          const words = t("meld.made", { type: ownWord(`meld.${type}`), tiles: tileNames(codes) });
          settle(sheet, addMeld(app.draft.hand, type, codes), words);
        },
      }),
    ];
  });
}
