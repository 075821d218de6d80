"""One picture, one hand: a photo by itself and in a folder come to the same reading, under all rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hupai.test_commands.test_same_hand import EXAMPLES, read_photos, run, said


@pytest.mark.slow
@pytest.mark.parametrize("rules", [None, "riichi", "taiwanese"], ids=str)
def test_photo_and_folder_give_the_same_hand(rules: str | None, tmp_path: Path) -> None:
    named = ["--rules", rules] if rules else []
    run("label", str(EXAMPLES), "--out", str(tmp_path), "--hands", *named, "--workers", "1", "--json")
    labels = map(json.loads, (tmp_path / "labels.jsonl").read_text().splitlines())
    assert {Path(answer["image"]).name: said(answer) for answer in labels} == read_photos(rules)
