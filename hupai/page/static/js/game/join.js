// The card with which others at the table join with their own phones: a code to scan, and the address as text.
import { theGame } from "../state/app.js";
import { get } from "../api/api.js";
import { codeAndAddress, h, icon } from "../dom/dom.js";
import { askedFold } from "../controls/fields.js";
import { t } from "../words/i18n.js";
import { troubleWords } from "../words/words.js";

/** @type {ReturnType<typeof askedFold<{url: string}>>} */
const card = askedFold("games");

export function joinCard() {
  const { id } = theGame();
  const path = `/games/${encodeURIComponent(id)}/join`;
  return card("fold-join", t("join.title"), { about: id, ask: () => get(path) }, ({ answer, error }) => [
    h("p.soft", t("join.text")),
    error && h("p.caution", icon("warn"), troubleWords(error)),
    answer && codeAndAddress(`/api/v1${path}.svg`, t("join.code"), answer.url),
  ], "card join");
}
