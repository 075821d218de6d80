// The bar over the tabs: what is still missing, or the score so far.
import { app, on } from "../app.js";
import { h, icon, refill } from "../dom.js";
import { signed, t } from "../i18n.js";
import { seatName } from "../names.js";
import { rich, sentence } from "../phrases.js";
import { calmly } from "../press.js";
import { errorWords, totalWords } from "../words.js";
import { rescore } from "../live.js";
import { countWords } from "./addsheet.js";
import { recordBar } from "./record.js";

function content() {
  let score = app.score;
  if (!score) return null;
  if (score.state === "wait") score = score.last;
  if (!score) return idle(t("bar.counting"), "", null);
  switch (score.state) {
    case "missing": {
      if (score.open.length)
        return idle(t(`bar.ask.${score.open[0]}`), score.tiles ? countWords(score.tiles) : "", score.open[0]);
      return score.tiles
        ? idle(countWords(score.tiles), t("bar.tiles_hint"), "concealed")
        : idle(t("bar.winning"), t("bar.winning_hint"), "winning");
    }
    case "faults": {
      const first = score.faults[0];
      return idle(
        t("bar.faults", { n: score.faults.length }),
        first ? sentence(first.message) : "",
        first?.field ?? "concealed",
      );
    }
    case "failed":
      return h(
        "button",
        { class: "score-bar idle", type: "button", "data-key": "bar", onclick: () => rescore() },
        h(
          "span",
          {},
          h("strong", {}, t("bar.failed")),
          h("small", {}, errorWords(score.error) ?? sentence(score.error.message)),
        ),
        h("span", { class: "go" }, t("retry")),
      );
    default:
      return done(score.answer, app.score.state === "wait");
  }
}

function idle(title, text, field) {
  return h(
    "button",
    { class: "score-bar idle", type: "button", "data-key": "bar", onclick: () => field && goTo(field) },
    h("span", {}, h("strong", {}, title), text && h("small", {}, rich(text))),
    field && h("span", { class: "go" }, t("bar.show")),
  );
}

function done(answer, stale) {
  const seat = app.score.request?.context.seat ?? app.score.last?.request.context.seat;
  const gain = answer.payments?.[seat];
  const words = answer.legal
    ? [
        totalWords(answer.total),
        gain === undefined ? seatName(seat) : t("bar.gain", { name: seatName(seat), amount: signed(gain) }),
      ]
    : [t("score.no_win"), sentence(answer.reason.message)];
  return h(
    "a",
    { class: `score-bar ${stale ? "stale" : ""}`, href: "#/score", "data-key": "bar" },
    h("span", {}, h("strong", {}, words[0]), h("small", {}, rich(words[1])), stale && h("small", { class: "stale-words" }, t("bar.counting"))),
    h("span", { class: "go" }, t("bar.see"), icon("next")),
  );
}

/** Brings the control of a field into view and gives it the keyboard. */
export function goTo(field) {
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
  const folded = target.closest("details");
  if (folded) folded.open = true;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  target.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  target.querySelector("input, button, select")?.focus({ preventScroll: true });
}

/** Keeps the bar up to date; `screen` tells which one is shown. */
export function attachBar(host, screen) {
  const draw = () => {
    const score = app.score?.state === "wait" ? app.score.last : app.score;
    const make = { hand: content, score: () => (score?.state === "done" ? recordBar(score) : null) }[screen()];
    const bar = make?.() ?? null;
    refill(host, bar);
  };
  on(["score", "language", "game", "screen", "record"], calmly(draw));
  // The page ends, and toasts stand, above the bar, which grows with the type.
  new ResizeObserver(() =>
    document.documentElement.style.setProperty("--bar", `${host.hasChildNodes() ? host.offsetHeight : 0}px`),
  ).observe(host);
}
