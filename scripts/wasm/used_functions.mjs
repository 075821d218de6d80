// Which functions of onnxruntime-web networks use: those called while networks are loaded, then while each answers twice, on
// one thread and on two. The module marks them in its memory (trimmed_runtime.py); a byte for each is written, twice. In a
// folder with the module, what loads it, the networks, and a picture, 480 x 640 pixels, each three bytes:
// deno run --allow-read --allow-net --allow-import used_functions.mjs MARKS COUNT NETWORK...
const LOADER = "ort.wasm.bundle.min.mjs";
const SIZES = [
  { n: 1, height: 480, width: 640, h: 24, w: 32, classes: 52 },
  { n: 32, height: 96, width: 640, h: 96, w: 64, classes: 52 },
];

// From an address of their own, with no Node around them, as in a browser: else the runtime does not find its threads.
function serve() {
  const headers = { "Content-Type": "text/javascript" };
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async ({ url }) => {
    const loader = new URL(url).pathname === `/${LOADER}`;
    const text = await Deno.readTextFile(loader ? LOADER : new URL(import.meta.url));
    return new Response(loader ? `const process = undefined;${text}` : text, { headers });
  }).addr.port;
}

async function use(marks, count, networks, threads) {
  const { Memory } = WebAssembly;
  let memory;
  const initial = Math.ceil((marks + count) / 65536);
  WebAssembly.Memory = function (asked) {
    return memory = new Memory({ ...asked, initial });
  };
  globalThis.crossOriginIsolated = true;
  const { env, InferenceSession, Tensor } = await import(new URL(LOADER, location));
  env.wasm.numThreads = threads;
  env.wasm.wasmBinary = await Deno.readFile("marking.wasm");
  const picture = await Deno.readFile("picture");
  const filled = (type, dims) => {
    const length = dims.reduce((all, one) => all * one, 1);
    if (type === "uint8") return new Tensor(type, picture.slice(0, length), dims);
    return new Tensor(type, Float32Array.from({ length }, (_, i) => (i * 7919) % 251 / 251), dims);
  };
  const settings = {
    executionProviders: ["wasm"],
    enableCpuMemArena: false,
    enableMemPattern: false,
    logSeverityLevel: 3,
  };
  const [loading, answering] = [new Uint8Array(count), new Uint8Array(count)];
  const take = (into) => {
    const marked = new Uint8Array(memory.buffer, marks, count);
    marked.forEach((one, i) => into[i] |= one);
    marked.fill(0);
  };
  for (const network of networks) {
    const session = await InferenceSession.create(await Deno.readFile(network), settings);
    take(loading);
    for (const sizes of SIZES) {
      const asked = session.inputMetadata.map((
        { name, type, shape },
      ) => [name, type, shape.map((one) => sizes[one] ?? one)]);
      await session.run(Object.fromEntries(asked.map(([name, type, dims]) => [name, filled(type, dims)])));
    }
    take(answering);
  }
  return Uint8Array.of(...loading, ...answering);
}

if (globalThis.WorkerGlobalScope) onmessage = async ({ data }) => postMessage(await use(...data));
else {
  const [marks, count, ...networks] = Deno.args;
  const address = `http://127.0.0.1:${serve()}/`;
  const used = (threads) =>
    new Promise((resolve) => {
      const worker = new Worker(address, { type: "module" });
      worker.onmessage = ({ data }) => resolve(data);
      worker.postMessage([Number(marks), Number(count), networks, threads]);
    });
  const [alone, both] = [await used(1), await used(2)];
  Deno.stdout.writeSync(alone.map((one, i) => one | both[i]));
  Deno.exit();
}
