// Tokens: the director makes one for each person, table or overlay, shows it once, and withdraws it.
import { get, post, remove } from "../../host/api.js";
import { h } from "../../parts/dom.js";
import { button, select, textField } from "../../controls/fields.js";
import { openSheet } from "../../controls/sheet.js";
import { broadcastForm } from "./broadcast.js";
import { fold } from "../fold.js";
import { attempt, board, redraw } from "../state.js";
import { w } from "../words.js";

const ROLES = ["viewer", "overlay", "table", "scorer", "director"];
const form = { name: "", role: "table", table: "" };
/** @type {any[] | null} */
let tokens = null;
let making = false;

async function ask() {
  tokens = (await get("/tokens")).tokens;
  redraw("cup");
}

/** @param {any} made */
const address = (
  made,
) => [
  h("img.qr", { alt: made.url, src: `data:image/svg+xml,${encodeURIComponent(made.svg)}` }),
  h("p", h("code.token", made.url)),
];

// An overlay's address must say what it shows, and nobody opens it by scanning a code.
/** @param {any} made */
function show(made) {
  openSheet(
    made.name,
    (sheet) =>
      h(
        "div.stack",
        h("p.hint", w("tokens.text")),
        made.role === "overlay" ? broadcastForm("stream", made.url, sheet.refresh) : address(made),
      ),
  );
}

const make = () =>
  attempt(async () => {
    making = true;
    const made = await post("/tokens", {
      name: form.name,
      role: form.role,
      table: form.role === "table" ? form.table : null,
    }).finally(() => (making = false));
    Object.assign(form, { name: "", table: "" });
    show(made);
  }, ask);

/** @param {any} token */
const line = (token) =>
  h(
    "li",
    { class: token.withdrawn_at ? "left" : "", key: token.id },
    h(
      "span.name",
      token.name,
      h(
        "small.soft",
        ` ${
          [w(`role.${token.role}`), token.table, token.withdrawn_at && w("tokens.withdrawn")].filter(Boolean).join(
            " · ",
          )
        }`,
      ),
    ),
    !token.withdrawn_at &&
      button(`token-${token.id}`, w("tokens.withdraw"), () => attempt(() => remove(`/tokens/${token.id}`), ask), {
        look: "quiet",
      }),
  );

/** The tokens section of the board, for the director. */
export function tokensPart() {
  if (!board.director.you) return null;
  if (tokens === null) {
    tokens = [];
    ask().catch(() => (tokens = null));
  }
  return h(
    "section.card",
    fold(
      "tokens",
      false,
      w("tokens.title"),
      h("ul.people", tokens.map(line)),
      h(
        "form.stack",
        {
          onsubmit: (event) => {
            event.preventDefault();
            if (!making) make(); // a second click would make a token that nobody has
          },
        },
        textField("token-name", w("tokens.name"), form.name, (v) => (form.name = v), { required: true, maxlength: 40 }),
        select(
          "token-role",
          w("tokens.role"),
          ROLES.map((value) => ({ value, label: w(`role.${value}`) })),
          form.role,
          (role) => {
            form.role = role;
            redraw("cup");
          },
        ),
        form.role === "table" &&
          textField("token-table", w("tokens.table"), form.table, (v) => (form.table = v), {
            required: true,
            maxlength: 80,
          }),
        h("button.button", { "data-key": "make-token" }, w("tokens.make")),
      ),
    ),
  );
}
