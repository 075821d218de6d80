// The parameters in an overlay's address.
import { LATEST, SCENES } from "../board/scenes.js";

const given = new URLSearchParams(location.search);
const [part, parts = part] = (given.get("part") ?? "").match(/\d+/g)?.map((n) => Math.max(1, Number(n))) ?? [1];

export const parameters = {
  table: given.get("table") ?? "",
  seat: given.get("seat"), // of live hands; null: all four
  coach: given.get("coach") === "1", // whether live hands have their best discards
  scene: SCENES.find((scene) => scene === given.get("show")) ?? "hand",
  tournament: given.get("tournament"), // null: the latest
  round: Number(given.get("round")) || null, // whose seating is shown; null: the next one
  late: 1000 * Math.min(Math.max(parseFloat(given.get("delay") ?? "0") || 0, 0), LATEST), // milliseconds
  light: given.get("theme") === "light",
  language: given.get("lang"), // of a hall's screen several, with commas between them
  part: [part, Math.max(part, parts)], // of a hall's screen: 2/3 is the second third of the tables
};
