// The access code (viewers) and the director's code; both may come in the address after the #, which is not sent.
import { get, post } from "../host/api.js";

const TOKEN = "hupai-"; // a token is somebody's own, and given also where no code is needed
const inAddress = () => new URLSearchParams(location.hash.slice(1)).get("code");
let code = inAddress(); // null once it was refused, until the address has another
addEventListener("hashchange", () => (code = inAddress()));

/** Opens the door with a code from the address, where one is needed; false when the page has to ask. A wrong code is tried once. */
export async function enter() {
  const about = await get("/about");
  const given = code;
  if (!given?.startsWith(TOKEN) && (!about.code_needed || about.open)) return true;
  if (!given) return false;
  try {
    await post("/session", { code: given });
    return true;
  } catch (error) {
    if (error.code === "code_wrong" && code === given) code = null;
    throw error;
  }
}

/** Opens the door with a code that was typed in: the access code, or the director's, which makes this browser his. */
export const open = (code) =>
  post("/session", { code }).catch((wrong) =>
    post("/director", { code }).catch(() => {
      throw wrong;
    }),
  );

/** {there, you}: whether the server has a director, and whether this browser is his. */
export const director = () => get("/director");

/** Waits so long; for trying again. */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
