// Made by scripts/docs/answers.py: change the routes, then run it again.
declare namespace Api {
  interface About {
    name: string;
    version: string;
    code_needed: boolean;
    open: boolean;
    max_upload_bytes: number;
    max_pixels: number;
    models: Record<string, string>;
    rules: string[];
    role: string | null;
  }
  interface AsideBody {
    number: number;
    tile: string;
    confidence: number;
    corners: [number, number][];
    alternatives: [string, number][];
  }
  interface BestHand {
    game_id: string;
    number: number;
    at: string;
    elements: string[];
    total: Record<string, unknown>;
    amount: number | string;
  }
  interface ContextFieldBody {
    name: string;
    kind: string;
    default: unknown;
    values: string[];
    doc: string;
    low: number;
    place: string;
    when: string[];
  }
  interface DiscardBody {
    tile: string;
    draws: DrawBody[];
    waits: WaitBody[];
  }
  interface DoubtBody {
    code: string;
    tile: number | null;
    message: string;
    answers: string[];
    open: boolean;
  }
  interface DrawBody {
    tile: string;
    left: number;
  }
  interface ElementBody {
    id: string;
    name: string;
    native: string;
    value: string;
    condition: string;
    group: string;
  }
  interface ElementLine {
    id: string;
    name: string;
    native: string;
    value: number;
    count: number;
    listed?: number | null;
    why: string;
  }
  interface FigureList {
    figures: PlayerFigures[];
  }
  interface GainedElement {
    id: string;
    name: string;
    native: string;
    value: number;
  }
  interface HandBody {
    concealed: string[];
    melds: MeldBody[];
    winning_tile: string | null;
    bonus: string[];
    dora_indicators: string[];
  }
  interface HouseLinkBody {
    url: string;
    code: string | null;
    rules: string;
    preset: string;
    options: Record<string, unknown>;
    name: string;
  }
  interface HousePreset {
    id: string;
    name: string;
    native: string;
    source: string;
    options: Record<string, unknown>;
    points: number | null;
    course: Record<string, unknown>;
    unsettled: string[];
  }
  interface MeldBody {
    type: string;
    tiles: string[];
    from: string | null;
  }
  interface NextStep {
    more: number;
    unit: string;
    income: number | string;
    now: number | string | null;
    sentence: string;
  }
  interface NotCounted {
    id: string;
    name: string;
    native: string;
    by: string;
    why: string;
  }
  interface OpenBody {
    name: string;
    value: unknown;
    legal: boolean;
    income: number | string;
    change: number | string;
  }
  interface OptionBody {
    name: string;
    default: unknown;
    values: unknown[];
    doc: string;
    elements: string[];
  }
  interface OtherRule {
    option: string;
    value: unknown;
    legal: boolean;
    income: number | string;
    change: number | string;
  }
  interface OtherTile {
    drop: string;
    take: string;
    winning: boolean;
    elements: GainedElement[];
    income: number | string;
    change: number | string;
  }
  interface PaymentsBody {
    E: number | string;
    S: number | string;
    W: number | string;
    N: number | string;
    pot: number | string;
  }
  interface PlayerFigures {
    name: string;
    rules: string;
    players: number;
    games: number;
    average_place: number | string | null;
    hands: number;
    self_draws: number;
    discards: number;
    dealt_in: number;
    average_win: number | string | null;
    best: BestHand | null;
    result: number | string;
  }
  interface PresetList {
    presets: SavedPreset[];
  }
  interface ReadBody {
    image: string;
    width: number;
    height: number;
    tiles: TileBody[];
    hand: HandBody | null;
    doubts: DoubtBody[];
    repairs: RepairBody[];
    timings_ms: Record<string, number>;
    models: Record<string, string>;
    aside: AsideBody[];
    set: string | null;
    photo_id?: string | null;
  }
  interface Reason {
    code: string;
    message: string;
  }
  interface RefusedBody {
    id: unknown;
    rules: string;
    error: ScoreErrorBody;
    set_aside: string[];
  }
  interface RepairBody {
    tile: number;
    read: string;
    used: string;
    why: string;
  }
  interface RulesBody {
    id: string;
    name: string;
    native: string;
    aliases: string[];
    unit: string;
    bonus_tiles: string[];
    red_fives: boolean;
    sets: number;
    options: OptionBody[];
    asks: ContextFieldBody[];
    prompts: string[];
    elements: ElementBody[];
    rotation: string;
    riichi_sticks: boolean;
    winners: number;
    play_options: string[];
    false_win: boolean;
    claimed_back: boolean;
    instant_events: string[];
    points: number;
    points_of_three: number;
    course: OptionBody[];
    presets: HousePreset[];
  }
  interface RulesList {
    rules: RulesBody[];
  }
  interface SampleList {
    corrections: SampleSummary[];
  }
  interface SampleSummary {
    id: string;
    tiles: number;
    saved: string;
  }
  interface SavedPreset {
    name: string;
    rules: string;
    options: Record<string, unknown>;
    saved: string;
    version: string;
  }
  interface SavedSample {
    id: string;
    image: string;
    annotation: string;
    tiles: number;
  }
  interface ScoreBody {
    id: unknown;
    rules: string;
    legal: boolean;
    reason: Reason | null;
    elements: ElementLine[];
    total: Total | null;
    arrangement: UnitBody[];
    payments: PaymentsBody | null;
    transfers: TransferLine[];
    explanation: string[];
    payments_if_from?: Record<string, PaymentsBody> | null;
    why?: WhyBody | null;
    open?: OpenBody[] | null;
  }
  interface ScoreErrorBody {
    code: string;
    message: string;
    field: string | null;
    faults: string[];
  }
  interface ScoreOfSystem {
    id: unknown;
    rules: string;
    legal: boolean;
    reason: Reason | null;
    elements: ElementLine[];
    total: Total | null;
    arrangement: UnitBody[];
    payments: PaymentsBody | null;
    transfers: TransferLine[];
    explanation: string[];
    payments_if_from?: Record<string, PaymentsBody> | null;
    why?: WhyBody | null;
    open?: OpenBody[] | null;
    set_aside: string[];
  }
  interface ScoresBody {
    scores: (ScoreOfSystem | RefusedBody)[];
  }
  interface SetBody {
    name: string;
    tiles: string[];
    lessons: number;
    model: string;
    usable: boolean;
    trouble: string | null;
  }
  interface SetList {
    sets: SetBody[];
  }
  interface ShantenBody {
    shanten: number | null;
    draws: DrawBody[];
    discards: DiscardBody[];
  }
  interface TileBody {
    tile: string;
    confidence: number;
    corners: [number, number][];
    alternatives: [string, number][];
    role: string;
    group: number;
  }
  interface Total {
    unit: string;
    value: number;
    uncapped: number;
    limit: string | null;
    [more: string]: unknown;
  }
  interface TransferLine {
    from: string;
    to: string;
    amount: number | string;
    why: string;
  }
  interface UnitBody {
    type: string;
    tiles: string[];
    concealed: boolean;
    completed_by_winning_tile: boolean;
    stands_for?: string[] | null;
  }
  interface WaitBody {
    tile: string;
    score: ScoreBody;
    riichi: ScoreBody | null;
  }
  interface WaitsBody {
    waits: WaitBody[];
  }
  interface WhyBody {
    not_counted: NotCounted[];
    second_best: string | null;
    next_steps: NextStep[];
    nearest: OtherTile[];
    house_rules: OtherRule[];
  }
  /** What an operation answers; a part of its path in braces is whatever it is asked about. */
  interface Routes {
    "GET /about": About;
    "GET /corrections": SampleList;
    "GET /figures": FigureList;
    "GET /games/{game_id}": Game;
    "GET /games/{game_id}/changes": { revision: number; changes: Change[] };
    "GET /presets": PresetList;
    "GET /rules": RulesList;
    "GET /rules/{rules_id}": RulesBody;
    "GET /rules/{rules_id}/link": HouseLinkBody;
    "GET /sets": SetList;
    "POST /corrections": SavedSample;
    "POST /games": Game;
    "POST /games/import": Game & { imported?: Imported; added?: Added };
    "POST /games/{game_id}/hands": { hand: LedgerHand; game: Game };
    "POST /games/{game_id}/hands/try": Tried;
    "POST /games/{game_id}/undo": Game;
    "POST /presets": SavedPreset;
    "POST /read": ReadBody;
    "POST /score": ScoreBody;
    "POST /score/all": ScoresBody;
    "POST /score/shanten": ShantenBody;
    "POST /score/waits": WaitsBody;
    "POST /sets": SetBody;
    "POST /sets/import": SetBody;
  }
}
