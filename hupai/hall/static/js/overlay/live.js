// Hands while they are played: what the server says of each seat of a table, drawn as it comes.
import { byId, h, refill } from "../dom/dom.js";
import { tilePicture } from "../faces/tile.js";
import { number, signed, t } from "../words/i18n.js";
import { w } from "../board/words.js";
import { SEATS } from "../hand/seats.js";
import { parameters } from "./address.js";

const AGAIN_MS = 3000;
/** @type {Map<Seat, LiveSeat>} what is shown, by the seat where the game began */
const seats = new Map();

const tiles = (/** @type {string[]} */ codes, of = "concealed") =>
  codes.length > 0 && h("span", { class: `laid-group ${of}` }, codes.map((code) => tilePicture(code)));

// "blown_out:4": why, and the tile's place in the row.
function reasonWords(/** @type {string} */ reason) {
  const [why, place] = reason.split(":");
  return place ? `${w(`live.${why}`)} (${number(Number(place))})` : w(`live.${why}`);
}

function stateWords(/** @type {LiveSeat} */ { state, reasons, shanten, waits }) {
  if (state === "looking" || state === "lost") {
    return [w(`live.${state}`), ...(parameters.coach ? reasons.map(reasonWords) : [])].join(" · ");
  }
  const near = shanten === null
    ? null
    : shanten > 0
    ? t("near.away", { n: shanten })
    : shanten < 0
    ? w("live.whole")
    : t(waits.length ? "near.ready" : "near.ready_after");
  return [near, state === "covered" && w("live.covered")].filter(Boolean).join(" · ");
}

const counted = (/** @type {{tile: string, left: number}} */ { tile, left }) =>
  h("span.counted", { key: tile }, tilePicture(tile), `× ${number(left)}`);

// Waits of the same worth stand together.
function waits(/** @type {LiveSeat["waits"]} */ all) {
  const alike = Object.groupBy(all, ({ score, riichi }) => `${score} ${riichi}`);
  return Object.values(alike).flatMap((some = []) => {
    const [{ score, riichi }] = some;
    return h(
      "li",
      some.map(counted),
      score !== null && h("b", signed(score)),
      riichi !== null && riichi !== score && h("b", t("label", { name: t("ask.riichi") }), signed(riichi)),
    );
  });
}

const discard = (/** @type {LiveSeat["discards"][number]} */ { tile, left, draws }) =>
  h(
    "li",
    { key: tile },
    h("small", w("live.discard")),
    tilePicture(tile),
    `→ ${number(left)}`,
    tiles(draws.map((draw) => draw.tile), "draws"),
  );

const hand = (/** @type {LiveSeat} */ told) =>
  h(
    "li",
    { "data-seat": told.seat, "data-state": told.state, key: told.seat },
    h(
      "h2",
      h("span.wind", t(`seat.${told.wind}.sign`)),
      h("span.name", told.name),
      h("small.state", stateWords(told)),
    ),
    h(
      "div.laid-row",
      tiles(told.row),
      tiles(told.drawn ? [told.drawn] : [], "drawn"),
      told.melds.map((meld) => tiles(meld, "meld")),
    ),
    told.waits.length > 0 && h("ul.waits", waits(told.waits)),
    parameters.coach && told.discards.length > 0 && h("ul.discards", told.discards.map(discard)),
  );

function show() {
  const shown = SEATS.flatMap((seat) => seats.get(seat) ?? []);
  const [known] = shown.filter(({ waits, discards }) => waits.length || (parameters.coach && discards.length));
  const section = shown.length > 0 && h(
    "section",
    { class: `scene live ${parameters.seat ? "one" : ""}`, key: "live" },
    h("ul.hands", shown.map(hand)),
    known && h("p", w(known.counted.includes("indicators") ? "live.counted_indicators" : "live.counted")),
  );
  refill(byId("main"), section);
}

/** Follows the hands of the address's table for ever; what is not heard of any more is not shown. */
export function followHands() {
  const query = new URLSearchParams({ table: parameters.table, ...(parameters.seat && { seat: parameters.seat }) });
  const source = new EventSource(`/api/v1/live/stream?${query}`);
  source.onopen = () => (document.documentElement.dataset.ready = "");
  source.onerror = () => {
    seats.clear();
    show();
    if (source.readyState !== EventSource.CLOSED) return; // it is opened again
    refill(byId("main"), h("section.scene.trouble", h("p", w("live.refused"))));
    setTimeout(followHands, AGAIN_MS);
  };
  source.addEventListener("seat", ({ data }) => {
    /** @type {LiveSeat | {seat: Seat, state: "off"}} */
    const told = JSON.parse(data);
    if (told.state === "off") seats.delete(told.seat);
    else seats.set(told.seat, told);
    show();
  });
}
