// The end without a server: a worker of this page answers, with the Python that a server would run.

/** @type {Promise<Worker> | null} */
let worker = null;

const address = (/** @type {string | undefined} */ path) => new URL(path ?? "", document.baseURI).href;

/**
 * @param {Worker} to
 * @param {object | string} message
 * @returns {Promise<string>}
 */
const send = (to, message) =>
  new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    to.onerror = reject;
    port1.onmessage = ({ data }) => {
      port1.close();
      if (data === null) reject(new Error("the worker failed; the console says more"));
      else resolve(data);
    };
    to.postMessage(message, [port2]);
  });

// On a first visit the service worker fetches everything; what is asked for before it is there would be fetched twice.
async function stored() {
  const found = await navigator.serviceWorker?.register("worker.js").catch(() => null);
  const first = found?.active ? null : found?.installing;
  if (!first) return;
  await new Promise((resolve) => {
    first.onstatechange = () => ["activated", "redundant"].includes(first.state) && resolve(null);
  });
}

async function begin() {
  await stored();
  const { python, pyodide } = document.documentElement.dataset;
  const made = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  try {
    await send(made, { python: address(python), pyodide: address(pyodide) });
    return made;
  } catch (error) {
    worker = null; // the next request tries again
    made.terminate();
    throw error;
  }
}

/**
 * What a server would answer.
 * @param {string} method
 * @param {string} path
 * @param {Record<string, string>} headers
 * @param {string | undefined} body
 */
export async function ask(method, path, headers, body) {
  worker ??= begin();
  const asked = JSON.stringify([method, path, Object.fromEntries(new Headers(headers)), body ?? ""]);
  const [status, text] = JSON.parse(await send(await worker, asked));
  return { status, text, wait: null };
}
