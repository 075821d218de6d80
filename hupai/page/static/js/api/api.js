// hupai's API: JSON in and out, refusals as Problem, an access code for the LAN where one is set. A server answers over
// HTTP or, where the page brings hupai's Python along, a worker.

/** Whether there is a server; without one nobody else joins a game, and house rules have no links. */
export const served = !document.documentElement.dataset.python;

const python = () => import("./python/ask.js");

/** Without a server, starts what answers; `hear` is told which share of it has been loaded, on a first visit. */
export const startAnswering = (/** @type {(share: number) => void} */ hear) =>
  served || python().then(({ start }) => start(hear)).catch(() => {}); // the first request tries again

const ROOT = "/api/v1";
const WITHIN_MS = 10_000; // a slower answer counts as none

/** @type {(() => Record<string, string>)[]} */
const wording = [];

/** Adds headers that tell the server how to word its answers; they are asked for with each request. */
export const wordAnswers = (/** @type {() => Record<string, string>} */ headers) => wording.push(headers);
/** @returns {Record<string, string>} */
const wordingNow = () => Object.assign({}, ...wording.map((headers) => headers()));

/** A refusal by the server: status, code, detail, faults, seconds to wait. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {Partial<Trouble> & {detail?: string, title?: string} | null} body
   * @param {number | null} retryAfter seconds
   */
  constructor(status, body, retryAfter = null) {
    super(body?.detail ?? body?.title ?? `status ${status}`);
    this.status = status;
    this.code = body?.code ?? "unknown";
    this.field = body?.field ?? null;
    this.faults = body?.faults ?? [];
    this.retryAfter = retryAfter;
    this.changed = body?.changed ?? null; // the new state of a game that has moved on
    this.parted = body?.parted ?? null; // what a file of a game has otherwise
  }
}

/** No answer: the host is off, or the phone has no network. */
export class Offline extends Error {
  constructor() {
    super("no answer");
    this.status = 0;
    this.code = "offline";
    /** @type {Fault[]} */
    this.faults = [];
  }
}

/** Whether a trouble may pass by itself: the host does not answer, or cannot just now; a full browser stays full. */
export const mayPass = (/** @type {any} */ error) =>
  ["offline", "unsure"].includes(error?.code) || (served && error?.status >= 500);

function parsed(/** @type {string} */ text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null; // not from our server (a proxy's page): the status is enough
  }
}

/**
 * Whether an answer that says all went well is not the host's: the page with which a network asks people to sign in.
 * @type {(text: string, data: unknown) => boolean}
 */
const foreign = (text, data) => text !== "" && data === null;

const wait = (/** @type {string | null} */ header) => (header && /^\d+$/.test(header) ? Number(header) : null);

/**
 * One JSON request; `body` undefined sends none. Throws Problem, Offline (also when the answer takes too long), or
 * AbortError when `signal` said so.
 * @template {string} M
 * @template {string} P
 * @param {M} method
 * @param {P} path
 * @param {object | undefined} body
 * @param {CallOptions} options
 * @returns {Promise<AnswerOf<M, P>>}
 */
export async function call(method, path, body, { signal, headers = {}, progress } = {}) {
  const form = body instanceof FormData;
  const said = {
    Accept: "application/json",
    ...wordingNow(),
    ...(body !== undefined && !form ? { "Content-Type": "application/json" } : {}),
    ...headers,
  };
  const sent = body === undefined || form ? body : JSON.stringify(body);
  let answer;
  try {
    answer = served
      ? await overHttp(method, path, said, sent, signal)
      : await (await python()).ask(method, path, said, sent, progress);
    signal?.throwIfAborted();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Offline();
  }
  const { status, text } = answer;
  const data = parsed(text);
  if (status < 200 || status >= 300) throw new Problem(status, data, answer.wait);
  if (foreign(text, data)) throw new Offline();
  return data;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Record<string, string>} headers
 * @param {BodyInit | undefined} body
 * @param {AbortSignal | undefined} signal
 */
async function overHttp(method, path, headers, body, signal) {
  const patience = AbortSignal.timeout(WITHIN_MS);
  const response = await fetch(ROOT + path, {
    method,
    signal: signal ? AbortSignal.any([signal, patience]) : patience,
    credentials: "same-origin",
    headers,
    body,
  });
  const text = await response.text();
  return { status: response.status, text, wait: wait(response.headers.get("Retry-After")) };
}

/** @type {<P extends string>(path: P, options?: CallOptions) => Promise<AnswerOf<"GET", P>>} */
export const get = (path, options) => call("GET", path, undefined, options);

/** As get(), null where there is nothing at the address. */
export const getOrNull = (/** @type {string} */ path) =>
  get(path).catch((error) => {
    if (error.status === 404) return null;
    throw error;
  });

/** @type {<P extends string>(path: P, body?: object, options?: CallOptions) => Promise<AnswerOf<"POST", P>>} */
export const post = (path, body, options) => call("POST", path, body, options);
/** @type {<P extends string>(path: P, body: object, options?: CallOptions) => Promise<AnswerOf<"PUT", P>>} */
export const replace = (path, body, options) => call("PUT", path, body, options);
/** @type {<P extends string>(path: P) => Promise<AnswerOf<"DELETE", P>>} */
export const remove = (path) => call("DELETE", path, undefined);

const STALLED_MS = 8000; // an upload without progress for this long has failed
const LISTEN_MS = 2500; // pause between checks that the host is still there, and the time limit of each
const PATIENCE_MS = 90_000; // how long to wait for a host that answers but does not finish reading

const alive = async () => {
  try {
    return (await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(LISTEN_MS) })).ok;
  } catch {
    return false;
  }
};

/**
 * Sends a form with a photo and reports progress, which fetch cannot do for uploads.
 * @template {string} P
 * @param {P} path
 * @param {FormData} form
 * @param {NonNullable<CallOptions["progress"]>} progress 0 to 1 while it is sent; without a server while what reads it
 *   is loaded, then where tiles seem to be, and an answer before flowers are named
 * @returns {{done: Promise<AnswerOf<"POST", P>>, cancel: () => void}}
 */
export function upload(path, form, progress) {
  if (!served) {
    const stopped = new AbortController();
    const done = call("POST", path, form, { signal: stopped.signal, progress });
    return { done, cancel: () => stopped.abort() };
  }
  const request = new XMLHttpRequest();
  let timer = 0;
  const done = new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(new Offline());
      request.abort();
    };
    const watch = (/** @type {number} */ ms, /** @type {() => void} */ act) => {
      clearTimeout(timer);
      timer = setTimeout(act, ms);
    };
    // Reading may take any time as long as the host answers other requests; if it misses two of them, one after the
    // other, the upload is given up.
    const listen = (/** @type {number} */ since, missed = 0) =>
      watch(LISTEN_MS, async () => {
        const silent = (await alive()) ? 0 : missed + 1;
        if (Date.now() - since > PATIENCE_MS || silent === 2) giveUp();
        else if (request.readyState !== XMLHttpRequest.DONE) listen(since, silent);
      });
    watch(STALLED_MS, giveUp);
    request.upload.onload = () => listen(Date.now());
    request.onloadend = () => clearTimeout(timer);
    request.open("POST", ROOT + path);
    request.setRequestHeader("Accept", "application/json");
    for (const [name, value] of Object.entries(wordingNow())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.loaded < event.total) watch(STALLED_MS, giveUp);
      if (event.lengthComputable) progress(event.loaded / event.total);
    };
    request.onload = () => {
      const data = parsed(request.responseText);
      const fine = request.status >= 200 && request.status < 300;
      if (fine && foreign(request.responseText, data)) reject(new Offline());
      else if (fine) resolve(data);
      else reject(new Problem(request.status, data, wait(request.getResponseHeader("Retry-After"))));
    };
    request.onerror = () => reject(new Offline());
    request.onabort = () => reject(new DOMException("cancelled", "AbortError"));
    request.send(form);
  });
  return { done, cancel: () => request.abort() };
}

/**
 * Saves a file of the host's.
 * @param {string} path
 * @param {string} name
 */
export async function download(path, name) {
  const link = document.createElement("a");
  link.download = name;
  if (served) link.href = ROOT + path;
  else {
    const { status, text } = await (await python()).ask("GET", path, {}, undefined);
    if (status !== 200) throw new Problem(status, parsed(text));
    const file = path.endsWith("/file") ? Uint8Array.from(text, (byte) => byte.charCodeAt(0)) : text;
    link.href = URL.createObjectURL(new Blob([file]));
  }
  link.click();
}

/** A key that makes a retry of the same write safe; random even over plain HTTP, where randomUUID is missing. */
export function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}
