// The scenes an overlay can show and its greatest delay: for the overlay, and for the board, which makes its address.
/** Scenes of one table. */
export const OF_TABLE = ["bug", "hand", "win", "points", "live"];
export const SCENES = [...OF_TABLE, "standings", "seating", "timer"];
/** The longest delay of an overlay, in seconds. */
export const LATEST = 600;
