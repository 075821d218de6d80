// Answers requests with hupai's own Python, which Pyodide runs: texts in, texts out, and photos in.
import { NetworksApart } from "./apart.js";
import { Device } from "./device.js";
import { answer } from "./kept.js";

/** @typedef {{python: string, pyodide: string, onnxruntime: string, models: string}} Places folders */

/** What is answered where hupai itself fails. */
const FAILED = { status: 500, text: JSON.stringify({ code: "server", status: 500 }) };

const SPARE_MS = 3000; // in which a photo that has waited arrives here

/** @type {Promise<any>} Pyodide */
let starting;
/** @type {import("./kept.js").Respond | null} */
let respond = null;
/** @type {NetworksApart} */
let networks;
/** @type {((asked: string, photos: Blob[], tell: (what: Float32Array | string) => void) => Promise<string>) | null} */
let readPhotos = null;
/** @type {Promise<unknown>} */
let reading = Promise.resolve(); // of the last photo
let requests = 0; // with photos; of two the earlier one, a look through the viewfinder, is not read to its end

// Where a first visit keeps an image of its Python, all that answers imported, for the next ones, which go on from there;
// one that could not start drops it.
const imageAt = (/** @type {Places} */ { python, pyodide }) => `${python}${pyodide.split("/").at(-2)}.image`;
const imageOf = (/** @type {Places} */ places) => globalThis.caches?.match(imageAt(places)).catch(() => undefined);
let keepImage = () => {}; // as long as Python holds nothing of JavaScript's

/**
 * @param {Places} places
 * @param {MessagePort} port is told when the files are here
 */
async function begin(places, port) {
  const { python, pyodide } = places;
  const image = await imageOf(places);
  const [{ loadPyodide }, code] = await Promise.all([import(`${pyodide}pyodide.mjs`), fetch(`${python}hupai.zip`)]);
  if (!code.ok) throw new Error(`${python}: ${code.status}`);
  port.postMessage(1);
  const from = image ? { _loadSnapshot: image.arrayBuffer() } : { _makeSnapshot: Boolean(globalThis.caches) };
  const [py, archive] = await Promise.all([loadPyodide({ indexURL: pyodide, ...from }), code.arrayBuffer()]);
  py.unpackArchive(archive, "zip", { extractDir: "/hupai" }); // files are in no image
  respond = py.runPython(`
import sys
sys.path.insert(0, "/hupai")
from hupai.web.answers.respond import respond_to_page
respond_to_page`);
  if (globalThis.caches && !image) {
    keepImage = () => {
      keepImage = () => {};
      py.runPython("import hupai.web.answers.device");
      const made = new Response(py.makeMemorySnapshot());
      caches.open("hupai").then((cache) => cache.put(imageAt(places), made)).catch(() => {});
    };
  }
  return py;
}

/** @param {Places} places */
async function fetchMore(places) {
  if (!globalThis.caches) await starting; // else all that Python needs is kept already
  const again = await imageOf(places);
  const few = !again && navigator.hardwareConcurrency <= 2; // of which Python can use both
  const warmed = (few ? starting : Promise.resolve()).then(() => networks.warm());
  await Promise.all([starting, networks.fetched(() => {}), warmed]);
  keepImage();
  await new Promise((later) => setTimeout(later, SPARE_MS));
  await reading; // it has the line for itself
  await networks.spare();
}

/**
 * @param {string} asked
 * @param {Blob[]} photos
 * @param {(share: number) => void} progress of loading what reads photos
 * @param {(what: Float32Array | string) => void} tell of where tiles seem to be, after each look, and what a first look
 *   makes of the photo
 */
async function read(asked, photos, progress, tell) {
  const py = await starting;
  networks.fetched(progress).catch(() => {}); // each is waited for when it is needed
  const metadata = await networks.metadata(); // two photos that wait for it share a device
  keepImage();
  readPhotos ??= py.runPython("from hupai.web.answers.device import reader_of; reader_of")(
    new Device(networks, metadata),
    (/** @type {string} */ more) => answer(/** @type {import("./kept.js").Respond} */ (respond), more),
  );
  const answered = /** @type {NonNullable<typeof readPhotos>} */ (readPhotos)(asked, photos, tell);
  const [status, text] = JSON.parse(await answered);
  return { status, text };
}

// The first message says where everything lies: the answer is a number when the files are here, then whether Python could
// be loaded. Then requests come, with photos or without any; each is answered on a port of its own, where shares say how
// much is loaded first, corners where tiles seem to be in a photo, a text what a first look makes of it, and null that
// something could not be.
onmessage = async ({ data, ports: [port] }) => {
  const turn = data.photos ? ++requests : requests;
  try {
    if (typeof data === "string") {
      await starting;
      port.postMessage(await answer(/** @type {import("./kept.js").Respond} */ (respond), data));
    } else if (data.photos) {
      const tell = (/** @type {number | Float32Array | string} */ what) => port.postMessage(what);
      const answered = read(data.asked, data.photos, tell, tell);
      reading = answered.catch(() => {});
      port.postMessage(await answered);
    } else {
      networks = new NetworksApart(data);
      starting = begin(data, port);
      starting.catch(() => globalThis.caches?.open("hupai").then((kept) => kept.delete(imageAt(data))));
      fetchMore(data).catch(() => {}); // a photo tries again, and says what is wrong
      await starting;
      port.postMessage(true);
    }
  } catch (error) {
    if (!data.photos || turn === requests) console.error(error);
    port.postMessage(respond && !networks.missing ? FAILED : null);
  }
};
