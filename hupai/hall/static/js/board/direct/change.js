// What all changes of a tournament have in common: the director's name, numbers as they are typed.
import { once } from "../../api/once.js";
import { recall } from "../../api/store.js";
import { literal } from "../../words/i18n.js";
import { attempt } from "../state.js";

/** A typed number for the API; 0 where nothing was typed. */
export const numberIn = (/** @type {string} */ text) => literal(text) || "0";

/** The director's name: kept in this browser and sent with every action. */
export const directorName = () => recall("by", "").trim() || undefined;

/** Posts a tournament action with the director's name, and shows the result. */
export const tellCup = (/** @type {Cup} */ cup, /** @type {string} */ path, body = {}, done = () => {}) =>
  attempt(async () => {
    await once("POST", `/tournaments/${cup.id}${path}`, { by: directorName(), ...body });
    done();
  });
