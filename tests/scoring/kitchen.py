"""The worked example of docs/contributing/rule-system.md, put where rule systems lie."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from scoring import rules
from scoring.fields.ways import ways_to_read
from scoring.rules import system_named, systems
from scoring.system import RuleSystem
from tests.repository import python_blocks

BLOCKS = python_blocks("docs/contributing/rule-system.md")


@contextmanager
def placed(folder: Path) -> Iterator[RuleSystem[Any]]:
    """The example as ``kitchen.py`` in a folder of rule systems; nothing else is told of it."""
    (folder / "kitchen.py").write_text(BLOCKS[0], encoding="utf-8")
    caches = (systems, rules._names, ways_to_read)
    with patch.object(rules, "__path__", [*rules.__path__, str(folder)]):
        for cached in caches:
            cached.cache_clear()
        try:
            yield system_named("home")
        finally:
            sys.modules.pop("scoring.rules.kitchen", None)
            for cached in caches:
                cached.cache_clear()
