// Doubts with their possible answers as a few buttons; tapping one settles the doubt.
import { app } from "../state/app.js";
import { h, icon } from "../dom/dom.js";
import { breakMeld, changeTile, confirmTile, meldOf, moveTile, tilesOf } from "../hand/hand.js";
import { nextDoubt } from "../hand/fromread.js";
import { changeMeld, confirmMeld, makeMeld, nameMeld } from "../hand/handmelds.js";
import { known as has, t } from "../words/i18n.js";
import { KONGS, meldFrom, meldSize, meldsWith } from "../hand/melds.js";
import { isPlayable, numberOf, plain, suitOf } from "../hand/tiles.js";
import { ownWord } from "../names/systems.js";
import { tileButton, tileName, tileNames, tilePicture } from "../faces/tile.js";

/**
 * The question a doubt asks; for a doubt the page does not know, the server's words.
 * @type {(code: string, doubt?: {message: string}) => string}
 */
export const doubtWords = (code, doubt) => (has(`doubt.${code}`) ? t(`doubt.${code}`) : (doubt?.message ?? ""));

/** The tile that a doubtful tile counts as until somebody answers. */
export function countedAs(/** @type {HandTile} */ tile) {
  const meld = meldOf(app.draft.hand, tile.id);
  switch (tile.doubt) {
    case "kong_kind_unknown":
      return ownWord(`meld.${meld?.type ?? "kong_open"}`);
    case "melds_unclear":
      return t(meld ? "answer.meld" : "answer.hand");
    case "hidden_red_five":
      return t("answer.no_red");
    default:
      return meld && tile.doubt === "unreadable_meld"
        ? tileNames(meld.tiles.map(({ code }) => code))
        : tileName(tile.code);
  }
}

/** The hand with the doubt about a tile settled; what else the reading asks of it comes next. */
export const settleTile = (/** @type {Hand} */ hand, /** @type {HandTile} */ tile) =>
  confirmTile(hand, tile.id, nextDoubt(app.draft.read, tile));

const words = (/** @type {string} */ key, /** @type {string} */ label) => ({
  key,
  content: [icon("check"), label],
  label,
});
/** @type {(key: string, type: MeldType, codes: string[]) => object} */
const pictures = (key, type, codes) => ({
  key,
  label: `${ownWord(`meld.${type}`)}: ${tileNames(codes)}`,
  content: [
    h(
      "span.meld-tiles",
      { "aria-hidden": "true" },
      codes.map((code) => tilePicture(code, { label: null, className: "small" })),
    ),
    h("span", ownWord(`meld.${type}`), h("span.unseen", `: ${tileNames(codes)}`)),
  ],
});

// Per doubt: its answers, as {key, label, content, change: hand -> hand}.
/** @type {Record<string, (tile: HandTile, meld: HandMeld | undefined, hand: Hand, standIn: string | null) => any>} */
const ANSWERS = {
  kong_kind_unknown: (_tile, meld) =>
    meld &&
    KONGS.map((type) => ({
      ...words(type, t(`answer.${type}`)),
      change: (/** @type {Hand} */ hand) => confirmMeld(changeMeld(hand, meld.id, { type }), meld.id),
    })),
  melds_unclear: (tile, meld, hand, standIn) => {
    if (!meld) {
      return [
        { ...words("hand", t("answer.hand")), change: (/** @type {Hand} */ now) => settleTile(now, tile) },
        ...meldsWith(tile, hand.concealed, standIn)
          .slice(0, 4)
          .map(({ type, ids, codes }) => ({
            ...pictures(`${type}-${codes.join("")}`, type, codes),
            change: (/** @type {Hand} */ now) => makeMeld(settleTile(now, tile), ids, type),
          })),
      ];
    }
    // One tile of each set in question stands for it.
    const unclear = tilesOf(hand).map((placed) => placed.tile).filter(({ doubt }) => doubt === tile.doubt);
    const declared = unclear.filter(({ id }) => meldOf(hand, id));
    const meldIn = (/** @type {Hand} */ now, /** @type {HandTile} */ one) => meldOf(now, one.id)?.id ?? -1;
    const keep = (/** @type {Hand} */ now, /** @type {HandTile} */ one) => confirmMeld(now, meldIn(now, one));
    const open = (/** @type {Hand} */ now, /** @type {HandTile} */ one) =>
      settleTile(breakMeld(now, meldIn(now, one)), one);
    /** @type {(key: string, ones: HandTile[], change: (now: Hand, one: HandTile) => Hand) => object} */
    const all = (key, ones, change) => ({
      ...words(key, t(`answer.${key}`, { n: ones.length })),
      change: (/** @type {Hand} */ now) => ones.reduce(change, now),
    });
    return [
      all("meld", [tile], keep),
      all("hand", [tile], open),
      ...(declared.length > 1 ? [all("all_meld", declared, keep)] : []),
      ...(unclear.length > 1 ? [all("all_hand", unclear, open)] : []),
    ];
  },
  winning_tile_unknown: (tile, _meld, hand) => {
    const loose = [...(hand.winning ? [hand.winning] : []), ...hand.concealed].filter(({ code }) => isPlayable(code));
    const kinds = loose.filter((one, i) => loose.findIndex(({ code }) => code === one.code) === i);
    return kinds.map((one) => ({
      key: `won-${one.code}`,
      tile: one.code,
      label: tileName(one.code),
      change: (/** @type {Hand} */ now) => {
        const sure = settleTile(now, tile);
        return one.id === now.winning?.id ? sure : moveTile(sure, one.id, "winning");
      },
    }));
  },
  hidden_red_five: (tile, meld) => {
    const down = meld?.tiles.find((one) => app.draft.read?.tiles[one.seen ?? -1]?.tile === "back");
    return (
      down && meld && [
        {
          ...words("yes", t("answer.red")),
          change: (/** @type {Hand} */ now) => confirmMeld(changeTile(now, down.id, `0${suitOf(tile.code)}`), meld.id),
        },
        { ...words("no", t("answer.no_red")), change: (/** @type {Hand} */ now) => confirmMeld(now, meld.id) },
      ]
    );
  },
  unreadable_meld: (_tile, meld) =>
    meld &&
    likelySets(meld).map(({ type, codes }) => ({
      ...pictures(`set-${codes.join("")}`, type, codes),
      change: (/** @type {Hand} */ now) => nameMeld(now, meld.id, type, codes),
    })),
};

// The sets that share most tiles with what was read, at most six.
function likelySets(/** @type {HandMeld} */ meld) {
  const codes = meld.tiles.map((tile) => plain(tile.code)).filter(isPlayable);
  /** @type {MeldType[]} */
  const types = meld.tiles.length === 4 ? ["kong_open"] : ["pung", "chow"];
  /** @type {Map<string, {type: MeldType, codes: string[]}>} */
  const sets = new Map();
  for (const type of types.filter((one) => meldSize(one) === meld.tiles.length)) {
    for (const code of codes) {
      const [suit, number] = [suitOf(code), numberOf(code)];
      const chows = [number, number - 1, number - 2].filter((low) => low >= 1).map((low) => `${low}${suit}`);
      for (const low of type === "chow" ? chows : [code]) {
        const made = meldFrom(type, low);
        if (made) sets.set(made.join(""), { type, codes: made });
      }
    }
  }
  /** @type {(left: string[], code: string) => string[]} */
  const taken = (left, code) => (left.includes(code) ? left.toSpliced(left.indexOf(code), 1) : left);
  const unlike = (/** @type {{codes: string[]}} */ set) => codes.reduce(taken, set.codes).length;
  return [...sets.values()].sort((a, b) => unlike(a) - unlike(b)).slice(0, 6);
}

/**
 * The doubt about a tile with its answers, null if it has no answers of its own.
 * @param {HandTile} tile
 * @param {string | null} standIn
 * @param {(change: (hand: Hand) => Hand, words: string) => void} done receives the answer
 */
export function answersTo(tile, standIn, done) {
  const { hand } = app.draft;
  const meld = meldOf(hand, tile.id);
  const found = ANSWERS[tile.doubt ?? ""]?.(tile, meld, hand, standIn);
  if (!found?.length) return null;
  return h(
    "div.answers",
    { role: "group", "aria-label": t("answer.title") },
    found.map((/** @type {any} */ { key, label, content, tile: code, change }) =>
      code ? tileButton(code, { label, key: `answer-${key}`, onclick: () => done(change, label) }) : h(
        "button.button",
        {
          "data-key": `answer-${key}`,
          onclick: () => done(change, label),
        },
        content,
      )
    ),
  );
}
