"""The documents: their links lead somewhere, and the code in them that is meant to run does."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import typer.main

from hupai.cli import build_app
from tests.hupai.in_process import hupai
from tests.repository import FENCE, ROOT, python_blocks

PAGES = sorted(
    path
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "models").glob("*.md"))
    if path.name != "CHANGELOG.md"
)
TEXT = {path: path.read_text(encoding="utf-8") for path in PAGES}
STANDS_FOR = {"PHOTO": "examples/hand-self-draw.jpg", "hand.jpg": "examples/hand-self-draw.jpg", "NAME": "riichi"}
RUN = re.compile(r"hupai (score (--hand|PHOTO|--jsonl examples)|read PHOTO|rules( [a-z]+)?$)")
"""Lines that need nothing but the examples; of all others only the words are parsed."""


def test_links_lead_somewhere() -> None:
    assert [f"{path.name}: {target}" for path, target in links() if not leads(path, target)] == []


def links() -> Iterator[tuple[Path, str]]:
    for path, text in TEXT.items():
        for target in re.findall(r"!?\[[^\]]*\]\(([^)\s]+)\)", FENCE.sub("", text)):
            if not re.match(r"[a-z]+:", target):
                yield path, target


def leads(path: Path, target: str) -> bool:
    """Whether there is such a file, and such a heading in it."""
    name, _, anchor = target.partition("#")
    there = (path.parent / name).resolve() if name else path
    if not there.exists():
        return False
    return not anchor or anchor in anchors(there.read_text(encoding="utf-8"))


def anchors(text: str) -> set[str]:
    """Anchors of the headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.strip().lower()).replace(" ", "-") for head in heads}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples, where commands are typed."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", ["docs/developer.md", "docs/reading.md"])
def test_the_python_of_a_page_runs(page: str, desk: Path) -> None:
    blocks = python_blocks(page)
    assert blocks
    space: dict[str, object] = {}
    for block in blocks:  # those of a page follow from each other
        exec(compile(block, page, "exec"), space)


def commands(typed: str = "hupai", command: Any = None) -> Iterator[tuple[str, Any]]:
    """Every command by what is typed, groups before what is in them."""
    command = command or typer.main.get_command(build_app())
    yield typed, command
    for name, one in getattr(command, "commands", {}).items():
        yield from commands(f"{typed} {name}", one)


KNOWN = dict(commands())


def typed_lines() -> list[str]:
    """Every `hupai ...` line of the documents and of the commands' own help, in fenced blocks and in the text."""
    found = set()
    for command in KNOWN.values():
        found.update(part for part in (command.epilog or "").split("\n\n") if part.startswith("hupai "))
    for text in TEXT.values():
        for language, block in FENCE.findall(text):
            if language in ("", "sh", "bash", "console"):
                lines = (re.split(r"\s#\s", line)[0].strip() for line in block.replace("\\\n", " ").splitlines())
                found.update(line.removeprefix("$ ") for line in lines if re.match(r"(\$ )?hupai ", line))
        for code in re.findall(r"`(hupai (?!->)[^`]+)`", FENCE.sub("", text)):
            found.add(code.replace("\\|", "|").partition(" | ")[0])
    return sorted(found)


LINES = typed_lines()


@pytest.mark.parametrize("line", [line for line in LINES if RUN.match(line)])
def test_a_command_line_runs(line: str, desk: Path) -> None:
    status, _, told = hupai(*words_of(line))
    assert status == 0, told


def test_every_other_command_line_can_be_typed() -> None:
    wrong = []
    for line in LINES:
        words, name = words_of(line), "hupai"
        while words and f"{name} {words[0]}" in KNOWN:
            name = f"{name} {words.pop(0)}"
        if words and words[-1] != "--help" and words != ["COMMAND"]:
            try:
                KNOWN[name].make_context(name, words)
            except click.ClickException as error:
                wrong.append(f"{line}: {error.format_message()}")
    assert wrong == []


def words_of(line: str) -> list[str]:
    """What comes after `hupai`, with files and names in place of what only stands for them."""
    return [STANDS_FOR.get(word, word) for word in shlex.split(line)[1:] if word not in ("...", "…")]
