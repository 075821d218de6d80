// The hand's score, its explanation, and the payments; from here the hand is entered in the ledger.
import { app } from "../state/app.js";
import { currentOptions, currentRules } from "../state/rules.js";
import { emit, questions } from "../state/signal.js";
import { post } from "../api/api.js";
import { h, icon } from "../dom/dom.js";
import { button } from "../controls/fields.js";
import { language, list, number, signed, t } from "../words/i18n.js";
import { finishedScore, lastScore, lost, requestNow, rescore, scoreNow, withoutOwnStick } from "../scoring/live.js";
import { rich } from "../faces/rich.js";
import { elementName, nativeName, ownWord, rulesName } from "../names/systems.js";
import { factsCard } from "../handeditor/facts.js";
import { unreadWords } from "../camera/reading.js";
import { reviewKey } from "../handeditor/tilesheet.js";
import { correctingCard } from "../ledger/correctcard.js";
import { attempt } from "../controls/notice.js";
import { correctionCard } from "../camera/samples.js";
import { meanwhileCard } from "../ledger/meanwhile.js";
import { netOf, netTable, payments } from "../score/payments.js";
import { indicatorField } from "../handeditor/rarequestions.js";
import { leaveRecord, recordCard } from "../ledger/record.js";
import { tileNames, tilePicture } from "../faces/tile.js";
import { howWords } from "../handeditor/who.js";
import { whyMore } from "../score/whymore.js";
import { limitWords, totalWords, troubleWords } from "../words/words.js";

export const title = () => t("score.title");
export const className = "two";

/** @type {ReturnType<typeof questions<Api.ScoresBody>>} */
const askAll = questions("all");
/** @type {{whole: string} | null} */
let wanted = null; // what is compared: only the hand, answers and rules for which that was asked
/** @type {string | null} */
let indicator = null; // the Hangzhou indicator, asked for here if the hand's own rules do not ask for it

/**
 * What is shown of the score; null without one.
 * @template T
 * @param {(score: Scored) => T} draw
 */
function withScore(draw) {
  const score = finishedScore(lastScore());
  return score && draw(score);
}

function nothing() {
  return h(
    "div.card.stack",
    h("p", scoreNow()?.state === "failed" ? troubleWords(scoreNow()?.error) : t("score.nothing")),
    h("a.button.main", { href: "#/hand" }, icon("back"), t("back_to_hand")),
    scoreNow()?.state === "failed" &&
      button(null, t("retry"), () => rescore(), { sign: "retry" }),
  );
}

// While a new score is on its way, the one shown belongs to the earlier answers.
const stale = () => scoreNow()?.state === "wait";

function hero(/** @type {Scored} */ score) {
  const { answer, request } = score;
  const { total } = answer;
  const net = answer.legal && netOf(score);
  return h(
    "section",
    { class: `hero felt ${answer.legal ? "" : "refused"} ${stale() ? "stale" : ""}` },
    stale() && h("p.stale-words", { role: "status" }, t("score.stale")),
    h("p.hero-how", howWords(request.context)),
    net && netTable(net, t("pay.title")),
    answer.legal
      ? h("h2.hero-total", { tabindex: -1 }, totalWords(total))
      : h("h2.hero-total", { tabindex: -1 }, t("score.no_win")),
    answer.legal &&
      total?.points !== undefined &&
      h("p.hero-points", t("score.points", { n: number(/** @type {Money} */ (total.points)) })),
    answer.legal &&
      total?.limit &&
      // Riichi's limits have names of their own.
      h("p.hero-limit", total.unit === "han" ? limitWords(total) : t("score.limit", { name: limitWords(total) })),
    answer.legal &&
      String(total?.uncapped) !== String(total?.value) &&
      h("p.hero-limit", t("score.uncapped", { n: number(/** @type {Money} */ (total?.uncapped)) })),
    !answer.legal && h("p.reason", rich(answer.reason?.message ?? "")),
    answer.arrangement.length > 0 && arrangement(answer.arrangement),
    reviewKey(t("doubt.counted")),
    answer.legal && !stale() && shareKey(score),
  );
}

function arrangement(/** @type {Api.UnitBody[]} */ units) {
  return h(
    "ol.units",
    { "aria-label": t("score.arrangement") },
    units.map((unit) => {
      const kind = ownWord(`unit.${unit.type}`);
      const notes = [kind, tileNames(unit.tiles)];
      if (unit.completed_by_winning_tile) notes.push(t("unit.won"));
      return h(
        "li",
        { class: `unit ${unit.completed_by_winning_tile ? "won" : ""}`, "aria-label": notes.join(", ") },
        h(
          "span.unit-tiles",
          { "aria-hidden": "true" },
          unit.tiles.map((code) => tilePicture(code, { label: null })),
        ),
        h("small", { "aria-hidden": "true" }, kind, unit.completed_by_winning_tile && h("b", " 胡")),
      );
    }),
  );
}

function lines(/** @type {Scored} */ score) {
  const { answer } = score;
  const { unit } = answer.total ?? {};
  const value = (/** @type {number} */ n) => (unit === "factor" ? `× ${number(n)}` : signed(n));
  return h(
    "section.card",
    h("h2", t("score.lines")),
    answer.elements.length === 0 ? h("p.soft", t("score.no_lines")) : h(
      "ul.lines",
      answer.elements.map((line) =>
        h(
          "li",
          h("div.line-name", h("b", elementName(answer.rules, line)), original(answer.rules, line)),
          h(
            "span.line-value",
            value(line.value),
            typeof line.listed === "number" && h("small", t("rules.listed", { value: value(line.listed) })),
          ),
          h("p.soft", rich(line.why)),
        )
      ),
    ),
    sums(answer),
    whyMore(score),
  );
}

// The name in the original script, if the name shown is another.
function original(/** @type {string} */ rulesId, /** @type {Api.ElementLine} */ line) {
  const native = nativeName(rulesId, line);
  return native && h("span.native", { lang: rulesId === "riichi" ? "ja" : "zh-Hant" }, native);
}

// The steps of the calculation that the explanation gives in addition to the lines and the payments.
function sums(/** @type {Api.ScoreBody} */ answer) {
  const notes = stepsOf(answer);
  return notes.length ? h("ul.steps", notes.map((step) => h("li", rich(step)))) : null;
}

// It begins with the reading and the lines, and ends with the payments: one each, or why nobody pays.
/** @param {Api.ScoreBody} answer */
function stepsOf({ explanation, elements, legal, payments, payments_if_from: either, transfers }) {
  const paid = payments ? transfers.length : Object.keys(either ?? {}).length;
  return explanation.slice(1 + elements.length, explanation.length - (legal ? paid : 1));
}

// Rules whose hands have the same number of sets as this one.
function comparison(/** @type {Scored} */ score) {
  const { sets } = currentRules();
  const alike = new Set(app.rules.filter((rules) => rules.sets === sets).map((rules) => rules.id));
  if (alike.size < 2) return null;
  return h(
    "section.card",
    h("h2", t("all.title")),
    h("p.soft", t("all.text")),
    button("all", t("all.show"), compare, { look: "wide", sign: "scroll" }),
    h("div.all-body", { role: "status" }, compared(alike, lost(score))),
  );
}

function wholeRequest() {
  const request = withoutOwnStick(requestNow());
  const every = Object.fromEntries(app.rules.map((r) => [r.id, currentOptions(r.id)]));
  const whole = { ...request, bonus: app.draft.hand.bonus.map((tile) => tile.code), options_by_rules: every };
  if (indicator) whole.context = { ...request.context, indicator };
  return whole;
}

/** @type {(alike: Set<string>, laid: number) => any} */
function compared(alike, laid) {
  if (!wanted) return null;
  const whole = wholeRequest();
  if (wanted.whole !== JSON.stringify(whole)) return null;
  const { answer, error } = askAll(`${language()} ${wanted.whole}`, wanted, () => post("/score/all", whole));
  if (error) return h("p.caution", icon("warn"), troubleWords(error));
  if (!answer) return h("p.soft", t("bar.counting"));
  return h("ul.systems", answer.scores.filter((score) => alike.has(score.rules)).map((score) => system(score, laid)));
}

function answerIndicator(/** @type {string | null} */ value) {
  indicator = value;
  compare();
}

function compare() {
  wanted = { whole: JSON.stringify(wholeRequest()) };
  emit("all");
}

/** @type {(score: any, laid: number) => any} */
function system(score, laid) {
  const rules = app.rules.find((r) => r.id === score.rules);
  const name = h("h3", rulesName(rules), score.rules === currentRules().id && h("small", t("all.yours")));
  const unknown = score.error?.field === "context.indicator";
  const asks = (unknown || indicator) && rules?.asks.find((ask) => ask.name === "indicator");
  const field = asks &&
    indicatorField({ ask: asks, label: t("ask.indicator"), value: indicator, put: answerIndicator });
  const words = unreadWords(rules);
  const unread = words && h("p.hint", words);
  if (score.error) {
    return h("li", name, !unknown && h("p.soft", rich(score.error.message)), field, unread);
  }
  const paid = score.payments?.[scoreNow()?.request?.context.seat ?? "E"];
  const gain = laid && paid !== undefined && score.rules === currentRules().id ? Number(paid) - laid : paid;
  return h(
    "li",
    name,
    score.legal
      ? h("p.system-total", h("b", totalWords(score.total)), gain !== undefined && h("span", signed(gain)))
      : h("p.system-total", h("b", t("score.no_win")), h("span", score.reason.message)),
    h(
      "p.soft",
      score.elements.map((/** @type {any} */ line) => elementName(score.rules, line)).join(" · ") ||
        t("score.no_lines"),
    ),
    field,
    score.set_aside?.length > 0 &&
      h("p.hint", t("all.aside"), " ", rich(list(score.set_aside))),
    unread,
  );
}

// What draws the picture is fetched when it is first asked for.
const shareKey = (/** @type {Scored} */ score) =>
  h(
    "button.start-told",
    { "data-key": "share", onclick: () => attempt(async () => (await import("../score/share.js")).share(score)) },
    icon("share"),
    t("share.key"),
  );

export const parts = [
  {
    on: ["hand", "answers", "game", "record", "score", "language"],
    className: "span",
    draw: () => [correctingCard(), meanwhileCard()],
  },
  { on: ["score", "language", "settings"], className: "span", draw: () => withScore(hero) ?? nothing() },
  {
    on: ["score", "language", "game", "settings", "record"],
    draw: () =>
      withScore((score) => [
        h("div", { class: stale() ? "stale" : "" }, payments(score)),
        recordCard(score),
        correctionCard(),
      ]),
  },
  {
    on: ["score", "answers", "language", "settings", "game", "why"],
    draw: () =>
      withScore((score) => [h("div", { class: stale() ? "stale" : "" }, lines(score)), factsCard({ tray: false })]),
  },
  { on: ["language", "hand", "answers", "all"], className: "span", draw: () => withScore(comparison) },
];

export function enter() {
  wanted = null;
  indicator = null;
  leaveRecord();
  if (!scoreNow()) rescore();
  emit("score", "all");
}
