// Events from the server as they happen. A lost connection is reopened, and what was missed meanwhile comes first.

const AGAIN_MS = 3000;
const KINDS = ["hand.settled", "hand.confirmed", "hand.corrected", "table.state"];

/**
 * Follows the events from now on.
 * @param {{table?: string | null, after: number | null, onevent: () => unknown, online: (there: boolean) => unknown}}
 *   options `table`: one table only; `after`: the last event that is known; `online` receives whether there is a
 *   connection
 */
export function follow({ table = null, after, onevent, online }) {
  const query = new URLSearchParams();
  if (table !== null) query.set("table", table);
  if (after !== null) query.set("after", String(after));
  const source = new EventSource(`/api/v1/events?${query}`);
  let last = after;
  source.onopen = () => online(true);
  source.onerror = () => {
    online(false);
    // The browser gives up for good when the server answered with an error: reconnect after the last number.
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(() => follow({ table, after: last, onevent, online }), AGAIN_MS);
    }
  };
  for (const kind of KINDS) {
    source.addEventListener(kind, (event) => {
      last = Number(event.lastEventId);
      onevent();
    });
  }
}
