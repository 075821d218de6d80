// Events from the server as they happen. A lost connection is reopened, and what was missed meanwhile comes first.

const KINDS = ["hand.settled", "hand.confirmed", "hand.corrected", "table.state"];

/**
 * Follows the events.
 * @param {{table?: string | null, after?: number | null, onevent: (event: any) => unknown,
 *   online?: (there: boolean) => unknown}} options `table` one table only; `after` last event number known; `onevent`; `online` gets true/false
 */
export function follow({ table = null, after = null, onevent, online = () => {} }) {
  let last = after;
  /** @type {EventSource | null} */
  let source = null;
  let timer = 0;
  let closed = false;
  const open = () => {
    const query = new URLSearchParams();
    if (table !== null) query.set("table", table);
    if (last !== null) query.set("after", String(last));
    source = new EventSource(`/api/v1/events?${query}`);
    source.onopen = () => online(true);
    source.onerror = () => {
      online(false);
      // The browser gives up for good when the server answered with an error: reconnect after the last number.
      if (source?.readyState === EventSource.CLOSED && !closed) {
        clearTimeout(timer);
        timer = setTimeout(open, 3000);
      }
    };
    for (const kind of KINDS) {
      source.addEventListener(kind, (event) => {
        last = Number(event.lastEventId);
        onevent(JSON.parse(event.data));
      });
    }
  };
  open();
  return () => {
    closed = true;
    clearTimeout(timer);
    source?.close();
  };
}
