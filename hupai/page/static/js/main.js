// Starts the page: language, rules, the open game; then one screen after the other by the address's fragment.
import { app, setHost, setLoaded } from "./state/app.js";
import { currentRules, setSystems, withRules } from "./state/rules.js";
import { set } from "./state/settings.js";
import { emit, on } from "./state/signal.js";
import { openGame, setGame } from "./state/table.js";
import { get, mayPass, post, served, startAnswering } from "./api/api.js";
import { byId, h, icon, memo, refill } from "./dom/dom.js";
import { plantFaces } from "./faces/face.js";
import { beginHouse } from "./rules/house.js";
import { language, playBy, preferred, speak, t, usualRules, wordsOf } from "./words/i18n.js";
import { troubleWords } from "./words/words.js";
import { isEmpty } from "./hand/hand.js";
import { plantIcons } from "./dom/icons.js";
import { followGames } from "./api/follow.js";
import { rescore } from "./scoring/live.js";
import { calmly } from "./dom/press.js";
import { openTrust, openWayToCamera } from "./camera/camera.js";
import { restorePhoto } from "./camera/reading.js";
import * as game from "./screens/game.js";
import * as hand from "./screens/hand.js";
import * as more from "./screens/more.js";
import * as rules from "./screens/rules.js";
import * as score from "./screens/score.js";
import { attempt, notice } from "./controls/notice.js";
import { closeSheets } from "./controls/sheet.js";
import { attachBar } from "./screens/bar.js";
import { askCode } from "./screens/code.js";
import { dropCrops, recall, remember } from "./api/store.js";
import { rulesName } from "./names/systems.js";

/** @type {Record<string, PageScreen>} */
const SCREENS = { hand, score, game, rules, more };
const TABS = [
  ["hand", "tiles"],
  ["game", "people"],
  ["rules", "scroll"],
  ["more", "gear"],
];

const OF_HEAD = ["settings", "game", "language", "about"]; // what changes the head, the tabs and the title
const AGAIN_MS = 5000; // between two tries to find a host that does not answer

let shown = "hand";
let trying = 0; // timer of the next try to find the host
let dismiss = () => {}; // takes away the notice that it was not found

function wantedScreen() {
  const name = location.hash.replace(/^#\/?/, "").split("/")[0];
  if (name !== "score" || !isEmpty(app.draft.hand)) return name in SCREENS ? name : "hand";
  history.replaceState(null, "", "#/hand"); // somebody goes back from a hand that has been entered
  return "hand";
}

function head() {
  const screen = SCREENS[shown];
  refill(
    byId("top"),
    shown === "score"
      ? h(
        "a.icon-button",
        { href: "#/hand", "aria-label": t("back_to_hand"), "data-key": "back" },
        icon("back"),
      )
      : h(
        "a.icon-button",
        { href: "#/hand", "aria-label": "hupai", "data-key": "seal" },
        h("span.seal", { "aria-hidden": "true" }, "胡"),
      ),
    h("h1", { id: "title" }, screen.title()),
    app.away && h("span.offline", icon("offline"), t("offline")),
    shown !== "rules" &&
      app.rules.length > 0 &&
      h(
        "a.rules-link",
        {
          href: "#/rules",
          "data-key": "rules-link",
          "aria-label": t("rules.now", { name: rulesName() }),
        },
        h("span", rulesName()),
        icon("swap"),
      ),
  );
}

function tabs() {
  const at = shown === "score" ? "hand" : shown;
  const nav = byId("tabs");
  nav.setAttribute("aria-label", t("tabs"));
  refill(
    nav,
    TABS.map(([name, sign]) =>
      h(
        "a",
        { href: `#/${name}`, "aria-current": name === at ? "page" : null, "data-key": `tab-to-${name}` },
        icon(sign),
        h("span", t(`tab.${name}`)),
      )
    ),
  );
}

const drawn = new Map(); // part of the screen -> what it shows

function page() {
  const screen = SCREENS[shown];
  refill(
    byId("main"),
    h(
      "div",
      { class: `page ${screen.className ?? ""} at-${shown}`, key: shown },
      screen.parts.map((part) => h("div", { class: `part ${part.className ?? ""}` }, memo(drawn.get(part)))),
    ),
  );
}

function show({ focus = true } = {}) {
  shown = wantedScreen();
  const screen = SCREENS[shown];
  const main = byId("main");
  drawn.clear();
  for (const part of screen.parts) drawn.set(part, part.draw());
  page();
  main.setAttribute("aria-labelledby", "title");
  head();
  tabs();
  document.title = `${screen.title()} · hupai`;
  emit("screen");
  screen.enter?.();
  if (focus) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
}

function redraw(/** @type {Set<string>} */ parts) {
  for (const part of drawn.keys()) {
    if (part.on.some((/** @type {string} */ name) => parts.has(name))) drawn.set(part, part.draw());
  }
  page();
  if (OF_HEAD.some((name) => parts.has(name))) {
    head();
    tabs();
    document.title = `${SCREENS[shown].title()} · hupai`;
    byId("skip").textContent = t("skip");
  }
}

async function load() {
  const [about, found] = await Promise.all([get("/about"), get("/rules")]);
  setSystems(found.rules);
  remember("rules", found.rules);
  beginHouse();
  if (app.settings.game) await refreshGame(app.settings.game);
  setHost(about);
  emit("settings", "game");
  rescore();
}

async function refreshGame(/** @type {string} */ id) {
  try {
    await openGame(id);
  } catch (error) {
    if (error.status !== 404) throw error;
    gone();
  }
}

function gone() {
  dropCrops(app.game?.id ?? app.settings.game ?? "");
  setGame(null);
  notice(t(served ? "game.gone" : "game.gone_here"));
}

// One try at a time, though a change of language or network has begun others.
function tryLater() {
  clearTimeout(trying);
  trying = setTimeout(connect, AGAIN_MS);
}

/** Contacts the server for the first time, or again; asks for the access code where one is set. */
async function connect() {
  clearTimeout(trying);
  try {
    await load();
    dismiss();
  } catch (error) {
    if (error.status === 401) {
      if (await askCode(error.code)) return connect();
      notice(t("error.code_needed"), { action: t("code.label"), act: connect, lasting: true });
      return undefined;
    }
    if (!app.away) dismiss = notice(troubleWords(error), { action: t("retry"), act: connect, lasting: true });
    setHost(null);
    if (mayPass(error)) tryLater();
  }
  return undefined;
}

// Whether nothing would be lost by a reload: no hand, and no sheet that is being filled in.
const isIdle = () => !app.draft.photo && isEmpty(app.draft.hand) && !document.querySelector("dialog");

// Where the browser allows it (HTTPS, this machine), the page also opens without its host.
async function keepPage() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const before = serviceWorker.controller;
  serviceWorker.addEventListener("controllerchange", () => {
    if (!before) wordsOf(language()); // the words were loaded before there was a service worker to cache them
    else if (served && isIdle()) location.reload(); // a new hupai, which the old page may not understand
  });
  try {
    await serviceWorker.register("worker.js");
  } catch (error) {
    // A private window, or a certificate that was clicked past: the page works as long as the host answers.
    if (served && error.name === "SecurityError") {
      tellOnce("told_untrusted", "trust.withheld", "trust.title", openTrust);
    }
  }
}

/**
 * Says, once on each phone, what browsers withhold from a page opened like this, and the way to have it.
 * @type {(name: string, text: string, action: string, act: () => unknown) => void}
 */
function tellOnce(name, text, action, act) {
  if (recall(name, false)) return;
  remember(name, true);
  notice(t(text), { action: t(action), act, lasting: true });
}

/**
 * The address may carry the access code, a game to join, and house rules.
 * @returns {Promise<boolean>} whether it did
 */
async function takeAddress() {
  if (!/^#(code|join|house)=/.test(location.hash)) return false;
  const given = new URLSearchParams(location.hash.slice(1));
  const join = given.get("join");
  if (given.has("house")) withRules(async () => (await import("./rules/link.js")).offerLinked(given));
  history.replaceState(
    null,
    "",
    location.pathname + location.search + (join ? "#/game" : given.has("house") ? "#/rules" : ""),
  );
  if (join && join !== app.game?.id) {
    setGame(null);
    set({ game: join });
  }
  if (!given.has("code")) return true;
  try {
    await post("/session", { code: given.get("code") });
  } catch {
    // wrong code or no answer: the first request to the server will report it
  }
  return true;
}

// Such an address may also be tapped, or pasted, where the page is already open.
async function arrive() {
  closeSheets(); // they belong to the screen that is left
  const taken = takeAddress();
  show();
  if (await taken) connect();
}

// Reads the open game until it is as new as the stream has said, which says so only once.
async function catchUp(/** @type {string} */ id, /** @type {number} */ revision) {
  if (app.game?.id !== id || app.game.revision === revision) return;
  try {
    await openGame(id);
  } catch (error) {
    if (mayPass(error)) setTimeout(catchUp, AGAIN_MS, id, revision);
  }
}

// Another phone recorded, took back or deleted something: the table is refreshed.
const follow = followGames((id, revision) => {
  if (id !== app.game?.id) return;
  if (revision !== null) catchUp(id, revision);
  else gone();
});
const lookAgain = () => app.game && attempt(() => refreshGame(/** @type {Game} */ (app.game).id));
if (served) on(["game"], () => follow(app.game ? [app.game.id] : []));
else addEventListener("focus", lookAgain); // another tab may have played on

async function begin() {
  plantFaces();
  plantIcons();
  await speak(preferred(), { keep: false });
  playBy(() => currentRules()?.id);
  setSystems(recall("rules", []));
  await takeAddress();
  connect();
  if (app.draft.photo) await restorePhoto();
  byId("skip").textContent = t("skip");
  const drawnOn = Object.values(SCREENS).flatMap(({ parts }) => parts.flatMap((part) => part.on));
  on([...OF_HEAD, ...drawnOn], calmly(redraw));
  attachBar(byId("bar"), () => shown);
  addEventListener("hashchange", arrive);
  addEventListener("online", connect);
  show({ focus: false });
  keepPage();
  if (served && !isSecureContext) tellOnce("told_withheld", "camera.way.withheld", "camera.way", openWayToCamera);
  document.documentElement.dataset.ready = "true";
}

startAnswering(setLoaded);
on(["language"], connect); // the rules and the score, worded anew
on(["settings"], () => dispatchEvent(new CustomEvent("theme", { detail: app.settings.theme })));

if (!app.settings.rules) set({ rules: usualRules() });
begin();
