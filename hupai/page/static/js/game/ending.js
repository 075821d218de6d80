// The end of a game: the sheets that end it, settle it in another way, and continue it. Loaded when first asked for.
import { ownsGames, theGame } from "../state/app.js";
import { currentRules } from "../state/rules.js";
import { h } from "../dom/dom.js";
import { SEATS, seatsTaken } from "../hand/seats.js";
import { t } from "../words/i18n.js";
import { byField, choiceRow } from "../controls/fields.js";
import { openAmendment } from "../ledger/amend.js";
import { COUNTED } from "./length.js";
import { blankSettling, settlingFaults, settlingFields, settlingOf } from "./settling.js";

/**
 * The sheet, which can also change how the game is settled.
 * @type {(title: string, text: string, kind: string, over: boolean, needed: boolean) => void}
 */
function openSettling(title, text, kind, over, needed) {
  /** @type {Fault[]} */
  let faults = [];
  const agreed = () => ({
    course: theGame().course,
    points: theGame().starting_points,
    riichi: currentRules().riichi_sticks,
  });
  openAmendment({
    title,
    path: "/end",
    kind,
    holds: () => Boolean(theGame().ended) === over,
    state: blankSettling(),
    build: (state, change) => [
      h("p.soft", text),
      ownsGames() && settlingFields(state, change, agreed(), byField(faults).at),
    ],
    body: (state) => {
      faults = settlingFaults(state, theGame().starting_points);
      if (faults.length) return null;
      const course = settlingOf(state);
      if (needed && !Object.keys(course).length) {
        faults = [{ field: "course.rate", message: t("settling.nothing") }];
        return null;
      }
      return ownsGames() ? { course } : {};
    },
    done: () => t(`change.${kind}`),
  });
}

/** The players end the game here. */
export const openEnd = () => openSettling(t("end.title"), t("end.text"), "ended", false, false);

/** Opens the sheet that settles a finished game in another way. */
export const openSettle = () => openSettling(t("settling.title"), t("settling.text"), "settled", true, true);

// What can be agreed on anew, by the reason of the end: [{value, label, course}]; empty if nothing needs to be.
function ways(/** @type {Game} */ { ended, course, state, created }) {
  const open = (/** @type {string} */ name) => ({ value: "open", label: t("length.open"), course: { [name]: null } });
  const more = (/** @type {string} */ name, /** @type {number[]} */ steps, /** @type {number} */ from) => [
    ...steps
      .filter((/** @type {number} */ n) => from + n <= COUNTED[name])
      .map((/** @type {number} */ n) => ({
        value: n,
        label: t(`reopen.${name}`, { n }),
        course: { [name]: from + n },
      })),
    open(name),
  ];
  switch (ended?.reason) {
    case "rounds":
    case "extension": {
      const played = Math.max(course.rounds, SEATS.indexOf(state.round));
      const rounds = [2, 3, 4].slice(0, seatsTaken().length - 1)
        .filter((n) => n > played)
        .map((n) => ({ value: n, label: t(`length.rounds.${n}`), course: { rounds: n } }));
      // An extension is possible only after a last round before the last wind.
      return [...rounds, open("rounds")].map((way) =>
        course.extension !== null && [seatsTaken().length, null].includes(way.course.rounds)
          ? { ...way, course: { ...way.course, extension: null } }
          : way
      );
    }
    case "hands":
      return more("hands", [4, 8, 16], course.hands);
    case "minutes": {
      const over = Math.ceil((Date.now() - Date.parse(created)) / 60_000);
      return more("minutes", [15, 30, 60], Math.max(course.minutes, over));
    }
    default:
      return [];
  }
}

/** Opens the sheet that continues a game after its end. */
export function openReopen() {
  const choices = ways(theGame());
  const asked = choices.some((way) => "rounds" in way.course) ? "length.title" : "reopen.how_long";
  const alone = theGame().ended?.reason === "dealer" ? { dealer_ends: "off" } : {};
  openAmendment({
    title: t("reopen.title"),
    path: "/reopen",
    kind: "reopened",
    holds: () => Boolean(theGame().ended),
    state: { way: choices[0]?.value },
    build: (state, change) =>
      choices.length
        ? choiceRow("way", t(asked), choices, state.way, (way) => change({ way }), { wide: true })
        : h("p.soft", t("reopen.text")),
    body: (state) => ({ course: choices.find((way) => way.value === state.way)?.course ?? alone }),
    done: () => t("change.reopened"),
  });
}
