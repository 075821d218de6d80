// A review of labels: opens and keeps pictures, and gives every key and button its work. The server is asked for
// pictures, the list and crops, and to keep labels; all else is here, and every change is drawn anew.
import { draw, element, showWhole, zoom } from "./drawing.js";
import * as edits from "./edits.js";
import { closeGrid, focusWork, isGridOpen, openGrid, refillGrid } from "./grid.js";
import { drawList, fetchList, position, search } from "./list.js";
import { stopDragging } from "./pointer.js";
import { $, ask, bounds, centre, query, reporting, say, state, upright, WINDOW } from "./state.js";

/** @typedef {import("./state.js").Picture} Picture */
/** @typedef {import("./state.js").Key} Key */
const ZOOM_STEP = 1.5;
const SEARCH_MILLISECONDS = 300;

/** Whether the picture on the screen is about to go: keys wait for the next one, and the mouse finds nothing. */
const isGoing = () => state.opening > 0 || state.keeping === state.at;
const drawWaiting = () => {
  if (isGoing()) stopDragging();
  $("stage").inert = isGoing();
  $("panel").inert = isGoing() || isGridOpen();
  if (!isGoing() && document.activeElement === document.body) focusWork();
};
/** @type {<T>(work: () => Promise<T>) => Promise<T>} */
const whileOpening = async (work) => {
  state.opening += 1;
  drawWaiting();
  try {
    return await work();
  } catch (error) {
    if (state.opening === 1) state.pressed.splice(0); // what was meant for a picture that has not come
    throw error;
  } finally {
    state.opening -= 1;
    drawWaiting();
  }
};
/** Presses the keys that waited, as far as no further picture is opened by one of them. */
const pressWaiting = () => {
  if (isGridOpen()) state.pressed.splice(0); // they were meant for the picture before
  while (state.pressed.length && !isGoing()) press(/** @type {Key} */ (state.pressed.shift()));
};

/** Opens a picture; `number`: the tile of it that was clicked in the grid. */
const open = reporting(async (/** @type {number} */ at, /** @type {number | null} */ number = null) => {
  state.asked += 1;
  const { asked } = state;
  await whileOpening(async () => {
    /** @type {Picture} */
    const picture = await ask(`pictures/${at}?window=${encodeURIComponent(WINDOW)}`);
    if (asked === state.asked) show(at, picture, number);
  });
  pressWaiting();
});
/** @type {(at: number, picture: Picture, number: number | null) => void} */
const show = (at, picture, number) => {
  const left = leave();
  const draft = state.drafts.get(at) ?? { tiles: tilesOf(picture), before: [], seen: picture.times };
  Object.assign(state, { at, picture, ...draft, after: [], chosen: -1, adding: false, fromGrid: number !== null });
  const photo = element("image", { href: `pictures/${at}/photo`, width: picture.width, height: picture.height });
  photo.addEventListener("load", () => photo.setAttribute("data-shown", ""));
  photo.addEventListener(
    "error",
    reporting(async () => {
      const answer = await fetch(`pictures/${at}/photo`);
      if (!answer.ok && state.at === at) say((await answer.json()).message);
    }),
  );
  $("photo").replaceChildren(photo);
  $("name").textContent = picture.image;
  $("why").textContent = picture.why || "nothing stands out";
  say(state.before.length ? "What was changed here is not kept yet: Enter keeps it." : left);
  closeGrid();
  showWhole();
  if (number !== null && state.tiles[number]) edits.choose(number);
  else edits.step(1);
  drawList();
  fetchList();
};
/** The tiles of a picture as they are edited; of what is to be ignored nobody can tell what it is. */
const tilesOf = (/** @type {Picture} */ picture) => [
  ...picture.tiles.map((t) => ({ ...t, read: t.tile })),
  ...picture.ignored.map(([x0, y0, x1, y1]) => ({
    tile: "",
    corners: upright(x0, y0, x1, y1),
    confidence: null,
    touched: true,
    unsure: true,
  })),
];
// What was changed in the picture on the screen stays until it is kept, whatever picture is opened meanwhile.
const leave = () => {
  state.drafts.delete(state.at);
  if (!state.before.length) return "";
  state.drafts.set(state.at, { tiles: state.tiles, before: state.before, seen: state.seen });
  return `What was changed in ${state.picture.image} is not kept yet.`;
};
const go = (/** @type {number} */ place) => {
  const picture = state.pictures[Math.min(Math.max(place, 0), state.pictures.length - 1)];
  if (picture && edits.takeName()) open(picture.at);
};

const keep = reporting(async () => {
  if (!$("photo").querySelector("[data-shown]")) {
    say("Nothing is kept before the photo is on the screen; S skips it.");
    return;
  }
  if (state.keeping !== null) {
    // A second Enter for the same picture is meant for neither; another one, opened by J or K, is kept afterwards.
    if (state.keeping !== state.at) state.pressed.push({ key: "Enter", shiftKey: false });
    return;
  }
  if (!edits.takeName()) return;
  const nameless = state.tiles.findIndex((t) => !t.tile && !t.unsure);
  if (nameless >= 0) {
    edits.choose(nameless);
    edits.typeName();
    say("This tile has no name yet.");
    return;
  }
  const { at } = state;
  state.keeping = at; // until the next picture is there
  drawWaiting();
  try {
    await keepThis();
  } catch (error) {
    if (state.at === at) state.pressed.splice(0); // what was meant for a picture that has not come
    throw error;
  } finally {
    state.keeping = null;
    drawWaiting();
    pressWaiting();
  }
});
const keepThis = async () => {
  const { at, seen, fromGrid } = state;
  const tiles = state.tiles.filter((t) => !t.unsure).map(({ tile, corners }) => ({ tile, corners }));
  const ignored = state.tiles.filter((t) => t.unsure).map((t) => bounds(t.corners));
  const body = JSON.stringify({ tiles, ignored, seen });
  const how = { method: "PUT", headers: { "Content-Type": "application/json" }, body };
  const counts = await ask(`pictures/${at}`, how).catch(async (refused) => {
    if (refused.code === "kept_meanwhile" && state.at === at) state.seen = (await ask(`pictures/${at}`)).times;
    throw refused;
  });
  state.drafts.delete(at);
  if (state.at === at) state.before = [];
  const changes = Object.entries(counts).filter(([, n]) => n).map(([what, n]) => `${n} ${what}`).join(", ") ||
    "no tile";
  if (state.at !== at) { // somebody has gone on by J or K
    await fetchList();
    say(`Kept: ${changes}.`);
  } else if (fromGrid) {
    state.seen += 1;
    await openGrid();
    await fetchList();
    say(`Kept: ${changes}.`);
  } else {
    const next = await openNext();
    say(`Kept: ${changes}.${next ? "" : " Every picture is looked through, or open in another window."}`);
  }
};

// The worst picture that nobody has looked at and nobody else has open; false where there is no other.
const openNext = async () => {
  const { at: here } = state;
  const wanted = query(here < 0 ? { window: WINDOW } : { window: WINDOW, after: here });
  const { at } = await whileOpening(() => ask(`next?${wanted}`, { method: "POST" }));
  await open(at ?? (here < 0 ? state.pictures[0].at : here));
  return at !== null && at !== here;
};
const skip = reporting(async () => {
  if (edits.takeName() && !await openNext()) say("Every other picture is looked through, or open in another window.");
});

const toggleGrid = () => {
  if (isGridOpen()) {
    closeGrid();
    focusWork();
  } else if (edits.takeName()) openGrid();
};
$("crops").addEventListener(
  "click",
  reporting(async (/** @type {MouseEvent & {target: HTMLElement}} */ event) => {
    const { at, number } = event.target.closest("button")?.dataset ?? {};
    if (at === undefined) return;
    await open(Number(at), Number(number));
    if (!isGridOpen()) focusWork();
  }),
);
$("pictures").addEventListener("click", (/** @type {MouseEvent & {target: HTMLElement}} */ event) => {
  const at = event.target.closest("button")?.dataset.at;
  if (at !== undefined && edits.takeName()) open(Number(at));
});
$("alternatives").addEventListener("click", (/** @type {MouseEvent & {target: HTMLElement}} */ event) => {
  const code = event.target.closest("button")?.dataset.name;
  if (code) edits.name(code);
});
const searchNow = reporting(async () => {
  await search();
  if (isGridOpen()) await refillGrid();
});
let searching = 0;
$("search").addEventListener("input", () => {
  clearTimeout(searching);
  searching = setTimeout(searchNow, SEARCH_MILLISECONDS);
});
$("class").addEventListener("change", searchNow);

$("code").addEventListener("change", edits.takeName);
$("code").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.key === "Enter" || event.key === "Escape") {
    event.stopPropagation();
    if (event.key === "Escape") $("code").value = state.tiles[state.chosen]?.tile ?? "";
    $("code").blur();
    $("stage").focus();
  }
});
const middle = () => {
  const tile = state.tiles[state.chosen];
  const { x, y, width, height } = state.view;
  return tile ? centre(tile.corners) : /** @type {[number, number]} */ ([x + width / 2, y + height / 2]);
};
/** @type {Record<string, () => void>} */
const keys = {
  a: edits.startAdding,
  g: edits.fillGap,
  u: edits.undo,
  y: edits.redo,
  n: edits.typeName,
  x: edits.toggleUnsure,
  s: skip,
  c: toggleGrid,
  h: () => $("photo").classList.toggle("bare"),
  "+": () => zoom(ZOOM_STEP, middle()),
  "=": () => zoom(ZOOM_STEP, middle()), // the key of + on many keyboards
  "-": () => zoom(1 / ZOOM_STEP, middle()),
  0: showWhole,
  "/": () => $("search").focus(),
  Delete: edits.remove,
  Backspace: edits.remove,
  j: () => go(position() + 1),
  k: () => go(position() - 1),
  Escape: () => {
    state.adding = false;
    stopDragging();
    draw();
    say("");
  },
};
addEventListener("beforeunload", (event) => {
  if (state.before.length || state.drafts.size) event.preventDefault();
});
addEventListener("pagehide", (event) => {
  if (!event.persisted) navigator.sendBeacon(`leave?${new URLSearchParams({ window: WINDOW })}`);
});
document.addEventListener("keydown", (event) => {
  const { shiftKey, target } = event;
  if (!(target instanceof Element)) return;
  const travel = event.ctrlKey || event.metaKey;
  const key = !travel ? event.key : /^z$/i.test(event.key) ? (shiftKey ? "y" : "u") : /^y$/i.test(event.key) ? "y" : "";
  if (target.matches("input, select")) {
    if (target !== $("code") && (key === "Escape" || key === "Enter")) focusWork();
    return;
  }
  if (event.altKey || !key) return;
  if (isGridOpen() && !state.opening) { // keys that come after a click are for the picture
    if (/^(c|escape)$/i.test(key)) toggleGrid();
    if (key !== "/") return;
    event.preventDefault();
    $("search").focus();
    return;
  }
  if (target.closest("nav, aside") && (key === "Tab" || key === "Enter")) return;
  if (key === "Enter" && state.opening) return; // nobody has seen that picture
  if (state.opening || (isGoing() && !/^(Enter|[jk])$/i.test(key))) {
    if (isMeant(key)) {
      event.preventDefault();
      state.pressed.push({ key, shiftKey });
    }
  } else if (press({ key, shiftKey })) event.preventDefault();
});
const isMeant = (/** @type {string} */ key) =>
  key === "Tab" || /^[1-9]$/.test(key) || key in edits.ARROWS || commandOf(key) !== undefined;
// With Caps Lock a letter is a capital.
/** @type {(key: string) => (() => void) | undefined} */
const commandOf = (key) => keys[key.length === 1 ? key.toLowerCase() : key];
// What a key does; false where it does nothing.
const press = (/** @type {Key} */ { key, shiftKey }) => {
  const tile = state.tiles[state.chosen];
  const command = commandOf(key);
  const choice = tile && /^[1-9]$/.test(key) && edits.choice(Number(key));
  const arrow = tile && edits.ARROWS[key];
  if (choice) edits.name(choice);
  else if (arrow && !shiftKey) edits.nudge(arrow);
  else if (arrow && arrow[0]) edits.turn(arrow[0] > 0);
  else if (key === "Tab") edits.step(shiftKey ? -1 : 1);
  else if (key === "Enter") keep();
  else if (command) command();
  else return false;
  return true;
};
const buttons = {
  add: edits.startAdding,
  remove: edits.remove,
  unsure: edits.toggleUnsure,
  gap: edits.fillGap,
  undo: edits.undo,
  redo: edits.redo,
  skip,
  save: keep,
  "show-grid": toggleGrid,
};
for (const [id, work] of Object.entries(buttons)) {
  $(id).addEventListener("click", () => {
    work();
    if (id !== "gap") focusWork();
  });
}

reporting(async () => {
  await whileOpening(fetchList);
  await openNext();
  $("stage").focus();
})();
