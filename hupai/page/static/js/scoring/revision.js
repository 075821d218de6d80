// The state of the game that a person saw; sent with every write into it. A hand that was begun before another phone
// wrote into the game waits until its owner has looked again.
import { markSeen } from "../state/queue.js";
import { app } from "../state/app.js";
import { draft } from "../state/draft.js";
import { on, questions } from "../state/signal.js";
import { setGame } from "../state/table.js";
import { get } from "../api/api.js";
import { isEmpty } from "../hand/hand.js";

/** The game's state as shown on this screen. */
export const revisionSeen = (/** @type {Game | null} */ game = app.game) => ({ revision: game?.revision });

const begun = () => app.draft.photo || app.draft.wins.length > 0 || !isEmpty(app.draft.hand);

/** Whether the game has moved on since the current hand was begun, and its owner has not decided what becomes of it. */
export const hasMovedOn = () =>
  Boolean(app.game && begun() && app.draft.seen?.game === app.game.id && app.draft.seen.revision !== app.game.revision);

/** The current hand is to be entered after what happened meanwhile. */
export function keepMine() {
  const { seen, queued } = app.draft;
  if (!seen || !app.game) return;
  if (queued) markSeen(app.game, seen.revision);
  draft({ seen: { ...seen, revision: app.game.revision }, key: null }, "record", "game");
}

/** @type {ReturnType<typeof questions<{changes: Change[]}>>} */
const asked = questions("record");

/**
 * The changes since the hand was begun; null while they are being asked for. Even without the list it is known that
 * something has changed.
 * @returns {Change[] | null}
 */
export function meanwhile() {
  if (!app.draft.seen || !app.game) return null;
  const { game, revision: after } = app.draft.seen;
  const { answer, error } = asked(
    `${game} ${after} ${app.game.revision}`,
    null,
    () => get(`/games/${encodeURIComponent(game)}/changes?after=${after}`),
  );
  return answer?.changes ?? (error ? [] : null);
}

/** Takes the game over from the server's refusal because it has moved on; returns whether that was the refusal. */
export function takeRefusal(/** @type {Trouble} */ error) {
  if (error.code !== "game_moved_on" || !error.changed) return false;
  setGame(error.changed.game);
  return true;
}

on(["game", "hand", "answers"], () => {
  // A hand that has not been begun needs no second look.
  if (app.game && app.draft.seen && !begun() && app.draft.seen.revision !== app.game.revision) {
    draft({ seen: { ...app.draft.seen, revision: app.game.revision } });
  }
});
