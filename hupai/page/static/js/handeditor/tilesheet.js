// One tile: what the photo shows, what it may be, what to do with it.
import { app } from "../state/app.js";
import { draft, setHand } from "../state/draft.js";
import { currentRules } from "../state/rules.js";
import { h, icon } from "../dom/dom.js";
import { button, fold } from "../controls/fields.js";
import {
  addTile,
  changeTile,
  copiesHeld,
  doubtfulTiles,
  findTile,
  mapTiles,
  meldOf,
  mostMelds,
  moveTile,
  removeTile,
} from "../hand/hand.js";
import { makeMeld, nameMeld } from "../hand/handmelds.js";
import { t } from "../words/i18n.js";
import { meldsWith } from "../hand/melds.js";
import { asks } from "../hand/request.js";
import { isBonus, isPlayable } from "../hand/tiles.js";
import { known } from "../scoring/questions.js";
import { ownWord } from "../names/systems.js";
import { notice, say } from "../controls/notice.js";
import { cropOf } from "./crop.js";
import { answersTo, countedAs, doubtWords, settleTile } from "./doubt.js";
import { keyboard, keyGroups } from "../controls/keyboard.js";
import { openSheet } from "../controls/sheet.js";
import { tileButton, tileName, tileNames, tilePicture } from "../faces/tile.js";

/** Tile that stands in for the indicator under the current rules, or null. */
export function standIn() {
  const indicator = known().indicator;
  return asks(currentRules(), "indicator") && indicator && indicator !== "permanent" ? "5z" : null;
}

const LAST = 1000; // after every tile that was read as part of the hand

const percent = (/** @type {number} */ p) => (p >= 0.995 ? "99+ %" : p < 0.01 ? "< 1 %" : `${Math.round(p * 100)} %`);

/** @typedef {(sheet: Sheet, hand: Hand, words: string) => void} Done takes the hand with what was chosen */

// The whole keyboard below what is likeliest.
/** @type {(onpick: (code: string) => unknown, current?: string | null) => Child} */
const allTiles = (onpick, current = null) =>
  h(
    "section",
    h("h3.soft", t("sheet.all_tiles")),
    keyboard({
      groups: keyGroups(currentRules(), { back: current !== null }),
      current,
      used: (code) => copiesHeld(app.draft.hand, code),
      onpick,
    }),
  );

/** Replaces the hand, says so, and closes the sheet. */
export function settle(/** @type {Sheet} */ sheet, /** @type {Hand} */ hand, /** @type {string} */ words) {
  setHand(hand);
  say(words);
  sheet.close();
}

/**
 * Opens the sheet of a tile; `after` runs when the tile was settled (changed or confirmed).
 * @type {(id: number, options?: {after?: (() => unknown) | null}) => void}
 */
export function openTileSheet(id, { after = null } = {}) {
  const there = findTile(app.draft.hand, id);
  if (!there) return;
  let found = there;
  let settled = false;
  /** @type {Done} */
  const done = (sheet, hand, words) => {
    settled = true;
    settle(sheet, hand, words);
  };
  const answers = (/** @type {Sheet} */ sheet) =>
    answersTo(found.tile, standIn(), (change, words) => done(sheet, change(app.draft.hand), words));
  const pick = (/** @type {Sheet} */ sheet, /** @type {string} */ code) => {
    const { hand } = app.draft;
    const { tile } = found;
    // The question is not about the face: naming the face would not answer it, so the question stays.
    if (answers(sheet)) {
      const named = mapTiles(changeTile(hand, id, code), (t) => (t.id === id ? { ...t, doubt: tile.doubt } : t));
      if (code !== tile.code) setHand(named);
      found = findTile(app.draft.hand, id) ?? found;
      sheet.rename(tileName(code));
      return sheet.refresh();
    }
    const meld = tile.doubt === "hidden_kong" && meldOf(hand, id);
    if (meld) done(sheet, nameMeld(hand, meld.id, meld.type, Array(4).fill(code)), tileName(code));
    else if (code === tile.code) done(sheet, settleTile(hand, tile), t("tile.confirmed", { name: tileName(code) }));
    else done(sheet, changeTile(hand, id, code), t("tile.changed", { from: tileName(tile.code), to: tileName(code) }));
    return undefined;
  };
  openSheet(
    tileName(found.tile.code),
    (sheet) => [
      doubtPart(found.tile),
      answers(sheet),
      likeliest(
        found.tile,
        (code) => pick(sheet, code),
        t(answers(sheet) ? "sheet.now" : "sheet.keep"),
      ),
      h("div.actions", actions(found.tile, found.zone, sheet, done)),
      meldPart(found.tile, found.zone, sheet, done),
      allTiles((code) => pick(sheet, code), found.tile.code),
    ],
    { onclose: () => settled && after?.() },
  );
}

/** Opens the sheet of a tile that is in the photo but not in the hand; naming it adds it. */
export function openSeenSheet(/** @type {number} */ seen) {
  openSheet(t("photo.not_in_hand"), (sheet) => {
    const pick = (/** @type {string} */ code) => {
      const grown = addTile(app.draft.hand, code, null, { seen, place: LAST });
      settle(sheet, grown, t("tile.added", { name: tileName(code) }));
    };
    return [
      h("p.soft", t("photo.not_in_hand_text")),
      button("not-mine", t("photo.not_mine"), () => {
        draft({ aside: [...app.draft.aside, seen] }, "reading");
        sheet.close();
      }, { look: "wide", sign: "close" }),
      likeliest({ seen, code: null }, pick),
      allTiles(pick),
    ];
  });
}

/** Goes through the doubtful tiles one by one. */
function reviewDoubts() {
  const next = doubtfulTiles(app.draft.hand)[0];
  if (next) openTileSheet(next.tile.id, { after: () => setTimeout(reviewDoubts, 60) });
}

/** The button that leads through the doubtful tiles, null if there are none; `note`: a remark for where it stands. */
export function reviewKey(note = "") {
  const unsure = doubtfulTiles(app.draft.hand).length;
  return (
    unsure > 0 &&
    h(
      "button.review",
      { "data-key": "review", onclick: reviewDoubts },
      icon("query"),
      h("span", t("tray.review", { n: unsure }), note && h("small", note)),
      icon("next"),
    )
  );
}

function doubtPart(/** @type {HandTile} */ tile) {
  if (!tile.doubt) return null;
  const repair = app.draft.read?.repairs?.find((r) => r.tile === tile.seen);
  const words = tile.doubt === "repaired" && repair
    ? t("doubt.repaired", { read: tileName(repair.read), used: tileName(repair.used) })
    : doubtWords(
      tile.doubt,
      app.draft.read?.doubts?.find((d) => d.tile === tile.seen && d.code === tile.doubt),
    );
  return h(
    "p.caution",
    icon(tile.doubt === "repaired" ? "pencil" : "query"),
    h("span", words, h("small", t("doubt.open", { what: countedAs(tile) }))),
  );
}

// The crop of the photo, and beside it the likeliest tiles.
function likeliest(
  /** @type {{seen: number | null, code: string | null}} */ tile,
  /** @type {(code: string) => unknown} */ onpick,
  chosen = "",
) {
  const seen = tile.seen === null ? null : app.draft.read?.tiles[tile.seen];
  if (!seen) return null;
  /** @type {[string, number | null][]} */
  const read = [[seen.tile, seen.confidence], ...seen.alternatives];
  const ranked = read.filter(
    ([code]) => code !== "back" || (seen.tile === "back" && tile.code !== null),
  );
  if (tile.code !== null && !ranked.some(([code]) => code === tile.code)) ranked.unshift([tile.code, null]);
  const crop = cropOf(tile.seen);
  return h(
    "section.likeliest",
    { "aria-label": t("sheet.likeliest") },
    crop && h("div.shown", crop, h("small", t("sheet.photo"))),
    ranked.slice(0, 4).map(([code, p]) => {
      const share = p === null ? "" : percent(p);
      return h(
        "div",
        tileButton(code, {
          label: share ? t("sheet.likely", { name: tileName(code), share }) : tileName(code),
          key: `likely-${code}`,
          className: code === tile.code ? "chosen" : "",
          "aria-pressed": String(code === tile.code),
          onclick: () => onpick(code),
        }),
        h("small", { "aria-hidden": "true" }, code === tile.code ? chosen : share),
      );
    }),
  );
}

/** @type {(tile: HandTile, zone: Zone, sheet: Sheet, done: Done) => Child} */
function actions(tile, zone, sheet, done) {
  const { hand } = app.draft;
  const { id, code } = tile;
  const name = tileName(code);
  const playable = isPlayable(code);
  /** @type {(label: string, sign: string, change: () => Hand, words: string) => Described} */
  const act = (label, sign, change, words) =>
    button(`act-${sign}-${label}`, label, () => done(sheet, change(), words), { sign });
  /** @type {(label: string, sign: string, to: Zone, said: string) => Described} */
  const move = (label, sign, to, said) => act(t(label), sign, () => moveTile(hand, id, to), t(said, { name }));
  const remove = () => {
    notice(t("tile.removed", { name }), { action: t("undo"), act: () => setHand(hand) });
    return removeTile(hand, id);
  };
  return [
    zone === "winning"
      ? move("tile.not_winning", "back", "concealed", "tile.is_concealed")
      : playable && move("tile.won_with", "check", "winning", "tile.is_winning"),
    ["dora", "ura", "bonus"].includes(zone) && playable &&
    move("tile.to_hand", "tiles", "concealed", "tile.is_concealed"),
    zone === "concealed" && playable && asks(currentRules(), "dora_indicators") &&
    move("tile.to_dora", "swap", "dora", "tile.is_dora"),
    zone === "concealed" && (isBonus(code) || currentRules().bonus_tiles.includes(code)) &&
    move("tile.to_bonus", "swap", "bonus", "tile.is_bonus"),
    act(t("remove"), "bin", remove, t("tile.removed", { name })),
  ];
}

/** @type {(tile: HandTile, zone: Zone, sheet: Sheet, done: Done) => Child} */
function meldPart(tile, zone, sheet, done) {
  if (zone !== "concealed" && zone !== "winning") return null;
  const hand = app.draft.hand;
  const row = [...hand.concealed, ...(hand.winning && zone === "winning" ? [hand.winning] : [])];
  const places = new Map(row.map(({ id }, place) => [id, place]));
  const placeOf = (/** @type {number} */ id) => places.get(id) ?? 0;
  const away = (/** @type {HandTile} */ { id }) => Math.abs(placeOf(id) - placeOf(tile.id));
  const nearest = row.toSorted((a, b) => away(a) - away(b)); // of tiles alike those that lie beside it
  const found = hand.melds.length >= mostMelds() ? [] : meldsWith(tile, nearest, standIn());
  const choice = (/** @type {typeof found[number]} */ { type, ids, codes }) => {
    const [kind, names] = [ownWord(`meld.${type}`), tileNames(codes)];
    const make = () => done(sheet, makeMeld(app.draft.hand, ids, type), t("meld.made", { type: kind, tiles: names }));
    return h(
      "button.meld-choice",
      { "aria-label": `${kind}: ${names}`, onclick: make },
      h("span.meld-tiles", codes.map((code) => tilePicture(code, { label: null, className: "small" }))),
      h("span", kind),
    );
  };
  const lieTogether = (/** @type {typeof found[number]} */ { ids }) => {
    const taken = ids.map(placeOf);
    return Math.max(...taken) - Math.min(...taken) < ids.length;
  };
  const [near, rest] = [found.filter(lieTogether), found.filter((one) => !lieTogether(one))];
  return [
    near.length > 0 &&
    h("section", h("h3.soft", t("sheet.meld")), h("div.meld-choices", near.map(choice))),
    rest.length > 0 &&
    fold(
      "fold-meld",
      t(near.length ? "sheet.more_melds" : "sheet.meld"),
      h("div.meld-choices", rest.slice(0, 12).map(choice)),
    ),
  ];
}
