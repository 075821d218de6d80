// What the phone remembers: small values in localStorage, the last photo and crops of others in IndexedDB. Nothing here
// leaves the phone.

const PREFIX = "hupai.";
const SHARED = ["language"]; // shared by all pages
let apart = "";
/** @type {Map<string, any>} */
const memory = new Map(); // what the browser could not store (private windows, no room) lasts as long as this page

/** Gives this page its own storage, which other pages of the same browser neither see nor change. */
export const corner = (/** @type {string} */ name) => (apart = `${name}.`);

const keyOf = (/** @type {string} */ name) => PREFIX + (SHARED.includes(name) ? "" : apart) + name;

/** A remembered value, or the fallback. */
export function recall(/** @type {string} */ name, /** @type {any} */ fallback) {
  if (memory.has(name)) return memory.get(name) ?? fallback;
  try {
    const text = localStorage.getItem(keyOf(name));
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback; // nothing is stored, or nothing that can be read
  }
}

/** Remembers a value; undefined removes it. */
export function remember(/** @type {string} */ name, /** @type {unknown} */ value) {
  try {
    if (value === undefined) localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), JSON.stringify(value));
    memory.delete(name); // another tab may change what is stored
  } catch {
    memory.set(name, value);
  }
}

/**
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest} act
 * @returns {Promise<any>} the result of the request; null where the browser stores nothing
 */
function photos(mode, act) {
  return new Promise((resolve) => {
    /** @type {IDBOpenDBRequest} */
    let open;
    try {
      open = indexedDB.open("hupai", 1);
    } catch {
      resolve(null);
      return;
    }
    open.onupgradeneeded = () => open.result.createObjectStore("photos");
    open.onerror = () => resolve(null);
    open.onsuccess = () => {
      const request = act(open.result.transaction("photos", mode).objectStore("photos"));
      request.onsuccess = () => resolve(request.result ?? null);
      request.onerror = () => resolve(null);
      if (request.transaction) request.transaction.oncomplete = () => open.result.close();
    };
  });
}

/** Keeps the photo of the hand being scored, so that a reload or a lost connection does not lose it. */
export const keepPhoto = (/** @type {Blob} */ blob) => photos("readwrite", (store) => store.put(blob, "last"));
/** The stored photo, or null. */
export const keptPhoto = () => photos("readonly", (store) => store.get("last"));
/** Deletes the stored photo. */
export const dropPhoto = () => photos("readwrite", (store) => store.delete("last"));

// Crops lie below their game and the key of their hand; texts come before all of them.
const cropsBelow = (/** @type {string | undefined} */ game) =>
  game === undefined ? IDBKeyRange.lowerBound([]) : IDBKeyRange.bound([game], [game, []]);

/** @typedef {{game: string, hand: string, blob: Blob}} Crop the part of a hand's photo with its tiles; `hand`: its key */

/** Keeps a crop, or takes another in its place. */
export const keepCrop = (/** @type {Crop} */ crop) =>
  photos("readwrite", (store) => store.put(crop, [crop.game, crop.hand]));
/**
 * The crops of a game, or all.
 * @type {(game?: string) => Promise<Crop[] | null>}
 */
export const keptCrops = (game) => photos("readonly", (store) => store.getAll(cropsBelow(game)));
/** Deletes the crops of a game, or all. */
export const dropCrops = (/** @type {string | undefined} */ game = undefined) =>
  photos("readwrite", (store) => store.delete(cropsBelow(game)));
