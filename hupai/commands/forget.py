"""``hupai forget``: what is old is removed for good, its numbers named first."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hupai.basics.counts import count_of
from hupai.terminal.options import Config, Database, DataFolder
from hupai.terminal.output import print_json, with_provenance
from scoring.errors import Fault, InvalidRequest

if TYPE_CHECKING:
    from hupai.store.retention import Expired


def forget(
    days: Annotated[int, typer.Option(min=1, max=36500, help="Remove what was not used for this many days.")],
    export: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep it in a new zip file first.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    config: Config = None,
    database: Database = None,
    data_folder: DataFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON; with it nothing is asked.")] = False,
) -> None:
    """Remove old games, tournaments, camera pictures and events for good; says how many first, and asks."""
    from hupai.settings import load_settings
    from hupai.store.database import open_store
    from hupai.store.retention import export_expired, find_expired, remove_expired
    from hupai.wing import store_wings

    settings = load_settings(config, database=database, data_folder=data_folder)
    engine = open_store(settings.database_url, store_wings())
    try:
        found = find_expired(engine, days)
        if not as_json:
            _print_found(found, days)
        if found and not yes and not as_json:
            if not sys.stdin.isatty():
                message = "Nothing was removed: add --yes where nobody can be asked."
                raise InvalidRequest.of([Fault("usage", message, "yes")])
            yes = typer.confirm("Remove all of it for good?")
        removing = bool(found) and yes
        if removing and export is not None:
            export_expired(export, engine, found)
        gone = remove_expired(engine, found) if removing else found
    finally:
        engine.dispose()
    if as_json:
        print_json(with_provenance({**gone.to_json(), "removed": removing}))
    elif found:
        typer.echo(_format_removed(found, gone) if removing else "Nothing was removed.")


def _print_found(found: Expired, days: int) -> None:
    if found:
        typer.echo(f"Not used for {days} days:")
        typer.echo(f"  {_format_counts(found)}")
        for going in (name for theirs in found.wings for name in theirs.going):
            typer.echo(f"  {going}")
    else:
        typer.echo(f"Nothing is older than {days} days.")
    for staying in (sentence for theirs in found.wings for sentence in theirs.staying):
        typer.echo(staying)


def _format_counts(found: Expired) -> str:
    counts = {name: n for name, n in found.to_json().items() if isinstance(n, int)}
    return ", ".join(count_of(n, name.removesuffix("s"), name) for name, n in counts.items())


def _format_removed(found: Expired, gone: Expired) -> str:
    if gone == found:
        return "Removed."
    return f"Removed: {_format_counts(gone)}. The rest changed meanwhile and was kept."
