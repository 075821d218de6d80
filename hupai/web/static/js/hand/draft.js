// A hand that is being mended with all that was said of it: how it begins, and how it follows the people it speaks of.
import { emptyHand } from "./hand.js";
import { impersonal, movedDraft, mover, SEATS } from "./seats.js";
/** @typedef {import("./seats.js").Move} Move */

/**
 * A hand that has just begun; answers that hold for the next hand too are carried over by newDraft.
 * @returns {Draft}
 */
export const freshDraft = () => ({
  hand: emptyHand(),
  answers: {},
  read: null,
  photo: false,
  photoId: null,
  key: null, // {key, body} of an entry that was sent: its retry is the same, also after a reload
  wins: [],
  keptAs: null,
  other: false, // of two hands that lie open in the photo the other one is meant
  aside: [], // tiles of the photo that lie against the hand and, so its owner said, are no part of it
  seen: null, // {game, revision, seats}: the game its owner has seen, and the seats that his answers speak of
  correcting: null, // {number, next}: the recorded hand that this one is to take the place of
  queued: false, // it waited for the host, and those that wait behind it go on when it is done
  models: null, // the models that read its photo, where the reading itself was not kept
});

/**
 * What is seen of a game by who looks at it now.
 * @param {Game} game
 * @returns {Seen}
 */
export const seatsOf = ({ id, revision, seats }) => ({ game: id, revision, seats });

/**
 * A draft that speaks of people, in the seats they have at a table now.
 * @param {Draft} draft
 * @param {Game | null} game as it is now
 * @param {{revision: number} | null} before as it was until now
 * @param {boolean} own this phone made the change, so its owner has seen it
 * @param {(draft: Draft, move: Move) => Draft} moved what is said of seats in it, where everybody sits now
 * @returns {Draft}
 */
export function followed(draft, game, before, own, moved = movedDraft) {
  const { seen } = draft;
  if (!game || !seen) return draft;
  if (seen.game !== game.id) {
    return { ...draft, answers: impersonal(draft.answers), wins: [], key: null, seen: seatsOf(game) };
  }
  const turned = SEATS.some((seat) => seen.seats[seat] !== game.seats[seat]);
  const revision = own && before?.revision === seen.revision ? game.revision : seen.revision;
  return {
    ...(turned ? moved(draft, mover(seen.seats, game.seats)) : draft),
    seen: { ...seen, revision, seats: game.seats },
  };
}
