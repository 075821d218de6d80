// A browser may drop what it keeps: without a server, the start screen offers a file of every game after an evening.
import { app } from "../../state/app.js";
import { fetched, on } from "../../state/signal.js";
import { download, get } from "../../api/api.js";
import { recall, remember } from "../../api/store.js";
import { h, icon } from "../../dom/dom.js";
import { t } from "../../words/i18n.js";
import { attempt } from "../../controls/notice.js";

const AFTER_MS = 3 * 3_600_000; // of the last hand, the evening is over
const FILED = "filed"; // when the last hand in the last file was entered

/** @type {ReturnType<typeof fetched<{id: string, last: string | null}[]>>} */
const games = fetched("games", async () => (await get("/games?limit=500")).games);

const isOver = (/** @type {{id: string, last: string | null}} */ { id, last }) =>
  (app.game?.id === id && app.game.ended) || Date.now() - Date.parse(last ?? "") > AFTER_MS;

const keep = () =>
  attempt(async () => {
    const last = (games.answer ?? []).map((game) => game.last ?? "").sort().at(-1);
    await download("/games.jsonl", `hupai-${new Date().toISOString().slice(0, 10)}.jsonl`);
    remember(FILED, last);
    await games.load();
  });

/** The line that offers the file; none where nothing new was played, or the evening goes on. */
export function keepLine() {
  const since = recall(FILED, "");
  const open = (games.answer ?? []).filter(({ last }) => last !== null && last > since);
  if (!open.some(isOver)) return null;
  return h("button.start-told", { "data-key": "keep-file", onclick: keep }, icon("download"), t("start.keep_file"));
}

on(["screen", "game"], () => app.rules.length > 0 && games.load());
games.load();
