"""``hupai backup``: everything an installation keeps, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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

    settings = load_settings(config, database=database, data_folder=data_folder)
    made = write_backup(out, settings.database_url, settings.data_folder)
    if as_json:
        print_json(with_provenance(made.to_json()))
        return
    counted = f"{made.games} game{'' if made.games == 1 else 's'}"
    games = "the games are in PostgreSQL, keep them with pg_dump" if made.games is None else counted
    typer.echo(f"{made.path}: {games}, {made.files} files of tile sets and samples, {made.size / 1e6:.1f} MB.")
    typer.echo("To put it back, unpack it into an empty folder: hupai serve --data-folder FOLDER.")
