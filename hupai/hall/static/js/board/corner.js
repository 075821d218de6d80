// Keeps the board's stored values separate from the phone page's in the same browser. Must be imported first.
import { corner } from "../api/store.js";

corner("board");
