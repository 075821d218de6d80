// A new game: optional names in turn order, the rules, and options that are seldom changed.
import { app, theGame } from "../state/app.js";
import { currentOptions, currentRules, withRules } from "../state/rules.js";
import { set } from "../state/settings.js";
import { emit } from "../state/signal.js";
import { setGame } from "../state/table.js";
import { once } from "../api/once.js";
import { byId, h } from "../dom/dom.js";
import { changeHouse, chosenPreset, counterpartPreset, takeHouse, takeHouseOfGame } from "../rules/house.js";
import { presetSelect } from "../rules/presets.js";
import { number, t } from "../words/i18n.js";
import { SEATS, seatsTaken } from "../hand/seats.js";
import { recall, remember } from "../api/store.js";
import { rulesName } from "../names/systems.js";
import {
  byField,
  choiceRow,
  faultList,
  faultsOf,
  fold,
  form,
  select,
  submitKey,
  textField,
} from "../controls/fields.js";
import { blankCustoms, customFields, customsOf } from "./customs.js";
import { courseOf, lengthFaults, lengthFields } from "./length.js";
import { blankSettling, settlingFaults, settlingFields, settlingOf, settlingWords, typed } from "./settling.js";

const ROTATIONS = ["custom", "win_or_draw", "win", "never", "winner", "riichi"];
// What is agreed on under other rules, or with other people, is agreed on anew.
const blank = () => ({ points: "", length: null, count: "", ...blankCustoms(), ...blankSettling() });
// `out`: which of the four people sits out a game of three.
const input = { name: "", players: recall("players", ["", "", "", ""]), out: 3, rotation: "custom", ...blank() };
/** @type {Fault[]} */
let faults = [];

// The course of the chosen preset, whatever was changed in its house rules since. If another length is chosen, its
// extension does not apply.
function presetCourse() {
  const { extension, ...course } = chosenPreset(app.settings.rules)?.course ?? {};
  return extension === undefined || input.length !== null ? course : { ...course, extension };
}

// What a game begins with if nothing else is entered.
function agreed() {
  const { course = {}, points } = chosenPreset(app.settings.rules) ?? {};
  const usual = points ?? currentRules()?.points ?? 0;
  return {
    course,
    points: input.points.trim() ? typed(input.points) : usual,
    usual,
    riichi: currentRules()?.riichi_sticks,
  };
}

const unnamed = (/** @type {number} */ i) => t("game.unnamed", { n: i + 1 });

// The places in `input.players` of those who play, in turn order.
const playing = () =>
  [0, 1, 2, 3].filter((/** @type {number} */ place) => seatsTaken().length === 4 || place !== input.out);

async function create() {
  const { points } = agreed();
  faults = [...lengthFaults(input), ...settlingFaults(input, points)];
  if (faults.length) {
    emit("beginning");
    setTimeout(toFirstFault); // once it has been drawn
    return;
  }
  const rules = app.settings.rules;
  /** @type {Record<string, unknown>} */
  const body = {
    players: playing().map((place, i) => input.players[place].trim() || unnamed(i)),
    rules,
    options: currentOptions(rules),
    rotation: input.rotation,
  };
  if (input.name.trim()) body.name = input.name.trim();
  const system = currentRules();
  const course = {
    ...presetCourse(),
    ...customsOf(system, input, points),
    ...courseOf(system, input),
    ...settlingOf(input),
  };
  if (Object.keys(course).length) body.course = course;
  if (points) body.starting_points = points;
  try {
    const game = await once("POST", "/games", body);
    const { name: _, players, out: __, ...agreedOn } = input;
    remember("players", players);
    remember("agreed", { game: game.id, ...agreedOn });
    Object.assign(input, { name: "", ...blank() });
    setGame(game);
    scrollTo(0, 0);
    byId("main").focus({ preventScroll: true });
  } catch (error) {
    faults = faultsOf(error);
    emit("beginning");
  }
}

/** The same people play on by the same rules; whoever sat out a game of three can join again. */
export function nextGame() {
  const { id, players, ...house } = theGame();
  const names = players.map(({ name }, i) => (name === unnamed(i) ? "" : name));
  if (names.length === 3) {
    const others = input.players.filter((/** @type {string} */ name) => !names.includes(name));
    if (others.length !== 1) Object.assign(input, { out: 3 });
    names.splice(input.out, 0, others.length === 1 ? others[0] : "");
  }
  const { game, ...agreedOn } = recall("agreed", {});
  Object.assign(input, { ...blank(), players: names, ...(game === id && agreedOn) });
  takeHouseOfGame(house);
  setGame(null);
  scrollTo(0, 0);
}

function toFirstFault() {
  /** @type {HTMLElement | null} */
  const field = document.querySelector(".field:has(.faults) :is(input, select)");
  field?.closest("details")?.setAttribute("open", "");
  field?.focus();
}

// How many play, where the rules leave that open, and which of four sits out; the names of all four are kept.
function playersField(/** @type {(values: object) => void} */ change, /** @type {FaultsAt} */ at) {
  const rules = currentRules();
  const option = rules?.options.find(({ name }) => name === "players");
  if (!option) return null;
  const choices = option.values.map((value) => ({ value, label: number(Number(value)) }));
  const people = input.players.map((/** @type {string} */ label, /** @type {number} */ value) => ({ value, label }));
  return [
    choiceRow("game-players", t(`option.${rules.id}.players`), choices, seatsTaken().length, (value) => {
      Object.assign(input, blank());
      const preset = counterpartPreset(rules);
      if (preset) return takeHouse(rules.id, preset);
      set({ preset: { ...app.settings.preset, [rules.id]: undefined } }); // its course is for another number of players
      return changeHouse(rules.id, option, value);
    }, { faults: at("options.players") }),
    seatsTaken().length === 3 && input.players.every((/** @type {string} */ name) => name.trim()) &&
    choiceRow("sits-out", t("game.sits_out"), people, input.out, (out) => change({ out })),
  ];
}

/** The form for a new game. */
export function newGameForm() {
  const folded = byField(faults);
  const change = (/** @type {object} */ values) => {
    Object.assign(input, values);
    emit("beginning");
  };
  const seldom = [
    textField("points", t("game.points"), input.points, (text) => (input.points = text), {
      inputmode: "numeric",
      placeholder: number(agreed().usual),
      faults: folded.at("starting_points"),
    }),
    settlingFields(input, change, agreed(), folded.at),
    currentRules() && customFields(currentRules(), input, change, agreed(), folded.at),
    select(
      "rotation",
      t("game.rotation"),
      ROTATIONS.map((r) => ({ value: r, label: t(`rotation.${r}`) })),
      input.rotation,
      (rotation) => change({ rotation, length: null }),
      { faults: folded.at("rotation") },
    ),
    textField("game-name", t("game.name"), input.name, (text) => (input.name = text), {
      maxlength: 60,
      faults: folded.at("name"),
    }),
  ];
  const above = byField(folded.rest());
  return h(
    "section.card",
    h("h2", t("game.new")),
    h("p.soft", t("game.new_text")),
    form(
      "stack",
      () => withRules(create),
      playing().map((place, i) =>
        textField(
          `player-${i}`,
          t("game.player", { seat: t(`seat.${SEATS[i]}`) }),
          input.players[place],
          (text) => (input.players[place] = text),
          { maxlength: 40, placeholder: unnamed(i), faults: above.at(`players[${i}]`), autocapitalize: "words" },
        )
      ),
      app.rules.length > 0 &&
        choiceRow(
          "game-rules",
          t("rules.choose"),
          app.rules.map((r) => ({ value: r.id, label: rulesName(r) })),
          app.settings.rules,
          (id) => {
            Object.assign(input, blank());
            set({ rules: id });
          },
        ),
      playersField(change, above.at),
      currentRules() && presetSelect(
        currentRules(),
        () => change(blank()),
      ),
      currentRules() && lengthFields(currentRules(), input, change, above.at),
      fold("fold-new", h("span", t("game.more"), h("small.soft", settlingWords(input, agreed()))), seldom, {
        open: folded.rest().length < faults.length,
        ontoggle: (event) => event.target.open || change({}), // a summary of the input stands above the closed fold
      }),
      faultList(above.rest(), "faults-game"),
      submitKey(t("game.begin"), { key: "create-game", look: "main wide", sign: "check" }),
    ),
  );
}
