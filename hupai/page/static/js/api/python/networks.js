// The networks, and the graphs between them, in a worker of their own: fetched in the order of their list, and loaded when
// they are there, what few photos need when it is needed.

/** @typedef {[Uint8Array | Float32Array | BigInt64Array, number[]]} Given numbers and their shape */
/**
 * @typedef {object} Listed
 * @property {Record<string, number>} files bytes of what every photo needs, by address as seen from the list
 * @property {Record<string, number>} spare of what few photos need
 * @property {object} metadata what the networks say of themselves
 */

// What the browser has kept of a file; some refuse to say, as they keep nothing.
const keptOf = (/** @type {string} */ url) => globalThis.caches?.match(url).catch(() => undefined);

const SETTINGS = {
  executionProviders: ["wasm"],
  // What one network has used the next one uses: their own arenas would be held side by side.
  enableCpuMemArena: false,
  enableMemPattern: false,
  logSeverityLevel: 3,
};

export class Networks {
  /** Whether what was asked for last could not be fetched: with a network it may be tried again. */
  missing = false;
  /** @type {Promise<Listed> | null} */
  #listed = null;
  /** @type {Promise<void> | null} */
  #fetched = null;
  /** @type {Map<string, Promise<void>>} by address as seen from the list: until that file is there */
  #coming = new Map();
  #lanes = 2; // that are free: of two files at a time one keeps the line busy while the other is asked for
  /** @type {((value: unknown) => void)[]} */
  #queue = [];
  /** @type {Promise<any> | null} */
  #runtime = null;
  /** @type {Map<string, Promise<any>>} */
  #sessions = new Map();
  /** @type {Set<string>} */
  #loaded = new Set();
  /** @type {Set<(share: number) => void>} */
  #waiting = new Set();
  /** @type {number | null} */
  #share = null; // of what is being fetched

  /** @param {{models: string, onnxruntime: string}} places folders */
  constructor({ models, onnxruntime }) {
    this.models = models;
    this.onnxruntime = onnxruntime;
  }

  /** What the networks say of themselves. */
  async metadata() {
    return (await this.#list()).metadata;
  }

  /**
   * @template T
   * @param {Promise<T>} coming
   */
  async #bring(coming) {
    try {
      const brought = await coming;
      this.missing = false;
      return brought;
    } catch (error) {
      this.missing = true;
      throw error;
    }
  }

  async #list() {
    this.#listed ??= this.#bring(fetchWhole(`${this.models}models.json`).then((answer) => answer.json()));
    return await this.#listed.catch((error) => {
      this.#listed = null;
      throw error;
    });
  }

  /**
   * Brings what every photo needs to the phone.
   * @param {(share: number) => void} progress
   */
  async fetched(progress) {
    this.#waiting.add(progress);
    if (this.#share !== null) progress(this.#share);
    this.#fetched ??= this.#fetchAll("files", (share) => {
      this.#share = share;
      for (const tell of this.#waiting) tell(share);
    });
    try {
      await this.#bring(this.#fetched);
    } catch (error) {
      this.#fetched = null; // the next photo tries again
      throw error;
    } finally {
      this.#waiting.delete(progress);
      this.#share = null;
    }
  }

  /** Brings what few photos need to the phone. */
  async spare() {
    await this.#fetchAll("spare", () => {});
  }

  /**
   * @param {"files" | "spare"} which
   * @param {(share: number) => void} tell
   */
  async #fetchAll(which, tell) {
    const files = (await this.#list())[which];
    const total = Object.values(files).reduce((sum, bytes) => sum + bytes, 0);
    let done = 0;
    const all = Object.entries(files).map(([name, size]) => {
      const coming = this.#inTurn(async () => {
        const url = new URL(name, this.models).href;
        if (await keptOf(url)) { // the service worker has it
          done += size;
          return;
        }
        for await (const bytes of chunksOf(await fetchWhole(url))) {
          done += bytes;
          tell(done / total);
        }
      });
      this.#coming.set(name, coming);
      coming.catch(() => this.#coming.delete(name));
      return coming;
    });
    await Promise.all(all);
  }

  /** Loads what every photo needs, one after the other, and has the browser compile what the detector does. */
  async warm() {
    const names = Object.keys((await this.#list()).files).filter((name) => name.endsWith(".onnx"));
    for (const name of names) await this.load(name.slice(0, -".onnx".length)); // all at once they would take more room
    await this.run("detector", { image: [new Uint8Array(96 * 96 * 3), [1, 96, 96, 3]] });
  }

  async #inTurn(/** @type {() => Promise<void>} */ act) {
    if (this.#lanes === 0) await new Promise((go) => this.#queue.push(go));
    else this.#lanes--;
    try {
      await act();
    } finally {
      const next = this.#queue.shift();
      if (next) next(null);
      else this.#lanes++;
    }
  }

  async #load(/** @type {string} */ name) {
    // In as many threads as half the cores, at most 4, where browsers allow that (static/worker.js asks them to), else one.
    await this.#bring(this.#list());
    await this.#bring(this.#coming.get(`${name}.onnx`) ?? Promise.resolve());
    this.#runtime ??= import(`${this.onnxruntime}ort.wasm.bundle.min.mjs`).catch((error) => {
      this.#runtime = null;
      throw error;
    });
    const network = fetchWhole(`${this.models}${name}.onnx`).then((answer) => answer.arrayBuffer());
    const [ort, bytes] = await this.#bring(Promise.all([this.#runtime, network]));
    const session = await ort.InferenceSession.create(new Uint8Array(bytes), SETTINGS);
    this.#loaded.add(name);
    return session;
  }

  /** Whether a network is on the phone. */
  async has(/** @type {string} */ name) {
    return this.#loaded.has(name) || Boolean(await keptOf(`${this.models}${name}.onnx`));
  }

  /** Loads a network or a graph, once. */
  async load(/** @type {string} */ name) {
    await this.#session(name);
  }

  async #session(/** @type {string} */ name) {
    const loading = this.#sessions.get(name) ?? this.#load(name);
    this.#sessions.set(name, loading);
    return await loading.catch((error) => {
      this.#sessions.delete(name);
      throw error;
    });
  }

  /**
   * Runs a network or a graph: numbers in by name, numbers and their shape out.
   * @param {string} name
   * @param {Record<string, Given>} given
   * @param {string[]} [outputs] all, if not named
   * @returns {Promise<Record<string, {data: any, dims: number[]}>>}
   */
  async run(name, given, outputs) {
    const session = await this.#session(name);
    const { Tensor } = await this.#runtime;
    const inputs = Object.entries(given).map(([key, [data, shape]]) => [key, new Tensor(kindOf(data), data, shape)]);
    const found = await session.run(Object.fromEntries(inputs), outputs ?? session.outputNames);
    return Object.fromEntries(Object.entries(found).map(([key, { data, dims }]) => [key, { data, dims }]));
  }
}

const kindOf = (/** @type {Given[0]} */ data) =>
  data instanceof Uint8Array ? "uint8" : data instanceof Float32Array ? "float32" : "int64";

async function fetchWhole(/** @type {string} */ url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer;
}

async function* chunksOf(/** @type {Response} */ answer) {
  const reader = answer.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value.length;
}

/** @type {any} */
let networks;

// The first message says where everything lies; then methods are called by name, each answered on a port of its own, where
// shares of what is fetched come first.
onmessage = async ({ data, ports: [port] }) => {
  if (!port) return void (networks = new Networks(data));
  const [what, given] = data;
  const tell = (/** @type {number} */ share) => port.postMessage(share);
  try {
    port.postMessage({ found: await networks[what](...(what === "fetched" ? [tell] : given)) });
  } catch (error) {
    port.postMessage({ error: String(error), missing: networks.missing });
  }
};
