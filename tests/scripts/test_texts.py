"""Every text of the page, for a native reader."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from scoring.rules import systems
from scripts.docs import texts

LANGUAGES = sorted(p.stem.split(".")[1] for p in (texts.STATIC / "i18n").glob("board.*.json"))


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("texts")
    texts.write(out)
    assert sorted(path.stem for path in out.iterdir()) == LANGUAGES
    return out


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_there_with_its_place_and_its_english(tables: Path, language: str) -> None:
    with (tables / f"{language}.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    told: dict[str, str] = {}
    for row in rows:  # the board and the page have words of their own for a few codes
        told[row["code"]] = f"{told.get(row['code'], '')}\n{row['translation']}"
    for part in ("", "rules.", "board.", "sheet.", "phrases."):
        found = json.loads((texts.STATIC / "i18n" / f"{part}{language}.json").read_text(encoding="utf-8"))
        for code, words in found.items() if isinstance(found, dict) else found:
            forms = [words] if isinstance(words, str) else list(words.values())
            assert all(form in told[code] for form in forms), code
    assert {f"element.{s.id}.{e.id}" for s in systems().values() for e in s.elements} <= set(told)
    assert [row["code"] for row in rows if not (row["where"] and row["English"] and row["translation"])] == []
    assert {row["remark"] for row in rows} == {""}
    [named] = [row for row in rows if row["code"] == "meanwhile.go_on"]
    assert (named["where"], named["English"]) == ("js/ledger/lookagain.js", "I have looked")
