"""Every command line of the documents is run: as it stands, or shorter where it would take minutes.

They run in a copy of the repository, in a folder that holds what the documents speak of: photos, a hand, labels. A line
that nothing here knows how to run is a failure, so a new one cannot slip in.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hupai.review.desk import Desk
from hupai.store.database import open_store
from hupai.store.files.samples import save_sample
from tests.trust.codes import ROOT
from tests.trust.documented import typed_lines, words_of

pytestmark = pytest.mark.slow

FULL = os.environ.get("HUPAI_FULL") == "1"
REQUEST = {
    **{"rules": "hongkong", "concealed": "234m567p345s88s67s", "winning_tile": "8s"},
    "context": {"seat": "S", "win": "self_draw"},
}
LINES = sorted({line for _, line in typed_lines()})
CORRECTIONS = "--corrections"
MENTIONED = re.compile(r"hupai (bench|read|learn-set|watch|sets|sets delete|score)$")
"""Commands that the text only names; alone they lack what they need, so their help is asked for."""

SHORTER: dict[str, dict[str, str]] = {
    # script: the flags with which it is run, in place of those the line gives or beside them
    "accuracy.asked": {"--tables": "5"},
    "accuracy.layout": {"--hands": "2"},
    "accuracy.sets": {"--data": "photos"},
    "accuracy.tables": {"--tables": "5"},
    "bench.batch": {"--pictures": "8", "--rounds": "1", "--patience": "1"},
    "bench.feed": {"--videos": "1"},
    "bench.photo": {"--times": "1", "--megapixels": "2"},
    "bench.scoring": {"--hands": "60", "--rounds": "1"},
    "evaluate": {"--data": "photos"},
    "train.render_examples": {"--only": "hand-self-draw", "--out": "rendered"},
    "train.render_validation": {"--each": "1"},
    "train.run": {"--minutes": "0.1", "--total": "0.1", "--workers": "1", "--nets": "classifier"},
}
LONG = re.compile(r"bench\.(batch|feed|hall)|train\.(render_examples|run)|ray")
"""Lines that take long even when they are shortened; run with HUPAI_FULL=1. Their scripts have tests of their own."""
ELSEWHERE = {
    # script: the test that runs it, where it cannot be run here
    "accuracy.scenes": "tests/scripts/test_scenes.py",
    "docs.screens": "tests/hupai/test_page/test_screens.py",
    "page_checks": "tests/hupai/test_page/test_types.py",
    "release": "tests/scripts/test_release.py",
    "train.bonus": "tests/datasets/test_captions.py",
    "train.export": "tests/datasets/test_learn.py",
    "train.gather_scene": "tests/datasets/test_scene_classifier.py",
    "train.quantize": "tests/datasets/test_int8.py",
    "train.scene": "tests/datasets/test_scene_classifier.py",
}
FETCHES = re.compile(r"scripts\.train\.(collect_art|build_atlas|pack)|scripts/lock\.py")
"""These fetch fonts, photos or packages from the network, or need what was fetched: only their help is asked for."""
DEMO = "python3 scripts/demo.py"
SERVED = [line for line in LINES if re.match(r"hupai serve", line)]
REVIEWED = re.compile(r"hupai review")
"""Serves a page until it is interrupted: run by tests/hupai/test_batch/test_review.py."""
TESTS = re.compile(r"(HUPAI_FULL=1 )?python3 scripts/test\.py")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with what the lines speak of beside it, and its environment."""
    folder = tmp_path_factory.mktemp("desk") / "hupai"
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    known = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, known.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    examples = folder / "examples"
    for name in ("photos/hand-self-draw", "photos/hand-riichi", "photos/scenes-d-validation/hand-dark-diagonal"):
        (folder / name).parent.mkdir(exist_ok=True)
        for suffix in (".jpg", ".json"):
            shutil.copy((examples / Path(name).name).with_suffix(suffix), folder / f"{name}{suffix}")
    shutil.copy(examples / "hand-self-draw.jpg", folder / "hand.jpg")
    (folder / "wallpapers").mkdir()
    shutil.copy(folder / "hupai" / "web" / "static" / "icons" / "icon-512.png", folder / "wallpapers")
    for name in ("requests.jsonl", "big"):
        (folder / name).write_text(json.dumps(REQUEST) + "\n")
    return folder


@pytest.fixture(scope="module")
def environment(desk: Path) -> dict[str, str]:
    """Variables of a user of that copy: its folders are his own, its code is what is run."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("HUPAI_", "PYTHON"))}
    home = desk.parent
    open_store(f"sqlite:///{home / 'data' / 'hupai.db'}").dispose()  # what there is to back up
    return kept | {
        **{"HOME": str(home), "PYTHONPATH": str(desk), "OMP_NUM_THREADS": "1", "RAY_USAGE_STATS_ENABLED": "0"},
        **{"HUPAI_DATA_FOLDER": str(home / "data"), "HUPAI_HOST": "127.0.0.1", "HUPAI_PORT": "0"},
    }


def run(desk: Path, environment: dict[str, str], line: str, **how: str) -> subprocess.CompletedProcess[str]:
    """Run a line as a shell would, with this environment's Python."""
    words = words_of(line)
    env = dict(environment)
    while re.match(r"[A-Z_]+=", words[0]):
        name, _, env[name] = words.pop(0).partition("=")
    program = {"hupai": [sys.executable, "-m", "hupai.cli"]}.get(words[0], [sys.executable])
    done = subprocess.run(
        [*program, *words[1:]], cwd=desk, env=env, capture_output=True, text=True, check=False, timeout=600, **how
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


# ---- what some lines need ----


@pytest.fixture(scope="module")
def whole_set(desk: Path) -> None:
    """A picture of one of every tile, as the documents tell how to lay them."""
    from PIL import Image

    from tests.trust.all_tiles import all_tiles

    Image.fromarray(all_tiles()).save(desk / "all-tiles.jpg", quality=92)


@pytest.fixture(scope="module")
def home_set(desk: Path, environment: dict[str, str], whole_set: None) -> None:
    """The set learned from it."""
    done = run(desk, environment, "hupai learn-set all-tiles.jpg --name home")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def labelled(desk: Path, environment: dict[str, str]) -> None:
    """Labels of the photos, and the same again as somebody corrected them in Label Studio."""
    done = run(desk, environment, "hupai label photos --out labels --format jsonl,labelstudio")
    assert done.returncode == 0, done.stderr
    shutil.copy(desk / "labels" / "labelstudio.json", desk / "corrected.json")


@pytest.fixture(scope="module")
def better(desk: Path, environment: dict[str, str], labelled: None) -> None:
    """The corrections brought back."""
    (line,) = (line for line in LINES if line.startswith("hupai labels import corrected"))
    done = run(desk, environment, line)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def reviewed(desk: Path, labelled: None) -> None:
    """The same labels as somebody looked through them and let all stand."""
    review = Desk(desk / "labels")
    for number in range(len(review.entries)):
        boxes = review.record(number).boxes
        review.keep(number, [{"tile": b.tile.code, "corners": b.corners} for b in boxes], review.times(number))


@pytest.fixture(scope="module")
def corrections(desk: Path, environment: dict[str, str]) -> None:
    """What a player corrected on the page and agreed to keep."""
    photo = (desk / "examples" / "hand-riichi.jpg").read_bytes()
    square = [[10, 10], [40, 10], [40, 50], [10, 50]]
    tile = {"label": "5m", "corners": square, "state": "face_up", "visible": 1.0, "row": None, "sure": True}
    save_sample(
        Path(environment["HUPAI_DATA_FOLDER"]) / "samples", photo, (960, 720),
        {"scene": "hand", "tiles": [tile], "ignore": []}, rules="riichi", models={}, read=None, max_bytes=1 << 30,
    )  # fmt: skip


@pytest.fixture(scope="module")
def film(desk: Path) -> None:
    """Three seconds of a table nobody plays at."""
    import cv2

    picture = cv2.resize(cv2.imread(str(desk / "examples" / "hand-riichi.jpg")), (640, 480))
    writer = cv2.VideoWriter(str(desk / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 480))
    for _ in range(30):
        writer.write(picture)
    writer.release()


@pytest.fixture
def needs(request: pytest.FixtureRequest) -> None:
    """What this line needs, made once."""
    line = str(request.node.callspec.params["line"])
    for word, fixture in (
        *(("all-tiles", "whole_set"), ("--set home", "home_set"), ("watch", "film")),
        *(("hupai labels import", "labelled"), ("compare", "better"), ("split", "better"), ("hupai bench", "better")),
        *(("labels forget", "labelled"), ("corrections.jsonl", "reviewed")),
        (CORRECTIONS, "corrections"),
    ):
        if word in line:
            request.getfixturevalue(fixture)


# ---- the lines ----


def plain(line: str) -> bool:
    """Whether a line is run as it stands or shortened, begins, ends and says 0."""
    elsewhere = any(f"scripts.{script}" in line for script in ELSEWHERE)
    return not (TESTS.match(line) or elsewhere or line in (DEMO, *SERVED) or REVIEWED.match(line))


def shortened(words: list[str]) -> list[str]:
    """The words of a line with the flags of :data:`SHORTER`."""
    found = next((m[1] for w in words if (m := re.fullmatch(r"scripts\.([\w.]+)", w))), "")
    flags = SHORTER.get(found, {}) if "--help" not in words else {}
    out = list(words)
    for flag, value in flags.items():
        places = [i for i, word in enumerate(out) if word == flag]
        for i in places:
            out[i + 1] = value
        out += [] if places else [flag, value]
    return out


def test_lines_are_shortened_in_what_takes_long_and_in_nothing_else() -> None:
    assert shortened(["python", "-m", "scripts.bench.feed", "--videos", "50", "--work", "DIR"]) == (
        ["python", "-m", "scripts.bench.feed", "--videos", "1", "--work", "DIR"]
    )
    assert shortened(["python", "-m", "scripts.accuracy.sets", "--data", "a", "--data", "b"])[3:] == (
        ["--data", "photos", "--data", "photos"]
    )
    assert shortened(["python", "-m", "scripts.bench.scoring"])[3:] == ["--hands", "60", "--rounds", "1"]
    assert shortened(["hupai", "read", "x"]) == ["hupai", "read", "x"]


@pytest.mark.usefixtures("needs")
@pytest.mark.parametrize("line", [line for line in LINES if plain(line)], ids=str)
def test_a_line_runs(desk: Path, environment: dict[str, str], line: str) -> None:
    if LONG.search(line) and not FULL:
        pytest.skip("takes long: set HUPAI_FULL=1")
    if "--engine ray" in line:
        if importlib.util.find_spec("ray") is None:
            pytest.skip("Ray is not installed (extra: cluster)")
        line = line.replace("s3://bucket/photos", "photos").replace("s3://bucket/labels", "ray-labels")
        line = line.replace(" --ray-address auto", "")  # the test that kills a worker joins a cluster
    elif "s3://bucket" in line:  # a store that is always there
        shutil.copytree(desk / "photos", desk / "store" / "photos", dirs_exist_ok=True)
        line = line.replace("s3://bucket", f"local://{desk}/store")
    for script, module in (("train.start_from", "torch"), ("train.run", "torch"), ("train.pack", "OpenEXR")):
        if script in line and importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed (extra: train)")
    if line.startswith("hupai labels import"):  # into a folder of its own, as any user's first time
        shutil.rmtree(desk / "better", ignore_errors=True)
    words = shortened(shlex.split(line))
    if MENTIONED.match(line) or FETCHES.search(line):
        words.append("--help")
    if "train.run" in line:
        words.append("--cpu")
    if "--teacher" in words:  # a checkpoint of an earlier run; tests/datasets/test_learn.py has one
        at = words.index("--teacher")
        del words[at : at + 2]
    if words[:2] == ["hupai", "watch"] and len(words) > 3:
        words[2] = "film.avi"
    if "learn-set" in words and "--help" not in words:
        words += ["--tiles", "f2f31223456799p777z3p"] if "PHOTO" in words else []
    done = run(desk, environment, shlex.join(words), input=json.dumps(REQUEST) + "\n")
    assert done.returncode == 0, done.stdout + done.stderr
    if "--json" not in line:
        assert done.stdout.strip() or done.stderr.strip() or "scripts.docs." in line, "it says nothing"


@pytest.mark.parametrize("line", SERVED)
def test_a_server_line_serves_until_it_is_interrupted(desk: Path, environment: dict[str, str], line: str) -> None:
    command = [sys.executable, "-u", "-m", "hupai.cli", *shlex.split(line)[1:]]
    env = environment | {"HUPAI_DATA_FOLDER": str(desk.parent / "served")}
    with subprocess.Popen(command, cwd=desk, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert re.match(
            rf"hupai \S+ is at http{'s' * ('--https' in line)}://127\.0\.0\.1:\d+", process.stdout.readline()
        )
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_lines_that_run_elsewhere_do() -> None:
    """The scripts they name are run by the tests they are said to be run by."""
    for line, place in ELSEWHERE.items():
        script = line.partition(" ")[0].rpartition(".")[2]
        assert any(line in one for one in LINES), f"no document says {line}"
        assert re.search(rf"\b{script}\b", (ROOT / place).read_text(encoding="utf-8")), f"{place} does not run {script}"


def test_what_is_shortened_are_scripts() -> None:
    for script in SHORTER:
        assert (ROOT / "scripts" / f"{script.replace('.', '/')}.py").is_file(), script


# ---- the commands that set things up ----


@pytest.fixture
def tools(desk: Path) -> Iterator[Path]:
    """An environment as ``scripts/setup_env.py`` leaves it there, with tools that write down how they are called."""
    import hashlib

    home = desk / ".venv"
    (home / "bin").mkdir(parents=True)
    told = b"".join((desk / name).read_bytes() for name in ("pyproject.toml", "constraints.txt"))
    wanted = hashlib.sha256(told).hexdigest()
    for extra in ("base", "dev"):
        (home / f".installed-{extra}").write_text(wanted)
    note = f"#!{sys.executable}\nimport os, sys\nopen('called', 'a').write(' '.join(sys.argv) + '\\n')\n"
    for tool in ("ruff", "mypy", "lint-imports", "pytest"):
        (home / "bin" / tool).write_text(f"{note}sys.exit(os.environ.get('FAILS') == {tool!r})\n")
    (home / "bin" / "hupai").write_text(f'#!/bin/sh\nexec {sys.executable} -m hupai.cli "$@"\n')
    for file in (home / "bin").iterdir():
        file.chmod(0o755)
    yield home
    shutil.rmtree(home)
    (desk / "called").unlink(missing_ok=True)


@pytest.mark.parametrize("line", [line for line in LINES if TESTS.match(line)])
def test_the_test_command_runs_every_check(desk: Path, environment: dict[str, str], tools: Path, line: str) -> None:
    """Which is how this runs; here with tools that only write down how they are called."""
    assert run(desk, environment, line).returncode == 0
    more = " ".join(shlex.split(line.partition("test.py")[2]))
    cores = min(4, os.cpu_count() or 1)
    every = f"pytest -n {cores} --dist loadfile --no-loadscope-reorder -m not alone"
    runs = {"": [every, "pytest -m alone"], "--quick": [f"{every} and not slow"]}
    pytests = runs.get(more, [f"pytest {more}"])
    want = ["ruff check .", "ruff format --check .", "mypy", "lint-imports", *pytests]
    called = [call.replace(f"{tools / 'bin'}/", "") for call in (desk / "called").read_text().splitlines()]
    assert called == want
    for tool in ("ruff", "mypy", "lint-imports", "pytest"):
        done = run(desk, environment | {"FAILS": tool}, line)
        assert done.returncode == 1
        assert done.stderr.strip().endswith(f"failed: {', '.join([tool] * sum(tool in call for call in want))}")


def test_the_demonstration_scores_the_shipped_photo(desk: Path, environment: dict[str, str], tools: Path) -> None:
    done = run(desk, environment, DEMO)
    assert done.returncode == 0, done.stderr
    assert "South +256" in done.stdout
    assert (desk / "marked.png").stat().st_size > 100_000
