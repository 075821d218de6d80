// Answers requests with hupai's own Python, which Pyodide runs: texts in, texts out, and photos in.
import { Device } from "./device.js";
import { answer } from "./kept.js";
import { Networks } from "./networks.js";

/** @typedef {{python: string, pyodide: string, onnxruntime: string, models: string}} Places folders */

/** What is answered where hupai itself fails. */
const FAILED = { status: 500, text: JSON.stringify({ code: "server", status: 500 }) };

/** @type {Promise<any>} Pyodide */
let starting;
/** @type {import("./kept.js").Respond | null} */
let respond = null;
/** @type {Networks} */
let networks;
/** @type {((asked: string, photo: Blob) => Promise<string>) | null} */
let readPhoto = null;
let photos = 0; // that came; of two the earlier one, a look through the viewfinder, is not read to its end

/** @param {Places} places */
async function begin({ python, pyodide }) {
  const [{ loadPyodide }, code] = await Promise.all([import(`${pyodide}pyodide.mjs`), fetch(`${python}hupai.zip`)]);
  if (!code.ok) throw new Error(`${python}: ${code.status}`);
  const [py, archive] = await Promise.all([loadPyodide({ indexURL: pyodide }), code.arrayBuffer()]);
  py.unpackArchive(archive, "zip", { extractDir: "/hupai" });
  respond = py.runPython(`
import sys
sys.path.insert(0, "/hupai")
from hupai.web.answers.respond import respond_to_page
respond_to_page`);
  return py;
}

/**
 * @param {string} asked
 * @param {Blob} photo
 * @param {(share: number) => void} progress of loading what reads photos
 */
async function read(asked, photo, progress) {
  const py = await starting;
  await networks.fetched(progress);
  const metadata = await networks.metadata(); // two photos that wait for it share a device
  readPhoto ??= py.runPython("from hupai.web.answers.device import reader_of; reader_of")(
    new Device(networks, metadata),
  );
  const [status, text] = JSON.parse(await /** @type {NonNullable<typeof readPhoto>} */ (readPhoto)(asked, photo));
  return { status, text };
}

// The first message says where everything lies: its answer is whether Python could be loaded. Then requests come, with
// a photo or without one; each is answered on a port of its own, where shares say how much is loaded first, and null that
// something could not be.
onmessage = async ({ data, ports: [port] }) => {
  const turn = data.photo ? ++photos : photos;
  try {
    if (typeof data === "string") {
      await starting;
      port.postMessage(await answer(/** @type {import("./kept.js").Respond} */ (respond), data));
    } else if (data.photo) {
      port.postMessage(await read(data.asked, data.photo, (share) => port.postMessage(share)));
    } else {
      starting = begin(data);
      networks = new Networks(data);
      await starting;
      port.postMessage(true);
      networks.everything().catch(() => {}); // a photo tries again, and says what is wrong
    }
  } catch (error) {
    if (!data.photo || turn === photos) console.error(error);
    port.postMessage(respond && !networks.missing ? FAILED : null);
  }
};
