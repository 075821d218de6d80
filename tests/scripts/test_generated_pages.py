"""What scripts make of the code: pages can be built, and lists that are committed are what they would be today."""

import re

import pytest

from scoring.rules import systems
from scripts.docs import formats, hands, request
from scripts.docs.__main__ import build
from scripts.docs.commands import commands
from scripts.docs.operations import describe_api


def test_the_pages_for_a_site_have_every_element_command_and_operation(tmp_path):
    build(tmp_path)
    for system in systems().values():
        page = (tmp_path / "rules" / f"{system.id}.md").read_text(encoding="utf-8")
        assert [e.id for e in system.elements if f"| `{e.id}` |" not in page] == []
        assert [p.id for p in system.presets if f"| `{p.id}` |" not in page] == []
        assert "\n## Counting, payments, sources\n" in page, "docs/rules/README.md has no part on these rules"
    told = (tmp_path / "commands.md").read_text(encoding="utf-8")
    assert [typed for typed, _ in commands() if f"\n## {typed}\n" not in told] == []
    answered = set(re.findall(r"`(\w+)`", (tmp_path / "operations.md").read_text(encoding="utf-8")))
    operations = [one["operationId"] for path in describe_api()["paths"].values() for one in path.values()]
    assert [one for one in operations if one not in answered] == []


@pytest.mark.release
def test_the_table_of_the_request_is_current():
    text = request.PAGE.read_text(encoding="utf-8")
    assert request.page(text) == text, "run python -m scripts.docs.request"


def test_the_table_of_label_formats_is_current():
    text = formats.PAGE.read_text(encoding="utf-8")
    assert formats.page(text) == text, "run python -m scripts.docs.formats"


def test_the_hands_of_printed_sheets_are_current():
    assert hands.FILE.read_text(encoding="utf-8") == hands.list_hands(), "run python -m scripts.docs.hands"
