// Changes to what was settled: each names who makes it, and everything after it is settled again.
import { app, theGame } from "../state/app.js";
import { on } from "../state/signal.js";
import { setGame } from "../state/table.js";
import { get, post, replace } from "../api/api.js";
import { t } from "../words/i18n.js";
import { ownName } from "../scoring/owner.js";
import { revisionSeen, takeRefusal } from "../scoring/revision.js";
import { recall, remember } from "../api/store.js";
import { notice } from "../controls/notice.js";
import { chipRow, choiceRow, mainKey, textField } from "../controls/fields.js";
import { lookAgain, sendingState } from "./stale.js";
import { openSheet } from "../controls/sheet.js";

let hear = () => {}; // the open sheet is notified of changes of the game
on(["game"], () => hear());

// Refusals specific to these changes: a later hand would make no sense, or the game would still be over.
function refusal(/** @type {Trouble} */ error) {
  if (error.code === "game_over") return t("reopen.still_over");
  return error.code === "later_hand" ? error.message ?? "" : null;
}

/** The usual reasons why a hand is changed. */
function reasons(/** @type {string} */ reason, /** @type {(values: {reason: string}) => void} */ change) {
  const words = ["player", "tile", "rules"].map((name) => t(`amend.reason.${name}`));
  const choices = words.map((word, i) => ({ value: i, label: word }));
  const chosen = choices.filter(({ label }) => label === reason).map(({ value }) => value);
  return chipRow(
    "reason",
    t("amend.reasons"),
    choices,
    chosen,
    (now) => change({ reason: words[now.at(-1) ?? -1] ?? "" }),
  );
}

/**
 * Asks who changes what was settled, unless this phone knows, and perhaps why, and sends the change.
 * @param {Amendment} asked
 */
export function openAmendment({
  title,
  path,
  kind,
  hand = null,
  holds,
  state = {},
  build,
  body,
  done,
  after = () => {},
  turned = () => true,
  ready = () => true,
  puts = false,
}) {
  const names = theGame().players.map((player) => player.name);
  const own = ownName();
  const last = own ?? recall("by", null);
  Object.assign(state, { by: names.includes(last) ? last : null, reason: "" });
  let seen = theGame(); // as the person at this sheet saw it
  let looks = false; // whether it has changed since, and the person has not looked again
  /** @type {AbortController | null} */
  let sending = null;
  /** @type {{by: string, reason: string} | null} */
  let unsure = null; // what was sent without an answer
  /** @type {any} */
  let fault = null;
  let incomplete = false;
  const options = {
    onclose: () => {
      hear = () => {};
      sending?.abort(); // whether it came through will show in the game
    },
  };
  const address = `/games/${encodeURIComponent(seen.id)}`;
  const mine = (/** @type {Change} */ change) =>
    unsure &&
    change.kind === kind &&
    change.by === unsure.by &&
    (change.reason ?? "") === unsure.reason &&
    (change.hand?.number ?? null) === hand;

  openSheet(
    title,
    (sheet) => {
      const change = (/** @type {object} */ values) => {
        Object.assign(state, values);
        sheet.refresh();
      };
      const finish = (/** @type {Game} */ game, /** @type {any[]} */ again = []) => {
        hear = () => {};
        sending = null;
        if (app.game?.id === game.id && theGame().revision <= game.revision) setGame(game, { own: true });
        after();
        sheet.close();
        notice([done(), again.length > 0 && t("amend.again", { n: again.length })].filter(Boolean).join(" "));
      };
      const moved = (/** @type {Change[]} */ changes) => {
        if (changes.some(mine)) return finish(theGame()); // the answer to this change was lost
        if (!holds()) {
          sheet.close();
          return notice(t("meanwhile.changed"));
        }
        const before = seen;
        seen = theGame();
        if (!turned(state, before)) return sheet.close();
        looks = true;
        return sheet.refresh();
      };
      hear = async () => {
        if (app.game?.id !== seen.id) return sheet.close();
        if (sending || app.game.revision === seen.revision) return undefined;
        const told = unsure ? await get(`${address}/changes?after=${seen.revision}`).catch(() => null) : null;
        return sheet.element.isConnected ? moved(told?.changes ?? []) : undefined;
      };
      const send = async () => {
        if (sending || looks) return;
        const reason = state.reason.trim().replace(/\s+/g, " ");
        const said = body(state);
        incomplete = !state.by || !said;
        fault = null;
        if (incomplete) {
          sheet.refresh();
          /** @type {HTMLElement | null} */
          const field = sheet.element.querySelector("input[name=by]");
          if (said) field?.focus();
          return;
        }
        remember("by", state.by);
        const controller = new AbortController();
        sending = controller;
        sheet.refresh();
        const told = { by: state.by, reason };
        try {
          const write = puts ? replace : post;
          const answer = await write(address + path, { ...said, ...told, seen: revisionSeen(seen) }, {
            signal: controller.signal,
          });
          finish(answer.game ?? answer, answer.settled_again);
        } catch (error) {
          if (!sheet.element.isConnected) return;
          sending = null;
          if (error.code === "offline") unsure = told;
          if (takeRefusal(error)) return moved(error.changed.changes);
          const words = refusal(error);
          fault = words ? { faults: [{ message: words }] } : error;
          sheet.refresh();
          hear();
        }
      };
      const fields = [
        build(state, change, incomplete, sheet),
        own === null && choiceRow(
          "by",
          t("amend.by"),
          names.map((name) => ({ value: name, label: name })),
          state.by,
          (by) => change({ by }),
          { faults: incomplete && !state.by ? [{ message: t("amend.by_needed") }] : [] },
        ),
        hand === null
          ? textField("reason", t("amend.reason"), state.reason, (text) => (state.reason = text), { maxlength: 200 })
          : reasons(state.reason, change),
        mainKey("amend", "check", title, () => ready(state) && send(), !ready(state)),
      ];
      const looked = () => {
        looks = false;
        sheet.refresh();
      };
      return looks
        ? lookAgain(t("meanwhile.changed"), looked, fields)
        : [fields, sendingState(sending, fault, "faults-amend")];
    },
    options,
  );
}
