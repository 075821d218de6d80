// Games taken over from a file: one of this program or another, or every game of a phone.
import { setGame } from "../../state/table.js";
import { post } from "../../api/api.js";
import { t } from "../../words/i18n.js";
import { attempt, notice } from "../../controls/notice.js";

const EVERY = '{"hupai":"games"'; // how a file of every game begins (hupai/web/export.py)

/** @type {(game: Blob, how?: string) => Promise<Game & { imported?: Imported; added?: Added }>} */
const send = (game, how = "") => {
  const form = new FormData();
  form.append("game", game, "game.json");
  return post(`/games/import${how}`, form);
};

const addedWords = (/** @type {Added} */ { hands, changes }) =>
  hands
    ? t("game.added_hands", { n: hands })
    : changes
    ? t("game.added_changes", { n: changes })
    : t("game.added_none");

/** Takes over what a file has, and opens it; `how` was chosen where its game parts from the one that is here. */
export async function takeOver(/** @type {File} */ file, how = "") {
  if ((await file.slice(0, EVERY.length).text()) === EVERY) return takeOverAll(await file.text());
  try {
    const { imported, added, ...game } = await send(file, how);
    setGame(game);
    scrollTo(0, 0);
    if (added) notice(addedWords(added));
    if (imported) (await import("./imported.js")).showImported(imported);
  } catch (error) {
    if (!error.parted) throw error;
    (await import("./parted.js")).openParted(error.parted, (how) => attempt(() => takeOver(file, how)));
  }
  return undefined;
}

// Game by game, each in a line. Where one parts from what is here both are kept; one that is newer here stays so.
async function takeOverAll(/** @type {string} */ text) {
  const sum = { hands: 0, changes: 0 };
  for (const line of text.split("\n").slice(1).filter(Boolean)) {
    try {
      const { added, hands, revision } = await send(new Blob([line]), "?beside=1");
      sum.hands += added?.hands ?? hands.length;
      sum.changes += added?.changes ?? revision;
    } catch (error) {
      if (error.code !== "file_refused") throw error;
    }
  }
  setGame(null);
  notice(addedWords(sum));
}
