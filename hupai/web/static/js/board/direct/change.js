// Sends a change to a tournament under a key, so that pressing again after a lost answer does not make it twice.
import { call, freshKey } from "../../host/api.js";
import { recall } from "../../host/store.js";
import { literal } from "../../words/i18n.js";
import { attempt } from "../state.js";

/** @type {{said: string, key: string} | null} */
let last = null; // {said, key} of the last change until it is answered

const answered = (/** @type {Trouble} */ { status = 0 }) => status > 0 && status < 500;

/**
 * Requests a change; with `body` undefined no body is sent.
 * @param {"POST" | "DELETE"} method
 * @param {string} path
 * @param {object} [body]
 */
export async function change(method, path, body) {
  const said = JSON.stringify([method, path, body]);
  const sent = last?.said === said ? last : { said, key: freshKey() };
  last = sent;
  const done = () => {
    if (last === sent) last = null;
  };
  try {
    const made = await call(method, path, body, { headers: { "Idempotency-Key": sent.key } });
    done();
    return made;
  } catch (error) {
    if (answered(error)) done();
    throw error;
  }
}

/**
 * A typed number for the API; 0 where nothing was typed.
 * @param {string} text
 */
export const numberIn = (text) => literal(text) || "0";

/** The director's name: kept in this browser and sent with every action. */
export const directorName = () => recall("by", "").trim() || undefined;

/**
 * Posts a tournament action with the director's name, and shows the result.
 * @param {Cup} cup
 * @param {string} path
 */
export const tellCup = (cup, path, body = {}, done = () => {}) =>
  attempt(async () => {
    await change("POST", `/tournaments/${cup.id}${path}`, { by: directorName(), ...body });
    done();
  });
