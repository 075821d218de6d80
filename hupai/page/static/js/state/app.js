// Everything the page knows, to read. Only the modules of this room change it, each what it owns; signal.js tells.
import { current, photo, reading } from "./draft.js";
import { game } from "./game.js";
import { systems } from "./rules.js";
import { settings } from "./settings.js";
import { emit } from "./signal.js";

/** @type {Api.About | null} */
let about = null;
let loaded = 0;
let away = false; // the host did not answer when the page was opened

export const app = {
  /** What the host says of itself. */
  get about() {
    return about;
  },
  /** Which share of what answers is on the phone, on a first visit without a server. */
  get loaded() {
    return loaded;
  },
  /** Whether the host did not answer when the page was opened. */
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
  /** The open game; the last one seen while the host is away. */
  get game() {
    return game;
  },
  /** The photo at the size sent. */
  get bitmap() {
    return photo.bitmap ?? null;
  },
  /** Its JPEG. */
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

/** Whether what was agreed on, and the game itself, are this phone's: at an event they are the director's. */
export const ownsGames = () => [null, undefined, "director"].includes(about?.role);

/** Notes what the host says of itself; null: it does not answer. */
export function setHost(/** @type {Api.About | null} */ now) {
  away = now === null;
  about = now ?? about;
  emit("about");
}

/** Notes which share of what answers is on the phone. */
export function setLoaded(/** @type {number} */ share) {
  loaded = share;
  emit("about");
}
