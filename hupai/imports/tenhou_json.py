"""Logs in the JSON of tenhou.net/6, which exporters of Mahjong Soul write as well.

Of every player a log has the tiles dealt, drawn or called, and discarded, in step: the hand at the end follows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final

from hupai.imports.logged import (
    LoggedGame,
    LoggedHand,
    LoggedWin,
    different_names,
    hand_of,
    is_ready,
    net_of,
    one_round,
    read_hands,
    refuse_no_game,
)
from hupai.imports.yaku import yaku_named
from scoring.rules.riichi.elements import UNITS
from scoring.tiles import BY_CODE

_DRAWN: Final = 60
_TILES: Final = {
    **{10 * suit + n: f"{n}{letter}" for suit, letter in enumerate("mpsz", 1) for n in range(1, 10)},
    **{51: "0m", 52: "0p", 53: "0s", _DRAWN: ""},
}
_REDS: Final = (51, 52, 53)
_ABORTIONS: Final = ("Nine Terminal", "Four Wind", "Four Riichi", "Three Ron", "Four Kan")
_CALLS: Final = {"c": "chow", "p": "pung", "m": "kong_open"}
_WON, _DRAWN_OUT, _NAGASHI, _ABORTED = "won", "drawn", "nagashi", "aborted"
_ENDINGS: Final = {
    **dict.fromkeys(("和了", "Agari"), _WON),
    **dict.fromkeys(("流局", "全員聴牌", "全員不聴", "Ryuukyoku", "Exhaustive Draw"), _DRAWN_OUT),
    **dict.fromkeys(("流し満貫", "Nagashi Mangan", "Mangan at Draw"), _NAGASHI),
    **dict.fromkeys(("九種九牌", "四風連打", "四家立直", "三家和", "三家和了", "四開槓", "四槓散了"), _ABORTED),
    **dict.fromkeys(("Kyuushu Kyuuhai", "Suufon Renda", "Suucha Riichi", "Sanchahou", "Suukaikan"), _ABORTED),
    **dict.fromkeys((f"{what} Abortion" for what in _ABORTIONS), _ABORTED),
}
"""As Tenhou has them, and exporters of Mahjong Soul in Japanese or English."""
_EVENT: Final = re.compile(r"(\d*)([a-z]?)(\d*)")
_YAKU: Final = re.compile(r"(.+)\((?:(\d+)飜|役満)\)")
_DISPLAY: Final = re.compile(r"([東南])(喰?)赤?[速光祝\d－]*$|East$")
"""At the end of what a log displays of its rules: the last round, open tanyao. Titles of tournaments have neither."""
_OF_MAHJONG_SOUL: Final = re.compile(r"\d{6}-[0-9a-f]{8}-.*|.*(?:の間|Room|友人戦|大会戦|Friendly|Tournament).*")
"""The number of a log there, or what exporters display; hands cut out of a log have no number."""


@dataclass(slots=True)
class _Seen:
    """A player's tiles in hand and melds; the tile drawn last, and the one that left the hand last, and how."""

    tiles: list[str]
    melds: list[dict[str, Any]] = field(default_factory=list)
    norths: int = 0
    riichi: bool = False
    drawn: str = ""
    out: str = ""
    how: str = ""


def read_tenhou_json(data: Mapping[str, Any]) -> LoggedGame:
    """Return the game of such a log."""
    rule, ref = data.get("rule", {}), str(data.get("ref", ""))
    names = _players(data)
    refuse_no_game(len(names), len(data["log"]))
    if not isinstance(rule, Mapping):  # a lobby has rules of its own, by numbers
        rule = {"aka": 3 * any(tile in _REDS for hand in data["log"] for tiles in hand[4:16] for tile in tiles)}
    three, display = len(names) == 3, str(rule.get("disp", ""))
    of_soul = any(_OF_MAHJONG_SOUL.fullmatch(text) for text in (ref, display))
    shown = _DISPLAY.search(display)
    reds = rule.get("aka", 0) or sum(rule.get(f"aka{n}", 0) for n in (51, 52, 53))
    options = {"aka": 3 if reds and reds < 4 else reds}
    if not of_soul and shown and shown[2] == "":
        options["kuitan"] = False
    final, last = tuple((data.get("sc") or ())[0 : 2 * len(names) : 2]), data["log"][-1][0][0]
    # An exporter of Mahjong Soul displays no length with three players: one round, if its last deal ended the game.
    short = shown[1] != "南" if shown else last == len(names) - 1 and min(final, default=-1) >= 0
    return LoggedGame(
        source="Mahjong Soul" if of_soul else "Tenhou",
        name=ref or " ".join(map(str, data.get("title", ()))),
        players=different_names(names),
        preset=("mahjongsoul" if of_soul else "tenhou") + ("-sanma" if three else ""),
        options=options,
        course={} if not short else {"rounds": 1} if of_soul else one_round(len(names)),
        points=tuple(data["log"][0][1][: len(names)]),
        hands=read_hands(data["log"], lambda entry: _read_hand(entry, len(names))),
        final=final or None,
    )


def _players(data: Mapping[str, Any]) -> list[str]:
    """Return the names of those who play: a fourth name is empty with three, and some have none with four."""
    points = data["log"][0][1] if data["log"] else ()
    seats = zip_longest(data["name"], points, fillvalue="")
    count = max((number for number, told in enumerate(seats, 1) if any(told)), default=0)
    return [*data["name"], *[""] * count][:count]


def _read_hand(entry: Sequence[Any], players: int) -> LoggedHand:
    (kyoku, counters, sticks), _, dora, ura = entry[:4]
    seen = [_play(n, *entry[4 + 3 * n : 7 + 3 * n]) for n in range(players)]
    ending, told = _ENDINGS[entry[-1][0]], entry[-1][1:]
    wins: tuple[LoggedWin, ...] = ()
    riichi = [n for n in range(players) if seen[n].riichi]
    deltas, draw = told[:1], ending in (_DRAWN_OUT, _NAGASHI)
    if ending == _WON:
        deltas, wins = told[::2], tuple(_read_win(one, seen) for one in told[1::2])
        # A declaration whose tile is claimed to win does not count.
        riichi = [n for n in riichi if not (seen[n].how == "r" and any(win.payer == n for win in wins))]
    return LoggedHand(
        (kyoku // 4, kyoku % 4, counters, sticks),
        "win" if ending == _WON else "draw",
        wins=wins,
        riichi=tuple(riichi),
        ready=tuple(n for n in range(players) if draw and is_ready(seen[n].tiles)),
        nagashi=tuple(n for n in range(players) if ending == _NAGASHI and deltas[0][n] > 0),
        abortive=ending == _ABORTED,
        dora=tuple(_TILES[tile] for tile in dora),
        ura=tuple(_TILES[tile] for tile in ura),
        paid=net_of(deltas, riichi, players),
    )


def _read_win(told: Sequence[Any], seen: Sequence[_Seen]) -> LoggedWin:
    winner, source, liable, worth, *lines = told
    own, payer = seen[winner], None if source == winner else source
    yaku = {yaku_named(found[1]): int(found[2] or 0) for line in lines if (found := _YAKU.fullmatch(line))}
    fu = re.match(r"(\d+)\s*(?:符|Fu)", worth)
    return LoggedWin(
        winner,
        payer,
        yaku,
        fu=int(fu[1]) if fu else None,
        yakuman=sum(name in UNITS for name in yaku),
        liable=None if liable == winner else liable,
        hand=hand_of(own.tiles, own.drawn if payer is None else seen[payer].out, own.melds, own.norths),
    )


def _play(player: int, dealt: Sequence[int], draws: Sequence[int | str], discards: Sequence[int | str]) -> _Seen:
    """Return what a player has at the end."""
    seen = _Seen([_TILES[tile] for tile in dealt])
    for turn, draw in enumerate(draws):
        if isinstance(draw, str):
            before, letter, after = _parts(draw)
            # The letter stands where the claimed tile comes from: first the player before, last the one after.
            source = (player + 3 - min(len(before), 2)) % 4
            seen.melds.append({"type": _CALLS[letter], "tiles": [*after, *before], "from": source})
            for tile in (*before, *after[1:]):
                seen.tiles.remove(tile)
        else:
            seen.drawn = _TILES[draw]
            seen.tiles.append(seen.drawn)
        if turn < len(discards) and discards[turn] != 0:  # which stands beside an open kan
            _discard(seen, *_parts(str(discards[turn])))
    return seen


def _discard(seen: _Seen, before: list[str], how: str, after: list[str]) -> None:
    seen.how, gone = how, [*before, *after]
    if how == "k":
        seen.out, gone = after[0], after[:1]
        pung = next(m for m in seen.melds if BY_CODE[m["tiles"][0]].kind == BY_CODE[seen.out].kind)
        pung |= {"type": "kong_added", "tiles": [*pung["tiles"], seen.out]}
    elif how == "a":
        seen.out = after[0]
        seen.melds.append({"type": "kong_concealed", "tiles": gone})
    else:
        gone = [tile or seen.drawn for tile in gone]
        seen.out, seen.riichi, seen.norths = gone[0], seen.riichi or how == "r", seen.norths + (how == "f")
    for tile in gone:
        seen.tiles.remove(tile)


def _parts(event: str) -> tuple[list[str], str, list[str]]:
    """Return the tiles before a letter, the letter, and those after it."""
    found = _EVENT.fullmatch(event)
    if found is None:
        raise ValueError(event)
    before, letter, after = found.groups()
    tiles = [[_TILES[int(part[i : i + 2])] for i in range(0, len(part), 2)] for part in (before, after)]
    return tiles[0], letter, tiles[1]
