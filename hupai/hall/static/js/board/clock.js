// A round's clock: the time that is left, and a display that ticks by itself.
import { Component, h } from "../dom/dom.js";
import { list } from "../words/i18n.js";
import { w } from "./words.js";

const TICK_MS = 500;
const APART_MS = 2500; // smaller differences are no news: the answer has whole seconds, and took a moment
let ahead = 0; // milliseconds by which the database's clock is ahead of this browser's

/** Compares the clocks by a tournament that has just been fetched; returns it. */
export function setClock(/** @type {Cup | null} */ cup) {
  const timer = cup?.rounds.at(-1)?.timer;
  if (timer?.ends_at) {
    const apart = Date.parse(timer.ends_at) - 1000 * timer.left - Date.now();
    if (Math.abs(apart - ahead) > APART_MS) ahead = apart;
  }
  return cup;
}

/** Minutes and seconds left; overtime counts up with a sign. */
export function left(/** @type {Timer} */ timer, now = Date.now() + ahead) {
  const seconds = timer.ends_at ? Math.round((new Date(timer.ends_at).getTime() - now) / 1000) : timer.left;
  const whole = Math.abs(seconds);
  return `${seconds < 0 ? "−" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

class Ticking extends Component {
  componentDidMount() {
    this.ticking = setInterval(() => this.setState({}), TICK_MS);
  }

  componentWillUnmount() {
    clearInterval(this.ticking);
  }

  render(/** @type {{timer: Timer, late: number}} */ { timer, late }) {
    const text = left(timer, Date.now() + ahead - late);
    return h("b", { class: `timer ${timer.state} ${text.startsWith("−") ? "over" : ""}`, role: "timer" }, text);
  }
}

/**
 * A round's timer as it is for one table, which may have been given more minutes.
 * @type {(timer: Timer, table: CupTable) => Timer}
 */
export function extended(timer, { extra }) {
  const more = 60 * (extra?.minutes ?? 0);
  const ends_at = timer.ends_at && new Date(Date.parse(timer.ends_at) + 1000 * more).toISOString();
  return { ...timer, ends_at, left: timer.left + more };
}

/** Display of a running timer, delayed by `late` milliseconds; it ticks by itself while it is on the page. */
export const timerBox = (/** @type {Timer} */ timer, late = 0) => h(Ticking, { timer, late });

/** What a table was given beyond the round's time. */
export const extraWords = (/** @type {{minutes: number, hands: number}} */ { minutes, hands }) =>
  list([
    ...(minutes ? [w("cup.extra_minutes", { n: minutes })] : []),
    ...(hands ? [w("cup.extra_hands", { n: hands })] : []),
  ]);
