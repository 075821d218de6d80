// Languages, numbers, and who pays whom.
import "./document.js";
import { deepEqual, equal } from "node:assert/strict";
import { fewestPayments } from "#js/game/settleup.js";
import { literal, preferred, usualRules } from "#js/words/i18n.js";

Deno.test("the first language of the browser that the page has says where to begin", () => {
  localStorage.clear();
  const began = {
    "zh-HK": ["zh-HK", "hongkong"],
    "zh-MO": ["zh-HK", "hongkong"],
    "zh-TW": ["zh-TW", "taiwanese"],
    "zh-Hant": ["zh-TW", "taiwanese"],
    "zh-CN": ["zh-Hans", "mcr"],
    "zh-SG": ["zh-Hans", "singapore"],
    "ja-JP": ["ja", "riichi"],
    "fr-FR": ["en", "hongkong"],
  };
  for (const [tag, expected] of Object.entries(began)) {
    Object.defineProperty(navigator, "languages", { value: [tag], configurable: true });
    deepEqual([preferred(), usualRules()], expected, tag);
  }
});

Deno.test("a number is what the page itself would write so", () => {
  const typed = {
    "1,000": "1000",
    "−3,900": "-3900",
    "12,5": "12.5",
    "0,500": "0.500",
    " 1 000 ": "1000",
    "１，０００": "1000",
    "30.000": "30000",
    "-1.500.000,5": "-1500000.5",
    "30'000": "30000",
    "30’000": "30000",
    "7.5": "7.5",
    "0.125": "0.125",
    "1.5000": "1.5000",
    "30\u00a0000": "30000",
    "12.34.5": "12.34.5",
    "1,000,000.5": "1000000.5",
    "+8": "8",
    "nothing": "nothing",
  };
  for (const [text, number] of Object.entries(typed)) equal(literal(text), number, text);
});

const SETTLED = {
  "two pairs": [[30, -20, -30, 20], [[2, 0, 30], [1, 3, 20]]],
  "decimals": [["0.3", "-0.1", "-0.2", 0], [[2, 0, 0.2], [1, 0, 0.1]]],
  "even": [[0, 0, 0], []],
  "a stick that nobody got": [[-1000, 0, 0, 0], []],
};
for (const [name, [shares, payments]] of Object.entries(SETTLED)) {
  Deno.test(`a game is settled in the fewest payments: ${name}`, () => {
    const found = fewestPayments(shares.map((money, player) => ({ player, money })));
    deepEqual(found.map(({ from, to, amount }) => [from, to, amount]), payments);
  });
}
