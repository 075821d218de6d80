// Answers requests with hupai's own Python, which Pyodide runs: texts in, texts out.

/** @type {Promise<(asked: string) => string>} */
let answering;

/** @param {{python: string, pyodide: string}} places hupai's code as a zip; the folder of Pyodide */
async function begin({ python, pyodide }) {
  const [{ loadPyodide }, code] = await Promise.all([import(`${pyodide}pyodide.mjs`), fetch(python)]);
  if (!code.ok) throw new Error(`${python}: ${code.status}`);
  const [py, archive] = await Promise.all([loadPyodide({ indexURL: pyodide }), code.arrayBuffer()]);
  py.unpackArchive(archive, "zip", { extractDir: "/hupai" });
  return py.runPython(`
import sys
sys.path.insert(0, "/hupai")
from hupai.web.answers.respond import respond_to_page
respond_to_page`);
}

// The first message says where everything lies: its answer is whether Python could be loaded. Then requests come; each is
// answered on a port of its own.
onmessage = async ({ data, ports: [port] }) => {
  try {
    if (typeof data === "string") port.postMessage((await answering)(data));
    else {
      answering = begin(data);
      await answering;
      port.postMessage(true);
    }
  } catch (error) {
    console.error(error);
    port.postMessage(null);
  }
};
