// The hand and its score as a picture to share or save: drawn here, it leaves the phone only if the user shares it.
import { byId, element, h } from "../dom/dom.js";
import { signed, t } from "../words/i18n.js";
import { seatName } from "../names/seats.js";
import { accountsOf, netOf } from "./payments.js";
import { elementName, rulesName } from "../names/systems.js";
import { totalWords } from "../words/words.js";
import { notice } from "../controls/notice.js";
import { howWords } from "../handeditor/who.js";

const WIDTH = 1080;
const EDGE = 64;
const TILE = 72;
const RATIO = 4 / 3; // of a tile
const PER_ROW = 3; // elements
const ROW = 48;
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

const colour = (/** @type {string} */ name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// The sets side by side, in as many rows as they need: [{unit, x, y}], and their total height.
function placed(/** @type {{tiles: string[], completed_by_winning_tile?: boolean}[]} */ units) {
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

async function draw(/** @type {Scored} */ score) {
  const { answer, request } = score;
  const units = [...answer.arrangement, ...(request.bonus?.length ? [{ tiles: request.bonus }] : [])];
  const codes = [...new Set(units.flatMap((unit) => unit.tiles))];
  const drawn = await Promise.all(codes.map(faceImage));
  const images = new Map(codes.map((code, i) => [code, drawn[i]]));
  const { found, height } = placed(units);
  const net = netOf(score);
  const accounts = net ? accountsOf(net).map((seat) => ({ seat, amount: net[seat] })) : [];
  const names = answer.elements.map((line) => elementName(answer.rules, line));
  const rows = names.flatMap((_, i) => (i % PER_ROW ? [] : [names.slice(i, i + PER_ROW).join(" · ")]));
  const top = 300;
  const said = top + height + 60;
  const canvas = element(h("canvas", { width: WIDTH, height: said + rows.length * ROW + accounts.length * 76 + 80 }));
  const pen = canvas.getContext("2d", { alpha: false });
  pen.fillStyle = colour("--felt-deep");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const write = (
    /** @type {string} */ text,
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ font,
    { align = "left", ink = colour("--on-felt") } = {},
  ) => {
    Object.assign(pen, { font, textAlign: align, fillStyle: ink });
    pen.fillText(text, x, y, WIDTH - 2 * EDGE);
  };
  const [serif, sans, soft] = [colour("--serif"), colour("--sans"), colour("--on-felt-soft")];
  write(rulesName(), EDGE, 96, `34px ${sans}`, { ink: soft });
  write(totalWords(answer.total), EDGE, 184, `600 84px ${serif}`);
  write(howWords(request.context), EDGE, 244, `36px ${sans}`, { ink: soft });
  rows.forEach((row, i) => write(row, EDGE, said + i * ROW, `32px ${sans}`));
  for (const { tiles, x, y, completed_by_winning_tile: won } of found) {
    tiles.forEach((/** @type {string} */ code, /** @type {number} */ i) => {
      const [left, up] = [x + i * TILE, top + y];
      pen.fillStyle = colour("--bone");
      pen.beginPath();
      pen.roundRect(left + 2, up, TILE - 4, TILE * RATIO, 8);
      pen.fill();
      pen.drawImage(images.get(code), left + 5, up + 3, TILE - 10, TILE * RATIO - 6);
    });
    pen.fillStyle = colour("--seal");
    if (won) pen.fillRect(x, top + y + TILE * RATIO + 6, tiles.length * TILE, 6);
  }
  accounts.forEach(({ seat, amount }, i) => {
    const line = said + rows.length * ROW + 36 + i * 76;
    write(seatName(seat), EDGE, line, `600 42px ${sans}`);
    write(signed(amount), WIDTH - EDGE, line, `600 52px ${serif}`, {
      align: "right",
      ink: Number(amount) < 0 ? "#ffb4aa" : "#9fe0bd",
    });
  });
  write("hupai 胡牌", WIDTH - EDGE, canvas.height - 32, `28px ${serif}`, { align: "right", ink: soft });
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function download(/** @type {File} */ file) {
  const url = URL.createObjectURL(file);
  element(h("a", { href: url, download: file.name })).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Shares a score as a picture, or keeps its picture where the browser shares no files. */
export async function share(/** @type {Scored} */ score) {
  const file = new File([await draw(score)], "hupai.png", { type: "image/png" });
  if (!navigator.canShare?.({ files: [file] })) return download(file);
  try {
    await navigator.share({
      files: [file],
      text: t("label", { name: howWords(score.request.context) }) + totalWords(score.answer.total),
    });
  } catch (error) {
    if (error.name === "AbortError") return undefined; // the user cancelled
    notice(t("share.kept"));
    download(file);
  }
  return undefined;
}
