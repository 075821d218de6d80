// Seats move, people do not: what was said of a seat follows the person who sat there when it was said.
export const SEATS = ["E", "S", "W", "N"];

/** From the seats before to the seats now (each seat -> player's number): tells where the person at a seat sits now. */
export const mover = (before, now) => (seat) => SEATS.find((s) => now[s] === before[seat]) ?? seat;

// What the table itself knows: said of another hand, it says nothing about this one.
const OF_THE_TABLE = ["round", "banker", "streak", "counters", "riichi_sticks", "wareme"];
const SEAT = ["seat", "from", "responsible", "to", "offender"];
const LISTS = ["declared", "riichi", "ready", "nagashi"];

/** Answers (or the context of a request, or what a sheet holds) with every person where he sits now. */
export function movedAnswers(answers, move) {
  const moved = { ...answers };
  for (const name of OF_THE_TABLE) delete moved[name];
  for (const name of SEAT) if (SEATS.includes(moved[name])) moved[name] = move(moved[name]);
  for (const name of LISTS) if (Array.isArray(moved[name])) moved[name] = moved[name].map(move);
  if (moved.liable?.seat) moved.liable = { ...moved.liable, seat: move(moved.liable.seat) };
  if (moved.fed) {
    const pair = (key) => key.split(">").map(move).join(">");
    moved.fed = Object.fromEntries(Object.entries(moved.fed).map(([key, sets]) => [pair(key), sets]));
  }
  return moved;
}

/** Melds with the seats they were claimed from. */
export const movedMelds = (melds, move) => melds.map((meld) => (meld.from ? { ...meld, from: move(meld.from) } : meld));

/** A draft whose answers were given at these seats, with everybody where he sits now. */
export function movedDraft(draft, move) {
  const { hand, answers, wins } = draft;
  return {
    ...draft,
    hand: { ...hand, melds: movedMelds(hand.melds, move) },
    answers: movedAnswers(answers, move),
    wins: wins.map(({ request, answer, said }) => ({
      request: { ...request, melds: movedMelds(request.melds, move), context: movedAnswers(request.context, move) },
      answer,
      said: movedAnswers(said, move),
    })),
  };
}

// What names a person: of no use in another game.
const PERSONAL = [...SEAT, ...LISTS, ...OF_THE_TABLE, "liable", "fed"];

/** Answers without any that speak of somebody. */
export const impersonal = (answers) =>
  Object.fromEntries(Object.entries(answers).filter(([name]) => !PERSONAL.includes(name)));
