// What the address asks of an overlay.
const LATEST_MS = 600_000;
/** Scenes of one table. */
export const OF_TABLE = ["hand", "win", "points", "bug"];
const SCENES = [...OF_TABLE, "standings", "seating", "timer"];
const given = new URLSearchParams(location.search);

export const asked = {
  table: given.get("table") ?? "",
  scene: SCENES.find((scene) => scene === given.get("show")) ?? "hand",
  tournament: given.get("tournament"), // null: the latest
  round: Number(given.get("round")) || null, // whose seating is shown; null: the coming one
  late: Math.min(Math.max(1000 * parseFloat(given.get("delay") ?? "0") || 0, 0), LATEST_MS), // milliseconds
  light: given.get("theme") === "light",
  language: given.get("lang"),
};
