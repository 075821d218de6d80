"""Labelling on Ray: the same rows as on one machine, also when a worker is killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from hupai.label.engines.pictures import FileImage, LabelOptions
from hupai.label.engines.pool import WorkerError
from hupai.label.engines.run import Job, run
from hupai.label.outputs.derive import OutputOptions
from hupai.label.progress import Progress
from tests.hupai.test_label.batch_photos import ROOT, contents, hupai_process, write_photos
from tests.waiting import until

pytestmark = pytest.mark.slow

needs_ray = pytest.mark.skipif(
    __import__("importlib.util").util.find_spec("ray") is None, reason="Ray is not installed (extra: cluster)"
)


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    folder = tmp_path_factory.mktemp("photos")
    write_photos(folder, 40, size=(320, 240))
    (folder / "bad.jpg").write_text("no picture")
    (folder / "sub").mkdir()
    (folder / "0039.jpg").rename(folder / "sub" / "last.jpg")
    return folder


@pytest.fixture(scope="module")
def local(photos, tmp_path_factory):
    out = tmp_path_factory.mktemp("local") / "out"
    run(Job((str(photos),), out, OutputOptions(("csv", "coco")), LabelOptions(), workers=2), Progress())
    return out


@pytest.fixture
def ray():
    """A cluster of the test's own with two worker processes' worth of logical CPUs and two to spare."""
    import ray

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=4, object_store_memory=100_000_000, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


def actor_pids():
    """Processes of Ray that hold labelling actors and belong to this test."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if b"LabelActor" in (place / "cmdline").read_bytes() and descends(int(place.name), os.getpid()):
                found.append(int(place.name))
        except OSError:
            continue
    return found


def descends(pid, ancestor):
    while pid > 1:
        if pid == ancestor:
            return True
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return False


@pytest.mark.release
@needs_ray
def test_two_workers_one_killed_in_the_middle_give_the_same_files(photos, local, tmp_path, ray):
    from hupai.label.engines.cluster import RayPool

    killed = []

    class Killer(Progress):
        """Kills a worker when the first labels have come."""

        def step(self, *, failed: bool = False) -> None:
            if not killed:
                assert until(lambda: len(actor_pids()) == 2)
                killed.append(actor_pids()[0])
                os.kill(killed[0], signal.SIGKILL)

    job = Job((str(photos),), tmp_path / "out", OutputOptions(("csv", "coco")), LabelOptions(), workers=2)
    finished = run(job, Killer(), RayPool)
    assert killed and not Path(f"/proc/{killed[0]}/cmdline").exists()
    assert (finished.counts.labelled, finished.counts.failed, finished.exit_status) == (40, 1, 1)
    assert contents(tmp_path / "out") == contents(local)
    assert run(job, Progress(), RayPool).pace is None  # begun again, nothing is done twice


@pytest.mark.release
@needs_ray
def test_actors_that_cannot_work_stop_the_run_with_a_sentence(photos, tmp_path, ray):
    from hupai.label.engines.cluster import RayPool

    picture = FileImage("a.jpg", photos / "0000.jpg")
    with RayPool(LabelOptions(models=tmp_path), 1) as pool, pytest.raises(WorkerError, match="no list of models"):
        list(pool.label(iter([picture])))


@pytest.mark.release
@needs_ray
def test_more_workers_than_the_cluster_has_cpus_are_refused(ray):
    from hupai.label.engines.joining import ClusterError, join_cluster

    with pytest.raises(ClusterError, match=r"4 logical CPUs.*--workers 4"), join_cluster(None, 5, Progress()):
        pass


@pytest.fixture
def ray_home(monkeypatch):
    """A place for Ray's notes that no other cluster uses."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))  # its sockets allow no longer names
    monkeypatch.setenv("RAY_TMPDIR", str(folder))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    (folder / "ray").mkdir()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.release
@needs_ray
def test_a_cluster_that_runs_is_joined_and_one_that_has_ended_hinders_nobody(photos, tmp_path, ray_home):
    few = tmp_path / "few"
    shutil.copytree(photos / "sub", few)
    code = (
        "import ray, sys\nray.init(address='local', num_cpus=3, object_store_memory=100_000_000, "
        "include_dashboard=False)\nprint('at', ray.get_runtime_context().gcs_address, flush=True)\nsys.stdin.read()"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0"},
    )  # fmt: skip
    try:
        at = next(line.split()[1] for line in iter(running.stdout.readline, "") if line.startswith("at "))
        (ray_home / "ray" / "ray_current_cluster").write_text(at)
        status, _, stderr = hupai_process("label", few, "--engine", "ray", "--out", tmp_path / "joined")
        assert status == 0 and f"joining the Ray cluster at {at}" in stderr, stderr
        status, _, stderr = hupai_process(
            "label", few, "--engine", "ray", "--ray-address", at, "--out", tmp_path / "named"
        )
        assert status == 0, stderr
    finally:
        running.stdin.close()
        running.wait(120)
    # Its file stays behind: nobody answers there any more.
    (ray_home / "ray" / "ray_current_cluster").write_text(at)
    status, _, stderr = hupai_process("label", few, "--engine", "ray", "--out", tmp_path / "own", "--workers", 1)
    assert status == 0 and "joining" not in stderr, stderr
    names = ("joined", "named", "own")
    assert len({(tmp_path / name / "labels.jsonl").read_bytes() for name in names}) == 1
