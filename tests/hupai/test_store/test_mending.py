"""Hands corrected, withdrawn and restored, games ended and reopened, in real databases."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Engine, text, update

from hupai.basics.errors import Conflict, NotFound
from hupai.games.apply import try_command
from hupai.games.commands import Command, ExpectedRevision, MovedOn, NewGame, NewHand
from hupai.games.exchange import export_game
from hupai.games.game_json import again_json, change_json, changes_after, history_json, whole_hand_json
from hupai.games.history import CORRECTED, ENDED, RECORDED, REOPENED, RESTORED, UNDONE, WITHDRAWN, Amendment
from hupai.games.terms.agreed import agree
from hupai.games.terms.confirmed import confirmed_body, parse_confirmed
from hupai.games.terms.course import Course
from hupai.games.terms.state import TableState
from hupai.store.database import connect, migrate, writing
from hupai.store.play.game_rows import find_game
from hupai.store.play.games import SqlGames
from hupai.store.schema import upgrade_tables
from hupai.store.tables import Game
from scoring.errors import InvalidRequest
from scoring.rules import preset_named, systems
from tests.hupai.store_builders import NAMES, begin_game, net_of, see_game
from tests.hupai.test_ledger.game_maker import act_by_chance
from tests.hupai.test_ledger.plain_game import PlainGame
from tests.hupai.test_ledger.test_simulated_games import as_confirmed, full
from tests.waiting import at_once

BO = Amendment("Bo", "the winner was named wrongly")
HAND = {"concealed": "123m456p789p55m67m", "winning_tile": "8m"}


def begin(store: Engine, rules: str = "hangzhou", points: int = 0, **course: Any) -> str:
    options = {"min": 0} if rules == "singapore" else {}
    return begin_game(store, rules, options, starting_points=Decimal(points), course=course)


def said(body: Mapping[str, Any]) -> NewHand:
    return NewHand(parse_confirmed(body), body)


def won(store: Engine, game: str, player: int, source: int | None = None) -> NewHand:
    """A win of a player in Hangzhou, told by the seats he and the discarder have now."""
    return won_at(TableState.from_json(see_game(store, game)["state"]), player, source)


def won_at(state: TableState, player: int, source: int | None = None) -> NewHand:
    context: dict[str, Any] = {"seat": state.seat_of(player).value, "win": "self_draw", "indicator": "9s"}
    if source is not None:
        context |= {"win": "discard", "from": state.seat_of(source).value}
    return said({"outcome": "win", "wins": [{**HAND, "context": context}]})


def game_won_by(store: Engine, *players: int) -> str:
    """A game of Hangzhou whose hands these players won by self-draw, one after the other."""
    game = begin(store)
    for player in players:
        SqlGames(store).do(game, Command(RECORDED, hand=won(store, game, player)))
    return game


def totals(game: Mapping[str, Any]) -> list[int]:
    return [p["total"] for p in game["players"]]


DRAW = {"outcome": "draw"}


def test_a_corrected_hand_moves_the_deal_of_all_that_follow(store: Engine) -> None:
    game = game_won_by(store, 2, 2, 1)
    assert totals(see_game(store, game)) == [-2 - 2 - 1, -1 - 2 + 6, 4 + 6 - 4, -1 - 2 - 1]
    _, made = SqlGames(store).do(game, Command(CORRECTED, BO, number=1, hand=won_at(TableState(), 3)))
    told = {"game": history_json(made), "settled_again": again_json(made.changes[-1].settled_again)}
    # North won the first hand: then Chi wins at his table, once, and is the banker of Bo's win.
    assert totals(told["game"]) == [-2 - 1 - 1, -1 - 1 + 4, -1 + 4 - 2, 4 - 2 - 1]
    assert [h["state"]["dealer"] for h in told["game"]["hands"]] == [0, 3, 2]
    assert [h["wins"][0]["player"] for h in told["game"]["hands"]] == [3, 2, 1]
    assert [h["wins"][0]["seat"] for h in told["game"]["hands"]] == ["N", "N", "N"]
    assert [h["number"] for h in told["settled_again"]] == [2, 3]
    assert told["settled_again"][0] == {"number": 2, "was_paid": [-2, -2, 6, -2], "payments": [-1, -1, 4, -2]}


def test_a_correction_is_tried_before_it_is_made(store: Engine) -> None:
    """What it says comes true to the chip, and until then nothing has changed."""
    game = game_won_by(store, 2, 2, 1)
    before = see_game(store, game)
    asked = won_at(TableState(), 3)
    tried = try_command(SqlGames(store).read(game), Command(CORRECTED, number=1, hand=asked), SqlGames(store).now())
    assert see_game(store, game) == before
    assert changes_after(SqlGames(store).read(game), 3) == []
    assert tried["payments"] == {"E": -2, "S": -1, "W": -1, "N": 4, "pot": 0}
    assert net_of(tried["transfers"]) == tried["payments"]
    assert tried["revision"] == 3
    _, made = SqlGames(store).do(game, Command(CORRECTED, BO, number=1, hand=asked))
    assert tried["settled_again"] == again_json(made.changes[-1].settled_again)
    assert tried["scores"] == made.hand(1).scores
    assert tried["after"] == made.hand(1).after
    SqlGames(store).do(game, Command(WITHDRAWN, BO, number=2))
    with pytest.raises(Conflict, match="restore it first"):
        try_command(SqlGames(store).read(game), Command(CORRECTED, number=2, hand=asked), SqlGames(store).now())


@pytest.mark.both_databases
def test_of_corrections_made_at_once_one_holds_and_the_others_are_told(store: Engine) -> None:
    game = game_won_by(store, 2)
    seen = ExpectedRevision(revision=1)

    def corrected(player: int) -> int | None:
        try:
            SqlGames(store).do(game, Command(CORRECTED, BO, seen, number=1, hand=won_at(TableState(), player)))
        except MovedOn:
            return None
        return player

    (winner,) = filter(None, at_once(*[partial(corrected, player) for player in (1, 2, 3)]))
    assert [h["wins"][0]["player"] for h in see_game(store, game)["hands"]] == [winner]
    assert [c["kind"] for c in changes_after(SqlGames(store).read(game), 0)] == ["recorded", "corrected"]


def test_the_history_tells_who_changed_what_when_and_why(store: Engine) -> None:
    game = game_won_by(store, 2, 2)
    SqlGames(store).do(game, Command(CORRECTED, BO, number=1, hand=won_at(TableState(), 3)))
    SqlGames(store).do(game, Command(WITHDRAWN, Amendment("Ann", "it was another table's"), number=2))
    found = changes_after(SqlGames(store).read(game), 0)
    assert [(c["kind"], c["hand"]["number"], c["by"], c["reason"]) for c in found] == [
        ("recorded", 1, None, None),
        ("recorded", 2, None, None),
        ("corrected", 1, "Bo", "the winner was named wrongly"),
        ("withdrawn", 2, "Ann", "it was another table's"),
    ]
    told = [(c["hand"]["wins"][0]["player"], c["hand"]["payments"], bool(c["hand"]["undone_at"])) for c in found]
    assert told == [
        (2, [-2, -1, 4, -1], False),
        (2, [-2, -2, 6, -2], False),
        (3, [-2, -1, -1, 4], False),
        (2, [-1, -1, 4, -2], True),
    ], "each hand as that change left it"
    whole = change_json(SqlGames(store).read(game), 3)
    assert whole["hand"] == found[2]["hand"]
    assert whole["detail"]["was"]["payments"] == [-2, -1, 4, -1]
    assert whole["detail"]["was"]["request"]["wins"][0]["context"]["seat"] == "W"
    assert whole["detail"]["settled_again"][0]["was"]["payments"] == [-2, -2, 6, -2]
    with pytest.raises(NotFound, match="no change 9"):
        change_json(SqlGames(store).read(game), 9)


def test_a_hand_withdrawn_and_restored_leaves_all_as_it_was(store: Engine) -> None:
    game = game_won_by(store, 2, 3, 3, 0)
    before = see_game(store, game)
    told = history_json(SqlGames(store).do(game, Command(WITHDRAWN, BO, number=2))[1])
    assert [h["undone_at"] is None for h in told["hands"]] == [True, False, True, True]
    assert [h["state"]["dealer"] for h in told["hands"]] == [0, 2, 2, 3]
    assert totals(told) == [-2 - 1 - (-4), -1 - 1 - 1, 4 - 2 - 1, -1 + 4 - 2]
    back = history_json(SqlGames(store).do(game, Command(RESTORED, BO, number=2))[1])
    assert (before["revision"], back["revision"]) == (4, 6) and back["changed_at"] >= before["changed_at"]
    assert back == before | {name: back[name] for name in ("revision", "changed_at")}


def test_what_would_make_a_later_hand_senseless_is_refused_and_nothing_changes(store: Engine) -> None:
    """A discard is claimed only from a banker's third hand on."""
    game = begin(store)
    for record in ((2, None), (2, None), (2, None), (2, 1)):
        SqlGames(store).do(game, Command(RECORDED, hand=won(store, game, *record)))
    before = see_game(store, game)
    with pytest.raises(Conflict) as refused:
        SqlGames(store).do(game, Command(WITHDRAWN, BO, number=2))
    assert refused.value.code == "later_hand"
    assert see_game(store, game) == before
    SqlGames(store).do(game, Command(WITHDRAWN, BO, number=4))
    SqlGames(store).do(game, Command(WITHDRAWN, BO, number=2))


def test_corrections_of_what_is_not_there_are_refused(store: Engine) -> None:
    game = game_won_by(store, 2)
    with pytest.raises(NotFound, match="no hand 2"):
        SqlGames(store).do(game, Command(CORRECTED, BO, number=2, hand=said(DRAW)))
    with pytest.raises(Conflict, match="Hand 1 was not deleted"):
        SqlGames(store).do(game, Command(RESTORED, BO, number=1))
    with pytest.raises(InvalidRequest, match="no ready"):
        SqlGames(store).do(game, Command(CORRECTED, BO, number=1, hand=said({"outcome": "draw", "ready": ["E"]})))
    with pytest.raises(Conflict, match="payments come to"):
        seen = NewHand(parse_confirmed(DRAW), DRAW, expected={"E": 1})
        SqlGames(store).do(game, Command(CORRECTED, BO, number=1, hand=seen))
    SqlGames(store).do(game, Command(WITHDRAWN, BO, number=1))
    with pytest.raises(Conflict, match="restore it first"):
        SqlGames(store).do(game, Command(CORRECTED, BO, number=1, hand=said(DRAW)))
    with pytest.raises(Conflict, match="deleted before"):
        SqlGames(store).do(game, Command(WITHDRAWN, BO, number=1))


def test_who_saw_an_older_game_corrects_nothing(store: Engine) -> None:
    game = game_won_by(store, 2)
    revision = see_game(store, game)["revision"]
    SqlGames(store).do(game, Command(RECORDED, hand=won(store, game, 2)))
    for kind in (WITHDRAWN, RESTORED, ENDED):
        with pytest.raises(MovedOn):
            SqlGames(store).do(game, Command(kind, BO, ExpectedRevision(revision), number=1))
    with pytest.raises(MovedOn):
        SqlGames(store).do(game, Command(REOPENED, BO, ExpectedRevision(revision), course={"hands": 9}))


def test_a_game_that_its_players_end_takes_no_more_until_they_reopen_it(store: Engine) -> None:
    game = game_won_by(store, 2)
    ended = history_json(SqlGames(store).do(game, Command(ENDED, BO))[1])
    assert ended["ended"] == {"reason": "agreed", "message": "the players have ended it"}
    assert [s["place"] for s in ended["settlement"]] == [4, 2, 1, 2]
    late = Command(RECORDED, hand=said(DRAW))
    for act in (
        lambda: SqlGames(store).do(game, late),
        lambda: try_command(SqlGames(store).read(game), late, SqlGames(store).now()),
    ):
        with pytest.raises(Conflict, match="The game is over: the players have ended it") as no:
            act()
        assert no.value.code == "game_over"
    with pytest.raises(Conflict, match="The game is over"):
        SqlGames(store).do(game, Command(ENDED, BO))
    SqlGames(store).do(
        game, Command(CORRECTED, BO, number=1, hand=won_at(TableState(), 3))
    )  # a mistake is mended all the same
    assert history_json(SqlGames(store).do(game, Command(REOPENED, BO))[1])["ended"] is None
    SqlGames(store).do(game, Command(RECORDED, hand=said(DRAW)))
    with pytest.raises(Conflict, match="not over"):
        SqlGames(store).do(game, Command(REOPENED, BO))
    kinds = [c["kind"] for c in changes_after(SqlGames(store).read(game), 0)]
    assert kinds == ["recorded", "ended", "corrected", "reopened", "recorded"]


def test_what_only_the_end_asks_for_can_be_agreed_on_when_it_has_come(store: Engine) -> None:
    game = begin(store, hands=1)
    SqlGames(store).do(game, Command(RECORDED, hand=won(store, game, 2)))
    before = see_game(store, game)
    assert [share["uma"] for share in before["settlement"]] == [0, 0, 0, 0]
    settled = history_json(
        SqlGames(store).do(game, Command(ENDED, BO, course={"uma": [20, 10, -10, -20], "rate": "0.5"}))[1]
    )
    assert settled["ended"]["reason"] == "hands"
    by_place = {share["place"]: share for share in settled["settlement"]}
    assert by_place[1]["uma"] == 20 and by_place[1]["money"] * 2 == by_place[1]["score"]
    with pytest.raises(InvalidRequest, match="keeps its hands"):
        SqlGames(store).do(game, Command(ENDED, BO, course={"hands": 5}))
    with pytest.raises(InvalidRequest, match="come to nothing"):
        SqlGames(store).do(game, Command(ENDED, BO, course={"uma": [20, 10, -10, -10]}))
    change = changes_after(SqlGames(store).read(game), 0)[-1]
    assert (change["kind"], change["by"]) == ("settled", "Bo")
    other = begin(store, "riichi", 25_000)
    ended = history_json(SqlGames(store).do(other, Command(ENDED, BO, course={"return_points": 30_000}))[1])
    assert ended["ended"]["reason"] == "agreed" and ended["course"]["return_points"] == 30_000
    assert history_json(SqlGames(store).do(other, Command(REOPENED, BO))[1])["course"]["return_points"] == 30_000


def test_a_game_that_its_course_ends_can_be_made_longer(store: Engine) -> None:
    game = begin(store, "singapore", hands=2)
    SqlGames(store).do(game, Command(RECORDED, hand=said(DRAW)))
    after = history_json(SqlGames(store).do(game, Command(RECORDED, hand=said(DRAW)))[1])
    assert after["ended"]["reason"] == "hands"
    with pytest.raises(Conflict, match="all the hands agreed on are played"):
        SqlGames(store).do(game, Command(RECORDED, hand=said(DRAW)))
    with pytest.raises(Conflict, match="would still be over"):
        SqlGames(store).do(game, Command(REOPENED, BO))
    with pytest.raises(InvalidRequest, match="keeps its out_of_points, rate"):
        SqlGames(store).do(game, Command(REOPENED, BO, course={"out_of_points": "owes", "rate": 2, "hands": 4}))
    with pytest.raises(InvalidRequest, match="no option 'handz'"):
        SqlGames(store).do(game, Command(REOPENED, BO, course={"handz": 4}))
    with pytest.raises(Conflict, match="Hand 2 would become invalid: The game is over"):
        SqlGames(store).do(game, Command(REOPENED, BO, course={"hands": 1}))
    longer = history_json(SqlGames(store).do(game, Command(REOPENED, BO, course={"hands": 4}))[1])
    assert (longer["ended"], longer["course"]["hands"]) == (None, 4)
    SqlGames(store).do(game, Command(RECORDED, hand=said(DRAW)))
    SqlGames(store).do(game, Command(WITHDRAWN, BO, number=1))  # three more hands again
    for _ in range(2):
        SqlGames(store).do(game, Command(RECORDED, hand=said(DRAW)))
    assert see_game(store, game)["ended"]["reason"] == "hands"


def test_the_last_hand_taken_back_lets_the_game_go_on(store: Engine) -> None:
    game = begin(store, "riichi", 1000)
    after = history_json(
        SqlGames(store).do(game, Command(RECORDED, hand=said({"outcome": "false_win", "offender": "S"})))[1]
    )
    assert after["ended"]["reason"] == "points"
    assert history_json(SqlGames(store).do(game, Command(UNDONE, number=1))[1])["ended"] is None
    SqlGames(store).do(game, Command(RECORDED, hand=said({"outcome": "draw", "ready": []})))


@pytest.mark.both_databases
def test_time_is_counted_from_when_the_game_began(store: Engine) -> None:
    game = begin(store, minutes=60)
    assert history_json(SqlGames(store).do(game, Command(RECORDED, hand=said(DRAW)))[1])["ended"] is None
    with writing(store) as session:
        began = session.get_one(Game, game).created - timedelta(minutes=61)
        session.execute(update(Game).where(Game.id == game).values(created=began))
    assert history_json(SqlGames(store).do(game, Command(RECORDED, hand=said(DRAW)))[1])["ended"]["reason"] == "minutes"
    assert history_json(SqlGames(store).do(game, Command(REOPENED, BO, course={"minutes": 120}))[1])["ended"] is None


@pytest.mark.both_databases
def test_a_game_begun_before_there_were_courses_goes_on_as_it_was(database: str) -> None:
    engine = connect(database)
    with engine.begin() as connection:
        upgrade_tables(connection, "0002")
        start = '{"round": "N", "dealer": 3, "streak": 1, "counters": 0, "riichi_sticks": 0, "first_dealer": 0}'
        connection.execute(
            text(
                "insert into games (id, name, created, version, rules, options, rotation, start, starting_points) "
                "values ('0123456789ab', '', '2026-01-01 12:00:00', '0.1', 'riichi', '{}', 'riichi', :start, '25000')"
            ),
            {"start": start},
        )
        connection.execute(
            text("insert into game_players (game_id, number, name) values ('0123456789ab', :number, :name)"),
            [{"number": i, "name": name} for i, name in enumerate(NAMES)],
        )
    migrate(engine)
    after = history_json(SqlGames(engine).do("0123456789ab", Command(RECORDED, hand=said({"outcome": "draw"})))[1])
    assert (after["ended"], after["state"]["round"]) == (None, "E")
    earlier = {key: value for key, value in Course().to_json().items() if key in COURSE_THEN}
    assert after["course"] == {**earlier, "rounds": None}
    engine.dispose()


@pytest.mark.parametrize("rules", list(systems()))
def test_changes_by_chance_leave_what_recording_aright_would_have(store: Engine, rules: str) -> None:
    """Whatever is corrected, withdrawn and restored: the game is as if the hands that stand had been recorded so."""
    by = random.Random(rules)
    game = begin(store, rules, rounds=None) if rules != "hangzhou" else begin(store)
    course = see_game(store, game)["course"]
    acts: dict[int, dict[str, Any]] = {}
    plain = PlainGame(rules, {"min": 0} if rules == "singapore" else {}, course, Decimal(0))
    for number in range(1, 9):
        acts[number] = full(rules, self_drawn(act_by_chance(by, plain)))
        plain.play(acts[number])
        state = TableState.from_json(see_game(store, game)["state"])
        SqlGames(store).do(game, Command(RECORDED, hand=said(confirmed_body(as_confirmed(acts[number], state)))))
    gone: set[int] = set()
    for _ in range(12):
        number = by.randint(1, 8)
        if number in gone:
            SqlGames(store).do(game, Command(RESTORED, BO, number=number))
            gone.remove(number)
        elif by.random() < 0.5:
            SqlGames(store).do(game, Command(WITHDRAWN, BO, number=number))
            gone.add(number)
        else:
            table = TableState.from_json(whole_hand_json(SqlGames(store).read(game).hand(number))["state"])
            acts[number] = full(rules, self_drawn(act_by_chance(by, plain)))
            SqlGames(store).do(
                game,
                Command(CORRECTED, BO, number=number, hand=said(confirmed_body(as_confirmed(acts[number], table)))),
            )
        plain = PlainGame(rules, plain.options, course, Decimal(0))
        for standing in (n for n in acts if n not in gone):
            plain.play(acts[standing])
        now = see_game(store, game)
        assert totals(now) == plain.points
        state = now["state"]
        assert (state["dealer"], state["streak"], state["counters"]) == (plain.dealer, plain.streak, plain.counters)
        assert ("ESWN".index(state["round"]), state["riichi_sticks"]) == (plain.wind, plain.sticks)


def self_drawn(act: dict[str, Any]) -> dict[str, Any]:
    """An act that makes sense at every table: Hangzhou lets discards be claimed at few."""
    if act["kind"] != "win":
        return act
    return {**act, "from": None, "winners": act["winners"][:1]}


def test_a_mended_preset_rewrites_no_game_that_was_begun_before(store: Engine) -> None:
    """A game keeps the house rules and the course that it was begun with, not the name of a preset."""
    system, now = preset_named("wrc")
    old = {"aka": 0, "renhou": "mangan", "double_yakuman": False, "multiple_yakuman": False, "kazoe": False}
    old |= {"kiriage": True}  # the preset before it was mended: nothing of winners, false wins and draws
    course = {"rounds": 2, "ties": "share", "uma": [15000, 5000, -5000, -15000], "dealer_ends": "off"}
    begin_with = partial(agree, system.id, starting_points=Decimal(30_000))
    begun = [
        str(SqlGames(store).create_game(NewGame(NAMES, begin_with(options=options, course=how))).terms.id)
        for options, how in ((old, course), (now.options, now.course))
    ]
    with writing(store) as session:  # as it was stored then
        kept = {k: v for k, v in find_game(session, begun[0]).course.items() if k in COURSE_THEN}
        find_game(session, begun[0]).course = kept
    win = {"concealed": "123m456m789p23s55p", "winning_tile": "4s", "context": {"win": "discard", "from": "W"}}
    both = {"outcome": "win", "wins": [{**win, "context": {**win["context"], "seat": seat}} for seat in "NS"]}
    SqlGames(store).do(begun[0], Command(RECORDED, hand=said(both)))
    with pytest.raises(InvalidRequest, match="wins alone"):
        SqlGames(store).do(begun[1], Command(RECORDED, hand=said(both)))
    one = {"outcome": "win", "wins": both["wins"][:1]}
    SqlGames(store).do(begun[1], Command(RECORDED, hand=said(one)))
    paid = []
    for game in begun:
        SqlGames(store).do(game, Command(RECORDED, hand=said({"outcome": "false_win", "offender": "N"})))
        paid.append([totals(see_game(store, game)), settled(store, game)])
    # The dealer's seat has passed: player 0 sits north. A mangan the other way round, or 20,000 after the placing.
    assert paid[0] == [[22_000, 35_000, 30_000, 33_000], [-23_000, 20_000, -5_000, 8_000]]
    assert paid[1] == [[30_000, 30_000, 29_000, 31_000], [-20_000, 0, -16_000, 16_000]]
    before = [h["scores"] for h in export_game(SqlGames(store).read(begun[0]))[1]]
    corrected = {"outcome": "draw", "ready": ["E"]}
    SqlGames(store).do(begun[0], Command(CORRECTED, BO, number=1, hand=said(corrected)))
    SqlGames(store).do(begun[0], Command(CORRECTED, BO, number=1, hand=said(both)))
    assert [h["scores"] for h in export_game(SqlGames(store).read(begun[0]))[1]] == before
    assert [totals(see_game(store, begun[0])), settled(store, begun[0])] == paid[0]


COURSE_THEN = (
    *("rounds", "hands", "minutes", "out_of_points", "dealer_ends", "extension", "return_points", "uma", "ties"),
    *("sticks_left", "rate"),
)


def settled(store: Engine, game: str) -> list[int]:
    return [share["score"] for share in see_game(store, game)["settlement"]]
