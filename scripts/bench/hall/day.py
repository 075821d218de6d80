"""A tournament from the list of players to the standings, with things going wrong all the while."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from hupai.store.database import open_store
from hupai.wing import store_wings
from scripts.bench.hall.camera import DrawnFilm, camera_worker
from scripts.bench.hall.deals import SEATS, START_POINTS, UMA
from scripts.bench.hall.desk import Caller, CallLog
from scripts.bench.hall.tables import PlayedRound, play_by_camera, play_by_phone
from scripts.bench.host import Host

CAMERAS: Final = ("A", "B", "C", "D")
PHONES: Final = ("1", "2", "3", "4")
ROUNDS: Final = 5
Disruption = tuple[str, Callable[[], None]]


@dataclass
class Day:
    """How the tournament went.

    Attributes:
        tournament: its address. tables: (round, table) -> what its players remember. penalties: by player.
        tally: what the callers saw. faults: those that struck, in order. cameras: those that died, and why.
    """

    tournament: str = ""
    tables: dict[tuple[int, str], PlayedRound] = field(default_factory=dict)
    penalties: dict[int, int] = field(default_factory=dict)
    tally: CallLog = field(default_factory=CallLog)
    faults: list[str] = field(default_factory=list)
    cameras: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def hands(self) -> int:
        """How many hands were played."""
        return sum(len(p.deals) for p in list(self.tables.values()))  # a round may begin meanwhile

    @property
    def laid(self) -> int:
        """How many hands were laid before a camera."""
        return sum(d.winner is not None for (_, table), p in self.tables.items() if table in CAMERAS for d in p.deals)


def play_tournament(host: Host, faults: Iterable[Disruption], *, hands: int, between: int, rounds: int = ROUNDS) -> Day:
    """Run a tournament of 32 at eight tables, four of them with cameras.

    Args:
        host: a server that runs. faults: strike one after the other while it is played. hands: a table and round.
        between: so many hands are played in the hall from one fault to the next. rounds: how many.

    Raises:
        Unexpected: the server refused what it must take, or lost or doubled something.
    """
    began, day, over = time.monotonic(), Day(), threading.Event()

    def strike() -> None:
        for number, (name, fault) in enumerate(faults, 1):
            while day.hands < number * between:
                if over.wait(0.1):
                    return
            fault()
            day.faults.append(name)

    with ExitStack() as stack:
        engine = open_store(host.database, store_wings())
        stack.callback(engine.dispose)
        chief = stack.enter_context(closing(Caller(host, day.tally)))
        _create_tournament(chief, day, rounds)
        pool = stack.enter_context(ThreadPoolExecutor(1 + len(CAMERAS)))
        callers: dict[str, Caller] = {}
        ways: dict[str, Callable[[PlayedRound, int, random.Random], None]] = {}
        watching: dict[str, Future[None]] = {}
        for seed, table in enumerate(CAMERAS):
            film = DrawnFilm(seed)
            worker = camera_worker(table, film, engine)
            watching[table] = pool.submit(worker.run)
            stack.callback(worker.stop)
            callers[table], ways[table] = chief, partial(play_by_camera, chief, table, film)
        for table in PHONES:  # two that came in by the table's QR code
            place = {"role": "table", "table": table, "tournament": day.tournament.rpartition("/")[2]}
            made = chief.write("/tokens", {"name": f"Table {table}", **place})
            both = [stack.enter_context(closing(Caller(host, day.tally, made["token"]))) for _ in range(2)]
            callers[table], ways[table] = both[0], partial(play_by_phone, both)
        striking = pool.submit(strike)
        stack.callback(over.set)
        for number in range(1, rounds + 1):
            path = f"{day.tournament}/rounds"
            seated = chief.write(path, {"tables": list(ways)}, key=f"round {number}")["rounds"][number - 1]
            chief.write(f"{path}/{number}/timer", {"act": "start", "minutes": 60}, key=f"timer {number}")
            with ThreadPoolExecutor(len(ways)) as tables:
                playing = []
                for shown in seated["tables"]:
                    table = shown["table"]
                    played = PlayedRound(shown["game_id"], [p["number"] for p in shown["players"]])
                    day.tables[number, table] = played
                    playing.append(tables.submit(ways[table], played, hands, random.Random(f"{number} {table}")))
            for each in playing:
                each.result()
            for table, caller in callers.items():
                _end_and_sign(caller, day.tables[number, table].path, f"{path}/{number}/tables/{table}")
            _penalise_somebody(chief, day, number)
        over.set()
        striking.result()
    day.cameras = [f"{table}: {error!r}" for table, each in watching.items() if (error := each.exception())]
    day.seconds = time.monotonic() - began
    return day


def _create_tournament(chief: Caller, day: Day, rounds: int) -> None:
    players = "name,country,EMA number\n" + "".join(f"Player {i},NED,{4290000 + i}\n" for i in range(1, 33))
    counting = {"starting_points": START_POINTS, "divide": 1000, "places": list(UMA)}
    made = chief.write("/tournaments", {"name": "Hall", "rules": "riichi", **counting}, key="hall")
    day.tournament = f"/tournaments/{made['id']}"
    chief.write(f"{day.tournament}/players/import", {"csv": players}, key="players")
    chief.write(f"{day.tournament}/plan", {"rounds": rounds}, key="plan")


def _end_and_sign(caller: Caller, game: str, table: str) -> None:
    """The game is over, and all four put their names to it."""

    def ended() -> bool:
        return caller.get(game)["ended"] is not None

    seen = {"revision": caller.get(game)["revision"]}
    caller.write(f"{game}/end", {"by": "Judge Oak", "reason": "time", "seen": seen}, done=ended)
    for seat in SEATS:
        caller.write(f"{table}/sign", {"seat": seat}, key=f"{table} {seat}")


def _penalise_somebody(chief: Caller, day: Day, number: int) -> None:
    """Somebody is penalised; in the second round that is taken back."""
    rng = random.Random(f"{number} penalty")
    player, amount, reason = rng.randint(1, 32), -rng.choice((5, 10, 20)), f"Phone rang in round {number}"
    body = {"player": player, "amount": amount, "reason": reason, "by": "Judge Oak"}
    path = f"{day.tournament}/penalties"
    reports = chief.write(path, body, key=f"penalty {number}")["penalties"]
    if number == 2:
        why = {"by": "Judge Oak", "reason": "It was the spectator's"}
        chief.write(f"{path}/{reports[-1]['number']}/withdraw", why, key="withdrawn")
        return
    day.penalties[player] = day.penalties.get(player, 0) + amount
