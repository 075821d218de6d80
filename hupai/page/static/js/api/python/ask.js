// The end without a server: a worker of this page answers, with the Python that a server would run.

// A worker that nothing is asked of is ended: after a photo it holds 300 MB. A hand takes less long than this, and to
// start again takes seconds.
const IDLE_MS = 600_000;
// In which a new worker says that it has its files. Firefox on a busy computer at times never hands a first one what the
// service worker has answered; the next one has it.
const LATE_MS = 20_000;

/** @type {Promise<Worker> | null} */
let worker = null;
/** @type {(share: number) => void} */
let loading = () => {};
let unanswered = 0;
let ending = 0; // timer

async function end() {
  const idle = worker;
  worker = null;
  (await idle)?.terminate();
}

const address = (/** @type {string | undefined} */ path) => new URL(path ?? "", document.baseURI).href;

/**
 * @param {Worker} to
 * @param {object | string} message
 * @param {CallOptions["progress"]} [progress]
 * @param {number} [within] milliseconds, in which something has to be answered
 * @returns {Promise<any>} nothing where it was not
 */
function send(to, message, progress, within) {
  clearTimeout(ending);
  unanswered++;
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    const late = within && setTimeout(resolve, within);
    to.onerror = reject;
    port1.onmessage = ({ data }) => {
      clearTimeout(late);
      if (typeof data === "number") return progress?.(data);
      if (data instanceof Float32Array) return progress?.(1, data);
      if (typeof data === "string") return progress?.(1, undefined, data);
      port1.close();
      if (data === null) reject(new Error("the worker failed; the console says more"));
      else resolve(data);
    };
    to.postMessage(message, [port2]);
  }).finally(() => {
    if (--unanswered === 0) ending = setTimeout(end, IDLE_MS);
  });
}

// On a first visit the service worker fetches everything; what is asked for before it is there would be fetched twice.
async function stored() {
  if (navigator.serviceWorker) navigator.serviceWorker.onmessage = ({ data }) => loading(data);
  const found = await navigator.serviceWorker?.register("worker.js").catch(() => null);
  const first = found?.active ? null : found?.installing;
  if (!first) return;
  await new Promise((resolve) => {
    first.onstatechange = () => ["activated", "redundant"].includes(first.state) && resolve(null);
  });
}

async function begin(within = LATE_MS) {
  await stored();
  loading(1);
  const { python, pyodide, onnxruntime, models } = document.documentElement.dataset;
  const folders = { python, pyodide, onnxruntime, models };
  const places = Object.fromEntries(Object.entries(folders).map(([name, path]) => [name, address(path)]));
  const made = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  try {
    if (await send(made, places, undefined, within)) return made;
    made.terminate();
    return begin(0);
  } catch (error) {
    made.terminate();
    worker = null; // the next request tries again
    throw error;
  }
}

/**
 * Starts what answers.
 * @param {(share: number) => void} hear is told how much of it is loaded, before anything is answered
 */
export async function start(hear) {
  loading = hear;
  await (worker ??= begin());
}

/**
 * The fields of a form but its photos; a file as a character for each byte.
 * @type {(form: FormData) => Promise<Record<string, string>>}
 */
async function written(form) {
  /** @type {Record<string, string>} */
  const fields = {};
  for (const [name, value] of form) {
    if (typeof value === "string") fields[name] = value;
    else if (name !== "photo") {
      const bytes = new Uint8Array(await value.arrayBuffer());
      fields[name] = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    }
  }
  return fields;
}

/**
 * What a server would answer.
 * @param {string} method
 * @param {string} path
 * @param {Record<string, string>} headers
 * @param {string | FormData | undefined} body a form holds photos, or a file with a game or a set
 * @param {CallOptions["progress"]} [progress] of loading what reads photos, 0 to 1, nothing of what is there; then where
 *   tiles seem to be (hupai/web/answers/device.py), after each look, and an answer before flowers are named
 */
export async function ask(method, path, headers, body, progress) {
  const fields = body instanceof FormData ? await written(body) : null;
  const sent = fields ? fields.game ?? JSON.stringify(fields) : body ?? "";
  const said = Object.fromEntries(new Headers({ ...headers, Referer: location.href })); // as a browser tells a server
  const asked = JSON.stringify([method, path, said, sent]);
  const photos = body instanceof FormData ? body.getAll("photo") : [];
  const message = photos.length ? { asked, photos } : asked;
  const { status, text } = await send(await (worker ??= begin()), message, progress);
  if (/^\/(games|sets)/.test(path) && status === 201) navigator.storage?.persist?.(); // the browser may refuse that
  return { status, text, wait: null };
}
