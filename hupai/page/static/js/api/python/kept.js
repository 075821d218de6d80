// Games, house rules and tile sets that this browser keeps, in IndexedDB: texts by name, which only hupai's Python reads.
const TEXTS = "texts";
/** What is answered where the browser has no room, or stores nothing (a private window). */
const NOT_KEPT = { status: 507, text: JSON.stringify({ code: "not_kept", status: 507 }) };

/**
 * @typedef {{needed: string} | {needed?: undefined, status: number, text: string, written: Record<string, string | null>}} Said
 * @typedef {(asked: string, fetched: string) => string} Respond from JSON to a Said as JSON
 */

/** @returns {Promise<IDBDatabase>} */
const open = () =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open("hupai.kept", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(TEXTS);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });

/**
 * Answers a request. What it needs is read and what it changes is written in one transaction, so that nothing is answered
 * before it is stored, and what another tab does comes before or after it.
 * @param {Respond} respond
 * @param {string} asked
 * @returns {Promise<{status: number, text: string}>}
 */
export async function answer(respond, asked) {
  /** @type {Said} */
  const first = JSON.parse(respond(asked, "{}"));
  if (first.needed === undefined) return first;
  try {
    const database = await open();
    try {
      return await inTransaction(
        database.transaction(TEXTS, "readwrite", { durability: "strict" }),
        respond,
        asked,
        first,
      );
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    console.warn(error);
    return NOT_KEPT;
  }
}

/**
 * @param {IDBTransaction} transaction
 * @param {Respond} respond
 * @param {string} asked
 * @param {Said} first
 * @returns {Promise<{status: number, text: string}>}
 */
const inTransaction = (transaction, respond, asked, first) =>
  new Promise((resolve, reject) => {
    const store = transaction.objectStore(TEXTS);
    /** @type {Record<string, Record<string, string>>} */
    const fetched = {};
    const go = (/** @type {Said} */ said) => {
      if (said.needed !== undefined) return fetch(said.needed);
      for (const [name, text] of Object.entries(said.written)) {
        if (text === null) store.delete(name);
        else store.put(text, name);
      }
      transaction.oncomplete = () => resolve(said);
      return undefined;
    };
    const fetch = (/** @type {string} */ start) => {
      const range = IDBKeyRange.bound(start, `${start}\uffff`);
      const names = store.getAllKeys(range);
      const texts = store.getAll(range);
      texts.onsuccess = () => {
        fetched[start] = Object.fromEntries(names.result.map((name, i) => [name, texts.result[i]]));
        try {
          go(JSON.parse(respond(asked, JSON.stringify(fetched))));
        } catch (error) {
          reject(error);
          transaction.abort();
        }
      };
    };
    transaction.onabort = () => reject(transaction.error);
    go(first);
  });
