// The hands that wait for the host: the key that keeps one for later, and the card that shows them.
import { app, table } from "../app.js";
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { openGame } from "../ledger.js";
import { sentence } from "../phrases.js";
import { canWait, drop, feltIsFree, keepForLater, layWaiting, onEntered, waiting } from "../queue.js";
import { errorWords } from "../words.js";
import { notice, say } from "./announce.js";
import { confirmSheet } from "./sheet.js";
import { tileNames, tilePicture } from "./tile.js";
import { undoHand } from "./undo.js";
import { howWords } from "./who.js";

onEntered((numbers) => {
  const [number] = numbers.slice(-1);
  const words = numbers.map((n) => t("record.done", { n })).join(" ");
  say(words);
  notice(words, { action: t("undo"), act: () => undoHand(number) });
});

function keep() {
  keepForLater();
  location.hash = "#/hand";
  const words = t(app.game ? "queue.kept_game" : "queue.kept");
  say(words);
  notice(words);
}

/** The key that keeps the hand on the felt for later; null where it is not whole. */
export const keepKey = (look = "button main wide") =>
  canWait()
    ? h("button", { class: look, type: "button", "data-key": "keep-later", onclick: keep }, icon("check"), t("queue.keep"))
    : null;

async function discard(entry) {
  if (await confirmSheet(t("queue.drop"), t("queue.drop_text"), t("queue.drop"))) drop(entry.key);
}

function look(entry) {
  if (!feltIsFree()) return notice(t("queue.felt_busy"));
  layWaiting(entry);
  location.hash = "#/hand";
  return undefined;
}

async function open(entry) {
  try {
    await openGame(entry.game);
  } catch (error) {
    notice(errorWords(error) ?? sentence(error.message));
  }
}

const codesIn = ({ concealed, winning, melds }) =>
  [...melds.flatMap((meld) => meld.tiles), ...concealed, ...(winning ? [winning] : [])].map((tile) => tile.code);

function row(entry) {
  const { draft, fault } = entry;
  const elsewhere = entry.game && entry.game !== app.game?.id;
  const here = entry.game && !elsewhere;
  const said = draft.answers.seat && draft.answers.win;
  const how = said ? howWords(draft.answers, here ? { ...table(), seats: draft.seen.seats } : null) : t("queue.hand");
  const codes = codesIn(draft.hand);
  const key = (name, sign, words, act) =>
    h("button", { class: "button", type: "button", "data-key": `queue-${name}-${entry.key}`, onclick: () => act(entry) }, icon(sign), words);
  return h(
    "li",
    { class: "stack" },
    h("b", {}, how),
    elsewhere && h("small", { class: "soft" }, t("queue.other", { name: entry.name || t("game.title") })),
    h(
      "span",
      { class: "unit-tiles", role: "img", "aria-label": tileNames(codes) },
      codes.map((code) => tilePicture(code, { label: null })),
    ),
    fault && h("p", { class: "caution" }, icon("warn"), h("span", {}, fault.code === "game_moved_on" ? t("meanwhile.changed") : (errorWords(fault) ?? sentence(fault.faults[0]?.message ?? fault.message)))),
    h(
      "div",
      { class: "three" },
      elsewhere ? key("open", "people", t("queue.open"), open) : key("look", "tiles", t("queue.look"), look),
      key("drop", "bin", t("queue.drop"), discard),
    ),
  );
}

/** Whether one of them waits for a person, no longer for the host. */
export const needsLook = () => waiting().some((entry) => entry.fault && entry.game === app.game?.id);

/** All that wait; null where none do. */
export function queueCard() {
  const entries = waiting();
  if (!entries.length) return null;
  const stuck = needsLook();
  const own = entries.some((entry) => entry.game);
  return h(
    "section",
    { class: "card stack queue", "aria-label": t("queue.title", { n: entries.length }) },
    h("h2", {}, icon(stuck ? "warn" : "offline"), t("queue.title", { n: entries.length })),
    h("p", { class: "soft" }, t(stuck ? "queue.stuck" : own ? "queue.text_game" : "queue.text")),
    h("ol", {}, entries.map(row)),
  );
}
