// The access code (viewers) and the director's code; both may come in the address after the #, which is not sent.
import { get, post } from "../host/api.js";

const TOKEN = "hupai-"; // a token is somebody's own, and given also where no code is needed
const asked = new URLSearchParams(location.hash.slice(1));

/** Opens the door with a code from the address, where one is needed; false when the page has to ask. */
export async function enter() {
  const code = asked.get("code");
  const about = await get("/about");
  if (!code?.startsWith(TOKEN) && (!about.code_needed || about.open)) return true;
  if (code) {
    await post("/session", { code });
    return true;
  }
  return false;
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
