"""Write docs/rules/: one page for each rule system, made from its rule file and its worked hands.

    python -m scripts.docs.rules

Nothing in a page is written by hand: elements, house rules and questions come from the system itself, the examples
from tests/golden/, scored while the page is made.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from scoring.fields.asks import asks_of
from scoring.options import OptionInfo, worded
from scoring.request import respond
from scoring.rules import systems
from scoring.system import Element, RuleSystem
from scoring.tiles import format_tiles, tile
from scripts.docs.hands import example_of, pictured, worked_hands
from scripts.docs.reference import reference

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = ROOT / "docs" / "rules"
EXAMPLES: Final = 4
"""Worked hands on a page."""

_BONUS: Final = {"f": "flowers `f1`-`f4`", "g": "seasons `g1`-`g4`", "a": "animals `a1`-`a4`"}
_SEATS: Final = {"E": "east", "S": "south", "W": "west", "N": "north"}
_MADE: Final = "<!-- Made by scripts/docs/rules.py: change the rule file, then run it again. -->"


def page(system: RuleSystem[Any], worked: list[dict[str, Any]]) -> str:
    """The Markdown page of a system.

    Args:
        system: the rules. worked: its golden hands; a few become examples.
    """
    parts = [
        f"# {system.name} {system.native}",
        _MADE,
        f"Name it `{system.id}` (also {_codes(system.aliases)}). {_sum(system)} {_tiles(system)}",
        "[How tiles are written](../tiles.md), with pictures; [the score request](../request.md), every field of it.",
        "## Elements",
        *_element_tables(system, worked),
        *reference(system, worked),
        "## House rules",
        _option_table(system.options),
        *_reasons(system.option_class),
        "## Asked besides seat, win and from",
        _question_table(system) if system.asks else "Nothing.",
    ]
    chosen = examples(worked)
    if chosen:
        parts.append("## Examples")
        parts += [_example(case) for case in chosen]
    return "\n\n".join(parts) + "\n"


def index(all_systems: list[RuleSystem[Any]]) -> str:
    """The page that lists the systems."""
    rows = [
        f"| [{s.name} {s.native}]({s.id}.md) | `{s.id}` | {s.unit} | {len(s.elements)} | {len(s.options)} |"
        for s in all_systems
    ]
    table = "\n".join(["| rules | name | unit | elements | house rules |", "|---|---|---|---|---|", *rows])
    text = (
        "`hupai rules NAME` prints the same tables; house rules are given as `--option name=value`. "
        "[How tiles are written](../tiles.md); [the score request](../request.md)."
    )
    paper = (
        "`hupai rules NAME --sheet FILE.pdf` prints them on A4, with example hands and what every value pays: with "
        "`--preset NAME` those of a house, with `--language zh-Hant`, `zh-Hans` or `ja` in Chinese or Japanese, with "
        "`--page ADDRESS` a QR code that takes the house rules up on your phone page. Chinese and Japanese take a font "
        "of your computer, such as Noto Sans CJK; `--font FILE` names another."
    )
    return "\n\n".join(["# Rule systems", _MADE, table, text, paper]) + "\n"


def examples(worked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A few worked hands, each with elements that the ones before did not show; the richest first."""
    left = [case for case in worked if case["expected"]["legal"]]
    seen: set[str] = set()
    chosen: list[dict[str, Any]] = []
    while left and len(chosen) < EXAMPLES:
        best = max(left, key=lambda case: len(case["expected"]["elements"].keys() - seen))
        left.remove(best)
        seen |= best["expected"]["elements"].keys()
        chosen.append(best)
    return chosen


def pages() -> Iterator[tuple[Path, str]]:
    """Every page: its path and what it should contain."""
    found = list(systems().values())
    yield PAGES / "README.md", index(found)
    for system in found:
        yield PAGES / f"{system.id}.md", page(system, worked_hands(system))


def _sum(system: RuleSystem[Any]) -> str:
    """What the values of the elements are, and how they are combined."""
    if system.unit == "factor":
        return "Values are factors: they are multiplied."
    return f"Values are {system.unit}: they are added."


def _tiles(system: RuleSystem[Any]) -> str:
    more = [_BONUS[letter] for letter in system.bonus_letters]
    if system.red_fives:
        more.append("red fives `0m` `0p` `0s`")
    return f"Beside the 34 kinds it plays with {', '.join(more)}." if more else "It plays with the 34 kinds only."


def _codes(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _element_tables(system: RuleSystem[Any], worked: list[dict[str, Any]]) -> list[str]:
    """One table for each group, groups in the order they first appear."""
    groups: dict[str, list[Element]] = {}
    for element in system.elements:
        groups.setdefault(element.group, []).append(element)
    return [_element_table(name, members, system, worked) for name, members in groups.items()]


def _element_table(group: str, elements: list[Element], system: RuleSystem[Any], worked: list[dict[str, Any]]) -> str:
    rows = []
    for e in elements:
        example = example_of(system, e.id, worked)
        hand = pictured(example) if example is not None else ""
        rows.append(
            f"| {_cell(e.name)} {_cell(e.native)} | `{e.id}` | {_cell(e.value)} | {_cell(e.condition)} | {hand} |"
        )
    heading = [f"### {group}", ""] if group else []
    return "\n".join([*heading, "| element | id | value | when | for example |", "|---|---|---|---|---|", *rows])


def _option_table(options: tuple[OptionInfo, ...]) -> str:
    rows = [
        f"| `{o.name}` | {'as listed' if o.default == {} else worded(o.default)} | {_values(o)} | {_cell(o.doc)} |"
        for o in options
    ]
    return "\n".join(["| option | default | values | what it does |", "|---|---|---|---|", *rows])


def _reasons(options: type[Any]) -> list[str]:
    """Why the defaults are what they are: the list in the docstring of the options, where there is one."""
    _, bullet, text = (inspect.getdoc(options) or "").partition("\n- ")
    return ["### Why these defaults", f"- {text.replace('``', '`')}"] if bullet else []


def _values(option: OptionInfo) -> str:
    return ", ".join(worded(value) for value in option.values) or option.accepts


def _question_table(system: RuleSystem[Any]) -> str:
    rows = []
    for ask in asks_of(system):
        doc = ask["doc"]
        if ask["name"] == "liable" and system.liable_kinds:
            doc += "; kinds: " + "; ".join(f"`{kind}` {words}" for kind, words in system.liable_kinds.items())
        default = ask["default"]
        empty = default is None or default in ([], {})
        rows.append(f"| `{ask['name']}` | {'none' if empty else worded(default)} | {_cell(doc)} |")
    return "\n".join(["| field | default | what it is |", "|---|---|---|", *rows])


def _example(case: dict[str, Any]) -> str:
    request = case["request"]
    response = respond(request)
    lines = "\n".join(f"- {_cell(sentence)}" for sentence in response["explanation"])
    net = response["payments"]
    money = ", ".join(f"{name} {net[seat]}" for seat, name in _SEATS.items())
    title = f"### {case['id']}" + (f": {case['note']}" if case.get("note") else "")
    return f"{title}\n\n{_asked(request)}\n\n{lines}\n\nIn all: {money}."


def _asked(request: dict[str, Any]) -> str:
    """The request in a sentence."""
    parts = [f"`{_compact(request['concealed'])}`"] if request["concealed"] else []
    for meld in request.get("melds") or []:
        source = f" from {_SEATS[meld['from']]}" if meld.get("from") else ""
        parts.append(f"{meld['type'].replace('_', ' ')} `{_compact(meld['tiles'])}`{source}")
    if request.get("bonus"):
        parts.append(f"bonus `{_compact(request['bonus'])}`")
    if request.get("winning_tile"):
        parts.append(f"won with `{request['winning_tile']}`")
    context = [f"`{name}` {_in_words(value)}" for name, value in request["context"].items() if value is not None]
    house = [f"`{name}={_in_words(value)}`" for name, value in request.get("options", {}).items()]
    sentences = [", ".join(parts), "Context: " + ", ".join(context)]
    if house:
        sentences.append("House rules: " + ", ".join(house))
    return ". ".join(sentences) + "."


def _in_words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_in_words(part)}" for name, part in value.items())
    return " ".join(_in_words(part) for part in value) if isinstance(value, list) else worded(value)


def _compact(tiles: str | list[str]) -> str:
    return tiles if isinstance(tiles, str) else format_tiles(tile(code) for code in tiles)


def main() -> int:
    wanted = dict(pages())
    PAGES.mkdir(parents=True, exist_ok=True)
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8")
    for path in set(PAGES.glob("*.md")) - wanted.keys():
        path.unlink()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
