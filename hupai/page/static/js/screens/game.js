// The ledger: seats, points, hands played; undo, draws, penalties, export.
import { app, ownsGames, theGame } from "../state/app.js";
import { fetched } from "../state/signal.js";
import { openGame, setGame } from "../state/table.js";
import { download, get, remove, served } from "../api/api.js";
import { dropCrops } from "../api/store.js";
import { cropsToggle, forgetCrops } from "../camera/crops.js";
import { h, icon } from "../dom/dom.js";
import { list, moment, number, signed, t } from "../words/i18n.js";
import { SEATS } from "../hand/seats.js";
import { ownWord, systemName } from "../names/systems.js";
import { attempt } from "../controls/notice.js";
import { canGoOn } from "../game/length.js";
import { settleUp } from "../game/settleup.js";
import { joinCard } from "../game/join.js";
import { queueCard } from "../ledger/waiting.js";
import { newGameForm, nextGame } from "../game/newgame.js";
import { forgetOwnPlayer, ownPlayer, sayOwnPlayer } from "../scoring/owner.js";
import { openTold, outcomeKeys } from "../ledger/outcomes.js";
import { askedFold, button, choiceRow, fileInput, printButton } from "../controls/fields.js";
import { playedHands } from "../game/hands.js";
import { changeList } from "../names/changes.js";
import { confirmSheet } from "../controls/sheet.js";
import { roundWords, troubleWords } from "../words/words.js";

const LISTED = 100; // games

export const title = () => (app.game ? app.game.name || t("game.title") : t("tab.game"));

const games = fetched("games", async () => {
  const { games: found } = await get(`/games?limit=${LISTED}`);
  forgetCrops(found.map((/** @type {{id: string}} */ { id }) => id), found.length < LISTED);
  return /** @type {any[]} */ (found);
});

const open = (/** @type {string} */ id) => attempt(() => openGame(id));

// What draws the picture is fetched when it is first asked for.
const shareThis = () => attempt(async () => (await import("../game/sharegame.js")).shareGame(theGame()));

/** @type {(open: "openEnd" | "openSettle" | "openReopen") => () => unknown} */
const ending = (open) => () => attempt(async () => (await import("../game/ending.js"))[open]());

const showFigures = () =>
  attempt(async () => {
    const { openFigures } = await import("../game/figures.js");
    await openFigures(open);
  });

function leave() {
  setGame(null);
  games.load();
}

/** "Which one am I?", asked once a game, until it is answered; it turns the table. */
function whichOne() {
  const { ended, players } = theGame();
  if (ended || ownPlayer() !== undefined) return null;
  return h(
    "section.card.stack",
    choiceRow(
      "own-player",
      t("own.title"),
      players.map(({ number, name }) => ({ value: number, label: name })),
      undefined,
      sayOwnPlayer,
    ),
    button("own-none", t("own.none"), () => sayOwnPlayer(null), { look: "quiet", sign: "people" }),
  );
}

// People stay where they sit and the winds rotate: this phone's player at the bottom, the next player on the right.
function table() {
  const game = theGame();
  const me = ownPlayer() ?? 0;
  const places = game.players.length === 3 ? ["below", "right", "left"] : ["below", "right", "above", "left"];
  const place = (/** @type {number} */ turn) => {
    const player = game.players[(me + turn) % game.players.length];
    const wind = SEATS.find((s) => game.seats[s] === player.number);
    return h(
      "li",
      { class: `place ${places[turn]} ${wind}` },
      h("span.wind", { "aria-hidden": "true" }, t(`seat.${wind}.sign`)),
      h("b", player.name),
      h("span.unseen", `, ${t(`seat.${wind}`)}, `),
      h("span.total", number(player.total)),
    );
  };
  const { state } = game;
  return h(
    "section.felt.table-felt",
    { "aria-label": t("game.table") },
    h(
      "div.centre-words",
      game.ended ? h("b", t("game.over")) : [
        h("b", roundWords(game)),
        state.streak > 1 && game.rotation !== "riichi" && h("span", t("game.streak", { n: state.streak - 1 })),
      ],
      state.riichi_sticks > 0 && h("span", t("game.sticks", { n: state.riichi_sticks })),
      game.course.jackpot && h("span", t("game.jackpot", { n: number(game.pot) })),
    ),
    h("ul.places", places.map((_, turn) => place(turn))),
  );
}

// What a player's total is made of; nothing if it is points alone.
function madeOf(/** @type {Settled} */ share) {
  const added = /** @type {const} */ (["sticks", "uma", "oka", "penalty"]).filter((name) => Number(share[name]));
  const words = [
    Number(share.score) !== Number(share.points) && t("total.points", { n: number(share.points) }),
    ...added.map((name) =>
      t(name === "sticks" && theGame().course.jackpot ? "settled.jackpot" : `settled.${name}`, {
        n: signed(share[name]),
      })
    ),
    Number(theGame().course.rate) !== 1 && t("settled.money", { n: signed(share.money) }),
  ].filter((words) => words !== false);
  const whole = words.map((word) => word.replaceAll(" ", "\u00a0")); // lines break only between two of them
  return whole.length > 0 && h("small.soft", whole.join(" · "));
}

// Why the game is over, and the result, first place first.
function over() {
  const game = theGame();
  const shares = [...game.settlement].sort((one, other) => one.place - other.place);
  return h(
    "section.card.game-over",
    { "aria-label": t("game.over") },
    h("h2", t("game.over")),
    h("p.soft", t(`ended.${game.ended?.reason}`)),
    shares.map((share) =>
      h(
        "div.share",
        h(
          "div.row.between",
          h("span", `${number(share.place)}. ${game.players[share.player].name}`),
          h("b", signed(share.score)),
        ),
        madeOf(share),
      )
    ),
    settleUp(game),
    button("share", t("share.key"), shareThis, { look: "wide", sign: "share" }),
    ownsGames() && [
      button("next-game", t("game.next"), nextGame, { look: "main wide", sign: "tiles" }),
      canGoOn(game)
        ? button("reopen", t("reopen.title"), ending("openReopen"), { look: "wide", sign: "next" })
        : h("p.soft", t("reopen.points")),
      button("settle", t("settling.title"), ending("openSettle"), { look: "quiet wide", sign: "pencil" }),
    ],
  );
}

function actions() {
  if (theGame().ended) return over();
  return h(
    "div.game-actions",
    h("a.button.main.wide", { href: "#/hand", "data-key": "score-hand" }, icon("camera"), t("game.score_hand")),
    h(
      "div.three",
      button("told", ownWord("outcome.told"), openTold),
      outcomeKeys(),
    ),
  );
}

/** @type {ReturnType<typeof askedFold<{changes: Change[]}>>} */
const past = askedFold("games");

// Who changed what, and when: the whole history, including what was taken back.
function history() {
  const { id: about, revision: version } = theGame();
  const ask = () => get(`/games/${encodeURIComponent(about)}/changes`);
  return past(
    "fold-history",
    t("history.title"),
    { about, version, ask },
    ({ answer, error }) => [
      error && h("p.caution", icon("warn"), troubleWords(error)),
      answer?.changes.length
        ? changeList(answer.changes.toReversed(), { when: true })
        : !error && h("p.soft", t("game.no_hands")),
    ],
  );
}

function foot() {
  const game = theGame();
  return h(
    "section.card.stack",
    h("p.soft", systemName(game.rules), " · ", t("game.begun", { when: moment(game.created) })),
    h(
      "div.row",
      ["csv", "json"].map((kind) => button(kind, t(`game.${kind}`), () => save(game.id, kind), { sign: "download" })),
      printButton(),
    ),
    cropsToggle(),
    h(
      "div.row",
      button("leave", t("game.leave"), leave, { sign: "back" }),
      !game.ended && ownPlayer() !== undefined &&
        button("own-again", t("own.title"), forgetOwnPlayer, { look: "quiet", sign: "people" }),
      !game.ended &&
        button("end", t("end.title"), ending("openEnd"), { look: "quiet", sign: "check" }),
      ownsGames() && button("delete", t("game.delete"), drop, { look: "quiet", sign: "bin" }),
    ),
  );
}

/**
 * Saves the game as a file.
 * @type {(id: string, kind: string) => unknown}
 */
const save = (id, kind) =>
  attempt(() => download(`/games/${encodeURIComponent(id)}/export.${kind}`, `hupai-${id}.${kind}`));

const takeOver = (/** @type {File[]} */ [file]) =>
  attempt(async () => {
    await (await import("../game/files/takeover.js")).takeOver(file);
    games.load();
  });

const importKey = () =>
  h(
    "label.button.wide",
    fileInput({ class: "unseen", "data-key": "import" }, takeOver),
    icon("picture"),
    t("game.import"),
  );

async function drop() {
  const game = theGame();
  if (!(await confirmSheet(t("game.delete"), t("game.delete_text", { n: game.hands.length }), t("delete")))) return;
  if (await attempt(() => remove(`/games/${encodeURIComponent(game.id)}?revision=${game.revision}`))) {
    dropCrops(game.id);
    leave();
  }
}

function gameList() {
  if (games.error) return h("p.caution", icon("warn"), troubleWords(games.error));
  return h(
    "section.card.stack",
    games.answer?.length ? earlier(games.answer) : null,
    importKey(),
  );
}

function earlier(/** @type {any[]} */ all) {
  return [
    h("h2", t("game.earlier")),
    h(
      "ul.plain-list",
      all.map((g) =>
        h(
          "li",
          { key: g.id },
          h(
            "button.game-item",
            {
              "data-key": `game-${g.id}`,
              onclick: () => open(g.id),
            },
            h("b", g.name || list(g.players)),
            h("small.soft", [systemName(g.rules), t("game.hands", { n: g.hands }), moment(g.created)].join(" · ")),
            icon("next"),
          ),
        )
      ),
    ),
    button("figures", t("figures.title"), showFigures, { look: "wide", sign: "people" }),
  ];
}

export const parts = [
  {
    on: ["game", "language", "settings", "about", "beginning"],
    draw: () => (app.game ? [table(), whichOne(), actions()] : newGameForm()),
  },
  { on: ["game", "language", "queue"], draw: queueCard },
  {
    on: ["game", "language", "games", "settings", "crops"],
    draw: () => (app.game ? [playedHands(), served && joinCard(), history(), foot()] : gameList()),
  },
];

export function enter() {
  if (app.game) open(app.game.id);
  else games.load();
}
