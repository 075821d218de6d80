"""Two hosts with a server and a watcher each, one PostgreSQL, and a cable that is pulled."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest

from hupai.hall.events import feed
from hupai.store.database import open_store
from hupai.wing import store_wings
from tests.hupai.serving import OPEN, ROOT, Server, launch
from tests.hupai.test_hall.test_feed.feeding import game_at, watching
from tests.hupai.test_hall.test_feed.network import network
from tests.waiting import until

pytestmark = pytest.mark.release
_FRAMES_A_SECOND = 2
_SECONDS = 300
HURRIED = {
    "hupai.hall.events.feed.LEASE": 30,
    "hupai.store.database._SILENCE_SECONDS": 4,
    "hupai.store.database._KEEPALIVES": {"keepalives_idle": 2, "keepalives_interval": 1, "keepalives_count": 2},
}
"""Waits for a host that is cut off, in the order in which they are: first silence, which is shorter here, then the
lease, which is longer: who is to find it still running has that long to start."""
_HOLD = """
import sys, time
from ast import literal_eval
from tests.hupai.hurried import hurry
for name, value in literal_eval(sys.argv[2]).items():
    hurry(name, value)
from sqlalchemy import select
from hupai.store.database import open_store, writing
from hupai.hall.tables import WatchedTable
with writing(open_store(sys.argv[1], ())) as session:
    session.scalars(select(WatchedTable).where(WatchedTable.name == "A").with_for_update()).one()
    print("held", flush=True)
    time.sleep(600)
"""
"""A transaction that holds the row of table A, and never ends by itself."""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand that lies on the table for minutes under light that flickers a little."""
    photo = cv2.imread(str(ROOT / "examples" / "hand-self-draw.jpg"))
    assert photo is not None
    small = cv2.resize(photo, (1280, 960), interpolation=cv2.INTER_AREA)
    path = tmp_path_factory.mktemp("film") / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), _FRAMES_A_SECOND, (1280, 960))
    for i in range(_FRAMES_A_SECOND * _SECONDS):
        writer.write(cv2.add(small, np.full_like(small, i % 3)))
    writer.release()
    return path


def test_a_host_is_cut_off_and_nothing_is_lost_or_doubled(film: Path, tmp_path: Path) -> None:
    with network() as net, ExitStack() as stack:
        one, two = net.hosts
        servers: list[Server] = []
        for host in net.hosts:
            folder = tmp_path / host.name
            folder.mkdir()
            there = {"host": host.address, "https": False, "database": host.database, "director_code": "chief"}
            server = launch(folder, within=host.within, hurried=HURRIED, **there, **OPEN)
            stack.callback(server.stop)
            servers.append(server)

        def ask(server: Server, method: str, path: str, **more: Any) -> httpx.Response:
            headers = {"X-Hupai-Director": "chief"}
            return net.ask(lambda: httpx.request(method, server.api + path, headers=headers, timeout=30, **more))

        engine = open_store(net.postgres.url, store_wings())
        stack.callback(engine.dispose)

        def watch(host: Any, table: str) -> Any:
            more = ("--rules", "hongkong", "--speed", "1", "--database", host.database)
            it = watching(str(film), table, tmp_path / host.name, *more, within=host.within, hurried=HURRIED)
            stack.callback(it.kill)
            return it

        def laid(table: str) -> Any:
            return ask(servers[1], "GET", f"/tables/{table}").json()["hands"][0]

        watchers = {"A": watch(one, "A"), "B": watch(two, "B")}
        played = {}
        for table, watcher in watchers.items():
            assert watcher.heard("won with", 120), watcher.said
            played[table] = game_at(engine, table)

        def confirm(server: Server, table: str) -> httpx.Response:
            body = {"context": {"seat": "S", "win": "self_draw"}, "version": 1, "seen": {"revision": 0}}
            return ask(server, "POST", f"/laid/{ids[table]}/confirm", json=body)

        def won(server: Server, table: str) -> list[Any]:
            game = ask(server, "GET", f"/games/{played[table]}").json()
            return [len(game["hands"]), *(player["total"] for player in game["players"])]

        ids = {table: laid(table)["id"] for table in played}
        # What the first host saw is confirmed at the second, and stands at the first.
        assert confirm(servers[1], "A").status_code == 200
        count, *totals = won(servers[0], "A")
        assert count == 1 and totals[1] > 0 and sum(totals) == 0
        assert won(servers[1], "A") == [1, *totals]

        # The cable goes just when the first host is about to write at table A.
        holding = [*one.within, sys.executable, "-c", _HOLD, one.database, repr(HURRIED)]
        holder = subprocess.Popen(holding, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        stack.callback(holder.wait, 20)
        stack.callback(holder.kill)
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        one.pull()
        # The second goes on alone, and takes the table over once nothing was heard of its watcher for long enough.
        heir = watch(two, "A")
        assert heir.heard("waiting whether it is still alive", 60), heir.said
        assert confirm(servers[1], "B").status_code == 200
        assert until(lambda: any(line.startswith(("A: watching", "A: hand")) for line in heir.said)), heir.said
        one.plug()
        assert watchers["A"].heard("is watched by", 90), watchers["A"].said
        assert until(lambda: won(servers[0], "B") == [1, *totals]), "the first is back, and knows what was done"
        assert confirm(servers[0], "B").status_code == 200, "a retry at the other host changes nothing"
        assert won(servers[1], "B") == [1, *totals]
        assert until(lambda: ask(servers[0], "GET", "/tables/A").json()["state"] == "hand")
        assert heir.process.poll() is None
        found = feed.events_after(engine, 0, 1000)
        assert [e["number"] for e in found] == list(range(1, len(found) + 1))
        kinds = Counter((e["table"], e["event"]) for e in found)
        for table in played:
            assert (kinds[table, "hand.settled"], kinds[table, "hand.confirmed"]) == (1, 1), kinds
