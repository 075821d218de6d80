// What an overlay can show, and how late: for the overlay itself, and for the board, which puts its address together.
/** Scenes of one table. */
export const OF_TABLE = ["bug", "hand", "win", "points"];
export const SCENES = [...OF_TABLE, "standings", "seating", "timer"];
/** Seconds an overlay may run late at most. */
export const LATEST = 600;
