"""Commands where a wing is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from hupai.wing import installed_wings
from tests.hupai.in_process import hupai


def test_a_folder_left_behind_is_no_wing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches of modules that are gone, say."""
    (tmp_path / "left_behind" / "__pycache__").mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("hupai.wing._WINGS", ("left_behind",))
    assert installed_wings() == ()


def test_the_core_does_without_wings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hupai.wing._WINGS", ("hupai.nowhere",))
    assert installed_wings() == ()
    status, listed, _ = hupai("--help")
    assert "serve" in listed and not any(f" {name} " in listed for name in ("watch", "label", "labels", "review"))
    status, _, told = hupai("watch", "0")
    assert status == 2 and "No such command 'watch'" in told
    data = ("--data-folder", tmp_path)
    assert hupai("forget", "--days", 30, "--yes", *data)[:2] == (0, "Nothing is older than 30 days.\n")
    assert hupai("backup", tmp_path / "kept.zip", *data)[0] == 0
    status, _, told = hupai("learn-set", "examples", "--name", "home", "--labels", "corrections.jsonl")
    assert status == 2 and "where labelling is installed" in told
