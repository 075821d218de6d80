// What the hall's pages know of tournaments and of tables with cameras.

/** What the board knows. */
interface Board {
  online: boolean;
  director: { there: boolean; you: boolean };
  presets: Api.SavedPreset[];
  tables: CameraTable[];
  /** Webhooks and brokers that accept no events. */
  undelivered: any[];
  /** The name of the table that is open. */
  chosen: string | null;
  /** That table with its last hands. */
  open: CameraTable | null;
  /** The id of the hand the director selected; null: the oldest that waits, otherwise the last. */
  picked: number | null;
  /** The selected hand with its reading. */
  hand: Laid | null;
  cups: Cup[];
  /** The tournament that is shown. */
  cup: Cup | null;
  /** What went wrong last. */
  said: string;
}

interface CupPlayer {
  number: number;
  name: string;
  club: string;
  country: string;
  ema: string;
  team: string;
  left: boolean;
  substitute: boolean;
}

interface CupTable {
  table: string;
  game_id: string;
  hands: number;
  revision: number;
  ended: unknown;
  by_totals: boolean;
  /** Beyond the round's time. */
  extra: { minutes: number; hands: number } | null;
  signed: Seat[];
  signed_before: Seat[];
  objected: Partial<Record<Seat, string>>;
  players: { number: number; name: string; total: Money }[];
}

interface Timer {
  state: "running" | "paused";
  ends_at: string | null;
  /** Seconds. */
  left: number;
}

interface CupRound {
  round: number;
  /** The numbers of those it is for, where it is not for everybody. */
  players?: number[];
  tables: CupTable[];
  timer: Timer | null;
}

interface PlannedRound {
  round: number;
  repeats: number;
  tables: { table?: string; players: number[] }[];
  /** Whether it can be seated: everybody who plays has a seat, and everybody who has left a substitute. */
  fits: boolean;
}

interface Standing {
  player: number;
  rank: number;
  name: string;
  club: string;
  score: Money;
  won: Money;
  tables: number;
  placed: number[];
  penalties: Money;
  country: string;
}

/** A player who has registered and waits for the director. */
interface WaitingPlayer {
  missing: "registration";
  number: number;
  name: string;
  club: string;
  country: string;
  ema: string;
  team: string;
}

/** What is missing before the next round can begin. */
type Missing =
  | WaitingPlayer
  | (
    & { round: number; table: string; game_id: string }
    & (
      | { missing: "result" }
      | { missing: "objection"; seat: Seat; reason: string }
      | { missing: "signature"; seats: Seat[] }
      | { missing: "reason"; hand: number; player: string }
    )
  );

/** A tournament. */
interface Cup {
  created: string;
  id: string;
  name: string;
  rules: string;
  table_size: number;
  divide: Money;
  places: Money[];
  return_points: Money | null;
  tie_breaks: string[];
  /** How a table of three counts, where one may be among the fours. */
  threes: { starting_points: Money; return_points: Money | null; places: Money[] } | null;
  players: CupPlayer[];
  rounds: CupRound[];
  plan: PlannedRound[];
  standings: Standing[];
  teams: { team: string; rank: number; score: Money }[];
  penalties: {
    number: number;
    player: number;
    amount: Money;
    kind: string;
    by: string;
    reason: string;
    withdrawn: { by: string; reason: string } | null;
  }[];
  announcements: { at: string; text: string }[];
  /** Live hands: how late they are in seconds, and who lets them be shown. */
  live: { delay: number; players: { player: number; at: string; by: string }[] };
  missing: Missing[];
  last_step:
    | { revision: number; kind: string; reason: string | null; can_be_undone: boolean; detail: Record<string, unknown> }
    | null;
  revision: number;
  changed_at: string;
}

/** What the stream of live hands says of a seat. */
interface LiveSeat {
  seat: Seat;
  wind: Seat;
  name: string;
  state: "looking" | "hand" | "covered" | "lost";
  reasons: string[];
  row: string[];
  drawn: string | null;
  melds: string[][];
  shanten: number | null;
  waits: { tile: string; left: number; score: Money | null; riichi: Money | null }[];
  discards: { tile: string; left: number; draws: { tile: string; left: number }[] }[];
  counted: string[];
}

/** A hand that lies on a table with a camera, or was typed in there. */
interface Laid {
  id: number;
  version: number;
  status: "settled" | "confirmed" | "dismissed";
  hand: LaidHand;
  settled_at: string;
  gone_at: string | null;
  entered: boolean;
  frame: string | null;
  game_id: string | null;
  hand_number: number | null;
  /** What was confirmed with it. */
  context?: any;
  reading?: Api.ReadBody;
}

/** A table with a camera. */
interface CameraTable {
  name: string;
  state: string;
  silent: boolean;
  watched: boolean;
  waiting: number;
  stray: number;
  last: Laid | null;
  game: Game | null;
  hands: Laid[];
  health: { fps?: number; reads_per_second?: number; reconnects?: number; trouble?: string };
  corners: [number, number][] | null;
  changed_at: string;
}
