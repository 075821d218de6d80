// The bar over the tabs: what is still missing, or the current score.
import { app } from "../state/app.js";
import { setHand } from "../state/draft.js";
import { set } from "../state/settings.js";
import { currentRules } from "../state/rules.js";
import { on } from "../state/signal.js";
import { mayPass, served } from "../api/api.js";
import { focused, h, icon, refill } from "../dom/dom.js";
import { addTile, doubtfulTiles } from "../hand/hand.js";
import { signed, t } from "../words/i18n.js";
import { seatName } from "../names/seats.js";
import { rulesName } from "../names/systems.js";
import { button } from "../controls/fields.js";
import { rich } from "../faces/rich.js";
import { calmly } from "../dom/press.js";
import { totalWords, troubleWords } from "../words/words.js";
import { finishedScore, lastScore, rescore, scoreNow } from "../scoring/live.js";
import { countWords } from "../handeditor/addsheet.js";
import { known, unanswered } from "../scoring/questions.js";
import { accountsOf, amountClass, netOf } from "../score/payments.js";
import { keepKey } from "../ledger/waiting.js";
import { recordBar } from "../ledger/record.js";
import { tileButton, tileName } from "../faces/tile.js";
import { promptKeys } from "../handeditor/prompts.js";
import { gainWords } from "../handeditor/shanten.js";
import { asksWho, howWords, whoRows } from "../handeditor/who.js";

function content() {
  const now = scoreNow();
  if (!now) return app.reading && app.reading.phase !== "failed" ? who() : null; // there is time to answer meanwhile
  const counting = now.state === "wait";
  const score = lastScore();
  if (!score || (counting && score.state === "missing")) return idle(t("bar.counting"), "", null);
  switch (score.state) {
    case "missing":
      return [missing(score), otherRules(score)];
    case "faults": {
      const faults = score.faults ?? [];
      const [first] = faults;
      return idle(
        t("bar.faults", { n: faults.length }),
        first ? first.message : "",
        first?.field ?? "concealed",
      );
    }
    case "failed":
      return failed(score.error);
    default: {
      const finished = finishedScore(score);
      return finished && done(finished, counting);
    }
  }
}

// What the hand lacks before it can be scored.
function missing(/** @type {ScoreNow} */ score) {
  const open = score.open ?? [];
  if (asksWho(open)) {
    return who(score.waiting ? t("count.waits") : score.tiles ? countWords(score.tiles) : "", overHint(score));
  }
  if (open.length) return idle(t(`bar.ask.${open[0]}`), "", open[0]);
  if (score.waits?.length) return waits(score.waits);
  if (score.waiting) return idle(t("count.waits"), score.waits ? t("waits.none") : t("bar.counting"), "winning");
  return score.tiles
    ? idle(
      countWords(score.tiles),
      overHint(score) || t(score.tiles > 0 ? "bar.tiles_hint" : "bar.over_hint"),
      "concealed",
    )
    : idle(t("bar.winning"), t("bar.winning_hint"), "winning");
}

// Too many tiles here may be a whole hand of rules with more sets; one tap scores it by them.
function otherRules(/** @type {ScoreNow} */ { tiles = 0 }) {
  const more = (/** @type {Api.RulesBody} */ { sets }) => 3 * (sets - currentRules().sets) + tiles;
  const found = app.game || tiles >= 0 ? null : app.rules.find((rules) => [0, 1].includes(more(rules)));
  return found && h(
    "div.bar-keys",
    button("other-rules", t("bar.other_rules", { name: rulesName(found) }), () => set({ rules: found.id }), {
      look: "main wide",
      sign: "swap",
    }),
  );
}

// No score: the user can ask again, and without a host a whole hand can be kept for later.
function failed(/** @type {Trouble | undefined} */ error) {
  const passing = mayPass(error);
  const again = h(
    "button.score-bar.idle",
    { "data-key": "bar", onclick: () => rescore() },
    h("span", h("strong", t(passing && served ? "bar.waits" : "bar.failed")), h("small", troubleWords(error))),
    h("span.go", t("retry")),
  );
  const keep = passing && keepKey();
  return keep ? [again, h("div.bar-keys", keep)] : again;
}

// Of too many tiles in a photo, those that are meant can be drawn around.
const overHint = (/** @type {ScoreNow} */ { tiles = 0 }) => (tiles < 0 && app.bitmap ? t("bar.over_photo") : "");

// The two questions are within reach of the thumb until they are answered; then they stand with the others.
function who(/** @type {string[]} */ ...notes) {
  if (!currentRules() || !asksWho(unanswered())) return null;
  return h("div.score-bar.ask", notes.map((note) => note && h("small", note)), whoRows());
}

/** @type {(title: string, text: string, field: string | null) => Child} */
function idle(title, text, field) {
  return h(
    "button.score-bar.idle",
    { "data-key": "bar", onclick: () => field && goTo(field) },
    h("span", h("strong", title), text && h("small", rich(text))),
    field && h("span.go", t("bar.show")),
  );
}

/** @type {(score: Scored, stale: boolean) => Child} */
function done(score, stale) {
  const { answer, request: { context } } = score;
  const net = answer.legal && netOf(score);
  const unsure = doubtfulTiles(app.draft.hand).length;
  const words = answer.legal
    ? [totalWords(answer.total), howWords(context)]
    : [t("score.no_win"), answer.reason?.message ?? ""];
  const enters = app.game && !app.draft.correcting && answer.legal && answer.payments && !unsure;
  const bar = h(
    "a",
    { class: `score-bar ${stale ? "stale" : ""}`, href: "#/score", "data-key": "bar" },
    net && amounts(net),
    h(
      "span",
      h("strong", words[0], enters && icon("next")),
      h("small", rich(words[1])),
      unsure > 0 && h("small.unsure", t("bar.doubtful", { n: unsure })),
      stale && h("small.stale-words", t("bar.counting")),
    ),
    h("span", { class: enters ? "unseen" : "go" }, t("bar.see"), !enters && icon("next")),
  );
  return [promptKeys(answer), bar, enters && recordBar(score)];
}

// A hand without its winning tile: the tiles that complete it, each with its score; a tap makes one the winning tile.
function waits(/** @type {Api.WaitBody[]} */ found) {
  const seat = known().seat;
  const price = (/** @type {Api.ScoreBody} */ { legal, total, payments }) =>
    legal ? [totalWords(total), payments && seat ? signed(payments[seat]) : ""] : [t("score.no_win"), ""];
  return h(
    "div.score-bar.ask",
    { role: "group", "aria-label": t("bar.winning") },
    h("strong", { "aria-hidden": "true" }, t("bar.winning")),
    h(
      "ul.waits",
      found.map(({ tile, score, riichi }) => {
        const [worth, gain] = price(score);
        const declared = riichi && gainWords(riichi, true);
        return h(
          "li",
          { key: tile },
          tileButton(tile, {
            label: [tileName(tile), worth, gain, declared].filter(Boolean).join(", "),
            key: `wait-${tile}`,
            onclick: () => setHand(addTile(app.draft.hand, tile, "winning")),
          }),
          h("small", { "aria-hidden": "true" }, worth, gain && h("b", gain)),
          declared && h("small", { "aria-hidden": "true" }, declared),
        );
      }),
    ),
  );
}

// What each player gains or pays, side by side.
function amounts(/** @type {Api.PaymentsBody} */ net) {
  return h(
    "span.amounts",
    accountsOf(net).map((seat) =>
      h(
        "span",
        { class: amountClass(net[seat]) },
        h("small", seatName(seat)),
        " ",
        h("b", signed(net[seat])),
        " ",
      )
    ),
  );
}

/** Scrolls to the control of a field and focuses it. */
function goTo(/** @type {string} */ field) {
  if (field.startsWith("options")) {
    location.hash = "#/rules";
    return;
  }
  const name = field
    .replace(/^context\./, "")
    .replace(/\[\d+\].*$/, "")
    .replace(/^winning_tile$/, "winning")
    .replace(/_indicators$/, "");
  const target = document.querySelector(`main [data-field="${CSS.escape(name)}"]`);
  if (!target) return;
  for (let fold = target.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) {
    fold.open = true;
  }
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  target.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  /** @type {HTMLElement | null} */
  const control = target.querySelector("input, button, select");
  control?.focus({ preventScroll: true });
}

/**
 * Keeps the bar up to date; `screen` returns the name of the current screen.
 * @type {(host: HTMLElement, screen: () => string) => void}
 */
export function attachBar(host, screen) {
  const draw = () => {
    const score = finishedScore(lastScore());
    const make = { hand: content, score: () => score && recordBar(score) }[screen()];
    const bar = make?.() ?? null;
    const held = host.contains(document.activeElement) ? focused()?.dataset.key : null;
    refill(host, bar);
    // A question that was answered here now stands with the other answers; keyboard focus goes with it.
    if (held && !host.contains(document.activeElement)) {
      /** @type {HTMLElement | null} */
      const there = document.querySelector(`main [data-key="${CSS.escape(held)}"]`) ?? host.querySelector("a, button");
      there?.focus({ preventScroll: true });
    }
  };
  on(["score", "hand", "language", "game", "screen", "record", "answers", "reading", "about"], calmly(draw));
  // The page ends above the bar, and so do toasts; the bar grows with the font size.
  new ResizeObserver(() =>
    document.documentElement.style.setProperty("--bar", `${host.hasChildNodes() ? host.offsetHeight : 0}px`)
  ).observe(host);
}
