// The mouse or a finger on the picture: chooses and drags tiles and corners, draws boxes, moves and enlarges the picture.
import { draw, pan, scale, zoom } from "./drawing.js";
import { add, choose, remember, takeName, typeName } from "./edits.js";
import { $, copy, say, shift, state, upright } from "./state.js";

/** @typedef {import("./state.js").Point} Point */
const TREMBLE_PX = 4; // a hand that trembles moves nothing
const MIN_SIDE_PX = 4;
/**
 * What is being dragged: a box that is drawn, a corner, a whole tile, or the picture.
 * @type {{what: "box" | "corner" | "tile" | "picture", from: Point, to: Point, moved: boolean, corner: number,
 *   corners: Point[]} | null}
 */
let drag = null;
export const stopDragging = () => {
  drag = null;
};

/** @type {(event: MouseEvent) => Point} */
const spot = (event) => {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform($("photo").getScreenCTM().inverse());
  return [Math.round(at.x * 10) / 10, Math.round(at.y * 10) / 10];
};
$("photo").addEventListener("pointerdown", (/** @type {PointerEvent & {target: any}} */ event) => {
  if (!takeName()) {
    event.preventDefault();
    return;
  }
  const { tile, corner, place } = event.target.dataset;
  const from = spot(event);
  const base = { from, to: from, moved: false, corner: -1, corners: /** @type {Point[]} */ ([]) };
  $("photo").setPointerCapture(event.pointerId);
  if (event.button === 1) drag = { ...base, what: "picture", moved: true };
  else if (state.adding) drag = { ...base, what: "box" };
  else if (corner !== undefined) {
    drag = { ...base, what: "corner", corner: Number(corner), corners: copy(state.tiles)[state.chosen].corners };
  } else if (place) {
    add(JSON.parse(place));
    typeName();
  } else if (tile !== undefined) {
    choose(Number(tile));
    drag = { ...base, what: "tile", corners: copy(state.tiles)[state.chosen].corners };
  } else drag = { ...base, what: "picture" };
  if (place || event.button === 1) event.preventDefault();
});
$("photo").addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
  if (!drag) return;
  const { what, from, corner, corners } = drag;
  drag.to = spot(event);
  const [x, y] = [drag.to[0] - from[0], drag.to[1] - from[1]];
  if (!drag.moved) {
    if (Math.hypot(x, y) * scale() < TREMBLE_PX) return;
    drag.moved = true;
    if (what === "tile" || what === "corner") remember();
  }
  if (what === "picture") pan(-x, -y); // the point under the mouse stays under it
  else if (what !== "box") {
    const now = shift(corners, x, y).map((p, i) => what === "tile" || i === corner ? p : corners[i]);
    Object.assign(state.tiles[state.chosen], { corners: now, touched: true });
    draw();
  }
});
$("photo").addEventListener("pointerup", () => {
  const done = drag;
  drag = null;
  if (done?.what === "picture" && !done.moved) choose(-1);
  if (done?.what !== "box" || !done.moved) return;
  const [[x0, x1], [y0, y1]] = [0, 1].map((k) => [done.from[k], done.to[k]].sort((a, b) => a - b));
  if (x1 - x0 < MIN_SIDE_PX || y1 - y0 < MIN_SIDE_PX) {
    say("That box is too small; draw it again.");
    return;
  }
  add(upright(x0, y0, x1, y1));
  typeName();
});
$("photo").addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
  event.preventDefault();
  zoom(2 ** (-event.deltaY / 300), spot(event));
}, { passive: false });
