"""A tournament from the list of players to the standings, with things going wrong all the while."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import Final

from hupai.store.database import open_store
from scripts.bench.hall.camera import Camera
from scripts.bench.hall.deals import SEATS
from scripts.bench.hall.desk import Caller, Tally
from scripts.bench.hall.host import DIRECTOR, Host
from scripts.bench.hall.reckoning import START, UMA
from scripts.bench.hall.tables import Played, by_camera, by_phone

CAMERAS: Final = ("A", "B", "C", "D")
PHONES: Final = ("1", "2", "3", "4")
Fault = tuple[str, Callable[[], None]]


@dataclass
class Day:
    """How the tournament went.

    Attributes:
        tournament: its address. tables: (round, table) -> what its players remember.
        seated: the players' numbers there. penalties: by player. tally: what the callers saw.
        faults: those that struck, in order. cameras: those that died, and why.
    """

    tournament: str = ""
    tables: dict[tuple[int, str], Played] = field(default_factory=dict)
    seated: dict[tuple[int, str], tuple[int, ...]] = field(default_factory=dict)
    penalties: dict[int, int] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    faults: list[str] = field(default_factory=list)
    cameras: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def hands(self) -> int:
        """How many hands were played."""
        return sum(len(p.deals) for p in self.tables.values())

    @property
    def laid(self) -> int:
        """How many hands were laid before a camera."""
        return sum(d.winner is not None for (_, table), p in self.tables.items() if table in CAMERAS for d in p.deals)


def play(
    host: Host, faults: Iterable[Fault], *, hands: int = 4, rounds: int = 5, pause: float = 5.0, seed: int = 1
) -> Day:
    """Run a tournament of 32 at eight tables, four of them with cameras.

    Args:
        host: a server that runs. faults: strike one after the other while it is played. hands: a table and round.
        rounds: how many. pause: seconds between two faults. seed: of everything that is drawn.

    Raises:
        Unexpected: the server refused what it must take, or lost or doubled something.
    """
    began, day = time.monotonic(), Day()
    over = threading.Event()
    with ExitStack() as stack:
        engine = open_store(host.database_url)
        stack.callback(engine.dispose)
        chief = stack.enter_context(closing(Caller(host.api, {"X-Hupai-Director": DIRECTOR}, day.tally)))
        cameras = {t: Camera(t, engine, seed + i) for i, t in enumerate(CAMERAS)}
        for camera in cameras.values():
            stack.callback(camera.stop)
        _begin(chief, day, rounds)
        phones = {t: _phones(stack, host, chief, day, t) for t in PHONES}
        troubles = threading.Thread(target=_strike, args=(faults, pause, day, over), daemon=True)
        troubles.start()
        stack.callback(troubles.join)
        stack.callback(over.set)
        for number in range(1, rounds + 1):
            _round(chief, phones, cameras, day, number, hands, seed)
        over.set()
        troubles.join()
        day.cameras = [f"{t}: {c.failed!r}" for t, c in cameras.items() if c.failed is not None]
    day.seconds = time.monotonic() - began
    return day


def _begin(chief: Caller, day: Day, rounds: int) -> None:
    players = "name,country,EMA number\n" + "".join(f"Player {i},NED,{4290000 + i}\n" for i in range(1, 33))
    counting = {"starting_points": START, "divide": 1000, "places": list(UMA)}
    made = chief.write("POST", "/tournaments", {"name": "Hall", "rules": "riichi", **counting}, key="hall")
    day.tournament = f"/tournaments/{made['id']}"
    chief.write("POST", f"{day.tournament}/players/import", {"csv": players}, key="players")
    chief.write("POST", f"{day.tournament}/plan", {"rounds": rounds}, key="plan")


def _phones(stack: ExitStack, host: Host, chief: Caller, day: Day, table: str) -> tuple[Caller, Caller]:
    """Two phones that came in by the table's QR code."""
    made = chief.write("POST", "/tokens", {"name": f"Table {table}", "role": "table", "table": table})
    both = [Caller(host.api, {"X-Hupai-Code": made["token"]}, day.tally) for _ in range(2)]
    for caller in both:
        stack.enter_context(closing(caller))
    return both[0], both[1]


def _round(
    chief: Caller,
    phones: dict[str, tuple[Caller, Caller]],
    cameras: dict[str, Camera],
    day: Day,
    number: int,
    hands: int,
    seed: int,
) -> None:
    path = day.tournament
    seated = chief.write("POST", f"{path}/rounds", {"tables": [*CAMERAS, *PHONES]}, key=f"round {number}")
    for table in seated["rounds"][number - 1]["tables"]:
        day.tables[number, table["table"]] = Played(table["game_id"])
        day.seated[number, table["table"]] = tuple(p["number"] for p in table["players"])
    chief.write("POST", f"{path}/rounds/{number}/timer", {"act": "start", "minutes": 60}, key=f"timer {number}")
    with ThreadPoolExecutor(len(CAMERAS) + len(PHONES)) as pool:
        playing = [pool.submit(by_camera, chief, cameras[t], *_of(day, number, t, hands, seed)) for t in CAMERAS]
        playing += [pool.submit(by_phone, phones[t], *_of(day, number, t, hands, seed)) for t in PHONES]
        for each in playing:
            each.result()
    for table in (*CAMERAS, *PHONES):
        _end(chief, phones[table][0] if table in PHONES else chief, day, number, table)
    _penalise(chief, day, number, seed)


def _of(day: Day, number: int, table: str, hands: int, seed: int) -> tuple[Played, int, random.Random]:
    return day.tables[number, table], hands, random.Random(f"{seed} {number} {table}")


def _end(chief: Caller, caller: Caller, day: Day, number: int, table: str) -> None:
    """The game is over, and all four put their names to it."""
    game = day.tables[number, table].path

    def ended() -> bool:
        return caller.get(game)["ended"] is not None

    seen = {"seen": {"revision": caller.get(game)["revision"]}}
    caller.write("POST", f"{game}/end", {"by": f"Table {table}", "reason": "time", **seen}, done=ended)
    path = f"{day.tournament}/rounds/{number}/tables/{table}"
    for seat in SEATS:
        caller.write("POST", f"{path}/sign", {"seat": seat}, key=f"sign {number} {table} {seat}")


def _penalise(chief: Caller, day: Day, number: int, seed: int) -> None:
    """Somebody is penalised; in the third round that is taken back."""
    rng = random.Random(f"{seed} {number} penalty")
    player, amount, reason = rng.randint(1, 32), -rng.choice((5, 10, 20)), f"Phone rang in round {number}"
    body = {"player": player, "amount": amount, "reason": reason, "by": "Judge Oak"}
    reports = chief.write("POST", f"{day.tournament}/penalties", body, key=f"penalty {number}")["penalties"]
    if number == 3:
        why = {"by": "Judge Oak", "reason": "It was the spectator's"}
        chief.write("POST", f"{day.tournament}/penalties/{reports[-1]['number']}/withdraw", why, key="withdrawn")
        return
    day.penalties[player] = day.penalties.get(player, 0) + amount


def _strike(faults: Iterable[Fault], pause: float, day: Day, over: threading.Event) -> None:
    for name, fault in faults:
        if over.wait(pause):
            return
        fault()
        day.faults.append(name)
