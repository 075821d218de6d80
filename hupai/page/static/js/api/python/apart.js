// The networks in a worker of their own (networks.js): they are compiled and loaded while Python starts, which keeps this
// one busy. Numbers cross; pixels stay here.

/** @typedef {import("./networks.js").Networks} Networks */

export class NetworksApart {
  /** Whether what was asked for last could not be fetched: with a network it may be tried again. */
  missing = false;
  /** @type {Worker | null} */
  #worker = null;

  /** @param {{models: string, onnxruntime: string}} places folders */
  constructor(places) {
    this.places = places;
  }

  /** @type {Networks["metadata"]} */
  metadata = () => this.#ask("metadata");
  /** @type {Networks["fetched"]} */
  fetched = (progress) => this.#ask("fetched", [], progress);
  /** @type {Networks["warm"]} */
  warm = () => this.#ask("warm");
  /** @type {Networks["spare"]} */
  spare = () => this.#ask("spare");
  /** @type {Networks["has"]} */
  has = (name) => this.#ask("has", [name]);
  /** @type {Networks["load"]} */
  load = (name) => this.#ask("load", [name]);
  /** @type {Networks["run"]} */
  run = (...given) => this.#ask("run", given);

  #begin() {
    const made = new Worker(new URL("./networks.js", import.meta.url), { type: "module" });
    made.postMessage(this.places, []);
    return made;
  }

  /**
   * @param {string} what
   * @param {unknown[]} given
   * @param {(share: number) => void} [progress]
   */
  async #ask(what, given = [], progress) {
    const worker = this.#worker ??= this.#begin();
    const { port1, port2 } = new MessageChannel();
    const over = new AbortController();
    try {
      return await new Promise((resolve, reject) => {
        port1.onmessage = ({ data }) => {
          if (typeof data === "number") return progress?.(data);
          this.missing = Boolean(data.missing);
          if (!data.error) return resolve(data.found);
          reject(new Error(data.error));
          // What stopped half-way, for want of memory, holds what it took: the next photo gets a worker of its own.
          if (!data.missing) worker.dispatchEvent(new Event("error"));
        };
        const failed = (/** @type {Event} */ { isTrusted }) => {
          worker.terminate();
          this.#worker = null; // the next request tries again
          this.missing = isTrusted;
          reject(new Error("the worker of the networks failed"));
        };
        worker.addEventListener("error", failed, { signal: over.signal });
        worker.postMessage([what, given], [port2]);
      });
    } finally {
      over.abort();
      port1.close();
    }
  }
}
