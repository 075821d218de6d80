// A round's clock: what is left of it, and a display that ticks by itself.
import { h } from "../parts/dom.js";

const TICK_MS = 500;

/** Minutes and seconds that are left; what is over counts on with a sign. */
export function left(timer, now = Date.now()) {
  const seconds = timer.ends_at ? Math.round((new Date(timer.ends_at).getTime() - now) / 1000) : timer.left;
  const whole = Math.abs(seconds);
  return `${seconds < 0 ? "−" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A running timer as it is drawn, so many milliseconds late: it ticks by itself while it is on the page. */
export function timerBox(timer, late = 0) {
  const box = h("b", { class: `timer ${timer.state}`, role: "timer" });
  const show = () => {
    box.textContent = left(timer, Date.now() - late);
    box.classList.toggle("over", box.textContent.startsWith("−"));
  };
  const tick = () => {
    show();
    if (box.isConnected) setTimeout(tick, TICK_MS);
  };
  show();
  if (timer.ends_at) setTimeout(tick, TICK_MS);
  return box;
}
