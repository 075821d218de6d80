// House rules: what a table plays otherwise than the rules say, and what that is called.
import "./document.js";
import { deepEqual, equal } from "node:assert/strict";
import { changeHouse, chosenPreset, inForce, ownHouse, takeHouse, takeHouseOfGame } from "#js/rules/house.js";
import { typed } from "#js/rules/option.js";
import { setSystems } from "#js/state/rules.js";
import { t } from "#js/words/i18n.js";

const CAP = { name: "cap", default: 13 };
const CLUB = { id: "club", source: "a club's sheet", options: { cap: 10, flowers: true } };
setSystems([{ id: "hk", options: [CAP, { name: "flowers", default: true }], presets: [CLUB] }]);

Deno.test("a preset is in force until one of its rules is changed, and what is usual is no house rule", () => {
  takeHouse("hk", CLUB);
  deepEqual([ownHouse("hk"), inForce("hk")], [{ cap: 10 }, CLUB]);
  changeHouse("hk", CAP, 8);
  deepEqual([ownHouse("hk"), inForce("hk"), chosenPreset("hk")], [{ cap: 8 }, null, CLUB]);
  changeHouse("hk", CAP, 13);
  deepEqual(ownHouse("hk"), {});
  takeHouse("hk", { name: "ours", options: { cap: 9 } });
  deepEqual(inForce("hk"), { name: "ours" });
});

Deno.test("the house rules of a game are a preset's on every phone, if they are the same", () => {
  takeHouse("hk", { options: {} });
  takeHouseOfGame({ rules: "hk", options: { cap: 10 } });
  deepEqual(inForce("hk"), CLUB);
  takeHouseOfGame({ rules: "hk", options: { cap: 10, flowers: false } });
  deepEqual([inForce("hk"), ownHouse("hk")], [null, { cap: 10, flowers: false }]);
});

Deno.test("what is typed for a house rule", () => {
  const usual = { default: 13 };
  const by = { default: { pung: 1 } }; // values of elements
  for (
    const [text, option, value] of [
      [" 12 ", usual, 12],
      ["-3", usual, -3],
      ["0.5", usual, "0.5"],
      ["", usual, 13],
      [t("auto"), usual, "auto"],
      [t("none"), usual, null],
      [t("none"), by, by.default],
    ]
  ) deepEqual(typed(text, option), value, text);
  equal(typed(""), null);
});
