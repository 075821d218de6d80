// The page without its host: what was loaded once opens again; reading, scores and games are the host's and never kept.
const FILES = []; // of this build; filled in where it is served
const LATER = []; // folders of what the page asks for by itself when it has begun: the networks
const KEPT = "hupai";
const PAGE = "./";

const HERE = new URL(PAGE, location).pathname;

// What another build has brought already is not fetched again; the page itself is, however long it might be kept.
async function fetchFiles() {
  const cache = await caches.open(KEPT);
  const found = await Promise.all(FILES.map((file) => cache.match(file)));
  await cache.addAll([new Request(PAGE, { cache: "reload" }), ...FILES.filter((_, i) => !found[i])]);
  await skipWaiting();
}
addEventListener("install", (event) => event.waitUntil(fetchFiles()));

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// Files of another build are of no use to the page of this one; but one that is open may be of that build.
async function tidy() {
  if ((await clients.matchAll({ type: "window" })).length) return;
  const cache = await caches.open(KEPT);
  const folders = new Set([...FILES.map((file) => file.match(/at\/[^/]+\//)[0]), ...LATER]);
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
  const answer = await fetch(request);
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
