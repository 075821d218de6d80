"""Compile the catalogues of messages, as a build of hupai does and ``python hatch_build.py`` after a change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileCatalogues(BuildHookInterface[Any]):
    """Makes what the wheel, or an editable installation, needs and git does not keep."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it collects the files."""
        compile_catalogues(Path(self.root))


def compile_catalogues(root: Path) -> None:
    """Write the ``.mo`` of every ``.po`` in a folder ``locale`` that is newer."""
    for source in sorted((root / "hupai").rglob("locale/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        part = target.with_suffix(".part")
        with source.open("rb") as file, part.open("wb") as out:
            write_mo(out, read_po(file, abort_invalid=True))
        part.replace(target)


if __name__ == "__main__":
    compile_catalogues(Path(__file__).parent)
