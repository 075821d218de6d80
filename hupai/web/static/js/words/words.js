// Totals, payments and the hand that is played, in words.
import { known, language, number, t } from "./i18n.js";
import { SEATS } from "../hand/seats.js";

/**
 * What players call the current hand: "East 1, honba 2", "East round, hand 2".
 * @param {Pick<Game, "rules" | "rotation" | "state" | "first_dealer" | "next_hand">} game
 */
export function roundWords({ rules, rotation, state, first_dealer: first, next_hand: next }) {
  if (rotation === "winner") return t("round.open", { n: next });
  const turn = (state.dealer - first + 4) % 4;
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

/** The limit that a score has reached: "mangan", "5 tai". */
export function limitWords(/** @type {any} */ { limit, unit }) {
  const key = `limit.${limit}`;
  return known(key) ? t(key) : t(`total.${unit}`, { n: Number.parseInt(limit, 10) });
}

/** What an error means and what to do about it. */
export function errorWords(/** @type {any} */ error) {
  if (!error) return "";
  const wait = error.retryAfter ?? 5;
  switch (error.code) {
    case "offline":
      return t("error.offline");
    case "busy":
      return t("error.busy", { n: wait });
    case "too_many_requests":
      return t("error.too_many_requests", { n: wait });
    case "body_too_large":
    case "image_too_large":
      return t("error.too_large");
    case "image_unreadable":
    case "wrong_type":
      return t("error.unreadable");
    case "image_truncated":
      return t("error.truncated");
    case "image_too_small":
      return t("error.too_small");
    case "no_tile":
      return t("error.no_tile");
    case "cancelled":
      return t("error.cancelled");
    case "interrupted":
      return t("error.interrupted");
    case "code_needed":
    case "code_wrong":
      return t(`error.${error.code}`);
    case "model_missing":
      return t("error.model_missing");
    case "store_unavailable":
      return t("error.store_unavailable");
    case "upload_slow":
      return t("error.upload_slow");
    case "unsure":
    case "game_moved_on":
    case "game_over":
      return t(`error.${error.code}`);
    case "conflict":
    case "payments_differ":
      return t("error.conflict");
    case "name_taken":
      return t("error.name_taken");
    case "not_found":
      return t("error.not_found");
    case "set_order_unclear":
      return t("error.set_order_unclear");
    case "set_bad_name":
      return t("error.set_bad_name");
    case "set_other_model":
    case "set_missing":
    case "set_corrupt":
      return t("error.set_unusable");
    case "photo_gone":
      return t("error.photo_gone");
    default:
      return error.status >= 500 ? t("error.server") : null;
  }
}

/** What went wrong and what to do about it: the page's own words for the error code, or else the server's. */
export const troubleWords = (/** @type {any} */ error) => errorWords(error) ?? error.message;
