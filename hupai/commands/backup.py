"""``hupai backup``: everything an installation keeps, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hupai.basics.counts import count_of
from hupai.terminal.options import Config, Database, DataFolder, PrintJson
from hupai.terminal.output import print_json, with_provenance


def backup(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A new zip file, or a folder for one named by the time.")],
    config: Config = None,
    database: Database = None,
    data_folder: DataFolder = None,
    as_json: PrintJson = False,
) -> None:
    """Keep games, tile sets and samples in one file, while servers and watchers go on."""
    from hupai.settings import load_settings
    from hupai.store.backup import write_backup
    from hupai.wing import store_wings

    settings = load_settings(config, database=database, data_folder=data_folder)
    made = write_backup(out, settings.database_url, settings.data_folder, store_wings())
    if as_json:
        print_json(with_provenance(made.to_json()))
        return
    in_postgresql = "the games are in PostgreSQL, keep them with pg_dump"
    games = in_postgresql if made.games is None else count_of(made.games, "game")
    typer.echo(
        f"{made.path}: {games}, {count_of(made.files, 'file')} of tile sets and samples, {made.size / 1e6:.1f} MB."
    )
    typer.echo("To put it back, unpack it into an empty folder: hupai serve --data-folder FOLDER.")
