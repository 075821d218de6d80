// The list of pictures, or of those that are searched for: a part of it around the picture on the screen.
import { $, ask, make, query, reporting, say, state } from "./state.js";

const LIST_MILLISECONDS = 2000;
let timer = 0;
let asked = 0; // an answer to an older request is dropped

export const position = () => state.pictures.findIndex((p) => p.at === state.at);

/** Asks for the list again until all labels have been read: the worst may come last. */
export const fetchList = reporting(async () => {
  const mine = ++asked;
  const answer = await ask(`pictures?${query(state.at < 0 ? {} : { around: state.at })}`);
  if (mine !== asked) return;
  Object.assign(state, { pictures: answer.pictures, total: answer.total, reviewed: answer.reviewed });
  if (!state.names.size || (answer.share_read === 1 && state.share < 1)) await fetchTiles();
  state.share = answer.share_read;
  drawList();
  clearTimeout(timer);
  if (state.share < 1) timer = setTimeout(fetchList, LIST_MILLISECONDS);
});
/** Asks for the names of the tiles, and how many of each there are. */
const fetchTiles = async () => {
  const chosen = $("class").value;
  const options = [new Option("Any tile", "")];
  $("codes").replaceChildren();
  for (const { code, name, count } of await ask("tiles")) {
    state.names.set(code, name);
    $("codes").append(new Option(name, code));
    if (count || code === chosen) options.push(new Option(`${code}, ${name}: ${count}`, code));
  }
  $("class").replaceChildren(...options);
  $("class").value = chosen;
};

export const drawList = () => {
  const read = state.share < 1 ? `; ${Math.floor(state.share * 100)} % of the labels are read` : "";
  $("count").textContent = `${state.reviewed} of ${state.total} looked through${read}`;
  $("pictures").replaceChildren(...state.pictures.map((p) => {
    const words = `${state.drafts.has(p.at) ? "✎ " : p.reviewed ? "✓ " : ""}${p.image}`;
    const button = make("button", {}, { at: p.at }, words, make("small", { textContent: p.why }, {}));
    button.setAttribute("aria-current", String(p.at === state.at));
    return make("li", {}, {}, button);
  }));
  $("pictures").querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
};

/** Lists the pictures whose names have this text, and that have a tile of this code. */
export const search = async () => {
  state.wanted = { text: $("search").value.trim(), code: $("class").value };
  await fetchList();
  say(state.total ? "" : "No picture is found.");
};
