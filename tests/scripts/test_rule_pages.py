"""The pages under docs/rules/ are what the generator makes of the rule files today."""

import pytest

from scoring.rules import systems
from scripts.docs import hands, rules

PAGES = dict(rules.pages())


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_page_is_current(path):
    remedy = "run python -m scripts.docs.rules"
    assert path.exists(), remedy
    assert path.read_text(encoding="utf-8") == PAGES[path], remedy


def test_the_hands_of_printed_sheets_are_current():
    assert hands.FILE.read_text(encoding="utf-8") == hands.listed(), "run python -m scripts.docs.hands"


def test_no_page_is_left_over():
    assert set(rules.PAGES.glob("*.md")) == PAGES.keys()


@pytest.mark.parametrize("system", systems().values(), ids=lambda system: system.id)
def test_page_tells_everything(system):
    text = PAGES[rules.PAGES / f"{system.id}.md"]
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    for name in (*(e.id for e in system.elements), *(o.name for o in system.options), *system.asks):
        assert sum(f"| `{name}` |" in row for row in rows) >= 1, name
    for kind in system.liable_kinds:
        assert f"`{kind}`" in text
    assert text.count("\nIn all: ") == rules.EXAMPLES
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert ("\n### With a liable player\n" in text) == (system.id not in ("mcr", "taiwanese"))
    for about in ("Order of counting", "Presets", "What it pays", "Payments", "Penalty", "Sources", "House rules"):
        assert sum(line.startswith(f"## {about}") for line in headings) == 1, about


@pytest.mark.parametrize(
    ("system", "values"),
    [
        ("hangzhou", "Values are factors: they are multiplied."),
        ("hongkong", "Values are faan: they are added."),
        ("singapore", "Values are doubles: they are added."),
    ],
)
def test_page_says_how_values_become_one(system, values):
    assert f"). {values} " in PAGES[rules.PAGES / f"{system}.md"]


def test_examples_show_many_elements():
    for system in systems().values():
        chosen = rules.examples(hands.worked_hands(system))
        assert len({case["id"] for case in chosen}) == rules.EXAMPLES
        shown = {name for case in chosen for name in case["expected"]["elements"]}
        assert len(shown) >= min(len(system.elements), 7) - 1, system.id


def test_writing_mends_stale_pages_keeps_what_is_written_by_hand_and_takes_stray_ones_away(tmp_path, monkeypatch):
    monkeypatch.setattr(rules, "PAGES", tmp_path)
    (tmp_path / "riichi.md").write_text("old\n\n## Sources\n\n- a book\n")
    (tmp_path / "gone.md").write_text("stray")
    rules.main()
    assert {path: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == dict(rules.pages())
    assert "\n\n## Sources\n\n- a book\n\n## House rules\n\n" in (tmp_path / "riichi.md").read_text(encoding="utf-8")
