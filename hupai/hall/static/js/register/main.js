// A player's phone, behind a tournament's QR code: registers for it, and shows what the director says; nothing else.
import "../board/corner.js";
import { boardTrouble, PERSON, sayWhyNot } from "../board/state.js";
import { admitted, keepUp } from "../board/door.js";
import { load, w } from "../board/words.js";
import { form, submitKey, textField } from "../controls/fields.js";
import { freshKey, get, post } from "../api/api.js";
import { recall, remember } from "../api/store.js";
import { byId, h, refill } from "../dom/dom.js";

const EVERY_MS = 5000;
/** @type {Record<string, string>} */
const typed = Object.fromEntries(PERSON.map((part) => [part, ""]));
/** @type {{tournament: string, registration: {state: string, name: string, reason: string | null} | null}} */
let seen = { tournament: "", registration: null };
let said = "";
let sent = 0; // how often something was sent; an answer to what was asked before is old

// Made before anything is sent, so that a retry registers nobody twice; another one after the director has declined.
function key() {
  if (!recall("registration", null)) remember("registration", freshKey());
  return recall("registration", null);
}

async function look() {
  const before = sent;
  const found = await get(`/registrations/${key()}`);
  if (before === sent) seen = found;
  draw();
}

async function send() {
  if (seen.registration?.state === "declined") remember("registration", undefined);
  try {
    seen = await post("/registrations", { ...typed, key: key() });
    sent += 1;
    said = "";
  } catch (error) {
    said = boardTrouble(error);
  }
  draw();
}

function draw() {
  const mine = seen.registration;
  document.title = w("register.title", { cup: seen.tournament });
  refill(byId("said"), said && h("p.caution", h("span", said)));
  refill(
    byId("main"),
    h(
      "section.card.stack",
      h("h1", w("register.title", { cup: seen.tournament })),
      mine && h(
        "p",
        { role: "status", class: mine.state === "declined" ? "caution" : "" },
        h("span", w(`register.${mine.state}`, { name: mine.name }), mine.reason && ` ${mine.reason}`),
      ),
      (!mine || mine.state === "declined") && form(
        "stack",
        send,
        PERSON.map((part) =>
          textField(part, w(`person.${part}`), typed[part], (text) => (typed[part] = text), {
            required: part === "name",
            maxlength: 40,
          })
        ),
        h("p.hint", w("register.hint")),
        submitKey(w("register.send"), { look: "main" }),
      ),
    ),
  );
}

async function begin() {
  await load();
  await admitted(look, sayWhyNot(w("register.no_code")));
  keepUp(look, EVERY_MS);
}

begin();
