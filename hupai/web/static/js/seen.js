// What a person saw of the game: goes with everything that writes into it. A hand that was begun before another phone
// wrote into the game waits until its owner has looked again.
import { app, changed, draft, on, queue, setGame } from "./app.js";
import { get } from "./api.js";
import { isEmpty } from "./hand.js";

/** The game as it is on this screen. */
export const seenNow = (game = app.game) => ({ revision: game.revision });

const begun = () => app.draft.photo || app.draft.wins.length > 0 || !isEmpty(app.draft.hand);

/** Whether the game has moved on since the hand in hand was begun, and its owner has not said what becomes of it. */
export const movedOn = () =>
  Boolean(app.game && begun() && app.draft.seen?.game === app.game.id && app.draft.seen.revision !== app.game.revision);

/** The hand in hand is to be entered after what happened meanwhile. */
export function keepMine() {
  if (app.draft.queued) queue.looked(app.draft.seen.revision);
  draft({ seen: { ...app.draft.seen, revision: app.game.revision }, key: null }, "record", "game");
}

let told = null; // {game, after, revision, changes}: what happened meanwhile, as the server tells it

/** The changes since the hand was begun; null while they are being asked for. */
export function meanwhile() {
  const { game, revision: after } = app.draft.seen;
  if (told?.game === game && told.after === after && told.revision === app.game.revision) return told.changes;
  ask(game, after, app.game.revision);
  return null;
}

let asked = "";

async function ask(game, after, revision) {
  const question = `${game} ${after} ${revision}`;
  if (asked === question) return;
  asked = question;
  try {
    const { changes } = await get(`/games/${encodeURIComponent(game)}/changes?after=${after}`);
    told = { game, after, revision, changes };
  } catch {
    told = { game, after, revision, changes: [] }; // that something changed is known without
  }
  asked = "";
  changed("record");
}

/** Takes what a refusal of the server tells of a game that has moved on; whether it was one. */
export function tookRefusal(error) {
  if (error.code !== "game_moved_on") return false;
  setGame(error.changed.game);
  return true;
}

on(["game", "hand", "answers"], () => {
  // A hand that has not been begun has nothing to be looked at again.
  if (app.game && app.draft.seen && !begun() && app.draft.seen.revision !== app.game.revision) {
    app.draft.seen = { ...app.draft.seen, revision: app.game.revision };
  }
});
