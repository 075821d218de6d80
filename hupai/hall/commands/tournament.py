"""``hupai tournament``: a whole tournament saved in a file, and taken over from it by another installation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from hupai.basics.counts import count_of
from hupai.terminal.options import Config, Database, DataFolder
from scoring.errors import Fault, InvalidRequest
from scoring.words.sentence import say

app = typer.Typer(no_args_is_help=True, help="Take a tournament to another server, with its games and tables' codes.")
_UNREADABLE = "{a} cannot be read as JSON in UTF-8."
_KEPT = "{a} is there already; name another file."


@app.command()
def save(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="A new JSON file.")],
    tournament: Annotated[str | None, typer.Option(metavar="ID", help="Its id; the latest if not given.")] = None,
    config: Config = None,
    database: Database = None,
    data_folder: DataFolder = None,
) -> None:
    """Save a tournament with everything that belongs to it, pictures left out; the server may go on."""
    from hupai.basics.atomic_write import atomic_write
    from hupai.basics.errors import NotFound
    from hupai.hall.store.handover import save_tournament
    from hupai.hall.store.tournaments import list_tournaments

    if out.exists():
        raise InvalidRequest.of([Fault("usage", say(_KEPT, a=out), "file")])
    engine = _open(config, database, data_folder)
    try:
        if tournament is None:
            tournament = next((cup["id"] for cup in list_tournaments(engine)), None)
        if tournament is None:
            raise NotFound("There is no tournament here; name the server's --data-folder or --database.")
        found = save_tournament(engine, tournament)
    finally:
        engine.dispose()
    atomic_write(out, json.dumps(found, ensure_ascii=False).encode(), mode=0o600)
    typer.echo(f"{out}: {_about(found['tournament']['name'], found['shown'])}.")


@app.command()
def take(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of hupai tournament save.")],
    config: Config = None,
    database: Database = None,
    data_folder: DataFolder = None,
) -> None:
    """Take a tournament over from a file, under its own id; codes of its tables and registration go on."""
    from hupai.hall.store.handover import take_tournament

    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidRequest.of([Fault("usage", say(_UNREADABLE, a=file), "file")]) from error
    engine = _open(config, database, data_folder)
    try:
        taken = take_tournament(engine, data)
    finally:
        engine.dispose()
    typer.echo(f"{_about(taken['name'], taken)}.")


def _open(config: Path | None, database: str | None, data_folder: Path | None) -> Any:
    from hupai.settings import load_settings
    from hupai.store.database import open_store
    from hupai.wing import store_wings

    return open_store(load_settings(config, database=database, data_folder=data_folder).database_url, store_wings())


def _about(name: str, shown: dict[str, Any]) -> str:
    return f"{name}, {count_of(len(shown['players']), 'player')}, {count_of(len(shown['rounds']), 'round')}"
