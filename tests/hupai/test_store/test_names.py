"""Names of any script are taken; what hides, breaks or commands is not."""

from __future__ import annotations

import pytest

from hupai.basics.names import clean_name, clean_names, fold_name
from scoring.errors import InvalidRequest


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ann", "Ann"),
        ("  Ann \t Lee ", "Ann Lee"),
        ("陳大文", "陳大文"),
        ("たなか", "たなか"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("O'Brien & Co.", "O'Brien & Co."),
        ("فاطمه\u200cها", "فاطمه\u200cها"),
        ("นพดล", "นพดล"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("☂", "☂"),
        ("=1+1", "=1+1"),
        ("1", "1"),
    ],
)
def test_good_names(typed: str, kept: str) -> None:
    assert clean_name(typed, "name") == kept


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "\u200d",
        "\u0301",
        "a" * 41,
        "a\x00b",
        "a\x1b[31m",
        "\ud800",
        "a\udfffb",
        "a\u202eb",
        "a\u2066b",
        "a\u2028b".replace("\u2028", "x\ufeff"),
        "\ue000",
        "\uffff",
        "z" + "\u0301" * 8,
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a>b",
    ],
)
def test_bad_names(typed: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        clean_name(typed, "name")
    assert caught.value.code == "bad_name"
    assert caught.value.field == "name"


def test_all_bad_names_are_told() -> None:
    with pytest.raises(InvalidRequest) as caught:
        clean_names(["", "ok", "<b>", "x" * 99], "players")
    assert [f.field for f in caught.value.faults] == ["players[0]", "players[2]", "players[3]"]


def test_names_differ_by_more_than_case_or_width() -> None:
    with pytest.raises(InvalidRequest, match="of his own"):
        clean_names(["Ann", "ANN", "b", "c"], "players")
    with pytest.raises(InvalidRequest, match="of his own"):
        clean_names(["Ａnn", "ann", "b", "c"], "players")
    assert fold_name("STRASSE") == fold_name("straße")
