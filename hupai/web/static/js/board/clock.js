// A round's clock: the time that is left, and a display that ticks by itself.
import { Component, h } from "../parts/dom.js";

const TICK_MS = 500;

/** Minutes and seconds left; overtime counts up with a sign. */
export function left(timer, now = Date.now()) {
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

  render({ timer, late }) {
    const text = left(timer, Date.now() - late);
    return h("b", { class: `timer ${timer.state} ${text.startsWith("−") ? "over" : ""}`, role: "timer" }, text);
  }
}

/** Display of a running timer, delayed by `late` milliseconds; it ticks by itself while it is on the page. */
export const timerBox = (timer, late = 0) => h(Ticking, { timer, late });
