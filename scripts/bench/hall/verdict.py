"""Compare the server's state at the end with what the players remember: nothing lost or doubled, same standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from scripts.bench.hall.day import CAMERAS, Day
from scripts.bench.hall.desk import Caller
from scripts.bench.hall.reckoning import ranked


def differences(caller: Caller, day: Day) -> list[str]:
    """Everything that is not as it should be, in words."""
    cup = caller.get(day.tournament)
    return [*_standings(cup, day), *_tables(caller, cup, day), *_events(caller, day), *day.cameras]


def _standings(cup: dict[str, Any], day: Day) -> Iterator[str]:
    games = [(played.players, played.deals) for _, played in sorted(day.tables.items())]
    reckoned = ranked(games, day.penalties, [p["number"] for p in cup["players"]])
    shown = [(s["rank"], s["player"], s["score"]) for s in cup["standings"]]
    for mine, theirs in zip(reckoned, shown, strict=True):
        rank, player, score = mine
        if (rank, player) != theirs[:2] or abs(score - Fraction(Decimal(theirs[2]))) > Fraction(1, 200):
            yield f"standings: reckoned rank {rank} player {player} with {float(score):.2f}, shown {theirs}"


def _tables(caller: Caller, cup: dict[str, Any], day: Day) -> Iterator[str]:
    seats = Counter(p for played in day.tables.values() for p in played.players)
    if len(seats) != 32 or set(seats.values()) != {len(cup["rounds"])}:
        yield f"seats: not everybody sat once a round: {seats}"
    for number, shown in ((r["round"], t) for r in cup["rounds"] for t in r["tables"]):
        at, played = (number, shown["table"]), day.tables[number, shown["table"]]
        totals = dict(zip(played.players, played.now.totals, strict=True))
        if {p["number"]: p["total"] for p in shown["players"]} != totals:
            yield f"table {at}: shown {shown['players']}, reckoned {totals}"
        game = caller.get(played.path)
        standing = [h for h in game["hands"] if h["undone_at"] is None]
        if len(standing) != len(played.deals) or shown["hands"] != len(played.deals):
            yield f"table {at}: {len(played.deals)} hands were played, {len(standing)} stand"
        if len(game["hands"]) != len(played.deals) + played.did["taken back"]:
            yield f"table {at}: {len(game['hands'])} hands in the history, not {len(played.deals)} and those taken back"
        if game["pot"] != 0 or len(shown["signed"]) != 4 or not shown["ended"]:
            yield f"table {at}: pot {game['pot']}, signed by {shown['signed']}, ended {shown['ended']}"


def _events(caller: Caller, day: Day) -> Iterator[str]:
    events: list[dict[str, Any]] = []
    while page := caller.get(f"/events/list?after={len(events)}&limit=1000")["events"]:
        events += page
    if [e["number"] for e in events] != list(range(1, len(events) + 1)):
        yield "events: their numbers have gaps"
    settled = Counter(e["hand_id"] for e in events if e["event"] == "hand.settled")
    confirmed = Counter(e["hand_id"] for e in events if e["event"] == "hand.confirmed")
    if sum(settled.values()) != day.laid or settled != confirmed or set(settled.values()) != {1}:
        yield f"events: {day.laid} hands were laid down, {settled.total()} seen, {confirmed.total()} confirmed"
    for table in CAMERAS:
        shown = caller.get(f"/tables/{table}")
        if shown["waiting"] or shown["stray"]:
            yield f"table {table}: {shown['waiting']} hands wait, {shown['stray']} in no game"
