"""The report of a tournament: figures, best hands with pictures or tiles, the list of chombo."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine

from hupai.basics.errors import NotFound
from hupai.games.commands import Command, NewHand
from hupai.games.history import RECORDED, UNDONE, Amendment
from hupai.games.terms.confirmed import parse_confirmed
from hupai.hall.events import feed
from hupai.hall.store import refereeing
from hupai.hall.store.report import BEST_HANDS, tournament_report
from hupai.hall.store.rounds import rounds
from hupai.hall.store.watched import laid_hands
from hupai.hall.tables import FeedFrame
from hupai.store.database import writing
from hupai.store.play.games import SqlGames
from tests.hupai.store_builders import begin_game
from tests.hupai.test_hall.test_feed.feeding import JPEG, READ
from tests.hupai.test_hall.test_tournament.cup_builders import begin_tournament

WHO = Amendment("Judge Oak", "Nine tiles in hand")
WIN = {
    "concealed": "34m567p345s99s",
    "winning_tile": "2m",
    "melds": [{"type": "pung", "tiles": "555z", "from": "S"}],
    "context": {"seat": "E", "win": "discard", "from": "W"},
}
DEAR = {
    "concealed": "112233m445566p7s",
    "winning_tile": "7s",
    "context": {"seat": "S", "win": "self_draw", "riichi": True, "dora_indicators": ["6s"], "ura_indicators": ["9p"]},
}


def record(store: Engine, game: str, said: dict[str, Any]) -> None:
    SqlGames(store).do(game, Command(RECORDED, hand=NewHand(parse_confirmed(said), said)))


@pytest.mark.both_databases
def test_the_report_has_figures_the_best_hands_and_every_chombo(store: Engine) -> None:
    feed.claim(store, feed.Claim("Cam", "0", "w1", None))
    cup = begin_tournament(store, 8, rules="riichi")
    tables = {t["table"]: t for t in rounds.seat_round(store, cup)["rounds"][0]["tables"]}
    typed = tables["1"]
    name = {seat: typed["players"][i]["name"] for i, seat in enumerate("ESWN")}
    record(store, typed["game_id"], {"outcome": "win", "wins": [WIN]})
    record(store, typed["game_id"], {"outcome": "win", "wins": [WIN]})
    SqlGames(store).do(typed["game_id"], Command(UNDONE))
    record(store, typed["game_id"], {"outcome": "win", "wins": [DEAR]})
    record(store, typed["game_id"], {"outcome": "false_win", "offender": "W"})
    laid = feed.add_settled_hand(store, "Cam", "w1", "t1", READ, JPEG, {"wins": True})
    laid_hands.confirm(
        store, laid, 1, {"context": {"seat": "S", "win": "discard", "from": "W"}, "also": [], "riichi": []}
    )
    elsewhere = begin_game(store, "riichi", players=(name["E"], "Bo", "Cy", "Di"))
    record(store, elsewhere, {"outcome": "win", "wins": [DEAR]})
    refereeing.explain_false_win(store, cup, 1, "1", 4, WHO)
    refereeing.penalise(store, cup, 1, Decimal(-20), Amendment("Judge Oak", "Dead hand won"), kind="chombo")
    refereeing.penalise(store, cup, 2, Decimal(-5), WHO)

    told = tournament_report(store, cup)
    east = next(one for one in told["figures"] if one["name"] == name["E"])
    assert (east["games"], east["discards"], east["self_draws"], len(told["figures"])) == (1, 1, 0, 8)
    dear, *others = told["best"]
    assert (dear["round"], dear["table"], dear["number"], dear["player"]) == (1, "1", 3, name["S"])
    assert dear["total"]["value"] > 5 and dear["hand"]["concealed"] == DEAR["concealed"]
    assert dear["hand"]["dora_indicators"] == ["6s"] and dear["hand"]["ura_indicators"] == ["9p"]
    assert {(one["table"], one["frame"] is not None) for one in others} == {("1", False), ("Cam", True)}
    (picture,) = [one["frame"] for one in others if one["frame"]]
    assert feed.find_frame(store, picture).jpeg == JPEG
    assert told["chombo"] == [
        {"round": 1, "table": "1", "hand": 4, "player": told["chombo"][0]["player"], "reason": WHO.reason},
        {"round": 1, "player": "P1", "amount": -20, "reason": "Dead hand won"},
    ]
    assert told["chombo"][0]["player"] == told_offender(store, typed["game_id"])
    with writing(store) as session:  # pictures are kept for a while only
        session.delete(session.get_one(FeedFrame, picture))
    assert all(one["frame"] is None and one["hand"] for one in tournament_report(store, cup)["best"])


def told_offender(store: Engine, game: str) -> str:
    """Whose false win the last hand of a game is: west of its table."""
    history = SqlGames(store).read(game)
    assert history.last is not None
    return history.players[(history.last.before["dealer"] + 2) % 4]


def test_only_the_best_are_told_the_dearest_first(store: Engine) -> None:
    cup = begin_tournament(store, 4, rules="riichi")
    (table,) = rounds.seat_round(store, cup)["rounds"][0]["tables"]
    for seat in "EEEEEEE":
        record(
            store, table["game_id"], {"outcome": "win", "wins": [{**WIN, "context": {**WIN["context"], "seat": seat}}]}
        )
    for _ in range(5):
        record(store, table["game_id"], {"outcome": "win", "wins": [DEAR]})
    best = tournament_report(store, cup)["best"]
    assert len(best) == BEST_HANDS
    values = [(one["total"]["value"], int(one["amount"])) for one in best]
    assert values == sorted(values, reverse=True)


def test_a_tournament_without_a_hand_has_an_empty_report(store: Engine) -> None:
    cup = begin_tournament(store, 4)
    rounds.seat_round(store, cup)
    assert tournament_report(store, cup) == {"figures": [], "best": [], "chombo": []}
    with pytest.raises(NotFound):
        tournament_report(store, "0" * 12)
