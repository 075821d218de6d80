// Sends a change to a tournament under a key, so that pressing again after a lost answer does not make it twice.
import { call, freshKey } from "../../host/api.js";

/** @type {{said: string, key: string} | null} */
let last = null; // {said, key} of the last change until it is answered

/** @param {Trouble} error */
const answered = ({ status = 0 }) => status > 0 && status < 500;

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
