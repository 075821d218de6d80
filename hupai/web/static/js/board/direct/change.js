// A change of a tournament, sent under a key: pressed again because no answer came, it is not made twice.
import { call, freshKey } from "../../host/api.js";

let last = null; // {said, key} of the last change, until it is answered

const answered = (error) => error.status > 0 && error.status < 500;

/** Asks for a change; `body` undefined sends none. */
export async function change(method, path, body = undefined) {
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
