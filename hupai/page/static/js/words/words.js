// Totals, payments and the hand that is played, in words.
import { known, language, number, t } from "./i18n.js";
import { served } from "../api/api.js";
import { SEATS } from "../hand/seats.js";

/**
 * What players call the current hand: "East 1, honba 2", "East round, hand 2".
 * @param {Pick<Game, "rules" | "rotation" | "state" | "first_dealer" | "next_hand">} game
 */
export function roundWords({ rules, rotation, state, first_dealer: first, next_hand: next }) {
  if (rotation === "winner") return t("round.open", { n: next });
  const { players } = state;
  const turn = (state.dealer - first + players) % players;
  const n = language() === "en" ? turn + 1 : "一二三四"[turn];
  const own = `round.${rotation === "riichi" ? "riichi" : rules}`;
  const values = { wind: t(`seat.${state.round}`), dealer: t(`seat.${SEATS[turn]}`), n, honba: state.counters };
  return t(known(own) ? own : "round.usual", values);
}

/** "5 faan", "3 han 30 fu", "2 yakuman", "x 16". */
export function totalWords(/** @type {any} */ total) {
  if (!total) return "";
  if (total.yakuman) return t("total.yakuman", { n: total.yakuman });
  const main = t(`total.${total.unit}`, { n: number(total.value) });
  return total.fu && total.unit === "han" && total.value < 5 ? `${main} ${t("total.fu", { n: total.fu })}` : main;
}

/** How many of all, and which part that is. */
export const partWords = (/** @type {number} */ n, /** @type {number} */ all) =>
  all ? `${number(n)} · ${Math.round((100 * n) / all)} %` : number(n);

/** The limit that a score has reached: "mangan", "5 tai". The server has worded its name, unless the score was stored. */
export function limitWords(/** @type {any} */ { limit, unit }) {
  const key = `limit.${limit}`;
  if (known(key)) return t(key);
  const n = Number.parseInt(limit, 10);
  return Number.isNaN(n) ? limit : t(`total.${unit}`, { n });
}

/**
 * Codes that are told in the words of another one.
 * @type {Record<string, string>}
 */
const LIKE = {
  body_too_large: "too_large",
  image_too_large: "too_large",
  image_unreadable: "unreadable",
  wrong_type: "unreadable",
  image_truncated: "truncated",
  image_too_small: "too_small",
  payments_differ: "conflict",
  set_other_model: "set_unusable",
  set_missing: "set_unusable",
  set_corrupt: "set_unusable",
  ...(!served && { offline: "not_loaded", image_unreadable: "not_shown" }),
};

/** What an error means and what to do about it; null where only the server knows. */
export function errorWords(/** @type {any} */ error) {
  if (!error) return "";
  const key = `error.${LIKE[error.code] ?? error.code}`;
  if (known(key)) return t(key, { n: error.retryAfter ?? 5 });
  return error.status >= 500 ? t("error.server") : null;
}

/** What went wrong and what to do about it: the page's own words for the error code, or else the server's. */
export const troubleWords = (/** @type {any} */ error) => errorWords(error) ?? error.message;
