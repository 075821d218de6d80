// Entering outcomes other than a win in the ledger.
import { markSeen, onlyMine, waitingFor } from "../state/queue.js";
import { app, theGame } from "../state/app.js";
import { on } from "../state/signal.js";
import { draft } from "../state/draft.js";
import { setGame } from "../state/table.js";
import { freshKey, mayPass, post } from "../api/api.js";
import { t } from "../words/i18n.js";
import { mover } from "../hand/seats.js";
import { ownWord } from "../names/systems.js";
import { signed } from "../scoring/owner.js";
import { revisionSeen, takeRefusal } from "../scoring/revision.js";
import { button, mainKey } from "../controls/fields.js";
import { lookAgain, sendingState } from "./stale.js";
import { FORMS, moveForm, outcomesNow } from "../outcomes/forms.js";
import { confirmed, newPreview, previewOf } from "../outcomes/preview.js";
import { drop, hold, keepEntry, stop } from "../scoring/queue.js";
import { byId } from "../dom/dom.js";
import { notice } from "../controls/notice.js";
import { openSheet } from "../controls/sheet.js";

let hear = () => {}; // the open sheet is notified of changes of the game
on(["game"], () => hear());

// Opens a form's sheet; `place` is the queued entry that is being looked at, if any.
/** @type {(name: string, place?: Waiting | null) => void} */
function open(name, place = null) {
  const form = FORMS[name];
  const state = form.fresh(place?.draft.said);
  const preview = newPreview();
  let key = freshKey();
  /** @type {{key: string, body: object} | null} */
  let sent = null; // {key, body} of an entry that got no answer
  let queued = place?.key; // of this entry once it waits in the queue, where it outlives the page
  /** @type {any} */
  let fault = null;
  /** @type {AbortController | null} */
  let sending = null;
  let seen = theGame(); // as the person at this sheet saw it
  let looks = place !== null && place.draft.seen?.revision !== seen.revision; // it has changed, and nobody has looked again
  let incomplete = false; // entering was tried while something was missing
  const options = {
    onclose: () => {
      hear = () => {};
      sending?.abort();
      hold(false);
    },
  };
  if (place) hold(true);
  openSheet(ownWord(form.title), (sheet) => {
    const unqueue = () => {
      if (place || !queued) return;
      drop(queued);
      queued = undefined;
      hold(false);
    };
    const renew = () => {
      key = freshKey();
      sent = null;
      unqueue();
    };
    const change = (/** @type {object} */ values) => {
      Object.assign(state, values);
      renew();
      sheet.refresh();
    };
    hear = () => {
      if (!app.game || app.game.id !== seen.id) return sheet.close();
      const mine = app.game.hands.find((hand) => hand.key === key || hand.key === place?.key);
      if (mine) return done(); // the answer to this entry was lost
      if (app.game.revision === seen.revision) return undefined;
      Object.assign(state, moveForm(state, mover(seen.seats, app.game.seats)));
      renew();
      looks ||= !onlyMine(seen, app.game);
      seen = app.game;
      return sheet.refresh();
    };
    /** @type {(game?: Game | null) => void} */
    const done = (game = null) => {
      hear = () => {};
      sending = null;
      // The hand in which winners had been noted is over.
      if (name === "draw" || name === "told") draft({ wins: [] }, "answers");
      if (game) setGame(game, { own: true });
      if (place) markSeen(theGame(), place.draft.seen?.revision ?? 0); // it counts for those queued behind it, too
      sheet.close();
    };
    const whole = (/** @type {unknown} */ body) => {
      incomplete = !body;
      if (!incomplete) return true;
      sheet.refresh();
      if (form.field) byId(form.field).focus();
      return false;
    };
    const keep = () => {
      const said = form.body(state);
      if (sending || looks || !whole(said) || !said) return;
      if (place) markSeen(theGame(), place.draft.seen?.revision ?? 0);
      keepEntry(name, said, { seen, sent, place: queued });
      sheet.close();
      notice(t("queue.kept_game"));
    };
    const send = async () => {
      if (sending || looks) return;
      const said = form.body(state);
      if (!whole(said) || !said) return;
      const body = confirmed(said, preview, seen);
      if (!body) return;
      const entry = { key, body: { ...body, ...signed(), seen: revisionSeen(seen) } };
      const controller = new AbortController();
      sending = controller;
      fault = null;
      hold(true);
      keepEntry(name, said, { seen, sent: entry, place: queued });
      queued = key;
      sheet.refresh();
      try {
        const { game } = await post(`/games/${encodeURIComponent(seen.id)}/hands`, entry.body, {
          headers: { "Idempotency-Key": key },
          signal: controller.signal,
        });
        done(game);
      } catch (error) {
        sending = null;
        const unsure = error.code === "offline";
        if (unsure) sent = entry;
        else if (error.status && !mayPass(error)) {
          if (place) stop(entry.key, { code: error.code, message: error.message, faults: error.faults });
          else unqueue();
        }
        fault = unsure ? { code: "unsure", faults: [] } : error;
        if (takeRefusal(error)) fault = null;
        if (sheet.element.isConnected) sheet.refresh();
      }
    };
    const looked = () => {
      looks = false;
      sheet.refresh();
    };
    const said = form.body(state);
    const fields = [form.build(state, change, app.game, incomplete), previewOf(said, preview, sheet, app.game)];
    if (looks) return lookAgain(t("meanwhile.sheet"), looked, fields);
    const [first] = waitingFor(app.game);
    const behind = first && first.key !== queued;
    const ready = said ? confirmed(said, preview, app.game) : form.field;
    const cut = mayPass(fault) || mayPass(preview.answer?.error);
    return [
      fields,
      behind
        ? keepKey(keep, form, said, "main wide")
        : mainKey("outcome", "check", t("record.outcome"), () => ready && send(), !ready),
      cut && !behind && !sending && keepKey(keep, form, said),
      sendingState(sending, fault, "faults-outcome"),
    ];
  }, options);
}

// Without the host, or behind other waiting entries, an entry waits as well.
/**
 * @param {() => void} keep
 * @param {OutcomeForm} form in those with text fields, faults are reported when the key is pressed
 * @param {object | null} said
 */
const keepKey = (keep, form, said, look = "wide") =>
  button("keep-outcome", t("queue.keep_entry"), keep, { look, sign: "check", off: !form.field && !said });

/** The keys for outcomes without tiles, as far as the rules have them. */
export const outcomeKeys = () =>
  outcomesNow().filter((name) => name !== "told").map((name) =>
    button(name.replace("_", "-"), ownWord(FORMS[name].title), () => open(name))
  );

/** Opens a queued entry to be looked at. */
export const openKept = (/** @type {Waiting} */ entry) => open(entry.draft.outcome ?? "draw", entry);

/** A result without tiles: entered in the open game, or only looked up. */
export function openTold() {
  if (app.game && !app.game.ended) return open("told");
  const state = FORMS.told.fresh();
  const preview = newPreview();
  return openSheet(ownWord(FORMS.told.title), (sheet) => {
    const change = (/** @type {object} */ values) => {
      Object.assign(state, values);
      sheet.refresh();
    };
    return [FORMS.told.build(state, change, null), previewOf(FORMS.told.body(state), preview, sheet, null)];
  });
}
