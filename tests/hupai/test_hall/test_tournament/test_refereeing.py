"""A director's day in the store: plan, penalties, substitutes, timers, sign-off, who did what."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine

from hupai.basics.errors import Conflict, NotFound
from hupai.games.apply import apply
from hupai.games.commands import Command, ExpectedRevision, MovedOn, NewHand
from hupai.games.exchange import export_game, import_game
from hupai.games.game_json import changes_after, history_json
from hupai.games.history import CORRECTED, ENDED, RECORDED, REOPENED, UNDONE, WITHDRAWN, Amendment
from hupai.games.terms.confirmed import Confirmed
from hupai.hall.events import feed
from hupai.hall.seating.importing import NewEntrant
from hupai.hall.seating.standings import Scoring
from hupai.hall.store import refereeing, tournaments, undoing
from hupai.hall.store.players import player_changes
from hupai.hall.store.rounds import rounds
from hupai.hall.store.rounds.next_round import SeatingOptions
from hupai.hall.store.state.tournament_log import list_tournament_changes
from hupai.store.play.games import SqlGames
from scoring.errors import InvalidRequest
from scoring.seats import SEATS, Seat
from tests.hupai.store_builders import pay, payment, see_game
from tests.hupai.test_hall.test_tournament.cup_builders import begin_tournament, put_clock_back

WHO = Amendment("Judge Oak", "As seen at the table")


@pytest.fixture(autouse=True)
def hasty_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    """How good plans are is asked elsewhere."""
    monkeypatch.setattr("hupai.hall.seating.planning._ANNEALING_MOVES", 100)


def seated_cup(store: Engine, **more: Any) -> tuple[str, str]:
    """A tournament of four, and the game they play in its first round."""
    cup = begin_tournament(store, 4, **more)
    return cup, rounds.seat_round(store, cup)["rounds"][0]["tables"][0]["game_id"]


def tables_of(cup: dict[str, Any], number: int) -> list[list[int]]:
    return [[p["number"] for p in t["players"]] for t in cup["rounds"][number - 1]["tables"]]


def test_five_rounds_of_sixteen_are_planned_and_seated_without_a_repeat(store: Engine) -> None:
    cup = begin_tournament(store)
    planned = rounds.plan_rounds(store, cup, 5, seed=1, who=WHO)
    assert [p["repeats"] for p in planned["plan"]] == [0] * 5
    for number in range(1, 6):
        made = rounds.seat_round(store, cup)
        assert made["repeats"] == 0 and made["rounds"][number - 1]["method"] == "plan"
        assert len(made["plan"]) == 5 - number
        want = {frozenset(t["players"]) for t in planned["plan"][number - 1]["tables"]}
        assert {frozenset(t) for t in tables_of(made, number)} == want
    with pytest.raises(NotFound):
        rounds.seat_round(store, cup, SeatingOptions(method="plan"))


def test_an_imported_schedule_is_followed_table_by_table(store: Engine) -> None:
    cup = begin_tournament(store, 8)
    with pytest.raises(InvalidRequest, match="no seat for P5, P6, P7, P8 in any round"):
        rounds.import_plan(store, cup, "round,table,east,south,west,north\n1,Door,1,2,3,4\n2,Door,4,3,2,1\n")
    text = "round,table,east,south,west,north\n1,Window,1,2,3,4\n1,Door,5,6,7,8\n2,Window,P1,P5,P2,P6\n2,Door,3,7,4,8\n"
    planned = rounds.import_plan(store, cup, text)
    assert [p["repeats"] for p in planned["plan"]] == [0, 4]
    made = rounds.seat_round(store, cup)
    assert {t["table"] for t in made["rounds"][0]["tables"]} == {"Window", "Door"}
    assert tables_of(rounds.seat_round(store, cup), 2) == [[3, 7, 4, 8], [1, 5, 2, 6]]


@pytest.mark.parametrize("planned", [False, True])
def test_the_substitute_who_has_played_least_comes_first(store: Engine, planned: bool) -> None:
    cup = begin_tournament(store, 8)
    player_changes.add_players(
        store, cup, [NewEntrant("Often", substitute=True), NewEntrant("Seldom", substitute=True)]
    )
    if planned:
        rounds.plan_rounds(store, cup, 2, seed=1)
    player_changes.let_player_leave(store, cup, 3)
    rounds.seat_round(store, cup)
    both = rounds.seat_round(store, cup)
    spare = [{n for t in tables_of(both, number) for n in t if n > 8} for number in (1, 2)]
    assert spare == [{9}, {10}]


def test_a_round_gets_the_tables_with_a_camera_first_but_none_of_another_tournaments_games(store: Engine) -> None:
    for name in ("Cam 10", "Cam 2"):
        feed.claim(store, feed.Claim(name, "0", f"w{name}", None))
    main, side = begin_tournament(store, 12), begin_tournament(store, 8, name="Side")
    made = rounds.seat_round(store, main)["rounds"][0]["tables"]
    assert [t["table"] for t in made] == ["1", "Cam 2", "Cam 10"]
    begun = rounds.try_round(store, side, SeatingOptions())
    assert [t["table"] for t in begun["tables"]] == ["1", "2"]
    refereeing.enter_result(store, main, 1, "Cam 2", [Decimal(0)] * 4, WHO)
    after = rounds.seat_round(store, side)["rounds"][0]["tables"]
    assert [t["table"] for t in after] == ["1", "Cam 2"]


def test_swiss_and_final_follow_the_standings(store: Engine) -> None:
    cup = begin_tournament(store, 16)
    first = rounds.seat_round(store, cup, SeatingOptions(seed=1))
    for i, table in enumerate(first["rounds"][0]["tables"], 1):
        pay(store, table["game_id"], i * 10)
    ranks = [s["player"] for s in tournaments.get_tournament(store, cup)["standings"]]
    tried = rounds.try_round(store, cup, SeatingOptions(method="swiss"))
    swiss = rounds.seat_round(store, cup, SeatingOptions(method="swiss", seed=tried["seed"]))
    assert tables_of(swiss, 2) == [t["players"] for t in tried["tables"]]
    assert (swiss["repeats"], tried["repeats"]) == (0, 0) and 3 < tried["rank_spread"] < 8
    leaders = tables_of(swiss, 2)[0]
    assert ranks[0] in leaders and max(ranks.index(n) for n in leaders) < 8
    last = rounds.seat_round(store, cup, SeatingOptions(method="final", size=4))
    assert [set(t) for t in tables_of(last, 3)] == [set(ranks[:4])]


def test_the_director_decides_between_equals_at_the_cut_of_a_final(store: Engine) -> None:
    cup = begin_tournament(store, 9, scoring=Scoring(tie_breaks=()))
    player_changes.let_player_leave(store, cup, 9)
    (table, _) = rounds.seat_round(store, cup, SeatingOptions(seed=1))["rounds"][0]["tables"]
    pay(store, table["game_id"])
    standing = tournaments.get_tournament(store, cup)["standings"]
    winner, loser = standing[0]["player"], standing[-1]["player"]
    equal = [s["player"] for s in standing[1:-1]]
    with pytest.raises(Conflict, match=r"for 3 places: P\d, P\d, P\d, P\d, P\d, P\d\.") as refused:
        rounds.seat_round(store, cup, SeatingOptions(method="final"))
    assert refused.value.code == "final_tied"
    first = [equal[5], equal[0], equal[3]]
    tried = rounds.try_round(store, cup, SeatingOptions(method="final", first=first[:1]))
    assert tried["ties"] == [{"players": equal[:5], "places": 2}]
    assert rounds.try_round(store, cup, SeatingOptions(method="final", size=8))["ties"] == [
        {"players": equal, "places": 3}
    ]
    for wrong in ([9], [99], [winner, winner]):
        with pytest.raises(InvalidRequest, match="Those who go first"):
            rounds.seat_round(store, cup, SeatingOptions(method="final", first=wrong))
    shown = rounds.seat_round(store, cup, SeatingOptions(method="final", first=[*first, loser]))
    assert [set(t) for t in tables_of(shown, 2)] == [{winner, *first}]
    assert shown["last_step"]["detail"]["first"] == [*first, loser]


def test_a_table_is_entered_by_its_four_totals(store: Engine) -> None:
    cup = begin_tournament(store, 4, rules="riichi", scoring=Scoring(Decimal(25000), Decimal(1000)))

    def seat() -> dict[str, Any]:
        return rounds.seat_round(store, cup, SeatingOptions(seed=1))["rounds"][-1]

    def enter(number: int, *totals: int) -> dict[str, Any]:
        made = refereeing.enter_result(store, cup, number, "1", [Decimal(t) for t in totals], WHO)
        found: dict[str, Any] = made["rounds"][number - 1]["tables"][0]
        return found

    players = [p["number"] for p in seat()["tables"][0]["players"]]
    for wrong in ((31000, 25000, 24000, 21000), (31000, 25000, 24000, 19500), (31000, 25000, 24000, 2000)):
        with pytest.raises(InvalidRequest, match="add up to 100000"):
            enter(1, *wrong)
    played = enter(1, 31000, 25000, 24000, 19000)
    assert [p["total"] for p in played["players"]] == [31000, 25000, 24000, 19000]
    assert (played["hands"], played["ended"]) == (1, True)
    assert see_game(store, played["game_id"])["state"]["riichi_sticks"] == 1
    with pytest.raises(InvalidRequest, match="add up to 100000"):
        enter(1, 25000, 25000, 25000, 26000)
    cup_now = tournaments.get_tournament(store, cup)
    assert [s["score"] for s in cup_now["standings"]] == [7, 0, -1, -6], "the stick left over is the first's"
    assert cup_now["standings"][0]["player"] == players[0]
    with pytest.raises(Conflict):
        refereeing.sign_game(store, cup, 1 + len([seat()]), "1", [Seat.E], WHO)
    assert enter(2, 25000, 25000, 25000, 25000)["hands"] == 1
    assert {s["tables"] for s in tournaments.get_tournament(store, cup)["standings"]} == {2}


def test_a_result_is_corrected_after_the_next_round_was_seated(store: Engine) -> None:
    cup, game = seated_cup(store)

    def enter(*totals: int, who: Amendment) -> dict[str, Any]:
        return refereeing.enter_result(store, cup, 1, "1", [Decimal(n) for n in totals], who)

    def shown(made: dict[str, Any]) -> tuple[list[int], int, list[str], list[str]]:
        table = made["rounds"][0]["tables"][0]
        assert table["ended"] and table["by_totals"]
        return [p["total"] for p in table["players"]], table["hands"], table["signed"], table["signed_before"]

    enter(-30, 10, 10, 10, who=WHO)
    refereeing.sign_game(store, cup, 1, "1", [Seat.E], WHO)
    rounds.seat_round(store, cup)
    with pytest.raises(Conflict, match="signed"):
        enter(10, 10, 10, -30, who=Amendment("Oak", ""))
    made = enter(10, 10, 10, -30, who=Amendment("Oak", "the wrong way round"))
    assert shown(made) == ([10, 10, 10, -30], 1, [], ["E"])
    again = import_game({"history": export_game(SqlGames(store).read(game))[0]["history"]}).last
    assert again is not None and again.totals["0"] == "10"
    undone = undoing.undo_step(store, cup, made["last_step"]["revision"], Amendment("Oak", ""))
    assert shown(undone) == ([-30, 10, 10, 10], 1, [], ["E"])


def test_a_game_played_to_its_end_has_no_other_result(store: Engine) -> None:
    cup, game = seated_cup(store)
    pay(store, game, 8)
    SqlGames(store).do(game, Command(ENDED, WHO))
    with pytest.raises(Conflict, match="is over"):
        refereeing.enter_result(store, cup, 1, "1", [Decimal(0)] * 4, WHO)
    table = tournaments.get_tournament(store, cup)["rounds"][0]["tables"][0]
    assert (table["ended"], table["by_totals"]) == (True, False)


def test_totals_that_were_counted_stay_when_an_earlier_hand_is_corrected(store: Engine) -> None:
    cup, game = seated_cup(store)
    pay(store, game, 8)
    refereeing.enter_result(store, cup, 1, "1", [Decimal(n) for n in (-30, 10, 10, 10)], WHO)
    SqlGames(store).do(game, Command(CORRECTED, WHO, number=1, hand=payment(80)))
    assert [p["total"] for p in see_game(store, game)["players"]] == [-30, 10, 10, 10]


def test_who_objects_has_not_signed_until_he_does(store: Engine) -> None:
    cup = begin_tournament(store, 4)
    table = rounds.seat_round(store, cup)["rounds"][0]["tables"][0]
    refereeing.enter_result(store, cup, 1, "1", [Decimal(0)] * 4, WHO)

    def shown(made: dict[str, Any]) -> tuple[list[str], dict[str, str]]:
        (now,) = made["rounds"][0]["tables"]
        return now["signed"], now["objected"]

    assert table["objected"] == {}
    refereeing.sign_game(store, cup, 1, "1", [Seat.S], WHO)
    assert shown(refereeing.object_to_result(store, cup, 1, "1", Seat.S, WHO)) == ([], {"S": WHO.reason})
    assert shown(refereeing.sign_game(store, cup, 1, "1", [Seat.S], WHO)) == (["S"], {})
    kinds = [c["kind"] for c in list_tournament_changes(store, cup)["changes"]]
    assert kinds == ["seated", "result", "signed", "objected", "signed"]


def test_a_penalty_counts_until_it_is_withdrawn_and_says_who_and_why(store: Engine) -> None:
    cup = begin_tournament(store, 4)
    rounds.seat_round(store, cup)
    made = refereeing.penalise(store, cup, 2, Decimal("-20.5"), WHO, kind="chombo")
    assert made["standings"][-1]["player"] == 2 and made["standings"][-1]["score"] == "-20.5"
    (given,) = made["penalties"]
    assert (given["by"], given["reason"], given["kind"], given["round"]) == (WHO.by, WHO.reason, "chombo", 1)
    after = refereeing.withdraw_penalty(store, cup, given["number"], Amendment("Chief", "It was P3"))
    assert all(s["score"] == 0 for s in after["standings"])
    assert after["penalties"][0]["withdrawn"]["by"] == "Chief"
    with pytest.raises(Conflict):
        refereeing.withdraw_penalty(store, cup, given["number"], WHO)
    for missing in (
        lambda: refereeing.withdraw_penalty(store, cup, 99, WHO),
        lambda: refereeing.penalise(store, cup, 99, Decimal(-1), WHO),
        lambda: refereeing.penalise(store, cup, 1, Decimal(-1), WHO, number=2),
    ):
        with pytest.raises(NotFound):
            missing()


def test_standings_by_round_leave_out_what_came_later(store: Engine) -> None:
    cup = begin_tournament(store, 4)
    for amount in (8, 16):
        made = rounds.seat_round(store, cup, SeatingOptions(seed=amount))
        pay(store, made["rounds"][-1]["tables"][0]["game_id"], amount)
    refereeing.penalise(store, cup, 1, Decimal(-100), WHO)
    first = tournaments.standings_after(store, cup, 1)["standings"]
    assert sorted(s["score"] for s in first) == [-8, 0, 0, 8]
    assert tournaments.standings_after(store, cup, 2)["standings"][-1]["player"] == 1


def test_a_substitute_takes_a_seat_and_two_may_swap_before_they_play(store: Engine) -> None:
    cup = begin_tournament(store, 8)
    player_changes.add_players(store, cup, [NewEntrant("Sub", substitute=True)])
    made = rounds.seat_round(store, cup, SeatingOptions(seed=1))
    one, other = tables_of(made, 1)
    swapped = player_changes.replace_player(store, cup, 1, one[0], other[2], WHO)
    assert tables_of(swapped, 1) == [[other[2], *one[1:]], [*other[:2], one[0], other[3]]]
    game = swapped["rounds"][0]["tables"][0]["game_id"]
    pay(store, game, 5)
    after = player_changes.replace_player(store, cup, 1, other[2], 9, WHO)
    assert tables_of(after, 1)[0][0] == 9
    assert see_game(store, game)["players"][0]["name"] == "Sub"
    assert {s["player"]: s["score"] for s in after["standings"]}[other[2]] == 0
    with pytest.raises(Conflict):
        player_changes.replace_player(store, cup, 1, one[1], other[0], WHO)
    with pytest.raises(NotFound):
        player_changes.replace_player(store, cup, 1, other[2], one[0], WHO)


def test_who_saw_the_former_players_enters_nothing_for_those_who_sit_there_now(store: Engine) -> None:
    cup = begin_tournament(store, 4)
    (seated,) = tables_of(made := rounds.seat_round(store, cup), 1)
    game = made["rounds"][0]["tables"][0]["game_id"]
    seen = ExpectedRevision(see_game(store, game)["revision"])
    player_changes.replace_player(store, cup, 1, seated[0], seated[1], WHO)
    with pytest.raises(MovedOn) as refused:
        SqlGames(store).do(game, Command(RECORDED, seen=seen, hand=payment(8, Seat.S, Seat.E)))
    (change,) = changes_after(refused.value.history, refused.value.since)
    assert (change["kind"], change["by"], change["reason"], change["hand"]) == ("seated", WHO.by, WHO.reason, None)
    assert refused.value.history.sitting["E"] == f"P{seated[1]}"


def test_a_player_gets_another_name_in_his_games_too(store: Engine) -> None:
    cup, game = seated_cup(store)
    made = player_changes.edit_player(store, cup, 2, {"name": "Li  Na", "country": "CHN", "ema": "01"}, WHO)
    assert made["players"][1] | {"name": "Li Na", "country": "CHN", "ema": "01", "club": ""} == made["players"][1]
    assert "Li Na" in [p["name"] for p in see_game(store, game)["players"]]
    with pytest.raises(Conflict):
        player_changes.edit_player(store, cup, 2, {"name": "p3"}, WHO)
    with pytest.raises(InvalidRequest):
        player_changes.edit_player(store, cup, 2, {"ema": "?"}, WHO)


def test_no_file_changes_a_game_of_a_round(store: Engine) -> None:
    _, game = seated_cup(store)
    history = SqlGames(store).read(game)
    newer = apply(history, Command(RECORDED, hand=payment(8)), history.terms.created)
    for file in (newer, history):
        with pytest.raises(Conflict, match="no file changes it"):
            SqlGames(store).import_game(file)
    assert see_game(store, game)["revision"] == 0


def test_a_timer_runs_pauses_and_goes_on(store: Engine) -> None:
    cup = begin_tournament(store, 4)
    with pytest.raises(NotFound):
        refereeing.set_timer(store, cup, 1, "start", 60)
    rounds.seat_round(store, cup)
    for act in ("pause", "stop", "start"):
        with pytest.raises(Conflict):
            refereeing.set_timer(store, cup, 1, act)
    running = refereeing.set_timer(store, cup, 1, "start", 60)["rounds"][0]["timer"]
    assert running["state"] == "running" and 3590 <= running["left"] <= 3600 and running["ends_at"]
    paused = refereeing.set_timer(store, cup, 1, "pause")["rounds"][0]["timer"]
    assert paused["state"] == "paused" and paused["ends_at"] is None
    again = refereeing.set_timer(store, cup, 1, "start")["rounds"][0]["timer"]
    assert again["state"] == "running" and abs(again["left"] - paused["left"]) <= 1
    assert refereeing.set_timer(store, cup, 1, "stop")["rounds"][0]["timer"] is None


def test_four_sign_an_ended_game_and_a_change_asks_for_their_names_again(store: Engine) -> None:
    cup, game = seated_cup(store)
    pay(store, game, 8)
    with pytest.raises(Conflict):
        refereeing.sign_game(store, cup, 1, "1", [Seat.E])
    SqlGames(store).do(game, Command(ENDED, WHO))
    for seat in SEATS:
        made = refereeing.sign_game(store, cup, 1, "1", [seat])
    told = made["rounds"][0]["tables"][0]
    assert told["ended"] and told["signed"] == ["E", "S", "W", "N"]
    with pytest.raises(Conflict):
        pay(store, game, 1)
    SqlGames(store).do(game, Command(WITHDRAWN, WHO, number=1))
    told = tournaments.get_tournament(store, cup)["rounds"][0]["tables"][0]
    assert told["ended"] and told["signed"] == []
    with pytest.raises(NotFound):
        refereeing.sign_game(store, cup, 1, "7", [Seat.E])


def test_a_game_that_ended_as_agreed_is_signed_too(store: Engine) -> None:
    """Its players agreed on so many hands: nobody has to end it, and nobody could."""
    cup, game = seated_cup(store)
    SqlGames(store).do(game, Command(REOPENED, WHO, course={"hands": 1}))
    SqlGames(store).do(game, Command(RECORDED, hand=NewHand(Confirmed("draw"), {"outcome": "draw"})))
    told = refereeing.sign_game(store, cup, 1, "1", [Seat.E])["rounds"][0]["tables"][0]
    assert told["ended"] and told["signed"] == ["E"]
    player_changes.add_players(store, cup, [NewEntrant("Sub", substitute=True)])
    with pytest.raises(Conflict, match="has ended"):
        player_changes.replace_player(store, cup, 1, 1, 5, WHO)


@pytest.mark.parametrize(
    ("ready", "scores"), [("E", ["3", "-1", "-1", "-1"]), ("ES", ["2.5", "0.5", "-1.5", "-1.5"]), ("", None)]
)
def test_sticks_that_lie_there_go_to_the_first_as_the_signed_result_says(
    store: Engine, ready: str, scores: list[str] | None
) -> None:
    scoring = Scoring(start=Decimal(25000), divide=Decimal(1000))
    cup, game = seated_cup(store, rules="riichi", scoring=scoring)
    waiting = tuple(Seat(s) for s in ready)
    told = Confirmed("draw", ready=waiting, riichi=waiting[-1:] if scores else SEATS, abortive=not scores)
    SqlGames(store).do(game, Command(RECORDED, hand=NewHand(told, {"outcome": "draw"})))
    found = [str(s["score"]) for s in tournaments.get_tournament(store, cup)["standings"]]
    assert found == (scores or ["0"] * 4)
    SqlGames(store).do(game, Command(ENDED, WHO, course={"sticks_left": "nobody"}))
    left = tournaments.get_tournament(store, cup)["standings"]
    assert sum(Decimal(str(s["score"])) for s in left) == (-1 if scores else -4)


def test_how_tables_count_can_be_changed_for_all_rounds(store: Engine) -> None:
    cup, game = seated_cup(store, scoring=Scoring(start=Decimal(25000)))
    pay(store, game, 8000)
    places = tuple(Decimal(p) for p in (15, 5, -5, -15))
    said = {"divide": Decimal(1000), "places": places, "returned": Decimal(30000), "tie_breaks": ("last",)}
    made = tournaments.change_settings(store, cup, "Autumn Cup", said, WHO)
    assert made["name"] == "Autumn Cup" and made["return_points"] == 30000
    assert [s["score"] for s in made["standings"]] == [38, -5, -5, -28]
    with pytest.raises(Conflict):
        tournaments.change_settings(store, cup, None, {"start": Decimal(30000)}, WHO)
    with pytest.raises(InvalidRequest):
        tournaments.change_settings(store, cup, None, {"divide": Decimal(-1)}, WHO)
    assert tournaments.get_tournament(store, cup)["divide"] == 1000


@pytest.mark.both_databases
def test_a_signed_result_is_not_undone_without_a_reason(store: Engine) -> None:
    cup, game = seated_cup(store)
    pay(store, game)
    SqlGames(store).do(game, Command(ENDED, WHO))
    refereeing.sign_game(store, cup, 1, "1", [Seat.E])
    with pytest.raises(Conflict) as refused:
        SqlGames(store).do(game, Command(UNDONE, number=1))
    assert refused.value.code == "result_signed"
    SqlGames(store).do(game, Command(REOPENED, WHO))
    assert history_json(SqlGames(store).do(game, Command(UNDONE, number=1))[1])["hands"][0]["undone_at"], (
        "it is played on"
    )


@pytest.mark.both_databases
def test_what_was_done_to_results_is_told_too(store: Engine) -> None:
    cup, game = seated_cup(store)
    pay(store, game)
    SqlGames(store).do(game, Command(CORRECTED, WHO, number=1, hand=payment(4)))
    SqlGames(store).do(game, Command(ENDED, WHO))
    refereeing.announce(store, cup, "Lunch at one")
    SqlGames(store).do(game, Command(WITHDRAWN, WHO, number=1))
    told = list_tournament_changes(store, cup)["game_changes"]
    assert [(c["kind"], c["hand"], c["revision"]) for c in told] == [
        ("corrected", 1, 2), ("ended", 0, 3), ("withdrawn", 1, 4),
    ]  # fmt: skip
    assert {(c["round"], c["table"], c["by"], c["reason"]) for c in told} == {(1, "1", WHO.by, WHO.reason)}
    assert [c["kind"] for c in list_tournament_changes(store, cup, 2)["game_changes"]] == ["withdrawn"]


@pytest.mark.both_databases
def test_what_was_done_since_is_told_after_the_clock_was_set_back(store: Engine) -> None:
    cup, game = seated_cup(store)
    pay(store, game)
    last = tournaments.get_tournament(store, cup)["revision"]
    put_clock_back(store)
    SqlGames(store).do(game, Command(WITHDRAWN, WHO, number=1))
    assert [c["kind"] for c in list_tournament_changes(store, cup, last)["game_changes"]] == ["withdrawn"]


def test_who_left_without_having_played_is_not_ranked(store: Engine) -> None:
    cup = begin_tournament(store, 5)
    player_changes.let_player_leave(store, cup, 5)
    refereeing.penalise(store, cup, 5, Decimal(-3), WHO)
    pay(store, rounds.seat_round(store, cup)["rounds"][0]["tables"][0]["game_id"])
    found = tournaments.get_tournament(store, cup)
    assert sorted(s["player"] for s in found["standings"]) == [1, 2, 3, 4]
    assert [s["rank"] for s in found["standings"]] == [1, 2, 2, 4]
    player_changes.edit_player(store, cup, 5, {"team": "Oak"}, WHO)
    assert tournaments.get_tournament(store, cup)["teams"][0]["score"] == -3, "the penalty is the team's"


@pytest.mark.both_databases
def test_everything_that_was_done_is_told_with_who_and_why(store: Engine) -> None:
    cup = begin_tournament(store, 8)
    rounds.plan_rounds(store, cup, 1, seed=1, who=WHO)
    rounds.seat_round(store, cup, who=WHO)
    refereeing.announce(store, cup, "Lunch at one", WHO)
    rounds.drop_round(store, cup, who=WHO)
    told = list_tournament_changes(store, cup)["changes"]
    assert [c["kind"] for c in told] == ["planned", "seated", "announced", "dropped"]
    assert [c["revision"] for c in told] == [1, 2, 3, 4] and {c["by"] for c in told} == {WHO.by}
    assert len(list_tournament_changes(store, cup, 3)["changes"]) == 1
    found = tournaments.get_tournament(store, cup)
    assert found["revision"] == 4 and found["announcements"][0]["text"] == "Lunch at one"
    # A round that was taken back is seated by the plan again.
    assert rounds.seat_round(store, cup)["rounds"][0]["method"] == "plan"


def test_a_plan_says_whether_it_can_still_be_seated(store: Engine) -> None:
    cup = begin_tournament(store, 8)
    rounds.plan_rounds(store, cup, 2, seed=1)

    def fits() -> list[bool]:
        return [planned["fits"] for planned in tournaments.get_tournament(store, cup)["plan"]]

    assert fits() == [True, True]
    player_changes.add_players(store, cup, [NewEntrant("Late")])
    assert fits() == [False, False]
    with pytest.raises(Conflict, match="no seat for Late"):
        rounds.seat_round(store, cup)
    player_changes.let_player_leave(store, cup, 9)
    assert fits() == [True, True]
    player_changes.let_player_leave(store, cup, 3)
    assert fits() == [False, False]
    with pytest.raises(Conflict, match="seats P3, with no substitute"):
        rounds.seat_round(store, cup)
    player_changes.add_players(store, cup, [NewEntrant("Spare", substitute=True)])
    assert fits() == [True, True]
    made = rounds.seat_round(store, cup)
    seated = [n for table in tables_of(made, 1) for n in table]
    assert made["rounds"][0]["method"] == "plan" and 10 in seated and 3 not in seated
    assert 10 not in [s["player"] for s in made["standings"]]
    player_changes.let_player_leave(store, cup, 9, back=True)
    rounds.plan_rounds(store, cup, 1, seed=2)
    assert 9 in [n for table in tables_of(rounds.seat_round(store, cup), 2) for n in table]


def test_a_player_added_by_mistake_goes_while_nothing_names_him(store: Engine) -> None:
    cup = begin_tournament(store, 9)
    rounds.plan_rounds(store, cup, 2, seed=1)
    left = player_changes.remove_player(store, cup, 9, WHO)
    assert [p["number"] for p in left["players"]] == list(range(1, 9))
    assert left["plan"] == [], "a plan for nine players is none for eight"
    told = list_tournament_changes(store, cup)["changes"][-1]
    assert (told["kind"], told["by"], told["reason"]) == ("removed", WHO.by, WHO.reason)
    assert (told["detail"]["was"]["number"], told["detail"]["was"]["name"]) == (9, "P9")
    with pytest.raises(NotFound):
        player_changes.remove_player(store, cup, 9, WHO)
    again = player_changes.add_players(store, cup, [NewEntrant("P9"), NewEntrant("Sub", substitute=True)])
    assert [p["number"] for p in again["players"]][-2:] == [10, 11], "nobody gets the number of another"


def test_a_plan_without_the_player_stays(store: Engine) -> None:
    cup = begin_tournament(store, 8)
    rounds.plan_rounds(store, cup, 2, seed=1)
    player_changes.add_players(store, cup, [NewEntrant("Late")])
    assert len(player_changes.remove_player(store, cup, 9)["plan"]) == 2
    assert rounds.seat_round(store, cup)["rounds"][0]["method"] == "plan"


def test_who_has_a_seat_or_a_penalty_is_not_removed(store: Engine) -> None:
    cup = begin_tournament(store, 4)
    player_changes.add_players(store, cup, [NewEntrant("Sub", substitute=True), NewEntrant("Idle", substitute=True)])
    rounds.seat_round(store, cup)
    player_changes.replace_player(store, cup, 1, 2, 5, WHO)
    refereeing.penalise(store, cup, 6, Decimal(-1), WHO)
    for number in (1, 2, 5, 6):  # sits; gave his seat away; took it; has a penalty
        with pytest.raises(Conflict, match="belongs to what was played"):
            player_changes.remove_player(store, cup, number, WHO)
    # Of a round that was taken back nothing is left.
    other = begin_tournament(store, 4)
    rounds.seat_round(store, other)
    rounds.drop_round(store, other)
    assert len(player_changes.remove_player(store, other, 4)["players"]) == 3


@pytest.mark.both_databases
def test_one_table_is_given_more_time_until_it_ends(store: Engine) -> None:
    cup = begin_tournament(store, 8)
    rounds.seat_round(store, cup, SeatingOptions(tables=("Door", "Window")))
    refereeing.extend_table(store, cup, 1, "Door", 5, 0, WHO)
    made = refereeing.extend_table(store, cup, 1, "Door", 0, 1, WHO)
    extra = {t["table"]: t["extra"] for t in made["rounds"][0]["tables"]}
    assert extra == {"Door": {"minutes": 5, "hands": 1}, "Window": None}
    undone = undoing.undo_step(store, cup, made["last_step"]["revision"], WHO)
    assert undone["rounds"][0]["tables"][0]["extra"] == {"minutes": 5, "hands": 0}
    refereeing.enter_result(store, cup, 1, "Door", [Decimal(0)] * 4, WHO)
    with pytest.raises(Conflict, match="has ended"):
        refereeing.extend_table(store, cup, 1, "Door", 5, 0, WHO)
    with pytest.raises(NotFound):
        refereeing.extend_table(store, cup, 1, "Roof", 5, 0, WHO)
