// Whom a round is for.

/**
 * Whether a player plays or rests in a round.
 * @type {(round: {round: number, players?: number[]}, player: CupPlayer) => boolean}
 */
export const isFor = (round, { left, substitute, number }) =>
  !left && !substitute && (round.players?.includes(number) ?? true);
