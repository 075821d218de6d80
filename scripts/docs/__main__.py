"""Build the pages that are made from the code, for a documentation site: ``python -m scripts.docs``.

Writes ``commands.md``, ``operations.md`` and a page for each rule system below ``rules/``. They are not committed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from scoring.rules import systems
from scripts.docs import commands, operations, rules


def build(folder: Annotated[Path, typer.Argument(help="where the documents are")] = rules.ROOT / "docs") -> None:
    """Write the pages into a folder of documents."""
    for name, text in pages():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def pages() -> Iterator[tuple[str, str]]:
    """Each page's path below the documents, and its Markdown."""
    yield "commands.md", commands.page()
    yield "operations.md", operations.page()
    for system in systems().values():
        yield f"rules/{system.id}.md", rules.page(system)


if __name__ == "__main__":
    typer.run(build)
