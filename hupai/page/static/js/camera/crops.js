// The part of a hand's photo with its tiles, beside the hand in its game: kept where its user wants that, on the phone
// that took it alone, as long as the game.
import { app } from "../state/app.js";
import { set } from "../state/settings.js";
import { emit, on } from "../state/signal.js";
import { getOrNull } from "../api/api.js";
import { dropCrops, keepCrop, keptCrops } from "../api/store.js";
import { element, h, penOf } from "../dom/dom.js";
import { around } from "../hand/polygon.js";
import { t } from "../words/i18n.js";
import { toggle } from "../controls/fields.js";

const SIDE = 640; // pixels

/** The addresses of the crops of the open game, by the keys of their hands. */
const shown = {
  game: /** @type {string | null} */ (null),
  addresses: /** @type {Map<string | null, string>} */ (new Map()),
};

/**
 * Keeps the crop of the photo on the felt; its hand is, or will be, in the game under this key.
 * @param {string | null | undefined} game
 * @param {string | null} hand
 */
export async function keepCropOf(game, hand) {
  const { bitmap, draft: { read } } = app;
  const points = read?.tiles.filter(({ role }) => role !== "other").flatMap(({ corners }) => corners);
  if (!app.settings.keepCrops || !game || !hand || !bitmap || !read || !points?.length) return;
  const scale = bitmap.width / read.width;
  const [left, top, right, bottom] = around(points).map((edge) => Math.max(0, edge * scale));
  const [wide, high] = [Math.min(right, bitmap.width) - left, Math.min(bottom, bitmap.height) - top];
  const small = Math.min(1, SIDE / Math.max(wide, high));
  const canvas = /** @type {HTMLCanvasElement} */ (element(h("canvas", { width: wide * small, height: high * small })));
  const pen = penOf(canvas, { alpha: false });
  pen.drawImage(bitmap, left, top, wide, high, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((made) => canvas.toBlob(made, "image/jpeg", 0.8));
  if (blob) await keepCrop({ game, hand, blob });
  load();
}

// Those of the open game.
async function load() {
  const { game } = app;
  const found = (game && app.settings.keepCrops && await keptCrops(game.id)) || [];
  if (app.game?.id !== game?.id) return;
  for (const address of shown.addresses.values()) URL.revokeObjectURL(address);
  shown.game = game?.id ?? null;
  shown.addresses = new Map(found.map(({ hand, blob }) => [hand, URL.createObjectURL(blob)]));
  emit("crops");
}

/** The crop of a hand of the open game; null without one. */
export function cropBeside(/** @type {LedgerHand} */ { key, number }) {
  const src = shown.addresses.get(key);
  return src ? h("img.hand-crop", { src, alt: t("crops.of", { n: number }) }) : null;
}

/**
 * The crops of games that are no longer there go, too.
 * @param {string[]} listed games that are there
 * @param {boolean} whole whether all are listed
 */
export async function forgetCrops(listed, whole) {
  const kept = new Set((await keptCrops() ?? []).map(({ game }) => game));
  for (const game of kept) if (!listed.includes(game) && (whole || await isGone(game))) await dropCrops(game);
}

const isGone = (/** @type {string} */ game) =>
  getOrNull(`/games/${encodeURIComponent(game)}`).then((there) => there === null, () => false);

/** The switch; off, nothing is kept, and what was kept is gone. */
export const cropsToggle = () =>
  toggle("keep-crops", t("crops.keep"), app.settings.keepCrops, async (keepCrops) => {
    set({ keepCrops });
    if (!keepCrops) await dropCrops();
    load();
  }, t("crops.text"));

on(["game"], () => shown.game !== (app.game?.id ?? null) && load());
