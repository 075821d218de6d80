// Tells listeners that a part of the page's state has changed.

/** @type {Map<string, Set<(parts: Set<string>) => void>>} */
const listeners = new Map();

/** Calls `act` whenever one of the named parts changes: hand, answers, reading, score, game, settings, language. */
export function on(/** @type {string[]} */ parts, /** @type {(parts: Set<string>) => void} */ act) {
  for (const part of parts) {
    const acts = listeners.get(part) ?? new Set();
    listeners.set(part, acts.add(act));
  }
}

/** @type {Set<string> | null} */
let pending = null;

/** Reports that parts have changed; each listener runs once, before the next frame is drawn. */
export function emit(/** @type {string[]} */ ...parts) {
  if (!pending) {
    pending = new Set();
    queueMicrotask(flush);
  }
  for (const part of parts) pending.add(part);
}

function flush() {
  const parts = pending ?? new Set();
  pending = null;
  const acts = new Set([...parts].flatMap((part) => [...(listeners.get(part) ?? [])]));
  for (const act of acts) act(parts);
}
