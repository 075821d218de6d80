// One scene for a broadcast: transparent, without controls, reconnecting by itself, with the delay that was asked for.
import "../board/corner.js";
import { get } from "../api/api.js";
import { setSystems } from "../state/rules.js";
import { byId, h, refill } from "../dom/dom.js";
import { plantFaces } from "../faces/face.js";
import { admitted, pause } from "../board/door.js";
import { t } from "../words/i18n.js";
import { load } from "../board/words.js";
import { parameters } from "./address.js";
import { followHands } from "./live.js";
import { ask, changedAt, handKey, PASSING } from "./poll.js";
import { before, keep } from "./past.js";
import { seating, standings, timer } from "./rounds.js";
import { bug, hand, points, win } from "./tables.js";
/** @typedef {import("./poll.js").Known} Known */

/** @type {Record<string, (now: Known, at: number) => {of: string, parts: unknown} | null>} */
const SCENES = { live: () => null, hand, win, points, bug, standings, seating, timer };
const FRESH_MS = 20_000; // how long a confirmed hand and its score stay
const HAND_MS = 1000; // a hand should appear at once
const EVERY_MS = 2000;
const AGAIN_MS = 3000;
const { scene } = parameters;
/** @type {Known | null} */
let known = null;
let until = 0; // when a fresh hand stops being fresh

// What is already shown and only redrawn stays in place: its entrance is not repeated.
function show(/** @type {Known} */ now) {
  const main = byId("main");
  const made = SCENES[scene](now, Date.now() - parameters.late);
  const section = made && h("section", { class: `scene ${scene}`, "data-of": made.of, key: made.of }, made.parts);
  refill(main, section);
}

// The time by the server's clock, which dates the changes; rounded down to seconds so that nothing shows too early.
async function serverClock() {
  const answer = await fetch("/healthz", { cache: "no-store" });
  return Date.parse(answer.headers.get("Date") ?? "") || 0;
}

// How long to hold back the first answer: what is left of the delay since its last change.
async function heldBack(/** @type {Known} */ known) {
  if (!parameters.late) return 0;
  return Math.min(Math.max(parameters.late - ((await serverClock()) - changedAt(known)), 0), parameters.late);
}

// A delayed broadcast must not reveal what its viewers have not seen yet.
const draw = (/** @type {number} */ wait, /** @type {Known} */ then) => setTimeout(() => show(then), wait);

async function look() {
  const last = known;
  known = await ask(last);
  if (handKey(known.fresh) !== handKey(last?.fresh)) until = Date.now() + FRESH_MS;
  if (known.fresh && Date.now() >= until) {
    known = { ...known, fresh: null, won: PASSING.includes(scene) ? null : known.won };
  }
  const wait = last ? parameters.late : await heldBack(known);
  if (!last && wait > 0) { for (const [left, then] of before(known)) draw(left, then); }
  draw(wait, known);
  keep(known, Date.now() + wait - parameters.late);
}

async function begin() {
  document.documentElement.classList.toggle("light", parameters.light);
  document.documentElement.dataset.scene = scene;
  await load(parameters.language);
  plantFaces();
  const { rules } = await admitted(() => get("/rules"), (trouble) => {
    if (trouble?.code === "code_wrong") refill(byId("main"), h("section.scene.trouble", h("p", t("error.code_wrong"))));
  });
  setSystems(rules);
  if (scene === "live") return followHands();
  for (;;) {
    const there = await look().then(() => true, () => false);
    if (there) document.documentElement.dataset.ready = "";
    await pause(there ? (scene === "hand" ? HAND_MS : EVERY_MS) : AGAIN_MS);
  }
}

begin();
