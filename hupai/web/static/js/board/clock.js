// A round's clock: what is left of it, and a display that ticks by itself.
import { Component, h } from "../parts/dom.js";

const TICK_MS = 500;

/** Minutes and seconds that are left; what is over counts on with a sign. */
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

/** A running timer as it is drawn, so many milliseconds late: it ticks by itself while it is on the page. */
export const timerBox = (timer, late = 0) => h(Ticking, { timer, late });
