// A hand laid out on the screen, and what becomes of it when one of its tiles or melds is changed.
import { codesOf } from "../hand/tiles.js";
import { h } from "../parts/dom.js";
import { tileButton, tileName, tilePicture } from "../faces/tile.js";

/**
 * A copy of a hand as lists of {code} that can be addressed by slot.
 * @param {LaidHand} hand
 */
export function slots(hand) {
  /** @type {Slot[]} */
  const found = hand.concealed.map((code, i) => ({
    zone: "concealed",
    at: i,
    code,
  }));
  if (hand.winning_tile) found.push({ zone: "winning_tile", at: 0, code: hand.winning_tile });
  hand.melds.forEach((meld, m) => meld.tiles.forEach((code, i) => found.push({ zone: "meld", meld: m, at: i, code })));
  hand.bonus.forEach((code, i) => found.push({ zone: "bonus", at: i, code }));
  hand.dora_indicators.forEach((code, i) => found.push({ zone: "dora_indicators", at: i, code }));
  return found;
}

/**
 * The hand with one slot changed; `code` null takes the tile away.
 * @param {LaidHand} hand
 * @param {Slot} slot
 * @param {string | null} code
 */
export function changedHand(hand, slot, code) {
  const made = structuredClone(hand);
  const put = (/** @type {string[]} */ list) => (code === null ? list.splice(slot.at, 1) : (list[slot.at] = code));
  if (slot.zone === "winning_tile") made.winning_tile = code;
  else if (slot.zone === "meld") put(made.melds[slot.meld ?? 0].tiles);
  else put(made[slot.zone]);
  return made;
}

/**
 * Makes the tile of a slot the winning one; the former winning tile goes back to the others.
 * @param {LaidHand} hand
 * @param {Slot} slot
 */
export function withWinning(hand, slot) {
  const made = structuredClone(hand);
  made.concealed.splice(slot.at, 1);
  if (made.winning_tile) made.concealed.push(made.winning_tile);
  made.winning_tile = slot.code;
  return made;
}

/**
 * The hand with one more tile in a zone.
 * @param {LaidHand} hand
 * @param {ListName | "winning_tile"} zone
 * @param {string} code
 */
export function addedTo(hand, zone, code) {
  const made = structuredClone(hand);
  if (zone === "winning_tile") made.winning_tile = code;
  else made[zone].push(code);
  return made;
}

/**
 * The hand with a meld changed to another type.
 * @param {LaidHand} hand
 * @param {number} at
 * @param {MeldType} type
 */
export function withMeld(hand, at, type) {
  const made = structuredClone(hand);
  made.melds[at].type = type;
  if (type === "kong_concealed") made.melds[at].from = null;
  return made;
}

/**
 * The tiles in groups; with `onpick` they are buttons, `of` tells several hands apart; `doubtful`: uncertain codes.
 * @param {any} hand
 * @param {{onpick?: ((slot: any) => unknown) | null, size?: string, doubtful?: Set<string>, of?: string | number}} options
 */
export function handRow(hand, { onpick = null, size = "", doubtful = new Set(), of = "" } = {}) {
  const all = slots(hand);
  const tile = (/** @type {Slot} */ slot) => {
    const unsure = doubtful.has(slot.code);
    if (!onpick) return tilePicture(slot.code, { className: size });
    return tileButton(slot.code, {
      label: tileName(slot.code),
      className: `${size} ${unsure ? "doubtful" : ""}`,
      key: `slot${of}-${slot.zone}-${slot.meld ?? ""}-${slot.at}`,
      badge: slot.zone === "winning_tile" ? "won" : unsure ? "doubt" : null,
      onclick: () => onpick(slot),
    });
  };
  const group = (/** @type {string} */ name, /** @type {Slot[]} */ list) =>
    list.length > 0 && h("span", { class: `laid-group ${name}` }, list.map(tile));
  const zone = (/** @type {string} */ name) => all.filter((s) => s.zone === name);
  return h(
    "div.laid-row",
    group("concealed", zone("concealed")),
    group("winning", zone("winning_tile")),
    hand.melds.map((/** @type {unknown} */ _, /** @type {number} */ m) =>
      group("meld", all.filter((s) => s.zone === "meld" && s.meld === m))
    ),
    group("bonus", zone("bonus")),
    group("dora", zone("dora_indicators")),
  );
}

/** The tiles of a score request, laid out; null if only its points were entered. */
export function scoredRow(/** @type {any} */ { concealed, melds, winning_tile: winning, bonus, context }) {
  if (!concealed?.length) return null;
  return handRow({
    concealed: codesOf(concealed),
    melds: (melds ?? []).map((/** @type {any} */ { tiles }) => ({ tiles: codesOf(tiles) })),
    winning_tile: codesOf(winning ?? "")[0] ?? null,
    bonus: codesOf(bonus),
    dora_indicators: codesOf(context.dora_indicators),
  });
}
