// A review of labels: state in one object, every change drawn anew, the server asked only for pictures and to keep them.

/** @typedef {[number, number]} Point */
/**
 * A labelled tile; `read`: its label before the review, `touched`: it was changed here.
 * @typedef {{tile: string, corners: Point[], confidence: number | null, alternatives?: [string, number | null][],
 *   read?: string, touched?: boolean}} Tile
 */
/**
 * A picture with its tiles; `places`: where the set seems to have a tile without a label, `times`: how often it was kept.
 * @typedef {{image: string, width: number, height: number, tiles: Tile[], places: Point[][], times: number}} Picture
 */

/**
 * An element of the page; what it is, the page says.
 * @param {string} id
 * @returns {any}
 */
const $ = (id) => document.getElementById(id);
const LIST_MILLISECONDS = 2000;
// One name for each window, also after it was loaded again.
const WINDOW = sessionStorage.getItem("window") ?? crypto.randomUUID();
sessionStorage.setItem("window", WINDOW);
const state = {
  /** @type {{at: number, image: string, why: string, done: boolean}[]} */
  pictures: [],
  share: 0,
  at: -1,
  /** @type {Picture} */
  picture: { image: "", width: 0, height: 0, tiles: [], places: [], times: 0 },
  seen: 0,
  /** @type {Tile[]} */
  tiles: [],
  chosen: -1,
  /** @type {Tile[][]} */
  before: [],
  adding: false,
  keeping: false,
  /** How many pictures are on their way; keys that are pressed meanwhile are for the last of them. */
  opening: 0,
  /** How many pictures have been asked for. */
  asked: 0,
  /** @type {{key: string, shiftKey: boolean}[]} */
  pressed: [],
  /** @type {Map<string, string>} */
  names: new Map(),
  /** @type {Map<number, {tiles: Tile[], before: Tile[][], seen: number}>} */
  drafts: new Map(),
};

/** @type {(path: string, options?: RequestInit) => Promise<any>} */
const ask = async (path, options) => {
  const answer = await fetch(path, options);
  const told = await answer.json().catch(() => ({ message: answer.statusText }));
  if (!answer.ok) throw Object.assign(new Error(told.message ?? answer.statusText), { code: told.code });
  return told;
};
const say = (/** @type {string} */ text) => {
  $("status").textContent = text;
};
/** @type {<A extends any[]>(work: (...given: A) => Promise<void>) => (...given: A) => Promise<void>} */
const reporting = (work) => async (...given) => {
  try {
    await work(...given);
  } catch (error) {
    say(`${error.message}`);
  }
};
/** @type {(name: string, attributes: Record<string, any>) => SVGElement} */
const element = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
const points = (/** @type {Point[]} */ corners) => corners.map((p) => p.join(",")).join(" ");
/** @type {(corners: Point[]) => number[]} */
const centre = (corners) => [0, 1].map((i) => corners.reduce((sum, p) => sum + p[i], 0) / corners.length);
/** @type {(tiles: Tile[]) => Tile[]} */
const copy = (tiles) => tiles.map((t) => ({ ...t, corners: t.corners.map((p) => [...p]) }));
const certainty = (/** @type {Tile} */ tile) => (tile.confidence === null || tile.touched ? 1 : tile.confidence);
/** @type {(tile: Tile) => string} */
const kind = (tile) => (!tile.tile || certainty(tile) < 0.6 ? "poor" : certainty(tile) < 0.9 ? "fair" : "sure");

const remember = () => {
  state.before.push(copy(state.tiles));
  if (state.before.length > 100) state.before.shift();
};
const change = (/** @type {() => void} */ work) => {
  remember();
  work();
  draw();
};
const freePlaces = () =>
  state.picture.places.filter((place) => {
    const [x, y] = centre(place);
    return !state.tiles.some((t) =>
      Math.hypot(centre(t.corners)[0] - x, centre(t.corners)[1] - y) <
        Math.hypot(place[1][0] - place[0][0], place[1][1] - place[0][1]) / 2
    );
  });

const draw = () => {
  const { picture, tiles, chosen } = state;
  const svg = $("photo");
  const grain = Math.max(picture.width, picture.height) / 100;
  svg.setAttribute("viewBox", `0 0 ${picture.width} ${picture.height}`);
  svg.querySelectorAll(":scope > :not(image)").forEach((/** @type {Element} */ one) => one.remove());
  tiles.forEach((tile, i) => {
    const shape = element("polygon", {
      points: points(tile.corners),
      class: `${kind(tile)}${i === chosen ? " chosen" : ""}`,
      "data-tile": i,
    });
    const [x, y] = centre(tile.corners);
    const text = element("text", { x, y: y + grain / 2, "font-size": grain * 1.8 });
    text.textContent = tile.tile || "?";
    svg.append(shape, text);
  });
  freePlaces().forEach((place) =>
    svg.append(element("polygon", { points: points(place), class: "place", "data-place": JSON.stringify(place) }))
  );
  if (chosen >= 0) {
    tiles[chosen].corners.forEach(([cx, cy], i) =>
      svg.append(element("circle", { cx, cy, r: grain, "data-corner": i }))
    );
  }
  $("gap").disabled = !freePlaces().length;
  $("undo").disabled = !state.before.length;
  $("remove").disabled = chosen < 0;
  $("code").disabled = chosen < 0;
  drawTile();
};

const drawTile = () => {
  const tile = state.tiles[state.chosen];
  $("alternatives").replaceChildren();
  if (!tile) {
    $("tile").textContent = state.adding ? "Draw a box around the tile" : "No tile is chosen";
    $("code").value = "";
    return;
  }
  $("tile").textContent = tile.tile ? `${tile.tile}, ${state.names.get(tile.tile) ?? ""}` : "A tile without a name";
  $("code").value = tile.tile ?? "";
  choices(tile).forEach(([code, share], i) => {
    const button = document.createElement("button");
    button.textContent = `${i + 1}  ${code}, ${state.names.get(code) ?? ""}${
      share === null ? "" : `, ${Math.round(share * 100)} %`
    }`;
    button.addEventListener("click", () => name(code));
    const line = document.createElement("li");
    line.append(button);
    $("alternatives").append(line);
  });
};
/** @type {(tile: Tile) => [string, number | null][]} */
const choices = (tile) => {
  /** @type {[string, number | null][]} */
  const first = tile.read ? [[tile.read, tile.confidence]] : [];
  return [...first, ...(tile.alternatives ?? [])].slice(0, 9);
};
/** @type {(code: string) => void} */
const name = (code) => change(() => Object.assign(state.tiles[state.chosen], { tile: code, touched: true }));

const choose = (/** @type {number} */ i) => {
  state.chosen = i;
  draw();
};
const step = (/** @type {number} */ by) => {
  const order = state.tiles.map((_, i) => i).sort((a, b) =>
    certainty(state.tiles[a]) - certainty(state.tiles[b]) || a - b
  );
  const at = order.indexOf(state.chosen);
  if (order.length) choose(order[at < 0 ? (by > 0 ? 0 : order.length - 1) : (at + by + order.length) % order.length]);
};
const add = (/** @type {Point[]} */ corners) =>
  change(() => {
    state.tiles.push({ tile: "", corners, confidence: null, alternatives: [], touched: true });
    state.chosen = state.tiles.length - 1;
    state.adding = false;
  });
const nameIt = () => {
  $("code").focus();
  $("code").select();
};
const remove = () => {
  if (state.chosen >= 0) {
    change(() => {
      state.tiles.splice(state.chosen, 1);
      state.chosen = -1;
    });
  }
};
const fill = () => {
  const [place] = freePlaces();
  if (place) {
    add(place);
    nameIt();
  }
};
const undo = () => {
  const before = state.before.pop();
  if (before) {
    state.tiles = before;
    state.chosen = Math.min(state.chosen, state.tiles.length - 1);
    draw();
  }
};
const startAdding = () => {
  state.adding = true;
  state.chosen = -1;
  draw();
  say("Draw a box around the tile; its corners can be dragged afterwards.");
};

const open = reporting(async (/** @type {number} */ at) => {
  state.opening += 1;
  state.asked += 1;
  const { asked } = state;
  try {
    /** @type {Picture} */
    const picture = await ask(`pictures/${at}?window=${encodeURIComponent(WINDOW)}`);
    if (asked === state.asked) show(at, picture);
  } finally {
    state.opening -= 1;
  }
  if (!state.opening) state.pressed.splice(0).forEach(press);
});
const show = (/** @type {number} */ at, /** @type {Picture} */ picture) => {
  const left = leave();
  const anew = () => ({ tiles: picture.tiles.map((t) => ({ ...t, read: t.tile })), before: [], seen: picture.times });
  const { tiles, before, seen } = state.drafts.get(at) ?? anew();
  Object.assign(state, { at, picture, tiles, before, seen, chosen: -1, adding: false });
  const photo = element("image", { href: `pictures/${at}/photo`, width: picture.width, height: picture.height });
  photo.addEventListener(
    "error",
    reporting(async () => {
      const answer = await fetch(`pictures/${at}/photo`);
      if (!answer.ok && state.at === at) say((await answer.json()).message);
    }),
  );
  $("photo").replaceChildren(photo);
  $("name").textContent = picture.image;
  $("why").textContent = state.pictures[position()]?.why || "nothing stands out";
  say(before.length ? "What was changed here is not kept yet: Enter keeps it." : left);
  list();
  draw();
  step(1);
};
// What was changed in the picture on the screen stays until it is kept, whatever picture is opened meanwhile.
const leave = () => {
  state.drafts.delete(state.at);
  if (!state.before.length) return "";
  state.drafts.set(state.at, { tiles: state.tiles, before: state.before, seen: state.seen });
  return `What was changed in ${state.picture.image} is not kept yet.`;
};
const position = () => state.pictures.findIndex((p) => p.at === state.at);
const go = (/** @type {number} */ place) => {
  if (take()) open(state.pictures[Math.min(Math.max(place, 0), state.pictures.length - 1)].at);
};
// Takes over the name that is being typed; false, with a message, where it is not a tile.
const take = () => {
  const [code, tile] = [$("code").value.trim(), state.tiles[state.chosen]];
  if (!tile || code === (tile.tile ?? "")) return true;
  if (!state.names.has(code)) {
    say(`${code} is not a tile: write 1m-9m, 1p-9p, 1s-9s, 1z-7z, 0m 0p 0s, f1-f4, g1-g4, a1-a4 or back.`);
    nameIt();
    return false;
  }
  say("");
  name(code);
  return true;
};
const keep = reporting(async () => {
  if (state.keeping || !take()) return;
  const nameless = state.tiles.findIndex((t) => !t.tile);
  if (nameless >= 0) {
    choose(nameless);
    nameIt();
    say("This tile has no name yet.");
    return;
  }
  state.keeping = true; // until the next picture is there: a second Enter meanwhile is meant for neither
  try {
    await keepThis();
  } finally {
    state.keeping = false;
    state.pressed.splice(0); // what was meant for a picture that has not come
  }
});
const keepThis = async () => {
  const { at, seen } = state;
  const tiles = state.tiles.map(({ tile, corners }) => ({ tile, corners }));
  const how = { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ tiles, seen }) };
  const counts = await ask(`pictures/${at}`, how).catch(async (refused) => {
    if (refused.code === "kept_meanwhile" && state.at === at) state.seen = (await ask(`pictures/${at}`)).times;
    throw refused;
  });
  const kept = state.pictures.find((p) => p.at === at);
  if (kept) kept.done = true;
  state.drafts.delete(at);
  if (state.at === at) state.before = [];
  const told = Object.entries(counts).filter(([, n]) => n).map(([what, n]) => `${n} ${what}`).join(", ") || "no tile";
  if (state.at !== at) {
    list();
    say(`Kept: ${told}.`);
    return;
  } // somebody has gone on by J or K
  const next = await openNext();
  say(`Kept: ${told}.${next ? "" : " Every picture is looked through, or open in another window."}`);
};

// The worst picture that nobody has looked at and nobody else has open; false where there is none.
const openNext = async () => {
  const after = state.at < 0 ? "" : `&after=${state.at}`;
  const { at } = await ask(`next?window=${encodeURIComponent(WINDOW)}${after}`, { method: "POST" });
  await open(at ?? (state.at < 0 ? state.pictures[0].at : state.at));
  return at !== null;
};
// Asks for the list again until all labels have been read: the worst may come last.
const fetchList = reporting(async () => {
  const told = await ask("pictures");
  state.pictures = told.pictures;
  state.share = told.share_read;
  if (state.share < 1) setTimeout(() => fetchList().then(list), LIST_MILLISECONDS);
});

const list = () => {
  const here = position();
  const shown = state.pictures.map((p, i) => ({ ...p, i })).slice(Math.max(0, here - 50), Math.max(0, here) + 150);
  const read = state.share < 1 ? `; ${Math.floor(state.share * 100)} % of the labels are read` : "";
  const done = state.pictures.filter((p) => p.done).length;
  $("count").textContent = `${done} of ${state.pictures.length} looked through${read}`;
  $("pictures").replaceChildren(...shown.map((p) => {
    const button = document.createElement("button");
    button.textContent = `${state.drafts.has(p.at) ? "✎ " : p.done ? "✓ " : ""}${p.image}`;
    button.setAttribute("aria-current", String(p.at === state.at));
    const why = document.createElement("small");
    why.textContent = p.why;
    button.append(why);
    button.addEventListener("click", () => go(p.i));
    const line = document.createElement("li");
    line.append(button);
    return line;
  }));
  $("pictures").querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
};

/** @type {(event: PointerEvent) => Point} */
const spot = (event) => {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform($("photo").getScreenCTM().inverse());
  return [Math.round(at.x * 10) / 10, Math.round(at.y * 10) / 10];
};
/** @type {{from: Point, to?: Point, box?: boolean, whole?: boolean, moved?: boolean, corner?: number, corners: Point[]} | null} */
let drag = null;
$("photo").addEventListener("pointerdown", (/** @type {PointerEvent & {target: any}} */ event) => {
  if (!take()) {
    event.preventDefault();
    return;
  }
  const { tile, corner, place } = event.target.dataset;
  const from = spot(event);
  $("photo").setPointerCapture(event.pointerId);
  if (state.adding) drag = { from, box: true, corners: [] };
  else if (corner !== undefined) {
    remember();
    drag = { from, corner: Number(corner), corners: copy(state.tiles)[state.chosen].corners };
  } else if (place) {
    add(JSON.parse(place));
    nameIt();
    event.preventDefault();
  } else if (tile !== undefined) {
    choose(Number(tile));
    drag = { from, whole: true, corners: copy(state.tiles)[state.chosen].corners };
  } else choose(-1);
});
$("photo").addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
  if (!drag) return;
  const [x, y] = spot(event);
  const by = [x - drag.from[0], y - drag.from[1]];
  if (drag.box) {
    drag.to = [x, y];
    return;
  }
  if (drag.whole && !drag.moved) {
    if (Math.hypot(...by) < state.picture.width / 300) return; // a hand that trembles moves no tile
    remember();
    drag.moved = true;
  }
  const { whole, corner, corners } = drag;
  const now = corners.map((p, i) =>
    whole || i === corner ? [0, 1].map((k) => Math.round((p[k] + by[k]) * 10) / 10) : p
  );
  Object.assign(state.tiles[state.chosen], { corners: now, touched: true });
  draw();
});
$("photo").addEventListener("pointerup", () => {
  const done = drag;
  drag = null;
  if (!done?.box || !done.to) return;
  const { from, to } = done;
  const [[x0, x1], [y0, y1]] = [0, 1].map((k) => [from[k], to[k]].sort((a, b) => a - b));
  if (x1 - x0 < 4 || y1 - y0 < 4) {
    say("That box is too small; draw it again.");
    return;
  }
  add([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]);
  nameIt();
});

$("code").addEventListener("change", take);
$("code").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.key === "Enter" || event.key === "Escape") {
    event.stopPropagation();
    if (event.key === "Escape") $("code").value = state.tiles[state.chosen]?.tile ?? "";
    $("code").blur();
    $("stage").focus();
  }
});
/** @type {Record<string, () => void>} */
const keys = {
  a: startAdding,
  g: fill,
  u: undo,
  n: () => state.chosen >= 0 && nameIt(),
  Delete: remove,
  Backspace: remove,
  j: () => go(position() + 1),
  k: () => go(position() - 1),
  Escape: () => {
    state.adding = false;
    drag = null;
    draw();
    say("");
  },
};
addEventListener("beforeunload", (event) => {
  if (state.before.length || state.drafts.size) event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  if (event.target === $("code") || event.ctrlKey || event.metaKey || event.altKey) return;
  const inside = event.target instanceof Element && event.target.closest("nav, aside");
  if (inside && (event.key === "Tab" || event.key === "Enter")) return;
  const { key, shiftKey } = event;
  if (key === "Enter" && state.opening) return; // nobody has seen that picture
  if (state.opening || (state.keeping && !/^(Enter|[jk])$/i.test(key))) {
    if (isMeant(key)) {
      event.preventDefault();
      state.pressed.push({ key, shiftKey });
    }
  } else if (press({ key, shiftKey })) event.preventDefault();
});
const isMeant = (/** @type {string} */ key) => key === "Tab" || /^[1-9]$/.test(key) || commandOf(key) !== undefined;
// With Caps Lock a letter is a capital.
/** @type {(key: string) => (() => void) | undefined} */
const commandOf = (key) => keys[key.length === 1 ? key.toLowerCase() : key];
// What a key does; false where it does nothing.
const press = (/** @type {{key: string, shiftKey: boolean}} */ { key, shiftKey }) => {
  const tile = state.tiles[state.chosen];
  const command = commandOf(key);
  const choice = tile && /^[1-9]$/.test(key) && choices(tile)[Number(key) - 1];
  if (choice) name(choice[0]);
  else if (key === "Tab") step(shiftKey ? -1 : 1);
  else if (key === "Enter") keep();
  else if (command) command();
  else return false;
  return true;
};
for (const [id, work] of Object.entries({ add: startAdding, remove, gap: fill, undo, save: keep })) {
  $(id).addEventListener("click", () => {
    work();
    if (id !== "gap") $("stage").focus();
  });
}

reporting(async () => {
  for (const { code, name: told } of await ask("tiles")) {
    state.names.set(code, told);
    const option = document.createElement("option");
    option.value = code;
    option.label = told;
    $("codes").append(option);
  }
  await fetchList();
  await openNext();
  $("stage").focus();
})();
