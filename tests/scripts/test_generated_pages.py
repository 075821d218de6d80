"""Pages and lists that scripts make of the code are what they would make of it today."""

import pytest

from scripts.docs import commands, hands, request, rules

PAGES = dict(rules.pages())


@pytest.mark.release
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_page_of_a_rule_system_is_current(path):
    assert path.read_text(encoding="utf-8") == PAGES[path], "run python -m scripts.docs.rules"


@pytest.mark.release
def test_the_page_of_commands_is_current():
    assert commands.PAGE.read_text(encoding="utf-8") == commands.page(), "run python -m scripts.docs.commands"


@pytest.mark.release
def test_the_table_of_the_request_is_current():
    text = request.PAGE.read_text(encoding="utf-8")
    assert request.page(text) == text, "run python -m scripts.docs.request"


def test_the_hands_of_printed_sheets_are_current():
    assert hands.FILE.read_text(encoding="utf-8") == hands.listed(), "run python -m scripts.docs.hands"


def test_writing_mends_stale_pages_keeps_what_is_written_by_hand_and_takes_stray_ones_away(tmp_path, monkeypatch):
    monkeypatch.setattr(rules, "PAGES", tmp_path)
    (tmp_path / "riichi.md").write_text("old\n\n## Sources\n\n- a book\n")
    (tmp_path / "gone.md").write_text("stray")
    rules.main()
    assert {path: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == dict(rules.pages())
    assert "\n\n## Sources\n\n- a book\n\n## House rules\n\n" in (tmp_path / "riichi.md").read_text(encoding="utf-8")
