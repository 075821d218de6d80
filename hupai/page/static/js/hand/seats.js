// Seats move, people do not: an answer about a seat follows the person who sat there when it was given.
/** @typedef {(seat: Seat) => Seat} Move */

/** @type {Seat[]} */
export const SEATS = ["E", "S", "W", "N"];

let players = () => 4;

/** Says how many play; the rules know. */
export const countPlayersBy = (/** @type {() => number} */ count) => {
  players = count;
};

/** The seats that somebody sits in: with three players nobody sits north. */
export const seatsTaken = () => SEATS.slice(0, players());

/**
 * Returns a function from an old seat to the same person's present seat (`before`, `now`: seat -> player's number).
 * @type {(before: Record<Seat, number>, now: Record<Seat, number>) => Move}
 */
export const mover = (before, now) => (seat) => SEATS.find((s) => now[s] === before[seat]) ?? seat;

// What the table itself knows: a value given for another hand says nothing about this one.
const OF_THE_TABLE = ["round", "banker", "streak", "counters", "riichi_sticks", "wareme"];
const SEAT = ["seat", "from", "responsible", "to", "offender"];
const LISTS = ["declared", "riichi", "ready", "nagashi"];

/**
 * Answers (or the context of a request, or a sheet's input) with every person in the seat they have now.
 * @type {(answers: Answers, move: Move) => Answers}
 */
export function moveAnswers(answers, move) {
  const moved = { ...answers };
  for (const name of OF_THE_TABLE) delete moved[name];
  for (const name of SEAT) if (SEATS.includes(moved[name])) moved[name] = move(moved[name]);
  for (const name of LISTS) if (Array.isArray(moved[name])) moved[name] = moved[name].map(move);
  if (moved.liable?.seat) moved.liable = { ...moved.liable, seat: move(moved.liable.seat) };
  if (moved.fed) {
    const pair = (/** @type {string} */ key) => /** @type {Seat[]} */ (key.split(">")).map(move).join(">");
    moved.fed = Object.fromEntries(Object.entries(moved.fed).map(([key, sets]) => [pair(key), sets]));
  }
  return moved;
}

/**
 * Melds with the seats they were claimed from.
 * @template {{from: Seat | null}} M
 * @param {M[]} melds
 * @param {Move} move
 */
const moveMelds = (melds, move) => melds.map((meld) => (meld.from ? { ...meld, from: move(meld.from) } : meld));

/**
 * A draft whose answers were given at the old seats, with every person in the seat they have now.
 * @type {(draft: Draft, move: Move) => Draft}
 */
export function moveDraft(draft, move) {
  const { hand, answers, wins } = draft;
  return {
    ...draft,
    hand: { ...hand, melds: moveMelds(hand.melds, move) },
    answers: moveAnswers(answers, move),
    wins: wins.map(({ request, answer, said }) => ({
      request: { ...request, melds: moveMelds(request.melds, move), context: moveAnswers(request.context, move) },
      answer,
      said: moveAnswers(said, move),
    })),
  };
}

/**
 * A ledger entry that is not a hand of tiles, with every person in the seat they have now.
 * @type {(entry: Answers, move: Move) => Answers}
 */
export function moveEntry(entry, move) {
  const moved = moveAnswers(entry, move);
  const { claim, transfers, wins } = entry;
  if (claim) moved.claim = moveAnswers(claim, move);
  if (transfers) moved.transfers = transfers.map((/** @type {Answers} */ one) => moveAnswers(one, move));
  if (wins) {
    moved.wins = wins.map((/** @type {{context: Answers}} */ win) => ({
      ...win,
      context: moveAnswers(win.context, move),
    }));
  }
  return moved;
}

// Fields that refer to a person: meaningless in another game.
const PERSONAL = [...SEAT, ...LISTS, ...OF_THE_TABLE, "liable", "fed"];

/**
 * Answers without those that refer to a person.
 * @type {(answers: Answers) => Answers}
 */
export const impersonalAnswers = (answers) =>
  Object.fromEntries(Object.entries(answers).filter(([name]) => !PERSONAL.includes(name)));
