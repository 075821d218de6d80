// Tokens: the director makes one for each person, table or overlay, shows it once, and withdraws it.
import { get, post, remove } from "../../api/api.js";
import { h } from "../../dom/dom.js";
import { button, fold, form, select, submitKey, textField } from "../../controls/fields.js";
import { openSheet } from "../../controls/sheet.js";
import { broadcastForm, chooseScene } from "./broadcast.js";
import { LATEST } from "../scenes.js";
import { attempt, board, redraw } from "../state.js";
import { w } from "../words.js";

const ROLES = ["viewer", "overlay", "table", "camera", "scorer", "director", "entrant"];
const LOOKING = ["viewer", "overlay"]; // roles that may see everything late
const OF_TABLE = ["table", "camera"]; // roles at one table
const OF_CUP = [...OF_TABLE, "entrant"]; // roles in one tournament, the one that is shown
const typed = { name: "", role: "table", table: "", delay: "" };
/** @type {any[] | null} */
let tokens = null;
let making = false;

async function ask() {
  tokens = (await get("/tokens")).tokens;
  redraw("cup");
}

/** What a role is for, in words. */
const roleWords = (/** @type {string} */ role, /** @type {string | undefined} */ cup) =>
  [w(`role.${role}`, { cup }), OF_TABLE.includes(role) && cup].filter(Boolean).join(" · ");

const address = (/** @type {any} */ { url, svg }) => [
  h("img.qr", { alt: url, src: `data:image/svg+xml,${encodeURIComponent(svg)}` }),
  h("p", h("code.token", url)),
];

/**
 * Shows a token this once. An overlay's address must say what it shows, and nobody opens it by scanning a code; a
 * camera has no page.
 * @param {any} made
 * @param {{scene?: string}} options the scene that an overlay's address begins with
 */
export function showToken(made, { scene } = {}) {
  if (scene) chooseScene(scene);
  const asAddress = () =>
    made.role === "camera" ? h("p", h("code.token", { "data-key": "token" }, made.token)) : address(made);
  openSheet(
    made.name,
    (sheet) =>
      h(
        "div.stack",
        h("p.hint", w("tokens.text")),
        made.role === "overlay" ? broadcastForm("stream", made.url, sheet.refresh) : asAddress(),
      ),
  );
}

function make() {
  if (making) return; // a second click would make a token that nobody has
  making = true;
  const { name, role, table } = typed;
  const delay = LOOKING.includes(role) ? Number(typed.delay) : 0;
  attempt(async () => {
    const cup = board.cup?.id ?? null;
    const what = { table: OF_TABLE.includes(role) ? table : null, tournament: OF_CUP.includes(role) ? cup : null };
    const made = await post("/tokens", { name, role, delay, ...what })
      .finally(() => (making = false));
    Object.assign(typed, { name: "", table: "", delay: "" });
    showToken(made);
  }, ask);
}

function line(/** @type {any} */ { id, name, role, table, tournament, delay, live, withdrawn_at: gone }) {
  const cup = board.cups.find(({ id }) => id === tournament)?.name;
  const about = [
    roleWords(role, cup),
    table,
    delay > 0 && `−${delay} s`,
    live && w("live.title"),
    gone && w("tokens.withdrawn"),
  ].filter(Boolean)
    .join(" · ");
  const withdraw = () => attempt(() => remove(`/tokens/${id}`), ask);
  return h(
    "li",
    { class: gone ? "left" : "", key: id },
    h("span.name", name, h("small.soft", ` ${about}`)),
    !gone && button(`token-${id}`, w("tokens.withdraw"), withdraw, { look: "quiet" }),
  );
}

/** The tokens section of the board, for the director. */
export function tokensPart() {
  if (!board.director.you) return null;
  if (tokens === null) {
    tokens = [];
    ask().catch(() => (tokens = null));
  }
  const roles = ROLES.filter((role) => !["camera", "entrant"].includes(role) || board.cup)
    .map((value) => ({ value, label: roleWords(value, board.cup?.name) }));
  const choose = (/** @type {string} */ role) => {
    typed.role = role;
    redraw("cup");
  };
  const inside = [
    h("ul.people", tokens.map(line)),
    form(
      "stack",
      make,
      textField("token-name", w("tokens.name"), typed.name, (v) => (typed.name = v), { required: true, maxlength: 40 }),
      select("token-role", w("tokens.role"), roles, typed.role, choose),
      OF_TABLE.includes(typed.role) &&
        textField("token-table", w("tokens.table"), typed.table, (v) => (typed.table = v), {
          required: true,
          maxlength: 80,
        }),
      LOOKING.includes(typed.role) &&
        textField("token-delay", w("tokens.delay"), typed.delay, (v) => (typed.delay = v), {
          type: "number",
          min: 0,
          max: LATEST,
          inputmode: "numeric",
        }),
      submitKey(w("tokens.make"), { key: "make-token" }),
    ),
  ];
  return h("section.card", fold("tokens", w("tokens.title"), inside));
}
