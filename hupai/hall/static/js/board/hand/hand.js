// The selected hand: its tiles with doubts, the questions, its score, and the director's actions.
import { app } from "../../state/app.js";
import { on } from "../../state/signal.js";
import { post } from "../../api/api.js";
import { h, icon } from "../../dom/dom.js";
import { language, number, signed, t } from "../../words/i18n.js";
import { seatName } from "../../names/seats.js";
import { rich } from "../../faces/rich.js";
import { elementName } from "../../names/systems.js";
import { tileName } from "../../faces/tile.js";
import { button, faultList } from "../../controls/fields.js";
import { doubtWords } from "../../handeditor/doubt.js";
import { accountsOf } from "../../score/payments.js";
import { totalWords } from "../../words/words.js";
import { answer, answersOf, askingPart, canScore, confirmBody, otherWinners, winnerSeat } from "./questions.js";
import { addPart, laidRow } from "./edit.js";
import { attempt, board, boardFaults, look, redraw } from "../state.js";
import { winnersPart } from "./winners.js";
import { SEATS } from "../../hand/seats.js";
import { clock, w } from "../words.js";

const PAUSE_MS = 150;
const AGAIN_MS = 3000;
const scored = new Map(); // hand id -> {asked, result | faults, lost}; what was lost is asked for again
let timer = 0;

const askedOf = (/** @type {Laid} */ hand) =>
  JSON.stringify([language(), hand.version, hand.game_id, app.game?.revision, confirmBody(hand)]);
const isOpen = (/** @type {Laid} */ hand) => hand?.status === "settled" && app.game !== null;

const unanswered = (/** @type {Trouble} */ { status = 0 }) => status === 0 || status === 429 || status >= 500;

/** Requests the score for the current answers when anything it depends on has changed. */
export function rescore(ms = PAUSE_MS) {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const { hand } = board;
    if (!hand || !isOpen(hand) || !canScore(hand)) return;
    const asked = askedOf(hand);
    const before = scored.get(hand.id);
    if (before?.asked === asked && !before.lost) return;
    try {
      scored.set(hand.id, { asked, result: await post(`/laid/${hand.id}/score`, confirmBody(hand)) });
    } catch (error) {
      const lost = unanswered(error);
      scored.set(hand.id, { asked, lost, faults: boardFaults(error) });
      if (lost) rescore(AGAIN_MS);
    }
    redraw("table");
  }, ms);
}

on(["looked"], () => rescore());

function redrawAndScore() {
  redraw("table");
  rescore();
}

function change(/** @type {Answers} */ values) {
  if (board.hand) answer(board.hand, values);
  redrawAndScore();
}

const current = (/** @type {Laid} */ hand) => {
  const found = isOpen(hand) && canScore(hand) ? scored.get(hand.id) : null;
  return found?.asked === (found && askedOf(hand)) ? found : null;
};

/** The lines of a score. */
function scoreLines(/** @type {Api.ScoreBody} */ score) {
  return h(
    "div.score-lines",
    h(
      "ul",
      score.elements.map((e) =>
        h("li", h("span", elementName(score.rules, e), e.count > 1 && ` ×${e.count}`), h("b", number(e.value)))
      ),
    ),
    h("p.score-total", totalWords(score.total)),
  );
}

/** Payments by seat, with the names where they are known. */
const payments = (/** @type {Api.PaymentsBody} */ paid) =>
  h(
    "ul.paid",
    accountsOf(paid).map((seat) =>
      h(
        "li",
        h("span", seatName(seat)),
        h("b", { class: Number(paid[seat]) < 0 ? "loss" : "gain" }, signed(paid[seat])),
      )
    ),
  );

function outcome(/** @type {Laid} */ hand) {
  const found = current(hand);
  if (!found) return null;
  if (found.faults) return faultList(found.faults, "faults-outcome");
  const { scores, payments: paid } = found.result;
  const winners = [hand, ...otherWinners(hand)];
  const whose = (/** @type {Api.ScoreBody} */ score) =>
    winners.length > 1 && h("h4", seatName(winnerSeat(winners.find((one) => one.id === score.id))));
  return h(
    "section.card.stack",
    { "data-part": "outcome" },
    scores.map((/** @type {Api.ScoreBody} */ score) => [whose(score), scoreLines(score)]),
    payments(paid),
  );
}

// A short summary of what the main key would enter; the details are shown above it.
function summary(/** @type {Laid} */ hand, /** @type {any} */ found) {
  if (!app.game) return null;
  if (!found) return h("small.soft", canScore(hand) ? "…" : w("act.answer_first"));
  if (found.faults) return [icon("warn"), rich(found.faults[0].message)];
  const { payments: paid, scores } = found.result;
  const gains = SEATS.filter((s) => Number(paid[s]) > 0).map((s) => `${seatName(s)} ${signed(paid[s])}`);
  return [...scores.map((/** @type {Api.ScoreBody} */ s) => totalWords(s.total)), ...gains].join(" · ");
}

function actions(/** @type {Laid} */ hand) {
  const { id, version } = hand;
  const send = (/** @type {string} */ what, /** @type {object} */ body) =>
    attempt(async () => {
      await post(`/laid/${id}/${what}`, body);
      board.picked = what === "undo" ? id : null;
    });
  const act = (/** @type {string} */ name, /** @type {() => unknown} */ run) =>
    button(`act-${name}`, w(`act.${name}`), run);
  if (hand.status === "confirmed") return h("div.row", act("undo", () => send("undo", { version })));
  if (hand.status === "dismissed") {
    return h("div.row", act("restore", () => send("correct", { version, hand: hand.hand })));
  }
  const found = current(hand);
  const confirm = () =>
    send("confirm", {
      ...confirmBody(hand),
      version,
      seen: { revision: found.result.revision },
      expected_payments: found.result.payments,
    });
  const key = { "data-key": "act-confirm", disabled: !found?.result, onclick: confirm };
  return h(
    "div.row.acts",
    h("button.button.main", key, w("act.confirm")),
    act("dismiss", () => send("dismiss", { version })),
    h("span.acts-sum", { role: "status" }, summary(hand, found)),
  );
}

// What the camera is unsure of, and where the rules read a tile differently from the recogniser.
/** @param {Partial<Api.ReadBody>} [reading] */
function doubtList({ doubts = [], repairs = [], tiles = [] } = {}) {
  const tile = (
    /** @type {Api.DoubtBody} */ d,
  ) => (d.tile !== null && tiles[d.tile] ? t("label", { name: tileName(tiles[d.tile].tile) }) : "");
  const lines = [
    ...doubts.map((d) => tile(d) + doubtWords(d.code, d)),
    ...repairs.map((r) => t("doubt.repaired", { read: tileName(r.read), used: tileName(r.used) })),
  ];
  return lines.length > 0 &&
    h("ul.faults", [...new Set(lines)].map((line) => h("li", icon("query"), h("span", line))));
}

function picture(/** @type {Laid} */ hand) {
  if (!hand.frame) return null;
  const src = `/api/v1/frames/${hand.frame}`;
  return h(
    "a.audit-link",
    { href: src, target: "_blank", rel: "noopener" },
    h("img.audit", { src, alt: w("laid.frame") }),
  );
}

/** The table's last hands, to choose from. */
export function handsPart() {
  const hands = board.open?.hands ?? [];
  if (hands.length < 2) return null;
  const item = (/** @type {Laid} */ { id, status, settled_at: at }) => {
    const pick = () => {
      board.picked = id;
      attempt(() => {}, look);
    };
    return h(
      "li",
      { key: id },
      h(
        "button",
        {
          class: `laid-item ${status}`,
          "data-key": `hand-${id}`,
          "aria-pressed": String(id === board.hand?.id),
          onclick: pick,
        },
        h("b", clock(at)),
        h("small", w(`status.${status}`)),
      ),
    );
  };
  return h("ul.laid-list", { "aria-label": w("laid.list") }, hands.slice(0, 12).map(item));
}

/** The selected hand. */
export function laidPart() {
  const { hand } = board;
  const { game } = app;
  if (!hand) return h("p.card", w("laid.none"));
  const mine = board.director.you;
  const { doubts = [], tiles = [] } = hand.reading ?? {};
  const doubtful = new Set(doubts.flatMap(({ tile }) => tiles[tile ?? -1]?.tile ?? []));
  const open = hand.status === "settled";
  const edits = mine && open;
  const since = [clock(hand.settled_at), hand.gone_at && w(hand.entered ? "laid.entered" : "laid.gone")];
  return h(
    "div.stack",
    h(
      "section.card.stack",
      h("h3", w(`status.${hand.status}`), h("small.soft", since.filter(Boolean).map((one) => ` · ${one}`))),
      h(
        "div.laid-view",
        h(
          "div.stack",
          laidRow(hand, { edits, doubtful }),
          edits && addPart(hand, answersOf(hand), change),
          open && doubtList(hand.reading),
        ),
        picture(hand),
      ),
    ),
    open && !game && h("p.caution", icon("warn"), h("span", w("table.no_game"))),
    game && edits && askingPart(hand, change),
    game && edits && winnersPart(hand, redrawAndScore),
    outcome(hand),
    mine && actions(hand),
  );
}
