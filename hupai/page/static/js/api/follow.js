// Games as they change on the server: every phone and board that follows a game is notified within a second.
const QUIET_MS = 40_000; // the server sends a sign of life every 15 seconds
const AGAIN_MS = 3000;
const LOOK_MS = 5000;

/**
 * Follows some games; reconnects by itself.
 * @param {(game: string, revision: number | null) => void} onchange receives each game's revision, at once and whenever
 *   it changes; null when the game is gone
 * @returns {(ids: string[]) => void} names the games to follow from now on
 */
export function followGames(onchange) {
  /** @type {string[]} */
  let wanted = [];
  /** @type {EventSource | null} */
  let source = null;
  let heard = 0;
  let timer = 0;
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const open = () => {
    close();
    if (!wanted.length) return;
    heard = Date.now();
    source = new EventSource(`/api/v1/changes?${new URLSearchParams(wanted.map((id) => ["game", id]))}`);
    source.onopen = () => (heard = Date.now());
    source.onerror = () => {
      // The browser gives up for good when the server answered with an error.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS);
    };
    source.addEventListener("still", () => (heard = Date.now()));
    source.addEventListener("game", (event) => {
      heard = Date.now();
      const { game, revision } = JSON.parse(event.data);
      onchange(game, revision);
    });
  };
  // A connection that died silently (another network, a phone that slept) is noticed by its silence.
  setInterval(() => source && Date.now() - heard > QUIET_MS && open(), LOOK_MS);
  addEventListener("online", open);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && open());
  return (ids) => {
    const next = [...new Set(ids)].sort();
    if (next.join() === wanted.join()) return;
    wanted = next;
    open();
  };
}
