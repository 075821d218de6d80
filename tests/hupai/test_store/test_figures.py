"""Figures about people, recounted from what the players of simulated games did."""

from __future__ import annotations

import csv
import io
import random
from collections import defaultdict
from collections.abc import Callable
from decimal import Decimal
from statistics import mean
from typing import Any

import pytest
from sqlalchemy import Engine

from hupai.basics.names import fold_name
from hupai.games.commands import Command, NewHand
from hupai.games.figures import PlayerFigures
from hupai.games.game_json import whole_hand_json
from hupai.games.history import RECORDED, UNDONE, WITHDRAWN, Amendment
from hupai.games.terms.confirmed import confirmed_body
from hupai.games.terms.state import TableState
from hupai.store.play.games import SqlGames
from tests.hupai.serving import OPEN, Server
from tests.hupai.store_builders import NAMES, begin_game, pay, see_game
from tests.hupai.test_ledger.game_maker import HANDS, act_by_chance
from tests.hupai.test_ledger.test_simulated_games import as_confirmed, begun, full

PEOPLE = ("Ann", "Bo", "陳大文", "Dee", "Eve", "Finn")
MOST_ACTS = 25


def record(engine: Engine, game: str, act: dict[str, Any]) -> dict[str, Any]:
    """Record what players did; returns the hand."""
    state = TableState.from_json({**see_game(engine, game)["state"]})
    confirmed = as_confirmed(act, state)
    hand = NewHand(confirmed, confirmed_body(confirmed))
    return whole_hand_json(SqlGames(engine).do(game, Command(RECORDED, hand=hand))[1].hands[-1])


class Recount:
    """The figures of the people by system and number of players, one list of facts for each figure."""

    def __init__(self) -> None:
        self.facts: dict[tuple[str, str, int], dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))

    def play(self, engine: Engine, rules: str, seed: int) -> None:
        """A game by chance, of people by chance; an act in between is recorded and taken back."""
        by = random.Random(f"figures {rules} {seed}")
        house, plain = begun(rules, by)
        names = by.sample(PEOPLE, plain.players)
        game = begin_game(
            engine,
            house.system.id,
            house.options,
            players=tuple(name.upper() if seed == 0 else name for name in names),
            course=house.course.to_json(),
            starting_points=house.starting_points,
            start={"dealer": house.first_dealer, "players": plain.players},
        )
        mine = [self.facts[name, house.system.id, plain.players] for name in names]
        acts = 0
        while plain.over is None and acts < MOST_ACTS:
            act = {**full(house.system.id, act_by_chance(by, plain)), "seconds": 0}
            if acts % 5 == 4:
                SqlGames(engine).do(game, Command(UNDONE, number=record(engine, game, act)["number"]))
            hand, before = record(engine, game, act), list(plain.points)
            plain.play(act)
            acts += 1
            for facts in mine if act["kind"] in ("win", "draw") else ():
                facts["hands"].append(hand)
            for win in hand["wins"]:
                kind = "self_draws" if act["from"] is None else "discards"
                gained, value = plain.points[win["player"]] - before[win["player"]], Decimal(win["total"]["value"])
                mine[win["player"]][kind].append(gained)
                mine[win["player"]]["values"].append((value, gained))
            if act["kind"] == "win" and act["from"] is not None:
                mine[act["from"]]["dealt_in"].append(hand)
        settled = plain.settled()
        taken = sorted(place for place, _ in settled)
        for facts, points, (place, score) in zip(mine, plain.points, settled, strict=True):
            facts["results"].append(points - plain.start if plain.over is None else score)
            if plain.over is not None:
                facts["places"].append(mean(at for at, one in enumerate(taken, 1) if one == place))

    def expected(self, name: str, rules: str, players: int) -> dict[str, Any]:
        facts = self.facts[name, rules, players]
        gained = [*facts["self_draws"], *facts["discards"]]
        counts = {what: len(facts[what]) for what in ("hands", "self_draws", "discards", "dealt_in")}
        average = round(sum(gained) / len(gained), 1) if gained else None
        best = max(facts["values"], default=None)
        return {
            **counts,
            "games": len(facts["results"]),
            "average": average,
            "place": round(Decimal(mean(facts["places"])), 2) if facts["places"] else None,
            "best": best,
            "result": sum(facts["results"]),
        }


def shown(one: PlayerFigures) -> dict[str, Any]:
    best = one.best and (Decimal(one.best.total["value"]), Decimal(one.best.amount))
    average = None if one.average_win is None else Decimal(one.average_win)
    counts = {what: getattr(one, what) for what in ("hands", "self_draws", "discards", "dealt_in", "games")}
    place = None if one.average_place is None else Decimal(one.average_place)
    return {**counts, "average": average, "place": place, "best": best, "result": Decimal(one.result)}


def test_who_still_plays_has_what_was_won_so_far(store: Engine) -> None:
    pay(store, begin_game(store, starting_points=Decimal(500)), 8)
    assert {one.name: Decimal(one.result) for one in SqlGames(store).list_figures()} == dict(
        zip(NAMES, (-8, 8, 0, 0), strict=True)
    )


@pytest.mark.slow
def test_figures_are_those_of_a_plain_recount(store: Engine) -> None:
    recount = Recount()
    for rules in ("riichi", "riichi for three", "hongkong", "mcr"):
        for seed in range(4):
            recount.play(store, rules, seed)
    found = SqlGames(store).list_figures()
    assert {(one.name, one.rules, one.players): shown(one) for one in found} == {
        key: recount.expected(*key) for key in recount.facts
    }
    assert {one.name for one in found} == set(PEOPLE), "as they were last written"
    assert [one.hands for one in found] == sorted((one.hands for one in found), reverse=True)
    for one in found:
        if not one.self_draws + one.discards:
            continue
        assert one.best is not None
        hand = whole_hand_json(SqlGames(store).read(one.best.game_id).hand(one.best.number))
        names = [player["name"] for player in see_game(store, one.best.game_id)["players"]]
        (won,) = [win for win in hand["wins"] if fold_name(names[win["player"]]) == fold_name(one.name)]
        assert (one.best.at, one.best.elements, one.best.total) == (
            hand["confirmed_at"],
            won["elements"],
            won["total"],
        )


def test_what_is_withdrawn_does_not_count(store: Engine) -> None:
    game = begin_game(store)
    for _ in range(2):
        record(store, game, {"kind": "win", "winners": [1], "from": 2, "hand": HANDS[0], "riichi": ()})
    SqlGames(store).do(game, Command(WITHDRAWN, Amendment("Bo", "twice"), number=1))
    found = {one.name: one for one in SqlGames(store).list_figures()}
    assert [(found[name].hands, found[name].discards, found[name].dealt_in) for name in NAMES] == [
        (1, 0, 0),
        (1, 1, 0),
        (1, 0, 1),
        (1, 0, 0),
    ]
    SqlGames(store).do(game, Command(UNDONE))
    assert SqlGames(store).list_figures() == [], "nobody has played"


@pytest.mark.slow
def test_figures_are_sent_and_exported(start: Callable[..., Server]) -> None:
    """Points paid outside the hands are part of the result; nobody's name is run as a formula."""
    server = start(**OPEN)
    with server.client() as client:
        players = ["=Ann", "Bo", "Chi", "Dee"]
        game = client.post("/games", json={"players": players, "rules": "hongkong"}).json()["id"]
        transfer = {"from": "E", "to": "S", "amount": "2.5", "why": "kong"}
        for outcome in ({"outcome": "draw"}, {"outcome": "payment", "transfers": [transfer]}):
            seen = {"revision": client.get(f"/games/{game}").json()["revision"]}
            client.post(f"/games/{game}/hands", json={**outcome, "seen": seen}).raise_for_status()
        sent = {one["name"]: one for one in client.get("/figures").json()["figures"]}
        rows = list(csv.DictReader(io.StringIO(client.get("/figures/export.csv").content.decode("utf-8-sig"))))
    assert sent["=Ann"] == {
        **{"name": "=Ann", "rules": "hongkong", "games": 1, "hands": 1, "self_draws": 0, "discards": 0, "dealt_in": 0},
        **{"players": 4, "average_place": None, "average_win": None, "best": None, "result": "-2.5"},
    }
    assert [(row["name"], row["hands"], row["result"]) for row in rows] == [
        ("'=Ann", "1", "-2.5"),
        ("Bo", "1", "2.5"),
        ("Chi", "1", "0"),
        ("Dee", "1", "0"),
    ]
