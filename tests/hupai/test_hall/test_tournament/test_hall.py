"""A tournament of 32 at 8 tables, cameras and phones, while servers die and databases go: nothing lost or doubled."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from scripts.bench.hall.day import Day, Disruption, play_tournament
from scripts.bench.hall.desk import Caller, hall_server
from scripts.bench.hall.spectators import MEASURED, compare_phases
from scripts.bench.hall.tournament import find_differences, hold_file, kill_and_restart, move_file_away
from scripts.bench.host import Host
from tests.hupai.postgres import Cluster, cluster
from tests.waiting import until

pytestmark = pytest.mark.slow


def tournament(host: Host, faults: list[Disruption]) -> Day:
    """Played to its end, and compared; the comparison is shown to see what is lost and what is doubled."""
    with host:
        day = play_tournament(host, faults, hands=2, between=8, rounds=2)
        caller = Caller(host, day.tally)
        assert find_differences(caller, day) == []
        played = day.tables[2, "1"]
        whole = played.deals
        for remembered in (whole[:-1], [*whole, whole[-1]], [replace(whole[0], declared=("E", "S")), *whole[1:]]):
            played.deals = remembered
            assert find_differences(caller, day)
    assert day.hands == 32 and sum(p.did["raced"] for p in day.tables.values()) >= 16
    assert set(day.faults) == {name for name, _ in faults}, "each of them struck"
    return day


def test_on_sqlite(tmp_path: Path) -> None:
    host = hall_server(tmp_path)
    tournament(
        host,
        [
            ("server killed", partial(kill_and_restart, host)),
            ("file away", partial(move_file_away, host)),
            ("file held", partial(hold_file, host)),
        ],
    )


@pytest.mark.release
def test_on_postgresql(tmp_path: Path) -> None:
    with cluster() as database:
        host = hall_server(tmp_path, database.url)
        faults = [("server killed", partial(kill_and_restart, host)), ("database gone", partial(power_cut, database))]
        tournament(host, faults)


def power_cut(database: Cluster) -> None:
    database.stop()
    assert not until(lambda: False, 3)
    database.start()


@pytest.mark.release
def test_spectators_see_everything_and_are_told_when_nothing_changed(tmp_path: Path) -> None:
    """A hundred streams, a hundred half-open sockets; what they cost the tables is measured by the script at length."""
    with hall_server(tmp_path) as host:
        crowd_of = {"streams": 100, "half_open": 100, "polls": 10}
        (alone, _), (crowded, _), (crowd, delays) = compare_phases(host, tables="ABCDE", hands=5, seconds=5, **crowd_of)
    assert not alone.again and not crowded.again
    assert crowd["lost"] == crowd["refused"] == 0 and crowd["opened"] == 100
    assert crowd["least"] == crowd["most"] == len(crowded.seconds(writing=True)) >= 10
    assert len(delays) == 100 // MEASURED * crowd["most"]
    assert 0 < crowd["unchanged"] < crowd["polls"]
    assert crowd["ended"] > 0, "the server ends what never becomes a request"
