// A hand in progress with all its answers: how it begins, and how it follows the people it refers to.
import { emptyHand } from "./hand.js";
import { impersonalAnswers, moveDraft, mover, SEATS } from "./seats.js";
/** @typedef {import("./seats.js").Move} Move */

/**
 * A new draft; answers that also hold for the next hand are carried over by newDraft.
 * @returns {Draft}
 */
export const freshDraft = () => ({
  hand: emptyHand(),
  answers: {},
  read: null,
  photo: false,
  photoId: null,
  under: null, // id of the rules that the photo was last sent to be read under
  players: 4, // how many played then
  key: null, // {key, body} of an entry that was sent; a retry sends the same, even after a reload
  wins: [],
  keptAs: null,
  other: false, // of two hands that lie open in the photo, the second one is meant
  aside: [], // tiles next to the hand in the photo that, according to its owner, are not part of it
  kept: [], // numbers of what the reading set aside but is tiles
  dropped: [], // and of what is none
  seen: null, // {game, revision, seats}: the game its owner has seen, and the seats that the answers refer to
  correcting: null, // {number, next}: the recorded hand that this one will replace
  queued: false, // it waited for the host; the hands queued behind it go on when it is done
  distinct: null, // number of the hand in the ledger that looks the same and, according to its owner, is another
  models: null, // the models that read its photo, if the reading itself was not kept
});

/**
 * The state of a game as seen by whoever looks at it now.
 * @type {(game: Game) => Seen}
 */
export const seatsOf = ({ id, revision, seats }) => ({ game: id, revision, seats });

/**
 * A draft that refers to people, adapted to the seats they have at a table now.
 * @param {Draft} draft
 * @param {Game | null} game its current state
 * @param {{revision: number} | null} before its previous state
 * @param {boolean} own this phone made the change, so its owner has seen it
 * @param {(draft: Draft, move: Move) => Draft} move returns the draft with every person in the seat they have now
 * @returns {Draft}
 */
export function followGame(draft, game, before, own, move = moveDraft) {
  const { seen } = draft;
  if (!game || !seen) return draft;
  if (seen.game !== game.id) {
    return { ...draft, answers: impersonalAnswers(draft.answers), wins: [], key: null, seen: seatsOf(game) };
  }
  const turned = SEATS.some((seat) => seen.seats[seat] !== game.seats[seat]);
  const revision = own && before?.revision === seen.revision ? game.revision : seen.revision;
  return {
    ...(turned ? move(draft, mover(seen.seats, game.seats)) : draft),
    seen: { ...seen, revision, seats: game.seats },
  };
}
