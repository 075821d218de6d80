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

/**
 * Questions that the host is asked once. The function that is returned asks about something as of a version, where that
 * has not been asked yet, or after no answer if there is a new `occasion`; it returns what is known, and `part` is drawn
 * when an answer comes. Until then the answer about an earlier version stays.
 * @template A
 * @param {string} part
 */
export function questions(part) {
  /** @type {{about: string, version: unknown, occasion: unknown, answer?: A, error?: Trouble}} */
  let now = { about: "", version: null, occasion: null };
  return (
    /** @type {string} */ about,
    /** @type {unknown} */ version,
    /** @type {() => Promise<A>} */ ask,
    /** @type {unknown} */ occasion = null,
  ) => {
    if (now.about !== about || now.version !== version || (now.error && now.occasion !== occasion)) {
      const mine = now = { about, version, occasion, answer: now.about === about ? now.answer : undefined };
      const came = (/** @type {Partial<typeof now>} */ values) => {
        Object.assign(mine, values);
        if (mine === now) emit(part);
      };
      ask().then((answer) => came({ answer }), (error) => came({ error }));
    }
    return now;
  };
}

/**
 * A list of the host that is fetched anew each time its screen is entered.
 * @template A
 * @param {string} part is drawn when it has come
 * @param {() => Promise<A>} fetch
 */
export function fetched(part, fetch) {
  let asked = 0; // an answer to an older request is dropped
  const now = {
    /** @type {A | null} */
    answer: null,
    /** @type {Trouble | null} */
    error: null,
    load: async () => {
      const mine = ++asked;
      const came = await fetch().then((answer) => ({ answer, error: null }), (error) => ({ answer: null, error }));
      if (mine !== asked) return;
      Object.assign(now, came);
      emit(part);
    },
  };
  return now;
}

function flush() {
  const parts = pending ?? new Set();
  pending = null;
  const acts = new Set([...parts].flatMap((part) => [...(listeners.get(part) ?? [])]));
  for (const act of acts) act(parts);
}
