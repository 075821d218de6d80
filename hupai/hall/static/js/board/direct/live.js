// Live hands: who lets them be shown, how late they are, and the tokens of their overlay and cameras.
import { post } from "../../api/api.js";
import { h } from "../../dom/dom.js";
import { button, fold, form, submitKey, textField, toggle } from "../../controls/fields.js";
import { SEATS } from "../../hand/seats.js";
import { t } from "../../words/i18n.js";
import { LATEST } from "../scenes.js";
import { attempt, board } from "../state.js";
import { clock, w } from "../words.js";
import { tellCup } from "./change.js";
import { showToken } from "./tokens.js";

/** @type {{cup: string, delay: string} | null} */
let typed = null; // a delay that is being changed

/**
 * The seats of a table, each with its player's consent, and the token of the cameras there.
 * @type {(cup: Cup, table: CupTable) => Child}
 */
function tableSeats(cup, { table, players }) {
  const seat = (/** @type {CupTable["players"][number]} */ { number, name }, /** @type {number} */ i) => {
    const said = cup.live.players.find(({ player }) => player === number);
    const note = () => tellCup(cup, "/live/consent", { table, seat: SEATS[i], given: !said });
    return h(
      "li",
      { key: number },
      toggle(`live-${table}-${SEATS[i]}`, `${t(`seat.${SEATS[i]}.sign`)} ${name}`, Boolean(said), note),
      said && h("small.soft", `${said.by} · ${clock(said.at)}`),
    );
  };
  const camera = { name: table, role: "camera", table, tournament: cup.id };
  return h(
    "li",
    { key: table },
    h("b", w("table.title", { name: table })),
    h("ul.live-seats", players.map(seat)),
    button(
      `live-camera-${table}`,
      w("live.camera"),
      () => attempt(async () => showToken(await post("/tokens", camera))),
      {
        look: "quiet",
      },
    ),
  );
}

/** The card of the director. */
export function livePart(/** @type {Cup} */ cup) {
  const tables = cup.rounds.at(-1)?.tables;
  if (!tables) return null;
  const now = typed?.cup === cup.id ? typed : { cup: cup.id, delay: String(cup.live.delay) };
  typed = now;
  const overlay = { name: w("live.title"), role: "overlay", live: true };
  return fold(`live-${cup.id}`, w("live.title"), [
    h("p.hint", w("live.text")),
    h("ul.live-tables", tables.map((table) => tableSeats(cup, table))),
    form(
      "row",
      () => tellCup(cup, "/live/delay", { seconds: Number(now.delay) }, () => (typed = null)),
      textField("live-delay", w("live.delay"), now.delay, (delay) => (now.delay = delay), {
        type: "number",
        min: 0,
        max: LATEST,
        required: true,
        inputmode: "numeric",
      }),
      submitKey(w("cup.change"), { key: "live-delay" }),
    ),
    board.director.you &&
    button(
      "live-overlay",
      w("live.overlay"),
      () => attempt(async () => showToken(await post("/tokens", overlay), { scene: "live" })),
    ),
  ]);
}
