// What is asked and offered under the rules of each system.
import "./document.js";
import { deepEqual, equal } from "node:assert/strict";
import { keyGroups } from "#js/controls/keyboard.js";
import { courseOf, lengthFields } from "#js/game/length.js";
import { factsCard } from "#js/handeditor/facts.js";
import { addTile, emptyHand } from "#js/hand/hand.js";
import { FORMS } from "#js/outcomes/forms.js";
import { unanswered } from "#js/scoring/questions.js";
import { answer, setHand } from "#js/state/draft.js";
import { currentRules, setSystems } from "#js/state/rules.js";
import { set } from "#js/state/settings.js";

setSystems((await new Response(Deno.stdin.readable).json()).rules); // as a server has them

const rulesOf = (id) => {
  set({ rules: id });
  return currentRules();
};
// All elements of what is described.
const elements = (drawn) =>
  [drawn].flat(Infinity).filter((one) => one?.props).flatMap((one) => [one, ...elements(one.props.children)]);
const keysIn = (drawn, begin) =>
  elements(drawn).map(({ props }) => props["data-key"] ?? "").filter((key) => key.startsWith(begin));

Deno.test("the keyboard has what the rules have", () => {
  const keys = (id) => keyGroups(rulesOf(id)).flatMap(({ codes }) => codes);
  const plain = 34;
  equal(keys("hongkong").length, plain + 8 + 1);
  equal(keys("zungjung").length, plain + 1);
  equal(keys("singapore").length, plain + 12 + 1);
  for (const code of ["f1", "g4", "a1", "a4", "back"]) equal(keys("singapore").includes(code), true, code);
  deepEqual(keys("riichi").filter((code) => /^[0fga]/.test(code)), ["0m", "0p", "0s"]);
});

Deno.test("only fu that such a win has are offered", () => {
  rulesOf("riichi");
  for (
    const [win, value, least] of [["discard", 1, 30], ["discard", 2, 25], ["self_draw", 2, 20], ["self_draw", 3, 20]]
  ) {
    const state = { ...FORMS.told.fresh(), seat: "S", win, from: win === "discard" ? "W" : null, value };
    const offered = keysIn(FORMS.told.build(state, () => {}, null), "told-fu=");
    equal(offered[0], `told-fu=${least}`);
    const seven = (win === "discard" && value === 2) || value === 3; // seven pairs, drawn one more
    equal(offered.includes("told-fu=25"), seven, `${win} ${value}`);
  }
});

Deno.test("a game lasts as its rules have it, or as long as was chosen", () => {
  const form = { length: null, count: "", rotation: "custom" };
  const usual = (id) => {
    const [select, ...options] = elements(lengthFields(rulesOf(id), form, () => {}, () => []))
      .filter(({ type }) => ["select", "option"].includes(type));
    return options[select.props.value].props.children;
  };
  deepEqual(["hongkong", "hangzhou", "riichi"].map(usual), ["length.rounds.4", "length.open", "length.rounds.2"]);
  const never = courseOf(rulesOf("riichi"), { ...form, length: "rounds.1", rotation: "never" });
  deepEqual(never, { dealer_ends: "off", rounds: 1 });
  deepEqual(courseOf(rulesOf("riichi"), form), {});
});

Deno.test("riichi asks for what hangs on it, and few for the break of the wall", () => {
  rulesOf("riichi");
  const codes = "1m 2m 3m 4m 5m 6m 7p 8p 9p 3s 4s 5z 5z 5s".split(" ");
  setHand(codes.reduce((hand, code) => addTile(hand, code), emptyHand()));
  deepEqual(unanswered(), ["seat", "win"]);
  answer({ seat: "S", win: "discard" });
  deepEqual(unanswered(), ["from"]);
  answer({ from: null });
  deepEqual(unanswered(), [], "nobody knows who discarded it");
  equal(keysIn(factsCard({ tray: false }), "chip-ippatsu").length, 0);
  answer({ riichi: true });
  equal(keysIn(factsCard({ tray: false }), "chip-ippatsu").length, 1);
  answer({ riichi: undefined });
  equal(keysIn(factsCard({ tray: false }), "chip-ippatsu").length, 0);
  equal(keysIn(factsCard(), "fact-wareme").length, 0);
  equal(keysIn(factsCard(), "select-wareme").length, 1);
});
