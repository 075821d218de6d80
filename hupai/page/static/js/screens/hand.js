// The first tab: take a photo or type the hand in, correct it, answer the questions of the rules.
import { app } from "../state/app.js";
import { setHand } from "../state/draft.js";
import { currentRules, withRules } from "../state/rules.js";
import { h, icon } from "../dom/dom.js";
import { asideOf, generalDoubts, mendedCount } from "../hand/fromread.js";
import { emptyHand, isEmpty, tilesOf } from "../hand/hand.js";
import { t } from "../words/i18n.js";
import { beginTyping, dropHand, isTyping } from "../scoring/nexthand.js";
import { keepAside, otherHand, retryPhoto, unreadWords } from "../camera/reading.js";
import { questions } from "../scoring/questions.js";
import { setAside } from "../hand/request.js";
import { faultsAt, faultsNow, gaps } from "../scoring/live.js";
import { openAddSheet } from "../handeditor/addsheet.js";
import { openAsideSheet } from "../handeditor/asidesheet.js";
import { factsCard, sayIndicator } from "../handeditor/facts.js";
import { button, faultList } from "../controls/fields.js";
import { correctingCard } from "../ledger/correctcard.js";
import { meanwhileCard } from "../ledger/meanwhile.js";
import { openTold } from "../ledger/outcomes.js";
import { leaveOutWinner } from "../ledger/record.js";
import { makePhotoView } from "../camera/photo.js";
import { needsLook, queueCard } from "../ledger/waiting.js";
import { openIndicator } from "../handeditor/rarequestions.js";
import { confirmSheet } from "../controls/sheet.js";
import { camera, picker, start } from "../camera/start.js";
import { doubtWords } from "../handeditor/doubt.js";
import { openSeenSheet, openTileSheet } from "../handeditor/tilesheet.js";
import { nearer } from "../handeditor/shanten.js";
import { tray } from "../handeditor/tray.js";
import { totalWords, troubleWords } from "../words/words.js";

let photo = null;

const view = () => (photo ??= makePhotoView(
  (id, seen) => withRules(() => openSheetOf(id, seen)),
  () => [
    picker("choose-another", false, "choose-another", t("start.choose"), "picture", "icon-button another"),
    camera("another", "another", t("photo.other"), "icon-button another"),
  ],
));

function openSheetOf(/** @type {number | null} */ id, /** @type {number} */ seen) {
  if (app.draft.read?.naming) return;
  const thing = asideOf(app.draft).find((one) => one.seen === seen);
  if (thing) openAsideSheet(thing);
  else if (id === null) openSeenSheet(seen);
  else openTileSheet(id);
}

function byKeyboard() {
  beginTyping();
  setHand({ ...emptyHand() });
  openAddSheet("hand");
}

function progress(/** @type {OnItsWay} */ reading) {
  const { phase, share = 0, error, again, cancel } = reading;
  if (phase === "failed") {
    return h(
      "div.reading.failed",
      { role: "alert" },
      h(
        "p.caution",
        icon(error?.code === "offline" ? "offline" : "warn"),
        h("span", again ? t("reading.again", { n: again }) : troubleWords(error)),
      ),
      h(
        "div.row",
        app.blob &&
          ![
            "no_tile",
            "body_too_large",
            "image_too_large",
            "image_unreadable",
            "image_truncated",
            "image_too_small",
          ].includes(error?.code ?? "") &&
          button("again", t("retry"), retryPhoto, { look: "main", sign: "retry" }),
        picker("choose", false, "choose", t("start.choose"), "picture", "button"),
        camera("take", "shutter", t("start.take"), "button"),
        button("type", t("start.type"), () => openAddSheet("hand"), { sign: "tiles" }),
      ),
    );
  }
  const percent = Math.round(share * 100);
  return h(
    "div.reading",
    h(
      "div",
      h("strong", { role: "status" }, t(`reading.${phase}`)),
      h(
        "progress",
        phase === "sending" || phase === "loading" // a separate bar from the one without a percentage
          ? { key: phase, max: 100, value: percent, "aria-label": t(`reading.${phase}`) }
          : { "aria-label": t(`reading.${phase}`) },
      ),
    ),
    button("cancel", t("cancel"), cancel),
  );
}

// Whether a doubt about the whole hand is still open.
function stillOpen(/** @type {Api.DoubtBody} */ { code, tile }) {
  if (code === "left_out") {
    return !app.draft.aside.includes(tile ?? -1) && !tilesOf(app.draft.hand).some((held) => held.tile.seen === tile);
  }
  if (code === "set_aside") return !app.draft.read?.aside?.length || asideOf(app.draft).length > 0;
  if (code === "no_win") return !app.draft.read || mendedCount(app.draft.read, tilesOf(app.draft.hand)) === 0;
  if (code === "indicator_unknown") return fortuneOpen();
  if (!["one_tile_short", "too_few_tiles", "too_many_tiles"].includes(code)) return true;
  const { tiles, waiting } = gaps();
  return tiles !== 0 && !waiting; // the usual picture of a win by discard: its waits are shown
}

// The fortune has been answered neither for this hand nor for this table.
const fortuneOpen = () =>
  app.draft.answers.indicator === undefined &&
  app.settings.fortune !== "permanent" &&
  questions().some((ask) => ask.name === "indicator");

// The indicator is asked for next to the doubt about it.
const indicatorKeys = () => [
  button(
    "which-indicator",
    t("indicator.choose"),
    () => openIndicator({ label: t("ask.indicator"), value: null, put: sayIndicator }),
  ),
  app.settings.fortune !== "tile" &&
  button("permanent", t("indicator.permanent"), () => sayIndicator("permanent")),
];

// The photo view lives as long as the page and manages its own content.
const showView = (/** @type {Element | null} */ place) => place?.append(...view().nodes);

function photoPart() {
  const busy = app.reading && app.reading.phase !== "failed";
  const shown = view().has() || busy; // it is there from the beginning, so that the layout does not jump
  if (!shown && !app.reading) return null;
  const doubts = app.reading || !app.draft.read ? [] : generalDoubts(app.draft.read).filter(stillOpen);
  return h(
    "section.photo-part",
    { "aria-label": t("photo.title") },
    shown && h("div.photo", { ref: showView }),
    h("div", app.reading && progress(app.reading), doubtNotes(doubts)),
  );
}

// Doubts about the hand as a whole, each with the way to settle it.
function doubtNotes(/** @type {Api.DoubtBody[]} */ doubts) {
  if (!doubts.length) return null;
  return h(
    "ul.notes",
    doubts.map((d) =>
      h(
        "li.caution",
        { key: `${d.code} ${d.tile}` },
        icon("query"),
        h("span", doubtWords(d.code, d)),
        d.code === "indicator_unknown" && indicatorKeys(),
        d.code === "set_aside" && asideOf(app.draft).length > 0 &&
          button("keep-aside", t("aside.keep", { n: asideOf(app.draft).length }), () => keepAside(asideOf(app.draft))),
        d.code === "two_hands" &&
          button("other-hand", t("answer.other_hand"), otherHand, { sign: "retry" }),
        d.code === "left_out" &&
          button(`look-${d.tile}`, t("photo.look"), () => openSeenSheet(d.tile ?? 0)),
      )
    ),
  );
}

function asideNotes() {
  const aside = setAside(app.draft.hand, currentRules());
  const notes = [];
  if (aside.bonus.length) notes.push(t("aside.bonus"));
  if (aside.reds) notes.push(t("aside.reds"));
  if (aside.dora) notes.push(t("aside.dora"));
  const unread = app.reading ? null : unreadWords(currentRules());
  if (unread) notes.push(unread);
  return notes.length ? h("ul.notes", notes.map((text) => h("li.hint", text))) : null;
}

// Faults whose field has no control on this screen.
function otherFaults() {
  const shown = new Set([
    ...faultsAt("concealed", "winning_tile", "melds", "bonus", "context.dora_indicators", "context.ura_indicators"),
    ...currentRules().asks.flatMap((ask) => faultsAt(`context.${ask.name}`)),
    ...faultsAt("context.seat", "context.win", "context.from"),
  ]);
  return faultList(
    faultsNow().filter((f) => !shown.has(f)),
    "faults-other",
  );
}

async function startOver() {
  if (await confirmSheet(t("hand.new"), t("hand.new_text"), t("hand.new"))) {
    dropHand();
  }
}

/** The parts of the screen, each redrawn only when what it shows has changed. */
export const parts = [
  {
    on: ["hand", "answers", "game", "record", "score", "language", "crops"],
    className: "span",
    draw: () => [correctingCard(), meanwhileCard({ look: false })],
  },
  { on: ["hand", "reading", "game", "queue", "language"], className: "span", draw: () => waitingAt(true) },
  {
    on: ["hand", "answers", "reading", "language", "settings", "about", "games"],
    className: "span",
    draw: () => (showsStart() ? start(byKeyboard, () => withRules(openTold), leaveOutWinner) : photoPart()),
  },
  { on: ["hand", "reading", "game", "queue", "language"], className: "span", draw: () => waitingAt(false) },
  {
    on: ["hand", "answers", "reading", "faults", "language", "settings", "game", "about"],
    draw: () => (showsStart() || !currentRules() ? null : [tray(), asideNotes(), otherFaults()]),
  },
  {
    on: ["score", "language"],
    draw: nearer,
  },
  {
    on: ["hand", "answers", "reading", "faults", "language", "settings", "game", "about"],
    draw: () =>
      showsStart() || !currentRules() ? null : [
        app.draft.wins.length > 0 &&
        h(
          "p.hint",
          t("start.other_winner", { n: app.draft.wins.length }),
          " ",
          app.draft.wins.map((w) => totalWords(w.answer?.total)).join(", "),
        ),
        factsCard(),
        button("start-over", t("hand.new"), startOver, { look: "wide quiet", sign: "bin" }),
      ],
  },
];

// Waiting hands are shown below the start, but above it while one of them needs a look.
const waitingAt = (/** @type {boolean} */ top) => (showsStart() && top === needsLook() ? queueCard() : null);

const showsStart = () => !app.draft.photo && isEmpty(app.draft.hand) && !app.reading && !isTyping();

export const className = "two";
export const title = () => t("tab.hand");
