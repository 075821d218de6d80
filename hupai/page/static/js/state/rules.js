// The rule systems of the host, and which of them is in force.
import { countSetsBy } from "../hand/hand.js";
import { countPlayersBy, seatsTaken } from "../hand/seats.js";
import { game } from "./game.js";
import { settings } from "./settings.js";
import { on } from "./signal.js";

/**
 * GET /rules
 * @type {readonly Api.RulesBody[]}
 */
export let systems = [];

export const setSystems = (/** @type {Api.RulesBody[]} */ rules) => {
  systems = rules;
  ofThree.clear();
};

/**
 * The rules that a hand is scored under: those of the open game, otherwise the chosen ones.
 */
export function currentRules() {
  const id = game?.rules ?? settings.rules;
  const rules = systems.find((r) => r.id === id) ?? systems[0] ?? null;
  return rules && seatsTaken().length === 3 ? rulesOfThree(rules) : rules;
}

/** Adds to a form with a photo what is played: the rules, and with three players their house rules. */
export function sayWhatIsPlayed(/** @type {FormData} */ form) {
  const rules = currentRules();
  if (rules) form.append("rules", rules.id);
  if (rules && seatsTaken().length === 3) form.append("options", JSON.stringify(currentOptions(rules.id)));
}

/** @type {Map<string, Api.RulesBody>} */
const ofThree = new Map();

// With three players norths may be set aside among the bonus tiles, and players begin with more points.
/** @type {(rules: Api.RulesBody) => Api.RulesBody} */
function rulesOfThree(rules) {
  const bonus = currentOptions(rules.id).kita === false ? [] : Array(4).fill("4z");
  const key = `${rules.id} ${bonus.length}`;
  const known = ofThree.get(key) ?? { ...rules, bonus_tiles: bonus, points: rules.points_of_three };
  ofThree.set(key, known);
  return known;
}

/** Calls `act` once the rules are known: at once, or when the server has sent them for the first time. */
export function withRules(/** @type {() => void} */ act) {
  if (currentRules()) return act();
  let waits = true;
  on(["about"], () => {
    if (waits && currentRules()) {
      waits = false;
      act();
    }
  });
  return undefined;
}

/** The house rules in force for a system. */
export function currentOptions(/** @type {string | null} */ id = currentRules()?.id) {
  if (game && game.rules === id) return game.options;
  return settings.options[id ?? ""] ?? {};
}

countSetsBy(() => currentRules()?.sets ?? 4);
countPlayersBy(() => Number(currentOptions(game?.rules ?? settings.rules).players ?? 4));
