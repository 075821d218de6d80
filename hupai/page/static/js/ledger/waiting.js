// The waiting queue on screen: the key that keeps a hand for later, and the card that shows all entries.
import { app, theGame } from "../state/app.js";
import { currentRules } from "../state/rules.js";
import { h, icon } from "../dom/dom.js";
import { list, t } from "../words/i18n.js";
import { openGame } from "../state/table.js";
import { canWait, drop, feltIsFree, keepForLater, layWaiting } from "../scoring/queue.js";
import { onEntered, waiting } from "../state/queue.js";
import { totalWords } from "../words/words.js";
import { seatName } from "../names/seats.js";
import { ownWord } from "../names/systems.js";
import { openKept } from "./outcomes.js";
import { button, faultsOf } from "../controls/fields.js";
import { attempt, notice } from "../controls/notice.js";
import { confirmSheet } from "../controls/sheet.js";
import { tileNames, tilePicture } from "../faces/tile.js";
import { announce } from "./undo.js";
import { howWords } from "../handeditor/who.js";

onEntered(announce);

function keep() {
  keepForLater();
  location.hash = "#/hand";
  notice(t(app.game ? "queue.kept_game" : "queue.kept"));
}

/** The key that keeps the hand on the felt for later; null if it is incomplete. */
export const keepKey = (look = "main wide") =>
  canWait() ? button("keep-later", t("queue.keep"), keep, { look, sign: "check" }) : null;

async function discard(/** @type {Waiting} */ entry) {
  if (await confirmSheet(t("queue.drop"), t("queue.drop_text"), t("queue.drop"))) drop(entry.key);
}

function look(/** @type {Waiting} */ entry) {
  if (entry.draft.outcome) return openKept(entry);
  if (!feltIsFree()) return notice(t("queue.felt_busy"));
  layWaiting(entry);
  location.hash = "#/hand";
  return undefined;
}

const open = (/** @type {Waiting} */ entry) => attempt(() => openGame(entry.game ?? ""));

const codesIn = (/** @type {Hand} */ { concealed, winning, melds }) =>
  [...melds.flatMap(({ tiles }) => tiles), ...concealed, ...(winning ? [winning] : [])].map(({ code }) => code);

function handWords(/** @type {WaitingDraft} */ { answers, hand }, /** @type {Seating} */ at) {
  const codes = codesIn(hand);
  return [
    h("b", answers.seat && answers.win ? howWords(answers, at) : t("queue.hand")),
    h(
      "span.unit-tiles",
      { role: "img", "aria-label": tileNames(codes) },
      codes.map((code) => tilePicture(code, { label: null })),
    ),
  ];
}

// A short description of an entry without tiles: its kind, and the people it is about.
function saidWords(/** @type {WaitingDraft} */ { outcome, said }, /** @type {Seating} */ at) {
  const name = (/** @type {Seat} */ seat) => seatName(seat, at);
  const names = (/** @type {Seat[] | undefined} */ seats, /** @type {string} */ words) =>
    (seats ?? []).length > 0 && h("small.soft", `${words} ${list((seats ?? []).map(name))}`);
  if (outcome === "told") {
    const [{ context, result }] = said.wins;
    const worth = at && totalWords({ unit: currentRules().unit, ...result });
    return [h("b", howWords(context, at)), h("small.soft", worth || ownWord("outcome.told"))];
  }
  /** @type {Record<string, () => unknown>} */
  const about = {
    draw: () => [
      names(said.riichi, t("draw.riichi")),
      names(said.ready, t("draw.ready")),
      names(said.nagashi, t("draw.nagashi")),
    ],
    payment: () =>
      said.transfers.map((/** @type {any} */ { from, to, amount, why }) =>
        h("span", t("pay.line", { from: name(from), to: name(to), amount }), h("small.soft", ` ${why}`))
      ),
    false_win: () => names([said.offender], t("false_win.who")),
    instant: () => names([said.seat], t(`instant.${said.event}`)),
  };
  return [h("b", t(`outcome.${outcome}`)), about[outcome ?? "draw"]()];
}

function row(/** @type {Waiting} */ entry) {
  const { draft, fault } = entry;
  const elsewhere = entry.game && entry.game !== app.game?.id;
  const at = entry.game && !elsewhere ? { ...theGame(), seats: draft.seen?.seats ?? theGame().seats } : null;
  /** @type {(name: string, sign: string, words: string, act: (entry: Waiting) => unknown) => Child} */
  const key = (name, sign, words, act) => button(`queue-${name}-${entry.key}`, words, () => act(entry), { sign });
  return h(
    "li.stack",
    { key: entry.key },
    draft.outcome ? saidWords(draft, at) : handWords(draft, at),
    elsewhere && h("small.soft", t("queue.other", { name: entry.name || t("game.title") })),
    fault &&
      h(
        "p.caution",
        icon("warn"),
        h("span", fault.code === "game_moved_on" ? t("meanwhile.changed") : faultsOf(fault)[0].message),
      ),
    h(
      "div.three",
      elsewhere
        ? key("open", "people", t("queue.open"), open)
        : key("look", draft.outcome ? "check" : "tiles", t(draft.outcome ? "queue.look_entry" : "queue.look"), look),
      key("drop", "bin", t("queue.drop"), discard),
    ),
  );
}

/** Whether an entry waits for a person, no longer for the host. */
export const needsLook = () => waiting().some((entry) => entry.fault && entry.game === app.game?.id);

/** The card with all waiting entries; null if there are none. */
export function queueCard() {
  const entries = waiting();
  if (!entries.length) return null;
  const stuck = needsLook();
  const own = entries.some((entry) => entry.game);
  return h(
    "section.card.stack.queue",
    { "aria-label": t("queue.title", { n: entries.length }) },
    h("h2", icon(stuck ? "warn" : "offline"), t("queue.title", { n: entries.length })),
    h("p.soft", t(stuck ? "queue.stuck" : own ? "queue.text_game" : "queue.text")),
    h("ol", entries.map(row)),
  );
}
