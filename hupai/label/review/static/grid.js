// The tiles of one class side by side, cut out and upright, the most doubtful first: a wrong label stands out.
import { $, ask, make, query, reporting, state } from "./state.js";

/** @typedef {{at: number, number: number, code: string, doubt: number}} GridTile */
/** What is shown: a picture that is there already is not fetched again. @type {Map<string, HTMLElement>} */
let shown = new Map();
/** @type {(tile: GridTile) => string} */
const keyOf = ({ at, number, code, doubt }) => `${at} ${number} ${code} ${doubt}`;
/** @type {(tile: GridTile) => HTMLElement} */
const crop = ({ at, number, code, doubt }) => {
  const shows = { loading: "lazy", alt: state.names.get(code) ?? code, src: `pictures/${at}/tiles/${number}` };
  const words = `${code}${doubt ? ` ${Math.round((1 - doubt) * 100)} %` : " ✓"}`;
  return make("button", {}, { at, number }, make("img", shows, {}), words);
};

export const isGridOpen = () => !$("grid").hidden;
const setOpen = (/** @type {boolean} */ open) => {
  $("grid").hidden = !open;
  $("picture").hidden = $("panel").inert = open; // whose picture is not to be seen is not to be changed
};
let scrolled = 0;
export const closeGrid = () => {
  if (isGridOpen()) scrolled = $("grid").scrollTop;
  setOpen(false);
};
/** Has the keys go to the picture, or to the grid. */
export const focusWork = () => $(isGridOpen() ? "grid" : "stage").focus();
/** Shows at least so many of the tiles that are wanted, with those that are shown already in their new order. */
const fill = async (/** @type {number} */ count) => {
  /** @type {GridTile[]} */
  const tiles = [];
  const { wanted } = state;
  let total = Infinity;
  while (tiles.length < Math.min(Math.max(count, 1), total)) {
    const page = await ask(`grid?${query({ start: tiles.length })}`);
    tiles.push(...page.tiles);
    total = page.tiles.length ? page.total : tiles.length;
  }
  if (wanted !== state.wanted) return; // another search has begun
  shown = new Map(tiles.map((tile) => [keyOf(tile), shown.get(keyOf(tile)) ?? crop(tile)]));
  $("crops").replaceChildren(...shown.values());
  $("more").hidden = tiles.length >= total;
  $("grid-count").textContent = `${total} tiles, the least certain first; a click opens the picture`;
};
export const openGrid = reporting(async () => {
  setOpen(true);
  focusWork();
  await fill(shown.size);
  $("grid").scrollTop = scrolled;
});
/** Shows the tiles of another search, from the first on. */
export const refillGrid = async () => {
  shown = new Map();
  await fill(0);
  $("grid").scrollTop = 0;
};
$("more").addEventListener("click", reporting(() => fill(shown.size + 1)));
