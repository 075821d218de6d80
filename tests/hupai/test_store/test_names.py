"""Names of any script are taken; what hides, breaks or commands is not."""

from __future__ import annotations

import pytest

from hupai.basics.names import clean_name, clean_names, fold_name
from scoring.errors import InvalidRequest

GOOD = ("Ann", "陳大文", "たなか", "Zoë", "O'Brien & Co.", "فاطمه\u200cها", "นพดล", "👩\u200d👧", "☂", "=1+1", "1")
EMPTY = ("", "   ", "\u200d", "\u0301")
HIDDEN = ("a\x00b", "a\x1b[31m", "\ud800", "a\udfffb", "a\u202eb", "a\u2066b", "x\ufeff", "\ue000", "\uffff")
LONG = ("a" * 41, "z" + "\u0301" * 8)
MARKUP = ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a>b")


def test_good_names() -> None:
    assert [clean_name(name, "name") for name in GOOD] == list(GOOD)
    assert clean_name("  Ann \t Lee ", "name") == "Ann Lee"
    assert clean_name("Zoe\u0308", "name") == "Zoë"


@pytest.mark.parametrize("typed", [*EMPTY, *HIDDEN, *LONG, *MARKUP])
def test_bad_names(typed: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        clean_name(typed, "name")
    assert (caught.value.code, caught.value.field) == ("bad_name", "name")


def test_all_bad_names_are_told() -> None:
    with pytest.raises(InvalidRequest) as caught:
        clean_names(["", "ok", "<b>", "x" * 99], "players")
    assert [f.field for f in caught.value.faults] == ["players[0]", "players[2]", "players[3]"]


def test_names_differ_by_more_than_case_or_width() -> None:
    with pytest.raises(InvalidRequest, match="different name"):
        clean_names(["Ann", "ANN", "b", "c"], "players")
    with pytest.raises(InvalidRequest, match="different name"):
        clean_names(["Ａnn", "ann", "b", "c"], "players")
    assert fold_name("STRASSE") == fold_name("straße")
