// The hand on the felt: concealed tiles, the winning tile, melds, bonus tiles, indicators.
import { app } from "../state/app.js";
import { setHand } from "../state/draft.js";
import { currentRules } from "../state/rules.js";
import { h, icon } from "../dom/dom.js";
import { fromPhoto, mostMelds, sortConcealed, tilesNeeded } from "../hand/hand.js";
import { t, worded } from "../words/i18n.js";
import { faultsAt, faultsNow, gaps } from "../scoring/live.js";
import { seatName } from "../names/seats.js";
import { asks, asksUra } from "../hand/request.js";
import { known } from "../scoring/questions.js";
import { ownWord } from "../names/systems.js";
import { countWords, openAddSheet, openIndicators } from "./addsheet.js";
import { riichiChips } from "./facts.js";
import { faultList, iconButton } from "../controls/fields.js";
import { openMeldSheet, openNewMeld } from "./meldsheet.js";
import { openTileSheet, reviewKey } from "./tilesheet.js";
import { tileButton, tileName, tileNames } from "../faces/tile.js";

function badgeOf(/** @type {HandTile} */ tile, /** @type {string} */ zone) {
  if (tile.doubt) return tile.doubt === "repaired" ? "repaired" : "doubt";
  return zone === "winning" ? "won" : null;
}

/** @type {(tile: HandTile, zone: string, at: number, of: number) => string} */
function labelOf(tile, zone, at, of) {
  const parts = [tileName(tile.code)];
  if (zone === "winning") parts.push(t("zone.winning"));
  if (tile.doubt) parts.push(t(tile.doubt === "repaired" ? "tile.repaired" : "tile.doubtful"));
  if (of > 1) parts.push(t("tile.place", { at, of }));
  return parts.join(", ");
}

function tiles(/** @type {HandTile[]} */ list, /** @type {string} */ zone) {
  return list.map((tile, i) =>
    tileButton(tile.code, {
      label: labelOf(tile, zone, i + 1, list.length),
      badge: badgeOf(tile, zone),
      key: `tile-${tile.id}`,
      className: tile.doubt ? "doubtful" : "",
      onclick: () => openTileSheet(tile.id),
    })
  );
}

const adder = (/** @type {string} */ label, /** @type {string} */ key, /** @type {() => unknown} */ act) =>
  h("button.add-tile", { "aria-label": label, "data-key": key, onclick: act }, icon("plus"));

/** @type {(name: string, content: any, options?: {faults?: Fault[], note?: string | null}) => Child} */
function zone(name, content, { faults = [], note = null } = {}) {
  return h(
    "section",
    { class: `zone ${name}`, "aria-label": ownWord(`zone.${name}`), "data-field": name },
    h("h3", ownWord(`zone.${name}`), note && h("small", note)),
    h("div.rack", content),
    faultList(faults, `faults-${name}`),
  );
}

function meldRow(/** @type {HandMeld} */ meld, /** @type {number} */ index) {
  const codes = meld.tiles.map((tile) => tile.code);
  const source = meld.from && meld.from !== known().seat ? seatName(meld.from) : null;
  const name = ownWord(`meld.${meld.type}`);
  return h(
    "div",
    { class: `meld ${meld.type}`, role: "group", "aria-label": `${name}: ${tileNames(codes)}` },
    h("div.rack", tiles(meld.tiles, `meld:${meld.id}`)),
    h(
      "button.meld-name",
      {
        "data-key": `meld-${meld.id}`,
        "aria-label": t("meld.edit", { name, tiles: tileNames(codes) }),
        onclick: () => openMeldSheet(meld.id),
      },
      h("span", name),
      source && h("small", t("meld.from_whom", { name: source })),
      icon("down"),
    ),
    faultList(faultsAt(`melds[${index}]`), `faults-meld-${index}`),
  );
}

// Riichi, dora and ura in one row.
function indicators(/** @type {Api.RulesBody} */ rules) {
  const { hand } = app.draft;
  const row = (/** @type {"dora" | "ura"} */ name, /** @type {number} */ most, /** @type {Fault[]} */ faults) =>
    zone(
      name,
      [
        tiles(hand[name], name),
        hand[name].length < most && adder(t(`add.${name}`), `add-${name}`, () => openIndicators(name)),
      ],
      { faults, note: hand[name].length ? null : worded(`ask.${name}_indicators.open`, "") },
    );
  const dora = asks(rules, "dora_indicators") || hand.dora.length > 0;
  const riichi = riichiChips();
  if (!dora && !riichi.length) return null;
  return h(
    "div.zone-row",
    riichi.length > 0 && h("div.chips", riichi),
    dora && row("dora", 5, faultsAt("context.dora_indicators")),
    asksUra(rules, known()) &&
      (hand.dora.length > 0 || hand.ura.length > 0) &&
      row("ura", hand.dora.length, faultsAt("context.ura_indicators")),
  );
}

/** The tray of the current hand. */
export function tray() {
  const { hand } = app.draft;
  const rules = currentRules();
  const { tiles: left, waiting } = gaps();
  return h(
    "section.tray.felt",
    { "aria-label": t("tray.title"), id: "tray", inert: app.draft.read?.naming },
    h(
      "header.tray-head",
      h("h2", t("tray.title")),
      !app.reading &&
        h("span", { class: `count ${left ? "open" : ""}` }, waiting ? t("count.waits") : countWords(left)),
      hand.concealed.length > 1 &&
        !fromPhotoSorted(hand) &&
        iconButton("sort", "sort", t("tray.sort"), () => setHand(sortConcealed(hand))),
    ),
    reviewKey(),
    h(
      "div.zones",
      zone(
        "concealed",
        [
          ...tiles(hand.concealed, "concealed"),
          hand.concealed.length < tilesNeeded(hand) &&
          adder(t("add.tile"), "add-concealed", () => openAddSheet("hand")),
        ],
        { faults: faultsAt("concealed"), note: `${hand.concealed.length}/${tilesNeeded(hand)}` },
      ),
      zone(
        "winning",
        hand.winning
          ? tiles([hand.winning], "winning")
          : adder(t("add.winning"), "add-winning", () => openAddSheet("winning")),
        { faults: faultsAt("winning_tile") },
      ),
      rules.bonus_tiles.length || hand.bonus.length
        ? zone(
          "bonus",
          [
            tiles(hand.bonus, "bonus"),
            rules.bonus_tiles.length > hand.bonus.length &&
            adder(ownWord("add.bonus"), "add-bonus", () => openAddSheet("bonus")),
          ],
          { faults: faultsAt("bonus") },
        )
        : null,
      indicators(rules),
      zone("melds", [
        hand.melds.map(meldRow),
        hand.melds.length < mostMelds() &&
        adder(t("meld.new"), "add-meld", openNewMeld),
      ], {
        faults: faultsNow().filter((f) => f.field === "melds"),
      }),
    ),
  );
}

// The sort button is offered only while it would change something.
function fromPhotoSorted(/** @type {Hand} */ hand) {
  const sorted = sortConcealed(hand).concealed.map((tile) => tile.id);
  return !fromPhoto(hand) ||
    hand.concealed.every((tile, i) => tile.id === sorted[i]);
}
