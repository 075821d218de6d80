// The photo with its tiles outlined: pinch, drag, wheel, keys; a tap near a tile opens it.
import { app } from "../state/app.js";
import { on } from "../state/signal.js";
import { element, h, refill } from "../dom/dom.js";
import { iconButton } from "../controls/fields.js";
import { attempt } from "../controls/notice.js";
import { asideOf, doubtsByTile } from "../hand/fromread.js";
import { tilesOf } from "../hand/hand.js";
import { t } from "../words/i18n.js";
import { calmly } from "../dom/press.js";
import { neighbour, rowsOf } from "../hand/rows.js";
import { around, centre, inside } from "../hand/polygon.js";
import { tileName } from "../faces/tile.js";

const NEAR = 26; // a tap this close to a tile selects it (half a 44 px target and a little)
const MAX_ZOOM = 8;

/**
 * One view lives as long as the page and is moved into the screen that shows it.
 * @param {(id: number | null, seen: number) => void} onpick receives the tapped tile: id in the hand, index in the reading
 * @param {() => Described[]} another describes the keys that take another photo
 */
export function makePhotoView(onpick, another) {
  const canvas = element(h("canvas", { "aria-hidden": "true" }));
  const overlay = element(h("svg.outlines", { role: "group", "aria-label": t("photo.outlines") }));
  const button = (/** @type {string} */ sign, /** @type {string} */ key, /** @type {() => unknown} */ act) =>
    iconButton(null, sign, t(key), act);
  const keys = element(h("div.photo-keys"));
  const drawKeys = () =>
    refill(
      keys,
      button("plus", "photo.zoom_in", () => zoomBy(1.6)),
      button("minus", "photo.zoom_out", () => zoomBy(1 / 1.6)),
      button("fit", "photo.fit", () => fit(!whole)),
      app.bitmap && iconButton("lasso", "lasso", t("photo.part"), () => attempt(lasso)),
      another(),
    );
  const stage = element(h("div.photo-stage"));
  stage.append(canvas, overlay);
  /** @type {(() => unknown) | null} */
  let askLine = null; // fetched when it is first asked for
  const lasso = async () => {
    askLine ??= (await import("./lasso.js")).attachLasso(
      stage,
      (x, y) => [(x - view.x) / view.k, (y - view.y) / view.k],
    );
    askLine();
  };
  drawKeys();
  let view = { k: 1, x: 0, y: 0 }; // photo pixels -> stage pixels
  let whole = true;
  /** @type {number | null} */
  let current = null; // the outline with keyboard focus
  let frame = 0;
  const fingers = new Map();
  let moved = 0;

  const size = () => [stage.clientWidth, stage.clientHeight];
  const photoSize = () =>
    app.bitmap
      ? [app.bitmap.width, app.bitmap.height]
      : app.draft.read
      ? [app.draft.read.width, app.draft.read.height]
      : [4, 3];
  const scale = () => (app.draft.read ? photoSize()[0] / app.draft.read.width : 1);
  const rescaled = (/** @type {{corners: [number, number][]}} */ { corners }) =>
    corners.map(([x, y]) => /** @type {[number, number]} */ ([x * scale(), y * scale()]));
  const quads = () => (app.draft.read?.tiles ?? []).map(rescaled);
  /** @returns {[number, [number, number][]][]} */
  const asideQuads = () => asideOf(app.draft).map((one) => [one.seen, rescaled(one)]);

  /** Shows the whole photo, or the part with the tiles. */
  function fit(/** @type {boolean} */ all) {
    const [w] = size();
    const [pw, ph] = photoSize();
    let box = [0, 0, pw, ph];
    const used = quads()
      .filter((_, i) => app.draft.read?.tiles[i].role !== "other")
      .flat();
    if (!all) used.push(...asideQuads().flatMap(([, quad]) => quad));
    if (!all && used.length) box = around(used);
    // No taller than its content needs, so that the hand below is visible.
    const tall = Math.ceil((w * (box[3] - box[1])) / (box[2] - box[0]));
    stage.style.setProperty("--need", app.reading ? "26dvh" : `${tall}px`); // the final height is not known yet
    const hgt = Math.max(1, size()[1]);
    const k = Math.min(w / (box[2] - box[0]), hgt / (box[3] - box[1]));
    view = { k, x: (w - k * (box[0] + box[2])) / 2, y: (hgt - k * (box[1] + box[3])) / 2 };
    whole = all;
    clamp();
    draw();
  }

  const least = () => Math.min(size()[0] / photoSize()[0], size()[1] / photoSize()[1]);
  function clamp() {
    const [w, hgt] = size();
    const [pw, ph] = photoSize();
    view.k = Math.min(Math.max(view.k, least()), least() * MAX_ZOOM);
    const bound = (/** @type {number} */ value, /** @type {number} */ total, /** @type {number} */ room) =>
      total <= room ? (room - total) / 2 : Math.min(0, Math.max(room - total, value));
    view.x = bound(view.x, pw * view.k, w);
    view.y = bound(view.y, ph * view.k, hgt);
    stage.classList.toggle("zoomed", view.k > least() * 1.05);
  }
  function zoomBy(/** @type {number} */ factor, x = size()[0] / 2, y = size()[1] / 2) {
    const before = view.k;
    view.k = Math.min(Math.max(view.k * factor, least()), least() * MAX_ZOOM);
    view.x = x - ((x - view.x) * view.k) / before;
    view.y = y - ((y - view.y) * view.k) / before;
    clamp();
    draw();
  }

  function draw() {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const [w, hgt] = size();
      if (!w) return;
      const ratio = Math.min(3, devicePixelRatio || 1);
      if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(hgt * ratio)) {
        canvas.width = Math.round(w * ratio);
        canvas.height = Math.round(hgt * ratio);
      }
      const context = canvas.getContext("2d");
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.setTransform(view.k * ratio, 0, 0, view.k * ratio, view.x * ratio, view.y * ratio);
      context.imageSmoothingQuality = "high";
      if (app.bitmap) context.drawImage(app.bitmap, 0, 0);
      outlines(w, hgt);
    });
  }

  function outlines(/** @type {number} */ w, /** @type {number} */ hgt) {
    overlay.setAttribute("viewBox", `0 0 ${w} ${hgt}`);
    const read = app.draft.read;
    const hatch = h(
      "defs",
      h(
        "pattern",
        { id: "hatch", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        h("path", { d: "M0 0V7", class: "hatch" }),
      ),
    );
    if (!read) return refill(overlay, hatch, seeming());
    const owner = new Map(
      tilesOf(app.draft.hand)
        .filter(({ tile }) => tile.seen !== null)
        .map((entry) => [entry.tile.seen, entry]),
    );
    const why = doubtsByTile(read);
    const onStage = (/** @type {[number, number][]} */ quad) =>
      quad.map(([x, y]) => /** @type {[number, number]} */ ([x * view.k + view.x, y * view.k + view.y]));
    const drawn = quads().map((quad, seen) => {
      const entry = owner.get(seen);
      const points = onStage(quad);
      const doubt = entry?.tile.doubt ??
        (entry ? null : why.get(seen) && read.tiles[seen].role !== "other" ? why.get(seen) : null);
      const state = !entry
        ? why.get(seen) === "left_out" ? "doubt" : "other"
        : doubt === "repaired"
        ? "repaired"
        : doubt
        ? "doubt"
        : entry.zone === "winning"
        ? "won"
        : "sure";
      return outline(points, seen, entry, state);
    });
    const aside = asideQuads().map(([seen, quad]) => outline(onStage(quad), seen, undefined, "aside"));
    return refill(overlay, hatch, drawn, aside);
  }

  // Where tiles seem to be while the photo is looked at closer.
  function seeming() {
    const [pw, ph] = photoSize().map((side) => side * view.k);
    const corners = app.reading?.corners ?? [];
    const places = Array.from(corners, (share, i) => i % 2 ? share * ph + view.y : share * pw + view.x);
    return Array.from(
      { length: places.length / 8 },
      (_, n) => h("polygon.seeming", { points: places.slice(8 * n, 8 * n + 8).map((at) => at.toFixed(1)).join(" ") }),
    );
  }

  /** @type {(seen: number | string) => SVGElement | null} */
  const outlineOf = (seen) => overlay.querySelector(`[data-seen="${seen}"]`);
  const focusOn = (/** @type {number} */ seen) => outlineOf(seen)?.focus({ preventScroll: true });

  /** @type {(points: [number, number][], seen: number, entry: PlacedTile | undefined, state: string) => Child} */
  function outline(points, seen, entry, state) {
    const text = points.map((p) => p.map((v) => v.toFixed(1)).join(",")).join(
      " ",
    );
    const [x] = centre(points);
    const { read } = app.draft;
    const code = entry?.tile.code ?? (read && [...read.tiles, ...(read.aside ?? [])][seen].tile) ?? "back";
    const sign = { doubt: "?", aside: "?", repaired: "✎", won: "胡" }[state];
    const top = Math.min(...points.map((p) => p[1]));
    const first = current ?? 0;
    return h(
      "g",
      {
        class: `outline ${state}`,
        "data-seen": seen,
        key: seen,
        role: "button",
        tabindex: seen === first ? 0 : -1,
        "aria-label": t(state === "other" ? "photo.other_tile" : `photo.${state}`, { name: tileName(code) }),
        onkeydown: (event) => key(event, seen),
        onfocus: () => (current = seen),
      },
      h("polygon", { points: text, class: "under" }),
      h("polygon", { points: text, class: "over" }),
      sign &&
        h(
          "g.sign",
          { transform: `translate(${x.toFixed(1)} ${(top - 3).toFixed(1)})` },
          h("circle", { r: 9 }),
          h("text", { y: 4.5 }, sign),
        ),
    );
  }

  function open(/** @type {number} */ seen) {
    const entry = tilesOf(app.draft.hand).find(({ tile }) => tile.seen === seen);
    onpick(entry ? entry.tile.id : null, seen);
  }
  function key(/** @type {any} */ event, /** @type {number} */ seen) {
    const { read } = app.draft;
    const next = read && event.key.startsWith("Arrow") ? neighbour(rowsOf(read), seen, event.key) : null;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open(seen);
    } else if (next !== null) {
      event.preventDefault();
      current = next;
      focusOn(current);
      draw();
    } else if (event.key === "+" || event.key === "=") zoomBy(1.4);
    else if (event.key === "-") zoomBy(1 / 1.4);
  }

  function tap(/** @type {number} */ x, /** @type {number} */ y) {
    const [px, py] = [(x - view.x) / view.k, (y - view.y) / view.k];
    /** @type {{seen: number, away: number} | null} */
    let best = null;
    for (const [seen, quad] of [...quads().entries(), ...asideQuads()]) {
      const [cx, cy] = centre(quad);
      const away = inside(quad, px, py) ? 0 : Math.hypot(cx - px, cy - py) * view.k;
      if (away <= NEAR && (!best || away < best.away)) best = { seen, away };
    }
    if (best) open(best.seen);
  }

  /** @type {(event: MouseEvent) => [number, number]} */
  const at = (event) => {
    const box = stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  stage.addEventListener("pointerdown", (/** @type {any} */ event) => {
    fingers.set(event.pointerId, at(event));
    if (fingers.size === 1) moved = 0;
  });
  stage.addEventListener("pointermove", (/** @type {any} */ event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = at(event);
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
    if (others.length) {
      const [o] = others;
      zoomBy(
        Math.hypot(now[0] - o[0], now[1] - o[1]) / Math.max(1, Math.hypot(before[0] - o[0], before[1] - o[1])),
        (now[0] + o[0]) / 2,
        (now[1] + o[1]) / 2,
      );
    } else if (stage.classList.contains("zoomed") && moved > 6) {
      stage.setPointerCapture(event.pointerId);
      view.x += now[0] - before[0];
      view.y += now[1] - before[1];
      clamp();
      draw();
    }
    fingers.set(event.pointerId, now);
  });
  const lift = (/** @type {any} */ event) => fingers.delete(event.pointerId);
  for (const name of ["pointerup", "pointercancel"]) stage.addEventListener(name, lift);
  // Not before the click: the click of a touch would hit the sheet that has opened by then, and close it.
  stage.addEventListener("click", (/** @type {any} */ event) => moved < 8 && tap(...at(event)));
  stage.addEventListener(
    "wheel",
    (/** @type {any} */ event) => {
      if (!event.ctrlKey && !stage.classList.contains("zoomed")) return; // the page scrolls
      event.preventDefault();
      zoomBy(event.deltaY < 0 ? 1.15 : 1 / 1.15, ...at(event));
    },
    { passive: false },
  );
  let stood = "";
  new ResizeObserver(() => {
    const now = size().join();
    if (now !== stood && stage.clientWidth) fit(whole);
    stood = now;
  }).observe(stage);
  on(["hand"], draw);
  on(["reading"], calmly(() => fit(!((app.draft.read?.tiles.length || asideOf(app.draft).length) && !app.reading))));
  on(["language", "reading"], () => {
    overlay.setAttribute("aria-label", t("photo.outlines"));
    drawKeys();
    draw();
  });

  return {
    nodes: [stage, keys],
    has: () => Boolean(app.bitmap || app.draft.read),
  };
}
