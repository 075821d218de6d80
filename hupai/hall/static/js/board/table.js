// The open table: its pages, the state of its game, other outcomes, and the hands that were laid.
import { handWords } from "../names/changes.js";
import { remove } from "../api/api.js";
import { app } from "../state/app.js";
import { currentRules } from "../state/rules.js";
import { on } from "../state/signal.js";
import { h, icon } from "../dom/dom.js";
import { button, fold } from "../controls/fields.js";
import { number, signed, t } from "../words/i18n.js";
import { rulesName } from "../names/systems.js";
import { roundWords } from "../words/words.js";
import { outcomeKeys } from "../ledger/outcomes.js";
import { confirmSheet } from "../controls/sheet.js";
import { undoHand } from "../ledger/undo.js";
import { aim } from "./direct/aim.js";
import { openEntry } from "./hand/enter.js";
import { handsPart, laidPart } from "./hand/hand.js";
import { attempt, board, choose, chosenTable, refresh } from "./state.js";
import { seatsTaken } from "../hand/seats.js";
import { stateOf } from "./tables.js";
import { w } from "./words.js";

// A draw or payment entered in one of the phone page's sheets arrives as a change of the game.
on(["game"], () => app.game && attempt(() => {}, refresh));

async function forget(/** @type {CameraTable} */ table) {
  if (!(await confirmSheet(w("table.forget"), w("table.forget_text", { name: table.name }), w("table.forget")))) return;
  await attempt(() => remove(`/tables/${encodeURIComponent(table.name)}`).then(() => choose(table.name)));
}

function links(/** @type {CameraTable} */ table) {
  return h(
    "div.row",
    h("h2", w("table.title", { name: table.name })),
    h("a.button.quiet", {
      href: `/overlay.html?table=${encodeURIComponent(table.name)}`,
      target: "_blank",
      rel: "noopener",
    }, w("table.overlay")),
    board.director.you && table.watched &&
      button("aim", w("table.aim"), () => aim(table), { look: "quiet" }),
    board.director.you && (!table.watched || table.silent) &&
      button("forget", w("table.forget"), () => forget(table), { look: "quiet" }),
  );
}

/** The camera's picture, where tiles lie still and no hand can be read in them. */
const unread = (/** @type {CameraTable} */ table) =>
  ["unread", "glare"].includes(stateOf(table)) && h(
    "section.card.stack",
    h("p.caution", icon("warn"), h("span", w(`table.${stateOf(table)}`))),
    h("img.preview", { src: `/api/v1/tables/${encodeURIComponent(table.name)}/preview`, alt: w("table.picture") }),
  );

function places(/** @type {Game} */ { players, seats }) {
  const place = (/** @type {Seat} */ seat) => {
    const { name, total } = players[seats[seat]];
    const wind = h("span.wind", { title: t(`seat.${seat}`) }, t(`seat.${seat}.sign`));
    return h("li", wind, h("span.name", name), h("b", number(total)));
  };
  return h("ul.game-places", seatsTaken().map(place));
}

/** @type {(hand: LedgerHand, game: Game, last: LedgerHand | undefined) => Child} */
function entry(hand, game, last) {
  const paid = hand.payments.map((amount, i) => Number(amount) !== 0 && `${game.players[i].name} ${signed(amount)}`)
    .filter(Boolean).join(", ");
  const undo = () => undoHand(hand.number);
  return h(
    "li",
    { class: hand.undone_at ? "undone" : "", key: hand.number },
    h("b", hand.number),
    h(
      "span",
      handWords(hand, game),
      " ",
      h("small.soft", paid),
      hand.undone_at && h("em", ` ${t("game.taken_back")}`),
    ),
    board.director.you && hand === last &&
      button("undo-last", t("game.undo", { n: hand.number }), undo, { look: "quiet", sign: "undo" }),
  );
}

function gamePart(/** @type {Game} */ game) {
  const rules = currentRules();
  const last = game.hands.findLast((hand) => !hand.undone_at);
  const sticks = game.state.riichi_sticks;
  const about = [game.name, rulesName(rules), sticks > 0 && t("game.sticks", { n: sticks })].filter(Boolean);
  return h(
    "section.card.stack",
    h(
      "div.row",
      h("h3", game.ended ? t("game.over") : roundWords(game)),
      h("small.soft", about.join(" · ")),
    ),
    places(game),
    board.director.you && !game.ended && h(
      "div.row",
      button("enter", w("enter.title"), () => openEntry((laid) => (board.picked = laid.id))),
      outcomeKeys(),
    ),
    game.hands.length > 0 &&
      fold(
        "fold-ledger",
        w("game.last"),
        h("ol.ledger", game.hands.toReversed().map((hand) => entry(hand, game, last))),
      ),
  );
}

/** Everything about the open table. */
export function tablePart() {
  const table = chosenTable();
  if (!table || !board.open) return null;
  return h(
    "section.stack",
    { "aria-label": table.name },
    links(table),
    unread(table),
    handsPart(),
    laidPart(),
    app.game && gamePart(app.game),
  );
}
