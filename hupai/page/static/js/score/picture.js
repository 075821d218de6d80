// Pictures to share or save, drawn as blocks one below another: they leave the phone only if the user shares them.
import { byId, element, h, penOf } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { notice } from "../controls/notice.js";

const WIDTH = 1080;
const EDGE = 64;
const TILE = 72;
const RATIO = 4 / 3; // of a tile
const PER_ROW = 3; // elements
const GAP = 26; // between two sets
const LOOKS = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-linecap",
  "stroke-linejoin",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
];

/**
 * @typedef {CanvasRenderingContext2D} Pen
 * @typedef {{height: number, paint: (pen: Pen, top: number) => void}} Block
 * @typedef {{tiles: string[], completed_by_winning_tile?: boolean}} Unit
 */

const look = (/** @type {string} */ name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const font = (/** @type {number} */ size, family = "sans", weight = 400) =>
  `${weight} ${size}px ${look(`--${family}`)}`;
const amountInk = (/** @type {Money} */ amount) => Number(amount) < 0 ? "#ffb4aa" : "#9fe0bd";

/**
 * @param {Pen} pen
 * @param {string} text
 * @param {number} x
 * @param {number} y of its baseline
 * @param {{size: number, family?: string, weight?: number, ink?: string, align?: CanvasTextAlign, width?: number}} as
 */
function write(pen, text, x, y, { size, family, weight, ink, align = "left", width = WIDTH - 2 * EDGE }) {
  Object.assign(pen, { font: font(size, family, weight), textAlign: align, fillStyle: ink ?? look("--on-felt") });
  pen.fillText(text, x, y, width);
}

/**
 * A line of words whose baseline is the lower edge of the block.
 * @param {number} height
 * @param {string} text
 * @param {{size: number, family?: string, weight?: number, soft?: boolean}} as
 * @returns {Block}
 */
export const words = (height, text, { soft = false, ...as }) => ({
  height,
  paint: (pen, top) => write(pen, text, EDGE, top + height, { ...as, ink: soft ? look("--on-felt-soft") : undefined }),
});

/**
 * Somebody's amount; `nth`: the line of {@link curves} that is theirs.
 * @type {(name: string, amount: string, worth: Money, nth?: number) => Block}
 */
export const account = (name, amount, worth, nth) => ({
  height: 76,
  paint: (pen, top) => {
    const [x, y] = [nth === undefined ? EDGE : EDGE + 84, top + 76];
    if (nth !== undefined) stroke(pen, [[EDGE, y - 14], [EDGE + 60, y - 14]], nth);
    write(pen, name, x, y, { size: 42, weight: 600, width: 620 });
    write(pen, amount, WIDTH - EDGE, y, {
      size: 52,
      family: "serif",
      weight: 600,
      align: "right",
      ink: amountInk(worth),
      width: 300,
    });
  },
});

/** Room between blocks. */
export const room = (/** @type {number} */ height) => ({ height, paint: () => {} });

// A face as a picture of its own, with its colours written into it.
function faceImage(/** @type {string} */ code) {
  const symbol = byId(`t-${code}`);
  const copy = /** @type {Element} */ (symbol.cloneNode(true));
  const parts = [...copy.querySelectorAll("*")];
  [...symbol.querySelectorAll("*")].forEach((part, i) => {
    const style = getComputedStyle(part);
    for (const look of LOOKS) parts[i].setAttribute(look, style.getPropertyValue(look));
  });
  const inside = [...copy.childNodes].map((node) => new XMLSerializer().serializeToString(node)).join("");
  const image = new Image();
  const size = `width="${4 * TILE}" height="${4 * TILE * RATIO}" viewBox="0 0 60 80"`;
  image.src = `data:image/svg+xml,${
    encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${inside}</svg>`)
  }`;
  return image.decode().then(() => image);
}

// The sets side by side, in as many rows as they need: [{unit, x, y}], and their total height.
function placed(/** @type {Unit[]} */ units) {
  const found = [];
  let [x, y] = [EDGE, 0];
  for (const unit of units) {
    const width = unit.tiles.length * TILE;
    if (x > EDGE && x + width > WIDTH - EDGE) [x, y] = [EDGE, y + TILE * RATIO + GAP];
    found.push({ ...unit, x, y });
    x += width + GAP;
  }
  return { found, height: units.length ? y + TILE * RATIO : 0 };
}

/**
 * The tiles of a hand as its sets, and the names of what it scores.
 * @type {(units: Unit[], names: string[]) => Promise<Block[]>}
 */
export async function handBlocks(units, names) {
  const codes = [...new Set(units.flatMap((unit) => unit.tiles))];
  const drawn = await Promise.all(codes.map(faceImage));
  const images = new Map(codes.map((code, i) => [code, drawn[i]]));
  const { found, height } = placed(units);
  const paint = (/** @type {Pen} */ pen, /** @type {number} */ top) => {
    for (const { tiles, x, y, completed_by_winning_tile: won } of found) {
      tiles.forEach((code, i) => {
        const [left, up] = [x + i * TILE, top + y];
        pen.fillStyle = look("--bone");
        pen.beginPath();
        pen.roundRect(left + 2, up, TILE - 4, TILE * RATIO, 8);
        pen.fill();
        pen.drawImage(
          /** @type {HTMLImageElement} */ (images.get(code)),
          left + 5,
          up + 3,
          TILE - 10,
          TILE * RATIO - 6,
        );
      });
      pen.fillStyle = look("--seal");
      if (won) pen.fillRect(x, top + y + TILE * RATIO + 6, tiles.length * TILE, 6);
    }
  };
  const rows = names.flatMap((_, i) => (i % PER_ROW ? [] : [names.slice(i, i + PER_ROW).join(" · ")]));
  return [{ height, paint }, ...rows.map((row, i) => words(i ? 48 : 60, row, { size: 32 }))];
}

// Told apart without colours, too.
const STROKES = [
  { ink: "#ffd166", dash: [] },
  { ink: "#8ecbff", dash: [22, 10] },
  { ink: "#ffab9e", dash: [6, 8] },
  { ink: "#c3e88d", dash: [26, 8, 6, 8] },
];

function stroke(/** @type {Pen} */ pen, /** @type {number[][]} */ points, /** @type {number} */ nth) {
  const { ink, dash } = STROKES[nth];
  Object.assign(pen, { strokeStyle: ink, lineWidth: 6, lineJoin: "round" });
  pen.setLineDash(dash);
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.stroke();
  pen.setLineDash([]);
}

/**
 * A line for each row of numbers, over the whole width; the greatest and the least are named.
 * @param {number[][]} rows of one length, at least two
 * @param {(value: number) => string} named
 * @returns {Block}
 */
export const curves = (rows, named) => ({
  height: 400,
  paint: (pen, top) => {
    const [most, least] = [Math.max(...rows.flat()), Math.min(...rows.flat())];
    const [left, right, low, high] = [EDGE + 150, WIDTH - EDGE, top + 380, top + 40];
    const y = (/** @type {number} */ value) => low - ((value - least) / (most - least || 1)) * (low - high);
    for (const value of new Set([most, least])) {
      pen.fillStyle = look("--felt-line");
      pen.fillRect(left, y(value) - 1, right - left, 2);
      const ink = look("--on-felt-soft");
      write(pen, named(value), left - 20, y(value) + 10, { size: 30, align: "right", ink, width: left - EDGE - 20 });
    }
    rows.forEach((row, nth) =>
      stroke(pen, row.map((value, i) => [left + (i / (row.length - 1)) * (right - left), y(value)]), nth)
    );
  },
});

/** Draws blocks below one another and shares the picture, or keeps it where the browser shares no files. */
export async function sharePicture(/** @type {Block[]} */ blocks, /** @type {string} */ text) {
  const height = blocks.reduce((sum, block) => sum + block.height, 120);
  const canvas = /** @type {HTMLCanvasElement} */ (element(h("canvas", { width: WIDTH, height })));
  const pen = penOf(canvas, { alpha: false });
  pen.fillStyle = look("--felt-deep");
  pen.fillRect(0, 0, WIDTH, height);
  let top = 0;
  for (const block of blocks) {
    block.paint(pen, top);
    top += block.height;
  }
  const ink = look("--on-felt-soft");
  write(pen, "hupai 胡牌", WIDTH - EDGE, height - 32, { size: 28, family: "serif", align: "right", ink });
  /** @type {Blob} */
  const blob = await new Promise((resolve) => canvas.toBlob((made) => made && resolve(made), "image/png"));
  const file = new File([blob], "hupai.png", { type: "image/png" });
  if (!navigator.canShare?.({ files: [file] })) return download(file);
  try {
    await navigator.share({ files: [file], text });
  } catch (error) {
    if (error.name === "AbortError") return undefined; // the user cancelled
    notice(t("share.kept"));
    download(file);
  }
  return undefined;
}

function download(/** @type {File} */ file) {
  const url = URL.createObjectURL(file);
  element(h("a", { href: url, download: file.name })).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
