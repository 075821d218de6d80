"""No name stands for two things: the public classes of all packages have different names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.trust.codes import ROOT

PACKAGES = ("scoring", "vision", "hupai", "datasets", "scripts")


def shared_names(root: Path) -> dict[str, list[str]]:
    """The names of public top-level classes that several files define, each with those files."""
    places: dict[str, list[str]] = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            for node in ast.parse(path.read_bytes()).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, []).append(path.relative_to(root).as_posix())
    return {name: paths for name, paths in sorted(places.items()) if len(paths) > 1}


def test_no_two_public_classes_share_a_name() -> None:
    shared = [f"{name}: {', '.join(paths)}" for name, paths in shared_names(ROOT).items()]
    message = "Each of these classes needs a name of its own; rename all but the most public one, or merge them:\n"
    assert not shared, message + "\n".join(shared)


@pytest.mark.parametrize(
    ("other", "found"),
    [
        ("class Hand: ...", {"Hand": ["scoring/hand.py", "vision/sub/other.py"]}),
        ("class _Hand: ...", {}),
        ("class Hands:\n    class Hand: ...", {}),
    ],
)
def test_what_is_looked_for_would_be_found(tmp_path: Path, other: str, found: dict[str, list[str]]) -> None:
    for name, text in (("scoring/hand.py", "class Hand: ..."), ("vision/sub/other.py", other)):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    assert shared_names(tmp_path) == found
