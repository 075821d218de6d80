"""``hupai`` that waits for less time than it is made to, so that a test need not sit a wait out.

``python -m tests.hupai.hurried hupai.web.listen.waiting.HEAD_SECONDS=3 serve ...`` sets constants of modules before
the command runs: times that nobody would want to choose, which is why there are no settings for them.
"""

from __future__ import annotations

import sys
from ast import literal_eval
from collections.abc import Mapping
from datetime import timedelta
from importlib import import_module
from typing import Any

Constants = Mapping[str, Any]
"""module.NAME -> a number (for a time span: of seconds), or a dictionary of them."""


def words(hurried: Constants) -> list[str]:
    """The module to run with ``python -m``, and what comes before the command's own words."""
    if not hurried:
        return ["hupai.cli"]
    return ["tests.hupai.hurried", *(f"{name}={value!r}" for name, value in hurried.items())]


def hurry(name: str, value: Any) -> None:
    """Set a constant, which must be there, also where it has been imported by name."""
    module, _, constant = name.rpartition(".")
    was = getattr(import_module(module), constant)
    for place in [place for place in sys.modules.values() if vars(place).get(constant) is was]:
        setattr(place, constant, timedelta(seconds=value) if isinstance(was, timedelta) else value)


def main() -> None:
    """Take the constants off the command line, set them, and run the rest."""
    while len(sys.argv) > 1 and "=" in sys.argv[1]:
        name, _, value = sys.argv.pop(1).partition("=")
        hurry(name, literal_eval(value))
    from hupai import cli

    cli.main()


if __name__ == "__main__":
    main()
