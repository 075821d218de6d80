"""``hupai serve``: the phone page and the API for everybody in the local network."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from hupai.settings import all_settings, load_settings


def serve(config: Annotated[Path | None, typer.Option(help="Settings file (TOML).")] = None, **flags: Any) -> None:
    """Serve the phone page and the API until Ctrl+C. Settings may also come from HUPAI_* variables or a file."""
    settings = load_settings(config, **{name: value for name, value in flags.items() if value != []})
    if sys.stderr.isatty():
        print("hupai is starting ...", file=sys.stderr)  # what follows takes seconds to load
    from hupai.web.listen.server import run_server
    from hupai.wing import web_wings

    run_server(settings, web_wings(settings))


def _flags() -> Iterator[Parameter]:
    """A flag for every setting, in place of ``**flags``."""
    for name, setting in all_settings().model_fields.items():
        kinds = get_args(setting.annotation) or (setting.annotation,)
        several = ... in kinds
        kind = list[str] if several else next((kind for kind in (bool, int, Path) if kind in kinds), str)
        written = ("--https/--http",) if name == "https" else ()
        option = typer.Option(*written, help=setting.description, rich_help_panel=setting.title)
        yield Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option])


_own = signature(serve, eval_str=True)
serve.__signature__ = _own.replace(parameters=[_own.parameters["config"], *_flags()])  # type: ignore[attr-defined]
