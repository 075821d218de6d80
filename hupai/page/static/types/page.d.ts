// What the page works with, beside the answers of the API that answers.d.ts describes: a hand, a draft, a game.
type Seat = "E" | "S" | "W" | "N";
type MeldType = "chow" | "pung" | "kong_open" | "kong_added" | "kong_concealed";
type ListZone = "concealed" | "bonus" | "dora" | "ura";
/** `winning`, a list, or `meld:<id>`. */
type Zone = "winning" | ListZone | `meld:${number}`;
type Money = number | string;

/** `seen`: its index in the reading, null when typed in; `doubt`: why it should be looked at, null once it was. */
interface HandTile {
  id: number;
  code: string;
  seen: number | null;
  doubt: string | null;
  /** Where it stands in the photo's order, or where it was sorted to. */
  place?: number;
}

interface HandMeld {
  id: number;
  type: MeldType;
  from: Seat | null;
  tiles: HandTile[];
}

interface Hand {
  next: number;
  concealed: HandTile[];
  winning: HandTile | null;
  melds: HandMeld[];
  bonus: HandTile[];
  dora: HandTile[];
  ura: HandTile[];
}

interface PlacedTile {
  tile: HandTile;
  zone: Zone;
}

/** What was said about a win; the rules may ask for more. */
interface Answers {
  seat?: Seat;
  win?: "self_draw" | "discard" | "robbed_kong";
  from?: Seat | null;
  declared?: Seat[];
  riichi_sticks?: number;
  counters?: number;
  liable?: { seat: Seat | null; [more: string]: unknown };
  fed?: Record<string, number>;
  honours?: number;
  flower_win?: boolean;
  dora_indicators?: string[];
  ura_indicators?: string[];
  [ask: string]: any;
}

interface ScoreRequest {
  rules: string;
  options: Options;
  concealed: string[];
  melds: { type: MeldType; tiles: string[]; from: Seat | null }[];
  winning_tile: string | null;
  bonus: string[];
  context: Answers;
}

/** House rules by name. */
type Options = Record<string, any>;

/** A winner's score, and what was said of him. */
interface Won {
  request: ScoreRequest;
  answer: Api.ScoreBody | null;
  said: Answers;
}

/** The game its owner has seen, and the seats that his answers speak of. */
interface Seen {
  game: string;
  revision: number;
  seats: Record<Seat, number>;
}

/** Which part of a draft waits for the host, or is laid again. */
interface Draft {
  hand: Hand;
  answers: Answers;
  /** `naming`: its flowers and seasons are still to be named. */
  read: (Api.ReadBody & { naming?: boolean }) | null;
  photo: boolean;
  photoId: string | null;
  /** The rules that the photo was last sent to be read under. */
  under: string | null;
  players: number;
  /** An entry that was sent: its retry is the same, also after a reload. */
  key: { key: string; body: object } | null;
  wins: Won[];
  keptAs: string | null;
  other: boolean;
  /** Tiles of the photo that lie against the hand and, so its owner said, are not part of it. */
  aside: number[];
  kept: number[];
  dropped: number[];
  seen: Seen | null;
  /** The recorded hand that this one is to take the place of. */
  correcting: { number: number; next: Next | null } | null;
  /** It waited for the host, and those that wait behind it go on when it is done. */
  queued: boolean;
  /** The number of a hand in the ledger that looks the same and, according to its owner, is another. */
  distinct: number | null;
  /** The models that read its photo, where the reading itself was not kept. */
  models: Record<string, string> | null;
}

/** The next round and dealer, if the players want others than the rules. */
interface Next {
  round: Seat;
  dealer: number;
}

interface TableState {
  round: Seat;
  dealer: number;
  streak: number;
  counters: number;
  riichi_sticks: number;
  ended: string | null;
  players: number;
}

interface LedgerWin {
  player: number;
  seat: Seat;
  from_player: number | null;
  win: string;
  elements: string[];
  total: Api.Total | null;
}

/** A hand as the ledger lists it; wins, draws, payments, penalties alike. */
interface LedgerHand {
  number: number;
  key: string | null;
  outcome: "win" | "draw" | "payment" | "false_win" | "instant" | "result";
  confirmed_at: string;
  undone_at: string | null;
  state: TableState;
  seats: Record<Seat, number>;
  wins: LedgerWin[];
  payments: Money[];
  pot: Money;
  [more: string]: unknown;
}

interface Settled {
  player: number;
  place: number;
  points: Money;
  sticks: Money;
  uma: Money;
  oka: Money;
  penalty: Money;
  score: Money;
  money: Money;
}

interface Imported {
  source: string;
  log: string;
  differences: { hand: number; what: string; logged: any; scored: any; player: number | null }[];
}

/** What is new in a game that was here already. */
interface Added {
  hands: number;
  changes: number;
}

interface Game {
  id: string;
  name: string;
  rules: string;
  options: Options;
  rotation: string;
  created: string;
  version: string;
  starting_points: Money;
  course: Record<string, any>;
  play?: {
    winners: number;
    three_draw: boolean;
    each_takes: boolean;
    nagashi: boolean;
    abortive_draws: boolean;
    after_placing: number;
  };
  players: { number: number; name: string; total: Money }[];
  pot: Money;
  state: TableState;
  first_dealer: number;
  seats: Record<Seat, number>;
  context: Answers;
  ended: { reason: string; message: string } | null;
  settlement: Settled[];
  next_hand: number;
  revision: number;
  changed_at: string;
  hands: LedgerHand[];
}

/** Who sits where at a table; null where no game is open. */
type Seating = Pick<Game, "players" | "seats"> | null;

interface Change {
  revision: number;
  kind: string;
  at: string;
  by: string | null;
  reason: string | null;
  hand: LedgerHand | null;
  settled_again: unknown[];
  [more: string]: unknown;
}

/** What the ledger would make of a hand. */
interface Tried {
  /** Later hands that a correction would settle again. */
  settled_again?: unknown[];
  scores: Api.ScoreBody[];
  payments: Api.PaymentsBody;
  /** All that adds up to them, with other winners and the sticks laid in this hand. */
  transfers: Api.TransferLine[];
  after: TableState;
  revision: number;
  /** The number of the hand that seems to be this one, entered by another phone minutes ago; not of a correction. */
  same_as?: number | null;
}

interface Settings {
  rules: string | null;
  /** By system: house rules that differ from the usual. */
  options: Record<string, Options>;
  /** By system: where they came from, the name of saved ones or a preset of the rules. */
  preset: Record<string, string | { id: string } | null | undefined>;
  theme: string;
  captions: boolean | null;
  alwaysKeep: boolean;
  keepCrops: boolean;
  set: string | null;
  game: string | null;
  ownPlayer: Record<string, number | null>;
  fortune: string | null;
}

interface Fault {
  code?: string;
  message: string;
  field?: string | null;
}

/** A question as its control shows it; `put` receives the answer. */
interface Asked {
  ask: Api.ContextFieldBody;
  label: string;
  value: any;
  put: (value: any) => void;
  faults?: Fault[];
}

/** The faults of some fields. */
type FaultsAt = (...fields: string[]) => Fault[];

/** A refusal of the server, or no answer; what a broken line or a picture makes of itself has less of it. */
interface Trouble {
  name?: string;
  message?: string;
  status?: number;
  code: string;
  field?: string | null;
  faults: Fault[];
  retryAfter?: number | null;
  changed?: { game: Game; changes: Change[] } | null;
  parted?: Parted | null;
}

/** A game and a file of it in which something else was done: the hands that differ, and who has how much. */
interface Parted {
  hand: number;
  revision: number;
  hands: { number: number; here: LedgerHand | null; file: LedgerHand | null }[];
  players: Record<"here" | "file", Game["players"]>;
}

/** A photo on its way. */
interface OnItsWay {
  phase: "shrinking" | "sending" | "loading" | "reading" | "naming" | "failed";
  share?: number;
  /** Where tiles seem to be so far: shares of the photo's width and height, eight for each. */
  corners?: Float32Array;
  error?: Trouble;
  again?: number;
  cancel?: () => void;
}

/** The score of the hand on the felt, or what keeps it from having one. */
interface ScoreNow {
  state: "missing" | "wait" | "faults" | "done" | "failed";
  last?: ScoreNow | null;
  open?: string[];
  tiles?: number;
  winning?: boolean;
  waiting?: boolean;
  full?: boolean;
  waits?: Api.WaitBody[];
  near?: Api.ShantenBody;
  faults?: Fault[];
  error?: Trouble;
  request?: ScoreRequest;
  answer?: Api.ScoreBody;
  tried?: Partial<Tried> & { error?: Trouble } | null;
}

/** A score that is there. */
interface Scored extends ScoreNow {
  request: ScoreRequest;
  answer: Api.ScoreBody;
}

/** A hand that waits for the host, or what was entered in a form; of a form only these and `seen` are there. */
type WaitingDraft = Draft & {
  /** The form's name. */
  outcome?: string;
  /** Its input. */
  said?: any;
};

interface Waiting {
  key: string;
  /** Null if none was open. */
  game: string | null;
  name: string;
  draft: WaitingDraft;
  /** What was sent, null before. */
  body: object | null;
  /** Why a person has to look. */
  fault: Trouble | null;
}

type Filled<Path> = Path extends `${infer Before}{${string}}${infer After}` ? `${Before}${string}${Filled<After>}`
  : Path;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Plain<Path extends string> = Path extends `${infer Before}?${string}` ? Before : Path;
/** What an operation answers, by its method and path; anything where it is not described. */
type AnswerOf<Method extends string, Path extends string> = Found<
  {
    [R in keyof Api.Routes]: Same<Filled<R>, `${Method} ${Plain<Path>}`> extends true ? Api.Routes[R] : never;
  }[keyof Api.Routes]
>;
type Found<T> = [T] extends [never] ? any : T;

interface CallOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Of loading what reads photos, where there is no server: 0 to 1. */
  progress?: (share: number, corners?: Float32Array, early?: string) => void;
}

/** An event of an element that `h` describes; where the listener stands decides what the element is. */
interface ElementEvent extends Event {
  readonly target: any;
  readonly currentTarget: any;
}
type Listener<E = Event> = ((event: ElementEvent & E) => unknown) | null | undefined;

/** Attributes and listeners of an element. */
interface Attributes {
  onclick?: Listener<MouseEvent>;
  onkeydown?: Listener<KeyboardEvent>;
  oninput?: Listener;
  onchange?: Listener;
  ontoggle?: Listener;
  onsubmit?: Listener;
  [name: string]: any;
}

/** What is to stand on the screen, as `h` describes it. */
interface Described {
  type: unknown;
  key: unknown;
  props: Record<string, any>;
}

/** What an element contains. */
type Child = Described | Child[] | string | number | boolean | null | undefined;

/** A screen of the page: parts that are drawn anew when what they show changes. */
interface PageScreen {
  title: () => string;
  className?: string;
  parts: { on: string[]; className?: string; draw: () => unknown }[];
  enter?: () => unknown;
}

/** A sheet from the foot of the screen. */
interface Sheet {
  close: () => void;
  refresh: (parts?: Iterable<string>) => void;
  rename: (title: string) => void;
  element: HTMLDialogElement;
}

/** A change of what was settled, as the sheet asks for it. */
interface Amendment {
  /** The sheet's name. */
  title: string;
  /** Where it goes, below the game. */
  path: string;
  /** What the history calls such a change. */
  kind: string;
  /** The number of the hand it is about. */
  hand?: number | null;
  /** Whether it still makes sense in the game as it stands. */
  holds: () => boolean;
  /** Answers to begin with. */
  state?: Record<string, any>;
  /** What is asked beside name and reason; `incomplete`: it was to be sent, and something was missing. */
  build: (state: any, change: (values: object) => void, incomplete: boolean, sheet: Sheet) => any;
  /** What is sent beside them; null while something is missing. */
  body: (state: any) => object | null;
  /** Whether what it comes to is shown, so that it can be sent. */
  ready?: (state: any) => boolean;
  /** What is said once it is in the ledger. */
  done: () => string;
  /** What else is done then. */
  after?: () => void;
  /** Makes the answers those of the game as it is now; false where somebody else asks. */
  turned?: (state: any, before: Game) => boolean | void;
  /** Whether it takes the place of what is there. */
  puts?: boolean;
}

/** An outcome other than a win, as a form. */
interface OutcomeForm {
  title: string;
  /** The initial answers, from an earlier body if there is one. */
  fresh: (earlier?: any) => any;
  /** The questions, for the players `at` a table; null where no game is open. */
  build: (state: any, change: (values: object) => void, at: any, incomplete?: boolean) => any;
  /** What to enter; null while something is missing. */
  body: (state: any) => object | null;
  /** The field to fill in first, where faults are reported when the key is pressed. */
  field?: string;
}

/** What the host has said about an entry before it is made: its payments, or why it cannot be entered. */
interface Preview {
  asked: string | null;
  answer: any;
}

/** The tiles of a hand that was laid down. */
interface LaidHand {
  concealed: string[];
  winning_tile: string | null;
  melds: { type?: MeldType; tiles: string[]; from?: Seat | null }[];
  bonus: string[];
  dora_indicators: string[];
}

/** House rules in force that have a name: a preset, or somebody's own. */
interface NamedHouse extends Partial<Api.HousePreset> {
  name: string;
}
