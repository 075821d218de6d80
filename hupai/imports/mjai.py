"""Logs in mjai, the protocol of engines: an event in a line, every tile in sight; nothing of yaku, han and fu.

Source: the protocol of gimite/mjai and its dialect that Mortal writes; ``nukidora`` sets a north aside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hupai.imports.logged import (
    LoggedGame,
    LoggedHand,
    LoggedWin,
    different_names,
    hand_of,
    is_ready,
    net_of,
    read_hands,
    refuse_no_game,
    split,
)
from scoring.errors import HupaiError
from scoring.rules.riichi.elements import PAO_SETS
from scoring.seats import SEATS
from scoring.tiles import BY_CODE
from scoring.written import read_tile

_DRAWS: Final = {4: 70, 3: 55}
"""Tiles that are drawn until the wall is exhausted, replacements among them."""
_CALLS: Final = {"chi": "chow", "pon": "pung", "daiminkan": "kong_open"}
_REPLACED: Final = ("daiminkan", "kakan", "ankan", "nukidora")
_MOST_TENPAI: Final = 3000
"""Who gets more at a drawn hand has nagashi mangan."""

Event = Mapping[str, Any]


def read_mjai(data: Mapping[str, Any]) -> LoggedGame:
    """Return the game of such a log."""
    events: list[Event] = [event for event in data["mjai"] if event["type"] != "none"]
    starts = [i for i, event in enumerate(events) if event["type"] == "start_kyoku"]
    refuse_no_game(4 if not starts else _players(events[starts[0]]), len(starts))
    players = _players(events[starts[0]])
    names = next((event.get("names") for event in events if event["type"] == "start_game"), None) or [""] * players
    reds = any(str(tile).endswith("r") for event in events for tile in (event.get("pai"), *_dealt(event)))
    return LoggedGame(
        source="mjai",
        name="",
        players=different_names(names[:players]),
        preset="tenhou-sanma" if players == 3 else "tenhou",
        options={"aka": 3 if reds else 0},
        course={},
        points=tuple(events[starts[0]]["scores"][:players]),
        hands=read_hands(split(events, starts), lambda hand: _read_hand(hand, players)),
    )


def _dealt(start: Event) -> list[str]:
    return [tile for tiles in start.get("tehais", ()) for tile in tiles]


def _players(start: Event) -> int:
    """How many play: with three a fourth has no points and no tiles."""
    seated = zip(start["scores"], start["tehais"], strict=True)
    return sum(bool(points or any(tile != "?" for tile in tiles)) for points, tiles in seated)


def _code(tile: str) -> str:
    try:
        return read_tile(tile).code
    except HupaiError as error:  # "?" in what one player sees
        raise ValueError(tile) from error


@dataclass(slots=True)
class _Seat:
    """What a player has, and what may still be won with."""

    tiles: list[str]
    melds: list[dict[str, Any]] = field(default_factory=list)
    norths: int = 0
    discards: int = 0
    double: bool = False
    ippatsu: bool = False


@dataclass(slots=True)
class _Hand:
    """A hand as it is played.

    ``out``: who showed which tile last, and by what event. ``replaced``: the next draw is a replacement, the last one
    ``rinshan``. ``called``: nobody's first turn any more.
    """

    seats: list[_Seat]
    dora: list[str]
    draws: int = 0
    out: tuple[int, str, str] = (0, "", "")
    replaced: bool = False
    rinshan: bool = False
    called: bool = False
    riichi: list[int] = field(default_factory=list)

    def follow(self, event: Event) -> None:
        """Do what an event says."""
        kind, seat = event["type"], self.seats[event.get("actor", 0)]
        if kind == "tsumo":
            self._end_first_turns(self.replaced)
            seat.tiles.append(_code(event["pai"]))
            self.out = (event["actor"], seat.tiles[-1], kind)
            self.draws, self.rinshan, self.replaced = self.draws + 1, self.replaced, False
        elif kind == "dahai":
            self._show(event, _code(event["pai"]))
            seat.discards, seat.ippatsu, self.rinshan = seat.discards + 1, False, False
        elif kind in _CALLS:
            self._end_first_turns(True)
            own = [_code(tile) for tile in event["consumed"]]
            _take(seat, own)
            tiles = [*own, _code(event["pai"])]
            seat.melds.append({"type": _CALLS[kind], "tiles": tiles, "from": event["target"]})
        elif kind == "ankan":
            tiles = [_code(tile) for tile in event["consumed"]]
            _take(seat, tiles)
            seat.melds.append({"type": "kong_concealed", "tiles": tiles})
            self.out = (event["actor"], tiles[0], kind)
        elif kind == "kakan":
            tile = self._show(event, _code(event["pai"]))
            pung = next(m for m in seat.melds if BY_CODE[m["tiles"][0]].kind == BY_CODE[tile].kind)
            pung |= {"type": "kong_added", "tiles": [*pung["tiles"], tile]}
        elif kind == "nukidora":
            self._show(event, "4z")
            seat.norths += 1
        elif kind == "reach":
            seat.double = not self.called and not seat.discards
        elif kind == "reach_accepted":
            seat.ippatsu = True
            self.riichi.append(event["actor"])
        elif kind == "dora":
            self.dora.append(_code(event["dora_marker"]))
        self.replaced |= kind in _REPLACED

    def _show(self, event: Event, tile: str) -> str:
        _take(self.seats[event["actor"]], [tile])
        self.out = (event["actor"], tile, event["type"])
        return tile

    def _end_first_turns(self, ended: bool) -> None:
        """A claim ends them, and ippatsu; a kan does once its replacement is drawn, for it may be robbed."""
        self.called |= ended
        for seat in self.seats if ended else ():
            seat.ippatsu = False

    def win(self, event: Event, dealer: int, last: bool) -> LoggedWin:
        """Return a win as the log shows it."""
        winner, (source, tile, how) = event["actor"], self.out
        seat, drawn = self.seats[winner], event["actor"] == event["target"]
        first = drawn and not self.called and not seat.discards
        found = {
            "ippatsu": seat.ippatsu,
            "double_riichi": seat.double and winner in self.riichi,
            "rinshan": drawn and self.rinshan,
            "chankan": how in ("kakan", "ankan"),
            "haitei": last and drawn and not self.rinshan,
            "houtei": last and how == "dahai",
            "tenhou": first and winner == dealer,
            "chiihou": first and winner != dealer,
        }
        liable, kinds = None, {BY_CODE[m["tiles"][0]].kind: m.get("from") for m in seat.melds}
        for yakuman, wanted in PAO_SETS.items():
            if kinds.keys() >= set(wanted):
                liable = [source for kind, source in kinds.items() if kind in wanted][-1]
                found[yakuman] = liable is not None
        return LoggedWin(
            winner,
            None if drawn else source,
            {},
            liable=liable,
            hand=hand_of(seat.tiles, tile, seat.melds, seat.norths),
            circumstances=tuple(name for name, shown in found.items() if shown),
        )


def _take(seat: _Seat, tiles: Sequence[str]) -> None:
    for tile in tiles:
        seat.tiles.remove(tile)


def _read_hand(events: Sequence[Event], players: int) -> LoggedHand:
    start, dealer = events[0], events[0]["oya"]
    seats = [_Seat([_code(tile) for tile in tiles]) for tiles in start["tehais"][:players]]
    hand = _Hand(seats, [_code(start["dora_marker"])])
    wins: list[LoggedWin] = []
    ends = [event for event in events if event["type"] in ("hora", "ryukyoku")]
    for event in events[1:]:
        if event["type"] == "hora":
            wins.append(hand.win(event, dealer, hand.draws == _DRAWS[players]))
        else:
            hand.follow(event)
    deltas = [end["deltas"][:players] for end in ends if end.get("deltas")]
    exhausted = not wins and hand.draws == _DRAWS[players]
    return LoggedHand(
        (SEATS.index(start["bakaze"]), dealer, start["honba"], start["kyotaku"]),
        "win" if wins else "draw",
        wins=tuple(wins),
        riichi=tuple(hand.riichi),
        ready=tuple(n for n in range(players) if exhausted and is_ready(seats[n].tiles)),
        nagashi=tuple(n for n in range(players) if exhausted and any(one[n] > _MOST_TENPAI for one in deltas)),
        abortive=not wins and not exhausted,
        dora=tuple(hand.dora),
        ura=next((tuple(map(_code, end["ura_markers"])) for end in ends if end.get("ura_markers")), ()),
        paid=net_of(deltas, hand.riichi, players) if deltas else None,
    )
