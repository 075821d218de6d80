"""From art and photographs to the models that ship."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

say = partial(print, flush=True)
"""Prints a line of progress."""
SHIPPED: Final = ("detector", "classifier", "bonus")
"""Networks that are exported in floats and ship in eight bits."""
Out: TypeAlias = Annotated[Path, typer.Option(help="file or folder to write")]
Accessories: TypeAlias = Annotated[
    float,
    typer.Option(help="score sticks, plates, sheets and the like a scene; three times as many without tiles"),
]
Low: TypeAlias = Annotated[float, typer.Option(help="share of scenes of touching rows and whole tables, seen from low")]
Models: TypeAlias = Annotated[Path, typer.Option(help="folder with zoo.json")]
Pack: TypeAlias = Annotated[Path | None, typer.Option(help="folder made by scripts.train.pack; without it, what ships")]


def run(*commands: Callable[..., None]) -> None:
    """Run a script's command, or the one of several that is named; what it cannot use ends it with status 2."""
    app = typer.Typer(add_completion=False)
    for command in commands:
        app.command()(command)
    try:
        app()
    except (OSError, ValueError, KeyError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
