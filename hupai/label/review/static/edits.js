// Everything that changes the tiles of the picture on the screen, and takes it back.
import { draw, reveal, scale } from "./drawing.js";
import { $, centre, certainty, choices, copy, freePlaces, say, shift, state } from "./state.js";

/** @typedef {import("./state.js").Point} Point */
const MAX_STEPS = 100;
/** Arrow keys: how far they go across and down. @type {Record<string, Point>} */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Keeps the tiles as they are for `undo`; a change that goes on is undone as one. */
export const remember = (going = "") => {
  const more = going !== "" && going === state.going;
  state.going = going;
  if (more) return;
  state.before.push(copy(state.tiles));
  state.after = [];
  if (state.before.length > MAX_STEPS) state.before.shift();
};
const change = (/** @type {() => void} */ work, going = "") => {
  remember(going);
  work();
  draw();
};
/** @type {(from: import("./state.js").Tile[][], to: import("./state.js").Tile[][]) => void} */
const travel = (from, to) => {
  const tiles = from.pop();
  if (!tiles) return;
  to.push(copy(state.tiles));
  state.tiles = tiles;
  state.chosen = Math.min(state.chosen, tiles.length - 1);
  state.going = "";
  draw();
};
export const undo = () => travel(state.before, state.after);
export const redo = () => travel(state.after, state.before);

export const choose = (/** @type {number} */ i) => {
  state.chosen = i;
  state.going = "";
  draw();
};
/** Chooses the next tile, the least certain first. */
export const step = (/** @type {number} */ by) => {
  const order = state.tiles.map((_, i) => i).sort((a, b) =>
    certainty(state.tiles[a]) - certainty(state.tiles[b]) || a - b
  );
  const at = order.indexOf(state.chosen);
  if (!order.length) return;
  choose(order[at < 0 ? (by > 0 ? 0 : order.length - 1) : (at + by + order.length) % order.length]);
  reveal(centre(state.tiles[state.chosen].corners));
};

/** The name that a digit takes; undefined where it takes none. */
export const choice = (/** @type {number} */ digit) => choices(state.tiles[state.chosen])[digit - 1]?.[0];
/** @type {(code: string) => void} */
export const name = (code) =>
  change(() => Object.assign(state.tiles[state.chosen], { tile: code, touched: true, unsure: false }));
export const typeName = () => {
  if (state.chosen < 0) return;
  $("code").focus();
  $("code").select();
};
/** Takes over the name that is being typed; false, with a message, where it is not a tile. */
export const takeName = () => {
  const [code, tile] = [$("code").value.trim(), state.tiles[state.chosen]];
  if (!tile || code === (tile.tile ?? "")) return true;
  if (!state.names.has(code)) {
    say(`${code} is not a tile: write 1m-9m, 1p-9p, 1s-9s, 1z-7z, 0m 0p 0s, f1-f4, g1-g4, a1-a4 or back.`);
    typeName();
    return false;
  }
  say("");
  name(code);
  return true;
};
export const toggleUnsure = () => {
  const tile = state.tiles[state.chosen];
  if (tile) change(() => Object.assign(tile, { unsure: !tile.unsure, touched: true }));
};
/** @type {(corners: Point[]) => void} */
export const add = (corners) =>
  change(() => {
    state.tiles.push({ tile: "", corners, confidence: null, alternatives: [], touched: true });
    state.chosen = state.tiles.length - 1;
    state.adding = false;
  });
export const startAdding = () => {
  state.adding = true;
  state.chosen = -1;
  draw();
  say("Draw a box around the tile; its corners can be dragged afterwards.");
};
export const fillGap = () => {
  const [place] = freePlaces();
  if (place) {
    add(place);
    typeName();
  }
};
export const remove = () => {
  if (state.chosen < 0) return;
  change(() => {
    state.tiles.splice(state.chosen, 1);
    state.chosen = -1;
  });
};
/** Moves the chosen tile by a pixel of the screen, at least by one of the picture. @type {(arrow: Point) => void} */
export const nudge = ([x, y]) => {
  const tile = state.tiles[state.chosen];
  const by = Math.max(1, Math.round(1 / scale()));
  change(() => Object.assign(tile, { corners: shift(tile.corners, x * by, y * by), touched: true }), "nudge");
};
/** Turns the chosen tile by a quarter: its corners stay, another one comes first. @type {(clockwise: boolean) => void} */
export const turn = (clockwise) => {
  const tile = state.tiles[state.chosen];
  const [a, b, c, d] = tile.corners;
  change(() => Object.assign(tile, { corners: clockwise ? [b, c, d, a] : [d, a, b, c], touched: true }));
};
