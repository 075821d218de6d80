// The selected hand: its tiles with doubts, the questions, its score, and the director's actions.
import { post } from "../../host/api.js";
import { h, icon } from "../../parts/dom.js";
import { number, signed, t } from "../../words/i18n.js";
import { seatName } from "../../names/seats.js";
import { rich, sentence } from "../../names/phrases.js";
import { elementName } from "../../names/systems.js";
import { tileName } from "../../faces/tile.js";
import { doubtWords } from "../../felt/doubt.js";
import { totalWords } from "../../words/words.js";
import { answer, answersOf, askingPart, canScore, confirmBody, otherWinners, winnerSeat } from "./questions.js";
import { addPart, editTile } from "./edit.js";
import { handRow } from "../handrow.js";
import { attempt, board, faultsOf, look, onLook, redraw } from "../state.js";
import { winnersPart } from "./winners.js";
import { SEATS } from "../../hand/seats.js";
import { clock, w } from "../words.js";

const PAUSE_MS = 150;
const AGAIN_MS = 3000;
const scored = new Map(); // hand id -> {asked, result | faults, lost}; what was lost is asked for again
let timer = 0;

/** @param {Laid} hand */
const askedOf = (hand) => JSON.stringify([hand.version, hand.game_id, board.game?.revision, confirmBody(hand)]);
/** @param {Laid} hand */
const isOpen = (hand) => hand?.status === "settled" && board.game !== null;

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
      scored.set(hand.id, {
        asked,
        lost,
        faults: lost ? faultsOf(error) : error.faults?.length ? error.faults : [{ message: error.message }],
      });
      if (lost) rescore(AGAIN_MS);
    }
    redraw("table");
  }, ms);
}

onLook(() => rescore());

function redrawAndScore() {
  redraw("table");
  rescore();
}

/** @param {Answers} values */
function change(values) {
  if (board.hand) answer(board.hand, values);
  redrawAndScore();
}

/** @param {Laid} hand */
const current = (hand) => {
  const found = isOpen(hand) && canScore(hand) ? scored.get(hand.id) : null;
  return found?.asked === (found && askedOf(hand)) ? found : null;
};

/**
 * The lines of a score.
 * @param {any} score
 */
function scoreLines(score) {
  return h(
    "div.score-lines",
    h(
      "ul",
      score.elements.map((/** @type {any} */ e) =>
        h("li", h("span", elementName(score.rules, e), e.count > 1 && ` ×${e.count}`), h("b", number(e.value)))
      ),
    ),
    h("p.score-total", totalWords(score.total)),
  );
}

/**
 * Who gets or pays how much: [name, amount] each.
 * @param {[string, Money][]} lines
 */
const paidList = (lines) =>
  h(
    "ul.paid",
    lines.map(([name, amount]) =>
      h("li", h("span", name), h("b", { class: Number(amount) < 0 ? "loss" : "gain" }, signed(amount)))
    ),
  );

/**
 * Payments by seat, with the names where they are known.
 * @param {Record<string, Money>} paid
 */
export const payments = (paid) =>
  paidList(
    [...SEATS, "pot"].filter((s) => s !== "pot" || Number(paid.pot) !== 0).map((seat) => [seatName(seat), paid[seat]]),
  );

/** @param {Laid} hand */
function outcome(hand) {
  const found = current(hand);
  if (!found) return null;
  if (found.faults) {
    return h(
      "ul.faults",
      found.faults.map((/** @type {any} */ f) => h("li", icon("warn"), h("span", rich(sentence(f.message))))),
    );
  }
  const { scores, payments: paid } = found.result;
  const winners = [hand, ...otherWinners(hand)];
  const whose = (/** @type {any} */ score) =>
    winners.length > 1 && h("h4", seatName(winnerSeat(winners.find((one) => one.id === score.id))));
  return h(
    "section.card.stack",
    { "data-part": "outcome" },
    scores.map((/** @type {any} */ score) => [whose(score), scoreLines(score)]),
    payments(paid),
  );
}

// A short summary of what the main key would enter; the details are shown above it.
/**
 * @param {Laid} hand
 * @param {any} found
 */
function summary(hand, found) {
  if (!board.game) return null;
  if (!found) return h("small.soft", canScore(hand) ? "…" : w("act.answer_first"));
  if (found.faults) return [icon("warn"), rich(sentence(found.faults[0].message))];
  const { payments: paid, scores } = found.result;
  const gains = SEATS.filter((s) => Number(paid[s]) > 0).map((s) => `${seatName(s)} ${signed(paid[s])}`);
  return [...scores.map((/** @type {Api.ScoreBody} */ s) => totalWords(s.total)), ...gains].join(" · ");
}

/** @param {Laid} hand */
function actions(hand) {
  const found = current(hand);
  const act = (
    /** @type {string} */ name,
    /** @type {string} */ kind,
    /** @type {() => unknown} */ run,
    disabled = false,
  ) =>
    h(
      "button",
      { class: `button ${kind}`, type: "button", "data-key": `act-${name}`, disabled, onclick: run },
      w(`act.${name}`),
    );
  const { id, version } = hand;
  const send = (/** @type {string} */ what, /** @type {any} */ body) =>
    attempt(async () => {
      await post(`/laid/${id}/${what}`, body);
      board.picked = what === "undo" ? id : null;
    });
  if (hand.status === "confirmed") return h("div.row", act("undo", "", () => send("undo", { version })));
  if (hand.status === "dismissed") {
    return h("div.row", act("restore", "", () => send("correct", { version, hand: hand.hand })));
  }
  return h(
    "div.row.acts",
    act("confirm", "main", () =>
      send("confirm", {
        ...confirmBody(hand),
        version,
        seen: { revision: found.result.revision },
        expected_payments: found.result.payments,
      }), !found?.result),
    act("dismiss", "", () => send("dismiss", { version })),
    h("span.acts-sum", { role: "status" }, summary(hand, found)),
  );
}

// What the camera is unsure of, and where the rules read a tile differently from the recogniser.
/** @param {Partial<Api.ReadBody>} [reading] */
function doubtList({ doubts = [], repairs = [], tiles = [] } = {}) {
  const tile = (
    /** @type {Api.DoubtBody} */ d,
  ) => (d.tile !== null && tiles[d.tile] ? `${tileName(tiles[d.tile].tile)}: ` : "");
  const lines = [
    ...doubts.map((d) => tile(d) + doubtWords(d.code, d)),
    ...repairs.map((r) => t("doubt.repaired", { read: tileName(r.read), used: tileName(r.used) })),
  ];
  return lines.length > 0 &&
    h("ul.faults", [...new Set(lines)].map((line) => h("li", icon("query"), h("span", line))));
}

/** @param {Laid} hand */
function picture(hand) {
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
  return h(
    "ul.laid-list",
    { "aria-label": w("laid.list") },
    hands.slice(0, 12).map((hand) =>
      h(
        "li",
        { key: hand.id },
        h(
          "button",
          {
            class: `laid-item ${hand.status}`,
            type: "button",
            "data-key": `hand-${hand.id}`,
            "aria-pressed": String(hand.id === board.hand?.id),
            onclick: () => {
              board.picked = hand.id;
              attempt(() => {}, look);
            },
          },
          h("b", clock(hand.settled_at)),
          h("small", w(`status.${hand.status}`)),
        ),
      )
    ),
  );
}

/** The selected hand. */
export function laidPart() {
  const { hand, game } = board;
  if (!hand) return h("p.card", w("laid.none"));
  const mine = board.director.you;
  const unsure = new Set(
    (hand.reading?.doubts ?? []).flatMap(({ tile }) => hand.reading?.tiles[tile ?? -1]?.tile ?? []),
  );
  const open = hand.status === "settled";
  const editing = mine && open;
  return h(
    "div.stack",
    h(
      "section.card.stack",
      h(
        "h3",
        w(`status.${hand.status}`),
        h(
          "small.soft",
          ` · ${clock(hand.settled_at)}${hand.gone_at ? ` · ${w(hand.entered ? "laid.entered" : "laid.gone")}` : ""}`,
        ),
      ),
      h(
        "div.laid-view",
        h(
          "div.stack",
          handRow(hand.hand, {
            size: "small",
            onpick: editing ? (slot) => editTile(hand, slot) : null,
            doubtful: unsure,
          }),
          editing && addPart(hand, answersOf(hand), change),
          open && doubtList(hand.reading),
        ),
        picture(hand),
      ),
    ),
    open && !game && h("p.caution", icon("warn"), h("span", w("table.no_game"))),
    game && editing && askingPart(hand, change),
    game && editing && winnersPart(hand, redrawAndScore),
    outcome(hand),
    mine && actions(hand),
  );
}
