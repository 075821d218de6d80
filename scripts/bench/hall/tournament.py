"""Run a tournament of 32 players at 8 tables while things go wrong, and check the standings by a separate computation.

    python -m scripts.bench.hall.tournament --hands 12

Starts a server of its own on SQLite (or on ``--database``, an empty PostgreSQL). Four tables are watched by cameras of
drawn tiles, four enter their hands on two phones at once. Meanwhile the server is killed and started again, and the
database is out of reach for a while. Exit status 1 when anything was lost, doubled or computed differently.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import typer

from scripts.bench.hall.day import CAMERAS, Day, Disruption, play_tournament
from scripts.bench.hall.deals import rank_players
from scripts.bench.hall.desk import Caller, hall_server
from scripts.bench.host import Host


def kill_and_restart(host: Host) -> None:
    """The server dies in the middle of its work and is started again."""
    host.kill()
    time.sleep(1)
    host.start()


def move_file_away(host: Host) -> None:
    """SQLite's file is not where it was (a disk that was unplugged), then it is again."""
    away = (host.folder / "hupai.db").rename(host.folder / "hupai.away")
    time.sleep(3)
    away.rename(host.folder / "hupai.db")


def hold_file(host: Host) -> None:
    """Another program holds SQLite's file for longer than anybody waits for it."""
    with closing(sqlite3.connect(host.folder / "hupai.db", isolation_level=None, timeout=30)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(7)
        connection.execute("ROLLBACK")


def find_differences(caller: Caller, day: Day) -> list[str]:
    """Everything that is not as it should be, in words."""
    cup = caller.get(day.tournament)
    return [*_wrong_standings(cup, day), *_wrong_tables(caller, cup, day), *_wrong_events(caller, day), *day.cameras]


def _wrong_standings(cup: dict[str, Any], day: Day) -> Iterator[str]:
    games = [(played.players, played.deals) for _, played in sorted(day.tables.items())]
    reckoned = rank_players(games, day.penalties, [p["number"] for p in cup["players"]])
    shown = [(s["rank"], s["player"], s["score"]) for s in cup["standings"]]
    for mine, theirs in zip(reckoned, shown, strict=True):
        rank, player, score = mine
        if (rank, player) != theirs[:2] or abs(score - Fraction(Decimal(theirs[2]))) > Fraction(1, 200):
            yield f"standings: reckoned rank {rank} player {player} with {float(score):.2f}, shown {theirs}"


def _wrong_tables(caller: Caller, cup: dict[str, Any], day: Day) -> Iterator[str]:
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


def _wrong_events(caller: Caller, day: Day) -> Iterator[str]:
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


def main(hands: int = 12, database: str | None = None) -> None:
    with tempfile.TemporaryDirectory(prefix="hupai-hall-") as folder, hall_server(Path(folder), database) as host:
        faults: list[Disruption] = [("server killed", partial(kill_and_restart, host))]
        if database is None:
            faults += [("file away", partial(move_file_away, host)), ("file held", partial(hold_file, host))]
        day = play_tournament(host, cycle(faults), hands=hands, between=20)
        wrong = find_differences(Caller(host, day.tally), day)
    did = sum((played.did for played in day.tables.values()), Counter[str]())
    print(f"hands     {day.hands} in {day.seconds:.0f} s, {day.laid} of them before cameras")
    print(f"of these  {dict(did)}")
    print(f"faults    {dict(Counter(day.faults))}; heard instead of an answer: {dict(Counter(day.tally.again))}")
    p50, p95 = np.percentile(day.tally.seconds(writing=True), [50, 95])
    print(f"writes    p50 {1e3 * p50:.0f} ms, p95 {1e3 * p95:.0f} ms for the try that was answered")
    print("\n".join(wrong) if wrong else "standings equal to the reckoning; nothing lost, nothing doubled")
    raise typer.Exit(bool(wrong))


if __name__ == "__main__":
    typer.run(main)
