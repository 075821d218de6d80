"""Nothing under the GPL or AGPL ships, and the page of licences names what does."""

from __future__ import annotations

import hashlib
import tomllib

import pytest

pytest.importorskip("packaging")

from packaging.requirements import Requirement

from scripts.docs.licences import PAGE, RELEASES, ROOT, Part, Release, closure, normal


def test_nothing_that_ships_is_forbidden() -> None:
    parts = list(closure())
    assert len(parts) > 20
    assert [p for p in parts if p.forbidden] == []


def test_the_page_names_every_package_we_ask_for_and_its_licence() -> None:
    """What those bring along in turn changes with every release of theirs; ``--write`` takes it all in."""
    said = PAGE.read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {normal(Requirement(text).name) for text in project["dependencies"]}
    parts = [part for part in closure() if normal(part.name) in asked]
    assert len(parts) == len(asked)
    for part in parts:
        assert f"| {part.name} | {part.licence} |" in said, f"{part.name}: python -m scripts.docs.licences --write"


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_what_lies_among_our_files_is_as_it_was_released(release: Release) -> None:
    file = ROOT / release.path
    assert hashlib.sha256(file.read_bytes()).hexdigest() == release.sha256
    assert f"The {release.licence} License" in (file.parent / "LICENSE").read_text(encoding="utf-8")
    assert not Part(release.name, release.version, release.licence).forbidden
    assert f"{release.name} {release.version} ({release.licence})" in PAGE.read_text(encoding="utf-8")


def test_every_file_of_a_library_is_listed() -> None:
    assert {str(path.relative_to(ROOT)) for path in (ROOT / "hupai").rglob("*.mjs")} == {r.path for r in RELEASES}


@pytest.mark.parametrize(
    ("licence", "forbidden"),
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
def test_which_licences_may_ship(licence: str, forbidden: bool) -> None:
    assert Part("x", "1", licence).forbidden is forbidden


def test_packages_that_were_decided_against_are_named_nowhere() -> None:
    """AGPL, GPL wheels, or pins of an old OpenCV."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    every = [*project["dependencies"], *(d for extra in project["optional-dependencies"].values() for d in extra)]
    names = {normal(d.split(">")[0].split("=")[0].split("<")[0].split("[")[0].strip()) for d in every}
    banned = {"ultralytics", "pillow-heif", "datumaro", "norfair", "mahjong-detector", "opencv-python-headless"}
    assert not names & banned
