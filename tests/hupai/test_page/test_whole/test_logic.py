"""What the page's scripts decide without a page: ``logic/``, run by deno."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hupai.messages import LANGUAGES
from hupai.web.answers.rules import list_rules
from scripts.page_checks import find_tool
from vision.models.opencv import invert_lightness, rectify_all, resize_image, turn_by_quarter

if TYPE_CHECKING:
    from vision.arrays import ImageArray

LOGIC = Path(__file__).with_name("logic")


def run_deno(kept: Path, command: str, *given: str | Path, read: bytes = b"") -> str:
    """What deno prints, which must succeed. What the scripts keep, they keep for an address."""
    deno = find_tool("deno")
    if deno is None:
        pytest.skip("deno is missing: pip install -e '.[dev]'")
    line = (deno, command, "--no-remote", "--no-check", "--location=https://hupai.test", "-c", LOGIC / "deno.json")
    env = {"DENO_DIR": str(kept), "NO_COLOR": "1", "LANGUAGES": json.dumps(LANGUAGES)}
    done = subprocess.run([*line, *given], input=read, env=env, capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    return done.stdout.decode()


@pytest.mark.parametrize("path", sorted(LOGIC.glob("*_test.js")), ids=lambda path: path.stem)
def test_the_logic(path: Path, tmp_path: Path) -> None:
    assert " 0 passed" not in run_deno(
        tmp_path, "test", "--allow-env", path, read=json.dumps(list_rules(), default=str).encode()
    )


def test_pixels_are_a_servers_to_the_bit(tmp_path: Path) -> None:
    """Resized, cut into crops, turned, inverted: networks of eight bits take one grey level for more."""
    sizes = [(1000, 700, 170, 113), (612, 408, 679, 453), (958, 579, 1230, 744), (959, 579, 400, 241)]
    sizes.append((301, 97, 1137, 367))  # as closely as a group of small tiles is looked at
    sizes += [(900, 500, 300, 700), (641, 400, 500, 130)]  # tiles seen from low down, the camera upright or turned
    rng = np.random.default_rng(7)
    noise = rng.integers(0, 256, 3 << 20, np.uint8)
    corners = np.array([[-1, -1.4], [1, -1.4], [1, 1.4], [-1, 1.4]]) + rng.normal(0, 0.15, (40, 4, 2))
    spans, middles = rng.uniform(10, 120, (40, 1, 1)), rng.uniform(0, (1000, 700), (40, 1, 2))
    quads = (middles + spans * corners).astype(np.float32)  # cut at one to three times the size, some beyond the border
    how = (64, 96), 0.12
    asked = {"sizes": sizes, "quads": quads.ravel().tolist(), "size": how[0], "margin": how[1]}
    given = noise.tobytes() + json.dumps(asked).encode()
    found = json.loads(run_deno(tmp_path, "run", LOGIC / "pixels.js", read=given))

    def picture(width: int, height: int) -> ImageArray:
        return noise[: width * height * 3].reshape(height, width, 3)

    crops = rectify_all(picture(1000, 700), quads, *how)
    quarter = turn_by_quarter(crops[:1])
    made = [resize_image(picture(wide, high), *to) for wide, high, *to in sizes]
    made += [crops, quarter, crops[:1, ::-1, ::-1], quarter[:, ::-1, ::-1], invert_lightness(picture(1024, 1024))]
    assert found == [hashlib.sha256(one.tobytes()).hexdigest() for one in made]
