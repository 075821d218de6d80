// What a review holds: the picture on the screen with its tiles, the list around it, and what is not kept yet.

/** @typedef {[number, number]} Point */
/**
 * A labelled tile; `read`: its label before the review, `touched`: it was changed here, `unsure`: nobody can tell what it is.
 * @typedef {{tile: string, corners: Point[], confidence: number | null, alternatives?: [string, number | null][],
 *   read?: string, touched?: boolean, unsure?: boolean}} Tile
 */
/**
 * A picture with its tiles; `ignored`: places where nobody can tell, `places`: where the set seems to have a tile without a
 * label, `times`: how often it was kept, `why`: what is doubtful.
 * @typedef {{image: string, width: number, height: number, tiles: Tile[], ignored: number[][], places: Point[][],
 *   times: number, why: string}} Picture
 */
/** @typedef {{at: number, image: string, why: string, reviewed: boolean}} ListedPicture */
/** @typedef {{x: number, y: number, width: number, height: number}} View */
/** @typedef {{tiles: Tile[], before: Tile[][], seen: number}} Draft */
/** @typedef {{key: string, shiftKey: boolean}} Key */

/**
 * An element of the page; what it is, the page says.
 * @param {string} id
 * @returns {any}
 */
export const $ = (id) => document.getElementById(id);
/**
 * A new element with these properties, data and children.
 * @type {(tag: string, properties: Record<string, any>, data: Record<string, any>, ...inside: (Node | string)[]) => any}
 */
export const make = (tag, properties, data, ...inside) => {
  const made = Object.assign(document.createElement(tag), properties);
  Object.assign(made.dataset, data);
  made.append(...inside);
  return made;
};
// One name for each window; what a browser stores for a window, a duplicate of it would have, too.
export const WINDOW = crypto.randomUUID();

export const state = {
  /** A part of the list. @type {ListedPicture[]} */
  pictures: [],
  total: 0,
  reviewed: 0,
  share: 0,
  /** Which pictures are listed: a part of the name, and the code of a tile that they have. */
  wanted: { text: "", code: "" },
  at: -1,
  /** @type {Picture} */
  picture: { image: "", width: 0, height: 0, tiles: [], ignored: [], places: [], times: 0, why: "" },
  seen: 0,
  /** The part of the picture that is shown. @type {View} */
  view: { x: 0, y: 0, width: 0, height: 0 },
  /** @type {Tile[]} */
  tiles: [],
  chosen: -1,
  /** @type {Tile[][]} */
  before: [],
  /** What was undone. @type {Tile[][]} */
  after: [],
  /** The change that goes on as long as its key is pressed. */
  going: "",
  adding: false,
  /** Whether the picture was opened from the grid. */
  fromGrid: false,
  /** The picture that is being kept. @type {number | null} */
  keeping: null,
  /** How many pictures are on their way; keys that are pressed meanwhile are for the last of them. */
  opening: 0,
  /** How many pictures have been asked for. */
  asked: 0,
  /** @type {Key[]} */
  pressed: [],
  /** @type {Map<string, string>} */
  names: new Map(),
  /** @type {Map<number, Draft>} */
  drafts: new Map(),
};

/** @type {(path: string, options?: RequestInit) => Promise<any>} */
export const ask = async (path, options) => {
  const answer = await fetch(path, options);
  const content = await answer.json().catch(() => ({ message: answer.statusText }));
  if (!answer.ok) throw Object.assign(new Error(content.message ?? answer.statusText), { code: content.code });
  return content;
};
/** The query of a request for the pictures that are wanted. @type {(more: Record<string, string | number>) => string} */
export const query = (more) =>
  new URLSearchParams({ ...state.wanted, ...Object.fromEntries(Object.entries(more).map(([k, v]) => [k, `${v}`])) })
    .toString();
export const say = (/** @type {string} */ text) => {
  $("status").textContent = text;
};
/** @type {<A extends any[]>(work: (...given: A) => Promise<void>) => (...given: A) => Promise<void>} */
export const reporting = (work) => async (...given) => {
  try {
    await work(...given);
  } catch (error) {
    say(`${error.message}`);
  }
};

/** @type {(corners: Point[]) => Point} */
export const centre = (corners) => {
  const [x, y] = [0, 1].map((i) => corners.reduce((sum, p) => sum + p[i], 0) / corners.length);
  return [x, y];
};
/** @type {(corners: Point[], x: number, y: number) => Point[]} */
export const shift = (corners, x, y) =>
  corners.map((p) => [Math.round((p[0] + x) * 10) / 10, Math.round((p[1] + y) * 10) / 10]);
/** The upright box around corners: left, top, right, bottom. @type {(corners: Point[]) => number[]} */
export const bounds = (corners) => {
  const [xs, ys] = [0, 1].map((i) => corners.map((p) => p[i]));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};
/** @type {(x0: number, y0: number, x1: number, y1: number) => Point[]} */
export const upright = (x0, y0, x1, y1) => [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
/** @type {(tiles: Tile[]) => Tile[]} */
export const copy = (tiles) => tiles.map((t) => ({ ...t, corners: t.corners.map((p) => [...p]) }));
/** @type {(tile: Tile) => number} */
export const certainty = (tile) => (tile.confidence === null || tile.touched ? 1 : tile.confidence);
/** The names that a tile may have, by key: as it was read, then the alternatives. @type {(tile: Tile) => [string, number | null][]} */
export const choices = (tile) => {
  /** @type {[string, number | null][]} */
  const first = tile.read ? [[tile.read, tile.confidence]] : [];
  return [...first, ...(tile.alternatives ?? [])].slice(0, 9);
};
/** Where a tile was perhaps overlooked, and none has been added since. */
export const freePlaces = () =>
  state.picture.places.filter((place) => {
    const [x, y] = centre(place);
    return !state.tiles.some((t) =>
      Math.hypot(centre(t.corners)[0] - x, centre(t.corners)[1] - y) <
        Math.hypot(place[1][0] - place[0][0], place[1][1] - place[0][1]) / 2
    );
  });
