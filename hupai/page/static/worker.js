// The page without its host: what was loaded once opens again; reading, scores and games are the host's and never kept.
const FILES = {}; // of this build, and how many bytes each has; filled in where it is served
const LATER = []; // folders of what the page asks for by itself when it has begun: the networks
const KEPT = "hupai";
const PAGE = "./";

const WORTH = 20_000; // bytes; of a smaller file no compressed copy is asked for

const HERE = new URL(PAGE, location).pathname;

// Where the page has no host of its own, its files have compressed copies beside them: half as much to fetch from a
// server that sends everything as it is.
async function fetchFile(request, bytes = Infinity) {
  const { url } = request;
  if (LATER.length === 0 || bytes <= WORTH || url.endsWith(".png")) return fetch(request);
  const { ok, headers } = await fetch(url, { method: "HEAD" });
  const plain = ok && !headers.has("Content-Encoding") && Number(headers.get("Content-Length")) > WORTH;
  const packed = plain ? await fetch(`${url}.gz`) : null;
  if (!packed?.ok) return fetch(request);
  const unpacked = packed.headers.has("Content-Encoding"); // by the browser: some servers know what .gz means
  const body = unpacked ? packed.body : packed.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, { headers: { "Content-Type": headers.get("Content-Type") } });
}

// Tells the pages which share of the bytes is there, each hundredth once.
function telling(total) {
  let [done, told] = [0, -1];
  return async (bytes) => {
    done += bytes;
    const share = Math.floor((100 * done) / total);
    if (share === told) return;
    told = share;
    for (const page of await clients.matchAll({ type: "window", includeUncontrolled: true })) {
      page.postMessage(share / 100, {});
    }
  };
}

const counted = (answer, tell) =>
  new Response(
    answer.body.pipeThrough(
      new TransformStream({
        transform(bytes, to) {
          tell(bytes.length);
          to.enqueue(bytes);
        },
      }),
    ),
    answer,
  );

// What another build has brought already is not fetched again; the page itself is, however long it might be kept. The
// large files are on their way before the small ones are looked at, which the browser has: it is not to ask again.
async function fetchFiles() {
  const cache = await caches.open(KEPT);
  const tell = telling(Object.values(FILES).reduce((sum, bytes) => sum + bytes, 0));
  const begin = async ([file, bytes]) => {
    if (await cache.match(file)) return () => tell(bytes);
    const answer = await fetchFile(new Request(file, { cache: "force-cache" }), bytes);
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    return () => cache.put(file, counted(answer, tell));
  };
  const [large, small] = [true, false].map((is) => Object.entries(FILES).filter(([, bytes]) => bytes > WORTH === is));
  const begun = large.map(begin);
  const keep = async (one) => (await one)(); // at once: what nobody takes holds up a connection, of which there are six
  const page = new Request(PAGE, { cache: "reload" });
  const keepSmall = () => Promise.all([cache.add(page), ...small.map((one) => keep(begin(one)))]);
  await Promise.all([...begun.map(keep), Promise.all(begun).then(keepSmall)]);
  await skipWaiting();
}
addEventListener("install", (event) => event.waitUntil(fetchFiles()));

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// Files of another build are of no use to the page of this one; but one that is open may be of that build.
async function tidy() {
  if ((await clients.matchAll({ type: "window" })).length) return;
  const cache = await caches.open(KEPT);
  const folders = new Set([...Object.keys(FILES).map((file) => file.match(/at\/[^/]+\//)[0]), ...LATER]);
  for (const { url } of await cache.keys()) {
    const folder = url.match(/at\/[^/]+\//)?.[0];
    if (folder && !folders.has(folder)) await cache.delete(url);
  }
}

const coming = new Map(); // address -> when it will have been kept

// What is not kept yet is passed on as it comes, so that the page can say how much has; whoever asks for it meanwhile
// waits until it is kept. Where storage is full it is not kept, and fetched again when it is next asked for.
async function kept(event) {
  const { request } = event;
  const cache = await caches.open(KEPT);
  await coming.get(request.url);
  const found = await cache.match(request.mode === "navigate" ? PAGE : request);
  if (found) return isolate(request, found);
  const answer = await fetchFile(request);
  if (answer.ok) {
    const keeping = cache.put(request, answer.clone()).catch(() => {}).finally(() => coming.delete(request.url));
    coming.set(request.url, keeping);
    event.waitUntil(keeping);
  }
  return isolate(request, answer);
}

// Where the networks run in the page, they may use threads: if it and its workers say that they load nothing of others.
function isolate({ mode, destination }, answer) {
  if (LATER.length === 0 || (mode !== "navigate" && destination !== "worker")) return answer;
  const { status, statusText } = answer;
  const headers = new Headers(answer.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  return new Response(answer.body, { status, statusText, headers });
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  const page = request.mode === "navigate" && [HERE, `${HERE}index.html`].includes(pathname);
  if (page) event.waitUntil(tidy());
  if (page || pathname.startsWith(`${HERE}at/`)) event.respondWith(kept(event));
});
