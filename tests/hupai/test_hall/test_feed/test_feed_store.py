"""Events and laid hands in the store: numbered in order, kept once, whole or not at all. Both databases."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta, tzinfo

import pytest
from sqlalchemy import Engine, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from hupai.basics.errors import Conflict, NotFound
from hupai.games.commands import Command, NewHand
from hupai.games.game_json import whole_hand_json
from hupai.games.history import CORRECTED, RESTORED, UNDONE, WITHDRAWN, Amendment
from hupai.games.terms.confirmed import Confirmed
from hupai.hall.events import deliveries, feed
from hupai.hall.events.feed import Displaced
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.store import tournaments
from hupai.hall.store.rounds import next_round, rounds
from hupai.hall.store.watched import laid_hands, watched_tables
from hupai.hall.tables import FeedDelivery, FeedHand, WatchedTable
from hupai.store import clock
from hupai.store.database import open_store, reading, writing
from hupai.store.play.games import SqlGames
from hupai.wing import store_wings
from scoring.errors import InvalidRequest
from scoring.words.sentence import parts_of, say
from tests.hupai.store_builders import begin_game, see_game
from tests.hupai.test_hall.test_feed.feeding import HAND, JPEG, READ, game_at
from tests.waiting import at_once, until

BO = Amendment("Bo", "it was taken back by mistake")
ANSWERS = {"context": {"seat": "S", "win": "discard", "from": "W"}, "also": [], "riichi": []}


def claimed(engine: Engine, table: str = "A", worker: str = "w1") -> feed.Claimed:
    return feed.claim(engine, feed.Claim(table, "0", worker, None))


def settled(engine: Engine, token: str = "t1", table: str = "A", worker: str = "w1") -> int:
    return feed.add_settled_hand(engine, table, worker, token, READ, JPEG, {"wins": True})


def is_directed(engine: Engine, game: str) -> bool:
    with reading(engine) as session:
        return watched_tables.is_directed(session, game)


def kinds(engine: Engine) -> list[str]:
    return [e["event"] for e in feed.events_after(engine, 0)]


def hand_at_table(engine: Engine) -> tuple[int, str]:
    """A hand that lies on table A, and the game it is played in."""
    claimed(engine)
    return settled(engine), game_at(engine)


@pytest.mark.both_databases
def test_a_hand_written_twice_is_kept_once(store: Engine) -> None:
    claimed(store)
    one, again, other = settled(store), settled(store), settled(store, "t2")
    assert one == again != other
    events = feed.events_after(store, 0)
    assert [e["event"] for e in events] == ["table.state", "hand.settled", "hand.settled"]
    assert [e["number"] for e in events] == [1, 2, 3]
    assert events[1]["hand"] == HAND
    assert feed.find_frame(store, events[1]["frame"]).jpeg == JPEG


def test_a_restarted_worker_learns_what_lay_there(store: Engine) -> None:
    assert claimed(store).token is None
    key = settled(store)
    again = claimed(store)
    assert again.token == "t1" and len(again.tiles) == 14
    laid_hands.dismiss(store, key, 1)
    assert claimed(store).token == "t1"  # it was no hand to score, but it still lies there
    feed.mark_hand_gone(store, "A", "w1", "t1")
    feed.mark_hand_gone(store, "A", "w1", "t1")
    assert claimed(store).token is None
    assert [e for e in feed.events_after(store, 0) if e.get("gone") == key] != []
    assert len([e for e in feed.events_after(store, 0) if e.get("gone") == key]) == 1


@pytest.mark.both_databases
def test_two_workers_cannot_have_one_table(store: Engine) -> None:
    claimed(store)
    with pytest.raises(Displaced):
        claimed(store, worker="w2")
    with writing(store) as session:
        session.execute(update(WatchedTable).values(beat=datetime.now(UTC) - timedelta(seconds=60)))
    claimed(store, worker="w2")
    # The first one comes back from wherever it hung: nothing it says counts any more.
    for late in (
        lambda: settled(store),
        lambda: feed.mark_hand_gone(store, "A", "w1", "t1"),
        lambda: feed.beat(store, "A", "w1", {}),
        lambda: feed.set_state(store, "A", "w1", "dark", {}),
    ):
        with pytest.raises(Displaced):
            late()
    assert kinds(store) == ["table.state", "table.state"]
    feed.release(store, "A", "w1", "ended")
    assert watched_tables.get_table(store, "A")["watched"]


def test_hosts_whose_clocks_differ_do_not_take_each_others_tables(
    fresh_postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_store(fresh_postgresql, store_wings())
    claimed(engine)

    class Fast(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Fast:
            return cls.fromtimestamp(datetime.now(UTC).timestamp() + 3600, tz)

    monkeypatch.setattr(clock, "datetime", Fast)
    with pytest.raises(Displaced) as taken:
        claimed(engine, worker="another host")
    assert taken.value.beat is not None
    assert not watched_tables.list_tables(engine)[0]["silent"]
    engine.dispose()


def test_a_clock_that_is_set_back_keeps_nobody_from_tables_and_targets(
    store: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = datetime.now(UTC) + timedelta(hours=1)
    monkeypatch.setattr(feed, "now_in", lambda _: ahead)
    monkeypatch.setattr(deliveries, "now_in", lambda _: ahead)
    claimed(store, "A", "killed")
    claimed(store, "B", "killed")
    assert deliveries.claim_target(store, "x", "http://h", "killed") is not None
    monkeypatch.undo()
    claimed(store, "A", "w1")
    assert [t["silent"] for t in watched_tables.list_tables(store)] == [False, True]
    watched_tables.forget_table(store, "B")
    assert deliveries.claim_target(store, "x", "http://h", "w1") is not None


def test_claiming_and_writing_do_not_wait_for_each_other_for_ever(
    fresh_postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "LEASE", timedelta(hours=1))  # w1, who does not beat, keeps the table to the end
    engine = open_store(fresh_postgresql, store_wings())
    claimed(engine)
    faults: list[Exception] = []

    def claims() -> None:
        for _ in range(60):
            try:
                claimed(engine, worker="w2")
            except Displaced:
                continue
            except Exception as error:  # noqa: BLE001 - told by the test
                faults.append(error)

    thread = threading.Thread(target=claims)
    thread.start()
    while thread.is_alive():
        feed.set_state(engine, "A", "w1", "watching", {})
    thread.join()
    engine.dispose()
    assert not faults, faults[:1]


def test_a_table_claimed_while_its_round_is_seated_gets_the_game(
    fresh_postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_store(fresh_postgresql, store_wings())
    players = [NewEntrant(name) for name in ("Ann", "Bo", "Cy", "Di")]
    cup = tournaments.create_tournament(engine, tournaments.NewTournament("Cup", "riichi", {}, players))["id"]
    looked, seated, look = threading.Event(), threading.Event(), feed._seated_game

    def blocked() -> bool:
        with engine.connect() as connection:
            return bool(connection.scalar(text("select count(*) from pg_locks where not granted")))

    def look_first(session: Session, table: str) -> tuple[str | None, str | None]:
        found = look(session, table)
        looked.set()
        assert until(lambda: seated.is_set() or blocked()), "the round is seated, or waits for the claim"
        return found

    def seat() -> None:
        assert looked.wait(120)
        rounds.seat_round(engine, cup, next_round.SeatingOptions(tables=["A"]))
        seated.set()

    monkeypatch.setattr(feed, "_seated_game", look_first)
    at_once(lambda: claimed(engine), seat)
    (table,) = tournaments.get_tournament(engine, cup)["rounds"][0]["tables"]
    assert watched_tables.get_table(engine, "A")["game"]["id"] == table["game_id"]
    engine.dispose()


@pytest.mark.both_databases
def test_tables_are_listed_as_people_count(store: Engine) -> None:
    for name in ("Table 10", "table 2", "B", "3"):
        claimed(store, name)
    assert [t["name"] for t in watched_tables.list_tables(store)] == ["3", "B", "table 2", "Table 10"]


@pytest.mark.both_databases
def test_events_of_many_writers_have_no_gaps_and_appear_in_order(store: Engine) -> None:
    tables = [f"T{i}" for i in range(4)]
    for name in tables:
        claimed(store, name)
    start, faults = threading.Barrier(5), []

    def write(name: str) -> None:
        start.wait()
        for i in range(12):
            try:
                settled(store, f"{name}-{i}", name)
            except Exception as error:  # noqa: BLE001 - told by the test
                faults.append(error)

    threads = [threading.Thread(target=write, args=(name,)) for name in tables]
    for thread in threads:
        thread.start()
    seen: list[int] = []

    def read() -> None:
        for event in feed.events_after(store, seen[-1] if seen else 0):
            seen.append(event["number"])

    start.wait()
    while any(t.is_alive() for t in threads):
        read()
    read()
    assert not faults
    assert seen == list(range(1, 4 + 48 + 1))


@pytest.mark.both_databases
def test_a_fault_between_hand_and_event_leaves_nothing(store: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    claimed(store)

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("pulled plug")

    with monkeypatch.context() as patch:
        patch.setattr(feed, "emit", broken)
        with pytest.raises(RuntimeError):
            settled(store)
    assert watched_tables.get_table(store, "A")["hands"] == []
    with pytest.raises(NotFound):
        feed.find_frame(store, 1)
    key = settled(store)
    game = game_at(store)
    with monkeypatch.context() as patch:
        patch.setattr("hupai.hall.camera_hands.emit", broken)
        with pytest.raises(RuntimeError):
            laid_hands.confirm(store, key, 1, ANSWERS)
    assert see_game(store, game)["hands"] == []
    assert laid_hands.get_camera_hand(store, key)["status"] == "settled"


@pytest.mark.both_databases
def test_confirming_pays_once_and_undoing_takes_it_back(store: Engine) -> None:
    claimed(store)
    key = settled(store)
    with pytest.raises(NotFound):
        laid_hands.confirm(store, key, 1, ANSWERS)
    game = game_at(store)
    tried = laid_hands.try_confirm(store, key, ANSWERS)
    assert tried["scores"][0]["legal"] and see_game(store, game)["hands"] == []
    with pytest.raises(Conflict) as differ:
        laid_hands.confirm(store, key, 1, ANSWERS, {"S": 1, "W": -1})
    assert differ.value.code == "payments_differ"
    first = laid_hands.confirm(store, key, 1, ANSWERS, tried["payments"])
    again = laid_hands.confirm(store, key, 1, ANSWERS, tried["payments"])
    assert first["laid"]["status"] == again["laid"]["status"] == "confirmed"
    (hand,) = see_game(store, game)["hands"]
    assert hand["payments"][1] > 0 and sum(hand["payments"]) == 0
    (won,) = whole_hand_json(SqlGames(store).read(game).hand(1))["request"][
        "wins"
    ]  # as at a phone, so that a phone can correct it
    assert won["context"].items() >= ANSWERS["context"].items() and won["concealed"] == HAND["concealed"]
    other = {**ANSWERS, "context": {"seat": "N", "win": "self_draw"}}
    with pytest.raises(Conflict):
        laid_hands.confirm(store, key, 1, other)
    with pytest.raises(Conflict):
        laid_hands.correct(store, key, 2, HAND)
    undone = laid_hands.undo(store, key, 2)
    assert [p["total"] for p in undone["game"]["players"]] == [0, 0, 0, 0]
    laid_hands.confirm(store, key, 3, other)
    told = [e for e in feed.events_after(store, 0) if e["event"] != "table.state"]
    assert [e["event"] for e in told] == ["hand.settled", "hand.confirmed", "hand.corrected", "hand.confirmed"]
    assert told[2]["undone"] == 1 and told[3]["hand_number"] == 2
    assert len({e["frame"] for e in told}) == 1 and feed.find_frame(store, told[3]["frame"]).jpeg == JPEG
    assert len(see_game(store, game)["hands"]) == 2


def test_a_late_confirmation_is_paid_in_the_game_the_hand_was_laid_in(store: Engine) -> None:
    claimed(store)
    early = settled(store, "before any game")
    first = game_at(store)
    assert laid_hands.get_camera_hand(store, early)["game_id"] == first
    late, second = settled(store), begin_game(store, "riichi")
    with writing(store) as session:  # as the next round's seating does
        watched_tables.assign_game(session, session.get_one(WatchedTable, "A"), second)
    assert watched_tables.get_table(store, "A")["waiting"] == 2
    laid_hands.confirm(store, late, 1, ANSWERS)
    assert len(see_game(store, first)["hands"]) == 1 and see_game(store, second)["hands"] == []
    assert watched_tables.get_table(store, "A")["waiting"] == 1 and is_directed(store, first)
    # Said outright, it is the other game.
    watched_tables.set_game(store, "A", second)
    assert laid_hands.get_camera_hand(store, early)["game_id"] == second
    assert laid_hands.get_camera_hand(store, late)["game_id"] == first


def test_a_hand_taken_back_in_the_ledger_waits_again_and_that_is_told(store: Engine) -> None:
    key, game = hand_at_table(store)
    laid_hands.confirm(store, key, 1, ANSWERS)
    SqlGames(store).do(game, Command(UNDONE))
    laid = laid_hands.get_camera_hand(store, key)
    assert (laid["status"], laid["hand_number"], laid["version"]) == ("settled", None, 3)
    last = feed.events_after(store, 0)[-1]
    assert (last["event"], last["undone"], last["game_id"]) == ("hand.corrected", 1, game)
    laid_hands.confirm(store, key, 3, ANSWERS)
    assert [h["undone_at"] is None for h in see_game(store, game)["hands"]] == [False, True]


def test_a_hand_is_corrected_dismissed_and_taken_up_again(store: Engine) -> None:
    key, game = hand_at_table(store)
    wrong = {**HAND, "concealed": ["2m", "3m", "4m", "5m", "6m", "9m", "3p", "4p", "5p", "8s"]}
    laid_hands.correct(store, key, 1, wrong)
    with pytest.raises(InvalidRequest) as refused:
        laid_hands.confirm(store, key, 2, ANSWERS)
    assert refused.value.faults[0].code == "not_a_winning_hand"
    with pytest.raises(Conflict):
        laid_hands.correct(store, key, 1, HAND)
    laid_hands.dismiss(store, key, 2)
    with pytest.raises(Conflict):
        laid_hands.confirm(store, key, 3, ANSWERS)
    laid_hands.correct(store, key, 3, HAND)
    laid_hands.confirm(store, key, 4, ANSWERS)
    assert len(see_game(store, game)["hands"]) == 1
    assert laid_hands.get_camera_hand(store, key)["reading"]["hand"] == HAND


def test_the_camera_does_not_overrule_the_director(store: Engine) -> None:
    claimed(store)
    key = settled(store)
    more = {**READ, "hand": {**HAND, "bonus": ["f1"]}}
    feed.revise_hand(store, "A", "w1", "t1", more, JPEG)
    assert laid_hands.get_camera_hand(store, key)["hand"]["bonus"] == ["f1"]
    laid_hands.correct(store, key, 2, HAND)
    feed.revise_hand(store, "A", "w1", "t1", more, JPEG)
    assert laid_hands.get_camera_hand(store, key)["hand"]["bonus"] == []
    assert kinds(store).count("hand.corrected") == 2


@pytest.mark.both_databases
def test_pictures_are_dropped_the_oldest_first(store: Engine) -> None:
    claimed(store)
    for i in range(6):
        settled(store, f"t{i}")
    feed.prune_frames(store, "A", 2)
    kept = [e["frame"] for e in feed.events_after(store, 0) if e["event"] == "hand.settled"]
    for frame in kept[:4]:
        with pytest.raises(NotFound):
            feed.find_frame(store, frame)
    assert all(feed.find_frame(store, frame).jpeg == JPEG for frame in kept[4:])
    assert len(watched_tables.get_table(store, "A")["hands"]) == 6


def test_a_hand_restored_in_the_ledger_is_confirmed_again_and_cannot_count_twice(store: Engine) -> None:
    claimed(store)
    first, second, game = settled(store), settled(store, "t2"), game_at(store)
    also = [{"laid": second, "version": 1, "context": {"seat": "N", "win": "discard", "from": "W"}}]
    laid_hands.confirm(store, first, 1, {**ANSWERS, "also": also})
    before = see_game(store, game)["players"]
    SqlGames(store).do(game, Command(WITHDRAWN, BO, number=1))
    assert watched_tables.get_table(store, "A")["waiting"] == 2
    SqlGames(store).do(game, Command(RESTORED, BO, number=1))
    assert see_game(store, game)["players"] == before
    for laid in (laid_hands.get_camera_hand(store, first), laid_hands.get_camera_hand(store, second)):
        assert (laid["status"], laid["game_id"], laid["hand_number"], laid["version"]) == ("confirmed", game, 1, 4)
        with pytest.raises(Conflict):
            laid_hands.confirm(store, laid["id"], laid["version"], ANSWERS)
    told = [e for e in feed.events_after(store, 0) if e["event"] == "hand.confirmed"]
    assert len(told) == 2
    assert {k: v for k, v in told[0].items() if k not in ("number", "at")} == {
        k: v for k, v in told[1].items() if k not in ("number", "at")
    }


def test_what_the_ledger_pays_in_another_way_is_told(store: Engine) -> None:
    """Whoever follows the events has the payments of the ledger, whichever hand was corrected on a phone."""
    claimed(store)
    first, second, third, game = settled(store), settled(store, "t2"), settled(store, "t3"), game_at(store)
    laid_hands.confirm(store, first, 1, ANSWERS)
    also = [{"laid": third, "version": 1, "context": {"seat": "N", "win": "discard", "from": "W"}}]
    laid_hands.confirm(store, second, 1, {**ANSWERS, "also": also})
    last = feed.last_number(store)
    drawn = NewHand(Confirmed("draw"), {"outcome": "draw"})
    SqlGames(store).do(
        game, Command(CORRECTED, BO, number=1, hand=drawn)
    )  # the deal stays: the second hand was dealt by another player
    told = feed.events_after(store, last)
    assert [(e["event"], e["status"], e["hand_id"], e["hand_number"]) for e in told] == [
        ("hand.corrected", "confirmed", first, 1),
        ("hand.corrected", "confirmed", second, 2),
    ]
    assert [[o["hand_id"] for o in e["also"]] for e in told] == [[], [third]]
    standing = see_game(store, game)
    paid = {hand["number"]: hand["payments"] for hand in standing["hands"]}
    assert [e["payments"] for e in told] == [paid[1], paid[2]] and told[1]["players"] == standing["players"]
    assert [e["request"] for e in told] == [
        whole_hand_json(SqlGames(store).read(game).hand(number))["request"] for number in (1, 2)
    ]
    assert told[0]["request"]["outcome"] == "draw" and len(told[1]["request"]["scored"]) == 2


def test_a_hand_that_leaves_the_ledger_is_told_with_those_it_changed(store: Engine) -> None:
    claimed(store)
    first, second, game = settled(store), settled(store, "t2"), game_at(store)
    laid_hands.confirm(store, first, 1, ANSWERS)
    laid_hands.confirm(store, second, 1, ANSWERS)
    last = feed.last_number(store)
    SqlGames(store).do(game, Command(WITHDRAWN, BO, number=1))
    SqlGames(store).do(game, Command(RESTORED, BO, number=1))
    told = [(e["event"], e["hand_id"], e.get("hand_number"), e.get("undone")) for e in feed.events_after(store, last)]
    assert told == [
        ("hand.corrected", first, None, 1),
        ("hand.corrected", second, 2, None),
        ("hand.confirmed", first, 1, None),
        ("hand.corrected", second, 2, None),
    ]


def test_a_hand_confirmed_anew_keeps_the_one_before_from_being_restored(store: Engine) -> None:
    key, game = hand_at_table(store)
    laid_hands.confirm(store, key, 1, ANSWERS)
    SqlGames(store).do(game, Command(UNDONE, number=1))
    laid_hands.confirm(store, key, 3, ANSWERS)
    with pytest.raises(Conflict, match="counts as hand 2 now"):
        SqlGames(store).do(game, Command(RESTORED, BO, number=1))
    assert [h["undone_at"] is None for h in see_game(store, game)["hands"]] == [False, True]
    laid_hands.undo(store, key, 4)
    SqlGames(store).do(game, Command(RESTORED, BO, number=1))
    assert [h["undone_at"] is None for h in see_game(store, game)["hands"]] == [True, False]


def test_a_forgotten_table_leaves_games_and_numbers(store: Engine) -> None:
    key, game = hand_at_table(store)
    laid_hands.confirm(store, key, 1, ANSWERS)
    with pytest.raises(Conflict):
        watched_tables.forget_table(store, "A")
    with writing(store) as session:  # its watcher was killed
        session.execute(update(WatchedTable).values(beat=datetime.now(UTC) - feed.LEASE))
    watched_tables.forget_table(store, "A")
    with pytest.raises(Displaced):
        settled(store)  # should the watcher come back to life
    (left,) = feed.events_after(store, 0)
    assert (left["event"], left["state"], left["hand_id"]) == ("table.state", "forgotten", None)
    assert watched_tables.list_tables(store) == [] and see_game(store, game)["id"] == game
    claimed(store, "B")
    assert feed.last_number(store) == left["number"] + 1


def test_a_hand_laid_after_a_table_was_dropped_is_paid_though_its_number_is_given_again(store: Engine) -> None:
    claimed(store)
    game, key = game_at(store), settled(store)
    laid_hands.confirm(store, key, 1, ANSWERS)
    feed.release(store, "A", "w1", "ended")
    watched_tables.forget_table(store, "A")
    claimed(store)
    watched_tables.set_game(store, "A", game)
    told = laid_hands.confirm(store, settled(store, "t2"), 1, ANSWERS)
    assert told["laid"]["hand_number"] == 2
    assert [p["total"] for p in told["game"]["players"]] == [-12, 12, 12, -12]


def test_a_hand_whose_game_was_deleted_is_taken_up_into_the_tables_next_one(store: Engine) -> None:
    claimed(store)
    first, key = game_at(store), settled(store)
    SqlGames(store).delete_game(first)
    assert watched_tables.get_table(store, "A")["stray"] == 1
    laid_hands.dismiss(store, key, 1)
    game = game_at(store)
    assert laid_hands.correct(store, key, 2, HAND)["laid"]["game_id"] == game
    assert laid_hands.confirm(store, key, 3, ANSWERS)["laid"]["status"] == "confirmed"


@pytest.mark.both_databases
def test_who_tells_a_target_keeps_it_with_every_event_until_it_falls_silent(
    store: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty events may go out before a target is asked for again, to a receiver that takes its time."""
    start = datetime.now(UTC)

    def at(leases: float) -> None:
        monkeypatch.setattr(deliveries, "now_in", lambda _: start + leases * deliveries.LEASE)

    at(0)
    claimed(store)
    assert deliveries.claim_target(store, "x", "shown", "p1") == 1
    settled(store)
    at(0.9)
    deliveries.mark_delivered(store, "x", "p1", 2)
    deliveries.mark_delivered(store, "x", "p2", 99)  # of somebody who does not have the target
    at(1.8)
    assert deliveries.claim_target(store, "x", "shown", "p2") is None
    at(2)
    assert deliveries.claim_target(store, "x", "shown", "p2") == 2
    assert deliveries.claim_target(store, "x", "shown", "p1") is None


def test_who_takes_no_events_is_told_as_long_as_somebody_tries(store: Engine) -> None:
    claimed(store)
    deliveries.claim_target(store, "x", "http://h", "p1")
    settled(store)
    assert deliveries.list_undelivered(store) == []
    why = say("it answered {n}", n=503)
    deliveries.mark_refused(store, "x", why)
    assert deliveries.list_undelivered(store) == [
        {"target": "http://h", "trouble": "it answered 503", "trouble_parts": parts_of(why), "waiting": 1}
    ]
    with writing(store) as session:  # the target was given up: nobody tries any more
        session.execute(update(FeedDelivery).values(until=datetime.now(UTC) - timedelta(seconds=60)))
    assert deliveries.list_undelivered(store) == []
    deliveries.claim_target(store, "x", "http://h", "p1")
    deliveries.mark_delivered(store, "x", "p1", 2)
    assert deliveries.list_undelivered(store) == []


def test_events_of_a_dropped_table_wait_for_nobody(store: Engine) -> None:
    claimed(store)
    deliveries.claim_target(store, "x", "http://h", "p1")
    for token in ("t1", "t2", "t3"):
        settled(store, token)
    feed.release(store, "A", "w1", "ended")
    claimed(store, "B")
    deliveries.mark_refused(store, "x", "it answered 503")
    watched_tables.forget_table(store, "A")
    start = deliveries.claim_target(store, "x", "http://h", "p1")
    left = feed.events_after(store, start or 0)
    assert [told["waiting"] for told in deliveries.list_undelivered(store)] == [len(left)] == [1]


@pytest.mark.both_databases
def test_a_token_is_one_hand_for_the_database_too(store: Engine) -> None:
    claimed(store)
    key = settled(store)
    with pytest.raises(IntegrityError), writing(store) as session:
        row = session.get(FeedHand, key)
        assert row is not None
        twin = {c.name: getattr(row, c.name) for c in FeedHand.__table__.columns if c.name != "id"}
        session.add(FeedHand(**twin))
