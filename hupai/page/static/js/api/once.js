// A write whose answer may be lost: repeated unchanged, even after a reload, it is sent under the same key and done once.
import { call, freshKey } from "./api.js";
import { recall, remember } from "./store.js";

/**
 * Sends a write; with `body` undefined no body is sent.
 * @template {string} P
 * @param {"POST" | "DELETE"} method
 * @param {P} path
 * @param {object} [body]
 */
export async function once(method, path, body) {
  const text = JSON.stringify([method, path, body]);
  const last = recall("sent", null);
  const { key } = last?.text === text ? last : { key: freshKey() };
  remember("sent", { text, key });
  const answered = () => recall("sent", null)?.key === key && remember("sent", undefined);
  try {
    const found = await call(method, path, body, { headers: { "Idempotency-Key": key } });
    answered();
    return found;
  } catch (error) {
    if (error.status > 0 && error.status < 500) answered();
    throw error;
  }
}
