// The board keeps what it remembers apart from the phone page of the same browser. Imported before anything else.
import { corner } from "../host/store.js";

corner("board");
