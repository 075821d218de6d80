// The page without its host: what was loaded once opens again; reading, scores and games are the host's and never kept.
const FILES = []; // of this build; filled in where it is served
const KEPT = "hupai";
const PAGE = "./";

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll([PAGE, ...FILES]))
      .then(() => skipWaiting()),
  );
});

// Files of another build are of no use to the page of this one.
async function tidy() {
  const cache = await caches.open(KEPT);
  const at = FILES[0]?.match(/at\/[^/]+\//)[0];
  for (const request of await cache.keys()) {
    if (request.url.includes("/at/") && !request.url.includes(at)) await cache.delete(request);
  }
  await clients.claim();
}
addEventListener("activate", (event) => event.waitUntil(tidy()));

async function kept(request) {
  const cache = await caches.open(KEPT);
  const found = await cache.match(request.mode === "navigate" ? PAGE : request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  const page = request.mode === "navigate" && ["/", "/index.html"].includes(pathname);
  if (page || pathname.startsWith("/at/")) event.respondWith(kept(request));
});
