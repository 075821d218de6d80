// Everything the page knows, to read. Only the modules of this room change it, each what it owns; signal.js tells.
import { current, photo, reading } from "./draft.js";
import { game } from "./game.js";
import { systems } from "./rules.js";
import { settings } from "./settings.js";
import { emit } from "./signal.js";

/** @type {Api.About | null} */
let about = null;
let away = false; // the host did not answer when the page was opened

/** @type {App} */
export const app = {
  get about() {
    return about;
  },
  get away() {
    return away;
  },
  get rules() {
    return systems;
  },
  get settings() {
    return settings;
  },
  get draft() {
    return current;
  },
  get game() {
    return game;
  },
  get bitmap() {
    return photo.bitmap ?? null;
  },
  get blob() {
    return photo.blob ?? null;
  },
  get reading() {
    return reading;
  },
};

/** The open game, for what is there only while one is open. */
export function theGame() {
  if (!game) throw new Error("no game is open");
  return game;
}

/**
 * Notes what the host says of itself; null: it does not answer.
 * @param {Api.About | null} now
 */
export function setHost(now) {
  away = now === null;
  about = now ?? about;
  emit("about");
}
