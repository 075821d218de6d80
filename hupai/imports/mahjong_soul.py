"""Records of Mahjong Soul as JSON: a head, and events by the names of its protocol (``RecordHule`` ...), or only these.

Exporters spell fields with or without underscores, and leave out whatever is zero or false.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from hupai.imports.logged import (
    LoggedGame,
    LoggedHand,
    LoggedWin,
    different_names,
    fold_field_names,
    hand_of,
    net_of,
    read_hands,
    refuse_no_game,
    split,
)
from hupai.imports.yaku import MAHJONG_SOUL
from scoring.rules.riichi.elements import PAO_SETS
from scoring.tiles import BY_CODE

_START: Final = "NewRound"
_ENDS: Final = ("Hule", "NoTile", "LiuJu")
_MELDS: Final = {"shunzi": "chow", "kezi": "pung", "minggang": "kong_open", "angang": "kong_concealed"}
_ADDED: Final = 2
_THREE: Final = 10
"""What the number of a mode is more for three players; its last digit is 1 for one round."""

Event = tuple[str, Mapping[str, Any]]


def read_mahjong_soul(data: Mapping[str, Any]) -> LoggedGame:
    """Return the game of such a record."""
    events, head = _events(data), fold_field_names(data.get("head", {}))
    starts = [i for i, (name, _) in enumerate(events) if name == _START]
    if not starts:
        refuse_no_game(len(head.get("accounts", ())), 0)
    points = events[starts[0]][1]["scores"]
    players, config = sum(bool(n) for n in points), head.get("config", {})
    mode, rule = config.get("mode", {}), config.get("mode", {}).get("detailrule", {})
    names = {account.get("seat", 0): account.get("nickname", "") for account in head.get("accounts", ())}
    results = head.get("result", {}).get("players", ())
    final = {one.get("seat", 0): one.get("partpoint1", 0) for one in results}
    ranked = config.get("meta", {}).get("modeid", 0)
    return LoggedGame(
        source="Mahjong Soul",
        name=str(head.get("uuid", "")),
        players=different_names([names.get(n, "") for n in range(players)]),
        preset="mahjongsoul-sanma" if players == 3 else "mahjongsoul",
        options={} if ranked or "doracount" not in rule else {"aka": min(rule["doracount"], 4)},
        course={"rounds": 1} if mode.get("mode", 0) % _THREE == 1 else {},
        points=tuple(points[:players]),
        hands=read_hands(split(events, starts), lambda hand: _read_hand(hand, players)),
        final=tuple(final[n] for n in range(players)) if final else None,
    )


def _events(data: Mapping[str, Any]) -> list[Event]:
    """Return the events, each with its name, without ``.lq.Record``; they are listed, perhaps hand by hand.

    Some exporters leave them wrapped as the server sends them (``GameDetailRecords``).
    """
    parts: Any = data
    while isinstance(parts, Mapping):
        parts = next((parts[name] for name in ("data", "records", "actions") if parts.get(name)), [])
    each = [one for part in parts for one in (part if isinstance(part, list) else [part])]
    named = [event for one in each if "name" in (event := one.get("result", one))]
    return [
        (one["name"].removeprefix(".lq.").removeprefix("Record"), fold_field_names(one.get("data", {})))
        for one in named
    ]


def _longest(hules: Sequence[Mapping[str, Any]], name: str) -> tuple[str, ...]:
    """Return the most indicators that a winner was shown."""
    return max((tuple(hule.get(name) or ()) for hule in hules), key=len, default=())


def _read_hand(events: Sequence[Event], players: int) -> LoggedHand:
    start, (how, end) = events[0][1], next(event for event in reversed(events) if event[0] in _ENDS)
    acted = [(name, said, said.get("seat", 0)) for name, said in events if said is not end]  # perhaps only the deal
    riichi = [seat for _, said, seat in acted if said.get("isliqi") or said.get("iswliqi")]
    wins: tuple[LoggedWin, ...] = ()
    hules: list[Mapping[str, Any]] = end.get("hules", [])
    if hules:
        last, said, source = acted[-1]
        wins = tuple(_read_win(hule, acted, source) for hule in hules)
        # A declaration whose tile is claimed to win does not count.
        if last == "DiscardTile" and (said.get("isliqi") or said.get("iswliqi")):
            riichi.remove(source)
    ready = [n for n, player in enumerate(end.get("players", ())) if player.get("tingpai")]
    scores = end.get("scores", ())
    deltas = [end["deltascores"]] if hules else [one["deltascores"] for one in scores if one.get("deltascores")]
    return LoggedHand(
        (start.get("chang", 0), start.get("ju", 0), start.get("ben", 0), start.get("liqibang", 0)),
        "win" if wins else "draw",
        wins=wins,
        riichi=tuple(riichi),
        ready=tuple(ready),
        nagashi=tuple(one.get("seat", 0) for one in scores) if end.get("liujumanguan") else (),
        abortive=how == "LiuJu",
        dora=_longest(hules, "doras"),
        ura=_longest(hules, "lidoras"),
        paid=net_of([one[:players] for one in deltas], riichi, players),
    )


def _read_win(hule: Mapping[str, Any], acted: Sequence[tuple[str, Mapping[str, Any], int]], source: int) -> LoggedWin:
    winner = hule.get("seat", 0)
    fans = {fan["id"]: fan["val"] for fan in hule["fans"] if fan.get("val")}
    yaku = {MAHJONG_SOUL.get(id_, str(id_)): han for id_, han in fans.items()}
    sets = [found for text in hule.get("ming", ()) if (found := re.fullmatch(r"(\w+)\((.*)\)", text))]
    melds = [{"type": _MELDS[found[1]], "tiles": found[2].split(",")} for found in sets]
    norths = sum(name == "BaBei" and seat == winner for name, _, seat in acted)
    return LoggedWin(
        winner,
        None if hule.get("zimo") else source,
        yaku,
        fu=hule.get("fu"),
        yakuman=hule.get("count", 0) if hule.get("yiman") else 0,
        liable=_liable(yaku, ((name, one) for name, one, seat in acted if seat == winner)),
        hand=hand_of(hule["hand"], hule["hutile"], melds, norths),
    )


def _liable(yaku: Mapping[str, int], events: Iterable[Event]) -> int | None:
    """Return who gave the last set of dragons or winds of a yakuman, if all of them are melded."""
    kinds = next((kinds for name, kinds in PAO_SETS.items() if name in yaku), ())
    sources: list[int | None] = []
    for name, said in events:
        tiles = said.get("tiles", ())
        if name == "ChiPengGang" and BY_CODE[tiles[0]].kind in kinds:
            sources.append(next((seat for seat in said["froms"] if seat != said.get("seat", 0)), None))
        elif name == "AnGangAddGang" and said.get("type") != _ADDED and BY_CODE[tiles].kind in kinds:
            sources.append(None)
    return sources[-1] if sources and len(sources) == len(kinds) else None
