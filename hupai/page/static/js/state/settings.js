// What the user has chosen on this phone; it is remembered.
import { recall, remember } from "../api/store.js";
import { emit } from "./signal.js";

/** @type {Settings} */
const USUAL = {
  rules: null, // id of the rules used when no game is open
  options: {}, // rules id -> house rules that differ from the defaults
  preset: {}, // rules id -> where the house rules came from: name of a saved set, or {id} of a preset of the rules
  theme: "auto",
  captions: null, // small numbers on tiles: null follows the language
  alwaysKeep: false, // corrections are kept without asking each time; only ever switched on by the user
  keepCrops: false, // part of each hand's photo stays on this phone, beside the hand
  set: null, // learned tile set used for reading
  game: null, // id of the open game
  ownPlayer: {}, // game id -> number of the player whose phone this is; null for somebody who only watches
  fortune: null, // Hangzhou: "tile" where one is turned up each hand, "permanent" where the white dragons are wild
};

/** @type {Readonly<Settings>} */
export let settings = { ...USUAL, ...recall("settings", {}) };

/** Changes settings and remembers them. */
export function set(/** @type {Partial<Settings>} */ values) {
  settings = { ...settings, ...values };
  remember("settings", settings);
  emit("settings");
}
