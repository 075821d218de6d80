// Whom a round is for.

/** Whether a player plays or rests in a round. */
export const isFor = (
  /** @type {{round: number, players?: number[]}} */ round,
  /** @type {CupPlayer} */ { left, substitute, number },
) => !left && !substitute && (round.players?.includes(number) ?? true);
