"""A wheel whose scoring is compiled answers as the sources do; where there is no C compiler it cannot be made."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from scripts.compiled import MODULES
from tests.hupai.serving import ROOT

pytestmark = pytest.mark.slow

COMPILER = (sysconfig.get_config_var("CC") or "").split(" ")[0]
pytest.importorskip("mypyc", reason="mypy is not installed")
pytest.importorskip("setuptools", reason="setuptools is not installed")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the compiled wheel."""
    if not shutil.which(COMPILER) or not Path(sysconfig.get_paths()["include"], "Python.h").is_file():
        pytest.skip("there is no C compiler, or no headers of Python")
    folder = tmp_path_factory.mktemp("compiled")
    code = f"import hatchling.build as b; b.build_wheel({str(folder)!r})"
    env = os.environ | {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "1"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, check=True, capture_output=True, timeout=600)
    (path,) = folder.glob("*.whl")
    assert not path.name.endswith("-any.whl")
    with zipfile.ZipFile(path) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"


def printed(first: Path, script: str) -> str:
    """What a script prints with the packages of a folder, the tests from here."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join((str(first), str(ROOT)))}
    command = [sys.executable, "-c", script]
    return subprocess.run(command, cwd=first, env=env, check=True, capture_output=True, text=True, timeout=600).stdout


def test_every_module_is_compiled_and_its_source_beside_it(unpacked: Path) -> None:
    for module in MODULES:
        name = module.removesuffix(".py").replace("/", ".")
        found = printed(unpacked, f"import {name} as m; print(m.__file__)").strip()
        assert Path(found).parent == (unpacked / module).parent and not found.endswith(".py")
        assert (unpacked / module).read_bytes() == (ROOT / module).read_bytes()


def test_it_gives_the_same_answers(unpacked: Path) -> None:
    """To every worked hand of every system, with what was not counted, and to some random ones of riichi."""
    script = """
import json, random
from scoring.request import respond
from tests.scoring.riichi.riichi_hands import riichi_request
from tests.scoring.test_golden import CASES

rng = random.Random("compiled")
worked = [case["request"] | {"why": True} for case in CASES]
for asked in worked + [riichi_request(rng, every=True) for _ in range(500)]:
    print(json.dumps(respond(asked)))
"""
    compiled = printed(unpacked, script)
    assert compiled.count('"legal": true') > 500
    assert compiled == printed(ROOT, script)
