// Draws the picture with its tiles, the part of it that is looked at, and what is said of the chosen tile.
import { $, centre, certainty, choices, freePlaces, make, state } from "./state.js";

/** @typedef {import("./state.js").Point} Point */
/** @typedef {import("./state.js").Tile} Tile */
const MAX_ZOOM = 40;

/** @type {(name: string, attributes: Record<string, any>) => SVGElement} */
export const element = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
const points = (/** @type {Point[]} */ corners) => corners.map((p) => p.join(",")).join(" ");
/** @type {(tile: Tile) => string} */
const kind = (tile) => {
  if (tile.unsure) return "unsure";
  return !tile.tile || certainty(tile) < 0.6 ? "poor" : certainty(tile) < 0.9 ? "fair" : "sure";
};

export const draw = () => {
  const { tiles, chosen, view } = state;
  const svg = $("photo");
  const grain = Math.max(view.width, view.height) / 100;
  svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  svg.querySelectorAll(":scope > :not(image)").forEach((/** @type {Element} */ one) => one.remove());
  tiles.forEach((tile, i) => {
    const look = `${kind(tile)}${i === chosen ? " chosen" : ""}`;
    const [x, y] = centre(tile.corners);
    const text = element("text", { x, y: y + grain / 2, "font-size": grain * 1.8 });
    text.textContent = tile.unsure ? "unsure" : tile.tile || "?";
    svg.append(
      element("polygon", { points: points(tile.corners), class: look, "data-tile": i }),
      text,
      element("polyline", { points: points(tile.corners.slice(0, 2)), class: look }),
    );
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
  $("redo").disabled = !state.after.length;
  for (const id of ["remove", "unsure", "code"]) $(id).disabled = chosen < 0;
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
  const name = tile.tile ? `${tile.tile}, ${state.names.get(tile.tile) ?? ""}` : "A tile without a name";
  $("tile").textContent = tile.unsure ? "Unsure: nobody can tell" : name;
  $("code").value = tile.tile ?? "";
  choices(tile).forEach(([code, share], i) => {
    const likely = share === null ? "" : `, ${Math.round(share * 100)} %`;
    const words = `${i + 1}  ${code}, ${state.names.get(code) ?? ""}${likely}`;
    $("alternatives").append(make("li", {}, {}, make("button", {}, { name: code }, words)));
  });
};

export const showWhole = () => {
  state.view = { x: 0, y: 0, width: state.picture.width, height: state.picture.height };
  draw();
};
/** Looks at another part of the picture, as large as it may be. @type {(x: number, y: number, width: number) => void} */
const look = (x, y, width) => {
  const { picture } = state;
  const wide = Math.min(Math.max(width, picture.width / MAX_ZOOM), picture.width);
  const high = wide * picture.height / picture.width;
  state.view = {
    x: Math.min(Math.max(x, 0), picture.width - wide),
    y: Math.min(Math.max(y, 0), picture.height - high),
    width: wide,
    height: high,
  };
  draw();
};
/** Shows the picture larger by a factor; a point stays where it is. @type {(factor: number, point: Point) => void} */
export const zoom = (factor, [x, y]) => {
  const { view, picture } = state;
  const wide = Math.min(Math.max(view.width / factor, picture.width / MAX_ZOOM), picture.width);
  const share = wide / view.width;
  look(x - (x - view.x) * share, y - (y - view.y) * share, wide);
};
/** @type {(x: number, y: number) => void} */
export const pan = (x, y) => look(state.view.x + x, state.view.y + y, state.view.width);
/** Brings a point that is outside into the middle. @type {(point: Point) => void} */
export const reveal = ([x, y]) => {
  const { view } = state;
  const [across, down] = [x - view.x, y - view.y];
  if (across < 0 || down < 0 || across > view.width || down > view.height) {
    pan(across - view.width / 2, down - view.height / 2);
  }
};
/** Pixels of the screen for one of the picture. @returns {number} */
export const scale = () => $("photo").getScreenCTM().a;
