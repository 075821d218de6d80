// The card with which others at the table join with their own phones: a code to scan, and the address as text.
import { theGame } from "../state/app.js";
import { emit } from "../state/signal.js";
import { get } from "../host/api.js";
import { h, icon } from "../parts/dom.js";
import { codeAndAddress, fold } from "../controls/fields.js";
import { t } from "../words/i18n.js";
import { troubleWords } from "../words/words.js";

/** @type {{game: string, url?: string, error?: Trouble} | null} */
let joining = null; // {game, url} or {game, error}

async function askJoin(/** @type {string} */ id) {
  joining = { game: id };
  try {
    joining = { game: id, ...(await get(`/games/${encodeURIComponent(id)}/join`)) };
  } catch (error) {
    joining = { game: id, error };
  }
  emit("games");
}

export function joinCard() {
  const { id } = theGame();
  const told = joining?.game === id ? joining : null;
  const asks = (/** @type {ElementEvent} */ { target }) => target.open && !told?.url && askJoin(id);
  const inside = [
    h("p.soft", t("join.text")),
    told?.error && h("p.caution", icon("warn"), troubleWords(told.error)),
    told?.url && codeAndAddress(`/games/${encodeURIComponent(id)}/join.svg`, t("join.code"), told.url),
  ];
  return fold("fold-join", t("join.title"), inside, { look: "card join", ontoggle: asks });
}
