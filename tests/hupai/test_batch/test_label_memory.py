"""What the process that hands out the work holds of every picture it knows of, with both engines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.hupai.test_batch.batch_photos import ROOT

MOST = 450
"""Bytes a picture; measured to a million they were fewer (docs/labeller.md)."""
MEASURED = """
import resource, sys
from pathlib import Path
from hupai.batch.engines.cluster import _make_listing
from hupai.batch.inputs.sources import sources_of
from hupai.batch.journal import Journal
from hupai.batch.plan import LabellingPlan
from hupai.batch.progress import Quiet

engine, place = sys.argv[1], Path(sys.argv[2])
given = str(place / "list.txt")
if engine == "local":
    journal = Journal(place / "journal", LabellingPlan((given,), {"detector": "a"}))
    for _ in journal.list_items((0, entry) for entry in sources_of([given])[0].items()):
        pass
    count = sum(1 for _ in journal.open_items(0))
else:
    count = _make_listing([given], Quiet()).num_rows
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def held(engine: str, place: Path, pictures: int) -> int:
    """The most memory of a process that lists so many pictures, bytes."""
    place.mkdir()
    lines = (f"/photos/evening {i % 97:02d}/table {i % 13}/IMG_{i:08d}.jpg\n" for i in range(pictures))
    (place / "list.txt").write_text("".join(lines))
    command = [sys.executable, "-c", MEASURED, engine, str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    count, most = map(int, done.stdout.split())
    assert count == pictures
    return most


@pytest.mark.release
@pytest.mark.parametrize("engine", ["local", "ray"])
def test_a_listing_of_many_pictures_takes_little_memory(engine: str, tmp_path: Path) -> None:
    if engine == "ray":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra: cluster)")
    few, many = 20_000, 120_000
    more = held(engine, tmp_path / "many", many) - held(engine, tmp_path / "few", few)
    assert more / (many - few) < MOST
