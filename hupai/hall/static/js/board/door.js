// The access code (viewers) and the director's code; either may be in the address after the #, which is never sent.
import { get, post } from "../api/api.js";

const TOKEN = "hupai-"; // prefix of a token; it is personal, and sent even where no code is needed
const AGAIN_MS = 3000;
const inAddress = () => new URLSearchParams(location.hash.slice(1)).get("code");
let code = inAddress(); // null once it has been refused, until the address has another
/** @type {string | null} */
let taken = null; // the code that was accepted, which is not given again unless something fails
addEventListener("hashchange", () => (code = inAddress()));

/** Signs in with the address's code where one is needed; false when the page has to ask. A wrong code is tried once. */
export async function enter() {
  const about = await get("/about");
  const given = code;
  if (!given?.startsWith(TOKEN) && (!about.code_needed || about.open)) return true;
  if (!given) return false;
  if (given === taken) return true;
  try {
    await post("/session", { code: given });
    taken = given;
    return true;
  } catch (error) {
    if (error.code === "code_wrong" && code === given) code = null;
    throw error;
  }
}

/** Signs in with a typed code: the access code, or the director's code, which makes this browser the director's. */
export const open = (/** @type {string} */ code) =>
  post("/session", { code }).catch((wrong) =>
    post("/director", { code }).catch(() => {
      throw wrong;
    })
  );

/** {there, you}: whether the server has a director, and whether it is this browser. */
export const director = () => get("/director");

/** Waits `ms` milliseconds before another try. */
export const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Signs in and does `first`, again and again until both succeed: where this is shown, nobody types a code.
 * @param {() => Promise<any>} first
 * @param {(trouble: any) => unknown} refused shows meanwhile why not; null if no code was given
 */
export async function admitted(first, refused) {
  let wrong = null; // a wrong code is not tried again
  for (;;) {
    let trouble = wrong;
    try {
      if (await enter()) return await first();
    } catch (error) {
      trouble = error;
      taken = null;
      if (error.code === "code_wrong") wrong = error;
    }
    refused(trouble);
    await pause(AGAIN_MS);
  }
}

/** Marks the page as ready and does `again` every `ms` milliseconds, whether or not it succeeds. */
export async function keepUp(/** @type {() => Promise<unknown>} */ again, /** @type {number} */ ms) {
  document.documentElement.dataset.ready = "";
  for (;;) {
    await pause(ms);
    await again().catch(() => {});
  }
}
