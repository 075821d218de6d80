"""Nothing under the GPL or AGPL ships, and the page of licences names what does."""

from __future__ import annotations

import hashlib
import tomllib

import pytest

pytest.importorskip("packaging")

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.docs.licences import PAGE, ROOT, closure, forbidden

RELEASES = {
    "hupai/web/static/js/vendor/preact.mjs": (
        *("Preact", "11.2.0", "MIT"),
        "bdcbd9abdf2c77c5c45326eab42191e949222d479d0d5f69467387a77040cb55",
    ),
}
"""Libraries' files, from ``dist/`` of their npm packages, that lie among ours as they were released, their licences
beside them: path -> name, version, licence, SHA-256 in hexadecimal."""


def test_nothing_that_ships_is_forbidden() -> None:
    parts = closure()
    assert len(parts) > 20
    assert [name for name, licence in parts.items() if forbidden(licence)] == []


def test_the_page_names_every_package_we_ask_for_and_its_licence() -> None:
    """What those bring along in turn changes with every release of theirs; the script takes it all in."""
    said = PAGE.read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {canonicalize_name(Requirement(text).name) for text in project["dependencies"]}
    parts = {name: licence for name, licence in closure().items() if canonicalize_name(name) in asked}
    assert len(parts) == len(asked)
    for name, licence in parts.items():
        assert f"| {name} | {licence} |" in said, f"{name}: python -m scripts.docs.licences"


@pytest.mark.parametrize("path", RELEASES)
def test_what_lies_among_our_files_is_as_it_was_released(path: str) -> None:
    name, version, licence, sha256 = RELEASES[path]
    file = ROOT / path
    assert hashlib.sha256(file.read_bytes()).hexdigest() == sha256
    assert f"The {licence} License" in (file.parent / "LICENSE").read_text(encoding="utf-8")
    assert not forbidden(licence)
    assert f"{name} {version} ({licence})" in PAGE.read_text(encoding="utf-8")


def test_every_file_of_a_library_is_listed() -> None:
    assert {str(path.relative_to(ROOT)) for path in (ROOT / "hupai").rglob("*.mjs")} == set(RELEASES)


@pytest.mark.parametrize(
    ("licence", "kept_out"),
    [
        ("GPL-3.0-only", True),
        ("GNU General Public License v2 (GPLv2)", True),
        ("GNU Affero General Public License v3", True),
        ("AGPL-3.0-or-later", True),
        ("", True),
        ("MIT OR GPL-2.0-only", False),
        ("LGPL-3.0-only", False),
        ("GNU Lesser General Public License v3 (LGPLv3)", False),
        ("MIT License", False),
    ],
)
def test_which_licences_may_ship(licence: str, kept_out: bool) -> None:
    assert forbidden(licence) is kept_out


def test_packages_that_were_decided_against_are_named_nowhere() -> None:
    """AGPL, GPL wheels, or pins of an old OpenCV."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    every = [*project["dependencies"], *(d for extra in project["optional-dependencies"].values() for d in extra)]
    names = {canonicalize_name(d.split(">")[0].split("=")[0].split("<")[0].split("[")[0].strip()) for d in every}
    banned = {"ultralytics", "pillow-heif", "datumaro", "norfair", "mahjong-detector", "opencv-python-headless"}
    assert not names & banned
