"""Logs of engines: circumstances and who is liable are shown by the events alone; the payments are counted by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import pytest

from hupai.imports.read import open_log, read_log
from hupai.imports.replay import Replayed, replay
from scoring.errors import InvalidRequest

AT = datetime(2026, 11, 28, tzinfo=UTC)
Event = dict[str, Any]
JUNK = "1m 4m 7m 1p 4p 7p 1s 4s 7s E S W N"
EVEN = [25_000] * 4


def start(kyoku: int, oya: int, tehais: tuple[str, ...], *, honba: int = 0, kyotaku: int = 0, **more: Any) -> Event:
    dealt = {"tehais": [text.split() for text in tehais], "dora_marker": "N", "scores": EVEN, **more}
    return {
        "type": "start_kyoku",
        "bakaze": "E",
        "kyoku": kyoku,
        "oya": oya,
        "honba": honba,
        "kyotaku": kyotaku,
    } | dealt


def turn(actor: int, drawn: str, thrown: str | None = None) -> list[Event]:
    return [{"type": "tsumo", "actor": actor, "pai": drawn}, {"type": "dahai", "actor": actor, "pai": thrown or drawn}]


def claim(kind: str, actor: int, target: int, tile: str, *consumed: str) -> Event:
    return {"type": kind, "actor": actor, "target": target, "pai": tile, "consumed": list(consumed)}


def hora(actor: int, target: int, deltas: list[int], **more: Any) -> Event:
    return {"type": "hora", "actor": actor, "target": target, "deltas": deltas, **more}


def declare(actor: int, drawn: str) -> list[Event]:
    drawn_tile, thrown = turn(actor, drawn)
    return [drawn_tile, {"type": "reach", "actor": actor}, thrown, {"type": "reach_accepted", "actor": actor}]


def east_1() -> list[Event]:
    """Riichi, ippatsu, pinfu, tanyao, a red five: a mangan and the winner's own stick; an ura indicator shows none."""
    bo = "2m 3m 3p 4p 5pr 6s 7s 8s 4s 5s 6s 5p 5p"
    played = [*turn(0, "9p"), *turn(1, "N"), *turn(2, "9p"), *turn(3, "9p"), *turn(0, "9p"), *declare(1, "W")]
    played += [*turn(2, "P"), *turn(3, "P"), *turn(0, "4m")]
    return [start(1, 0, (JUNK, bo, JUNK, JUNK)), *played, hora(1, 0, [-8000, 9000, 0, 0], ura_markers=["S"])]


def east_2() -> list[Event]:
    """A pung raised to a kan and its replacement."""
    bo = "2m 3m 4m 5p 6p 7p 8s 8s 7s 8s P P 9m"
    di = "P 4m 7m 1p 4p 7p 1s 4s 7s E S W N"
    played = [*turn(1, "E"), *turn(2, "E"), *turn(3, "E", "P"), claim("pon", 1, 3, "P", "P", "P")]
    played += [{"type": "dahai", "actor": 1, "pai": "9m"}, *turn(2, "9m"), *turn(3, "9m"), *turn(0, "9m")]
    played += [{"type": "tsumo", "actor": 1, "pai": "P"}]
    played += [
        {"type": "kakan", "actor": 1, "pai": "P", "consumed": ["P"] * 3},
        {"type": "tsumo", "actor": 1, "pai": "9s"},
    ]
    return [start(2, 1, (JUNK, bo, JUNK, di)), *played, hora(1, 1, [-1300, 3900, -1300, -1300])]


def east_2_1() -> list[Event]:
    """Drawn at the end of the wall."""
    cy = "2m 3m 4m 5p 6p 7p 8s 8s 7s 8s 9s P P"
    played = [event for n in range(70) for event in turn((1 + n) % 4, "9p")]
    deltas = [-1000, -1000, 3000, -1000]
    return [start(2, 1, (JUNK, JUNK, cy, JUNK), honba=1), *played, {"type": "ryukyoku", "deltas": deltas}]


def east_3() -> list[Event]:
    """Big dragons, the last of which Cy gave."""
    ann = "2m 3m 4m 1p P P F F C C 9m 9p 9s"
    others = ("P 4m 7m 4p 7p 1s 4s 7s E S W N 9m", "F 4m 7m 4p 7p 1s 4s 7s E S W C 9m", JUNK)
    played = [*turn(2, "E", "F"), claim("pon", 0, 2, "F", "F", "F"), {"type": "dahai", "actor": 0, "pai": "9m"}]
    played += [*turn(1, "9s", "P"), claim("pon", 0, 1, "P", "P", "P"), {"type": "dahai", "actor": 0, "pai": "9p"}]
    played += [*turn(1, "9s"), *turn(2, "9s", "C"), claim("pon", 0, 2, "C", "C", "C")]
    played += [{"type": "dahai", "actor": 0, "pai": "9s"}, *turn(1, "E"), *turn(2, "E"), *turn(3, "E")]
    played += [{"type": "tsumo", "actor": 0, "pai": "1p"}]
    return [start(3, 2, (ann, *others), honba=2), *played, hora(0, 0, [32_600, 0, -32_600, 0])]


def game() -> Iterator[Event]:
    yield {"type": "start_game", "names": ["Ann", "Bo", "Cy", "Di"]}
    for hand in (east_1(), east_2(), east_2_1(), east_3()):
        yield from [*hand, {"type": "end_kyoku"}]
    yield {"type": "end_game"}


def played(events: list[Event]) -> Replayed:
    lines = "\n".join(json.dumps(event) for event in events)
    return replay(read_log(open_log(lines.encode(), json.loads)), "0123456789ab", AT)


def test_a_game_of_four() -> None:
    made = played([*game()])
    assert made.differences == ()
    assert made.history.players == ("Ann", "Bo", "Cy", "Di")
    elements = [{e["id"] for e in score["elements"]} for hand in made.history.hands for score in hand.scores]
    assert elements == [{"riichi", "ippatsu", "pinfu", "tanyao", "aka_dora"}, {"haku", "rinshan"}, {"daisangen"}]
    assert made.log.hands[2].ready == (2,) and made.history.state.ended == "points"
    assert replay(read_log([*game()]), "0123456789ab", AT).differences == ()


def test_a_kan_may_be_robbed_in_the_turn_of_riichi() -> None:
    """The kan whose tile it was ends ippatsu only with its replacement."""
    bo, cy = "2m 3m 3p 4p 5p 6s 7s 8s 4s 5s 6s 9p 9p", "4m 4m 1p 4p 7p 1s 4s 7s E S W N 9m"
    events = [
        *turn(0, "9s"),
        *turn(1, "9s"),
        *turn(2, "9s"),
        *turn(3, "9s", "4m"),
        claim("pon", 2, 3, "4m", "4m", "4m"),
    ]
    events += [{"type": "dahai", "actor": 2, "pai": "9m"}, *turn(3, "9s"), *turn(0, "9s"), *declare(1, "W")]
    events += [{"type": "tsumo", "actor": 2, "pai": "4m"}]
    events += [{"type": "kakan", "actor": 2, "pai": "4m", "consumed": ["4m"] * 3}, hora(1, 2, [0, 9000, -8000, 0])]
    di = JUNK.replace("1m", "4m", 1)
    (win,) = read_log([start(1, 0, (JUNK, bo, cy, di)), *events]).hands[0].wins
    assert (set(win.circumstances), win.payer) == ({"ippatsu", "chankan"}, 2)


@pytest.mark.parametrize(("actor", "won"), [(0, ("tenhou",)), (1, ("chiihou",))])
def test_a_first_draw_may_win(actor: int, won: tuple[str, ...]) -> None:
    tehais = [JUNK] * 4
    tehais[actor] = "2m 3m 3p 4p 5p 6s 7s 8s 4s 5s 6s 9p 9p"
    events = [*(turn(0, "9s") if actor else []), {"type": "tsumo", "actor": actor, "pai": "4m"}]
    (win,) = read_log([start(1, 0, tuple(tehais)), *events, hora(actor, actor, [0] * 4)]).hands[0].wins
    assert win.circumstances == won


def test_three_set_norths_aside() -> None:
    """Its replacement makes rinshan; nobody pays for the fourth, who has no points and no tiles."""
    ann = "9m 9m 9m 1p 2p 3p 4p 5p 6p 7s 8s 5s 5s"
    dealt = start(1, 0, (ann, JUNK.replace("4m 7m", "P P"), JUNK.replace("4m 7m", "F F"), " ".join("?" * 13)))
    dealt |= {"scores": [35_000, 35_000, 35_000, 0], "dora_marker": "1p"}
    events = [{"type": "tsumo", "actor": 0, "pai": "N"}, {"type": "nukidora", "actor": 0, "pai": "N"}]
    events += [{"type": "tsumo", "actor": 0, "pai": "9s"}, hora(0, 0, [12_000, -6000, -6000])]
    made = played([dealt, *events])
    (score,) = made.history.hands[0].scores
    assert {e["id"] for e in score["elements"]} == {"menzen_tsumo", "rinshan", "dora", "kita"}
    assert made.log.preset == "tenhou-sanma" and len(made.history.players) == 3


def test_hidden_tiles_are_refused() -> None:
    events = [*deepcopy([*game()])]
    events[1]["tehais"][0] = ["?"] * 13
    with pytest.raises(InvalidRequest, match="Hand 1 of this log cannot be read"):
        read_log(events)
