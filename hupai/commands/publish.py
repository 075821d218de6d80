"""``hupai publish``: a tournament's pages for its viewers, kept in a folder that any web host serves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hupai.stopping import stopped
from hupai.terminal.completing import complete_language
from hupai.terminal.options import Config, Database, DataFolder
from scoring.errors import Fault, InvalidRequest

_LATEST = 600


def publish(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the pages are written; it is made.")],
    tournament: Annotated[
        str | None, typer.Option(metavar="ID", help="Which tournament; the latest one if not given.")
    ] = None,
    language: Annotated[
        str, typer.Option(metavar="CODE", help="en, zh-Hant, zh-Hans or ja.", autocompletion=complete_language)
    ] = "en",
    delay: Annotated[
        float, typer.Option(min=0, max=_LATEST, help="Seconds that everything is behind, as a stream is.")
    ] = 0,
    every: Annotated[float, typer.Option(min=0.2, max=3600, help="Seconds between looks at the tournament.")] = 2,
    once: Annotated[bool, typer.Option("--once", help="Write the pages as it stands now, and end.")] = False,
    config: Config = None,
    database: Database = None,
    data_folder: DataFolder = None,
) -> None:
    """Keep standings, seating, results and clock as plain files for viewers, renewed when something changes."""
    from hupai.settings import load
    from hupai.store.database import open_store
    from hupai.store.tournament.tournaments import get_tournament, list_tournaments
    from hupai.web.viewers.folder import take_up
    from hupai.web.viewers.keeping import Keeper
    from hupai.web.viewers.pages import PAGE_LANGUAGES, Words

    if language not in PAGE_LANGUAGES:
        raise _misused(f"No pages in {language!r:.40}; there are {', '.join(PAGE_LANGUAGES)}.", "language")
    if once and delay:
        raise _misused("--once writes what stands now: leave --delay out.", "delay")
    engine = open_store(load(config, database=database, data_folder=data_folder).database_url)
    try:
        latest = tournament or next((t["id"] for t in list_tournaments(engine)), None)
        if latest is None:
            raise _misused("There is no tournament yet: begin one on the board.", "tournament")
        found = get_tournament(engine, latest)
        take_up(folder)
        keeper = Keeper(engine, found["id"], folder, Words(language), delay)
        typer.echo(f"{found['name']}: pages in {folder}{'' if once else ', until it is interrupted'}.")
        if once:
            keeper.look()
        else:
            keeper.run(every, stopped(), lambda text: print(text, flush=True))
    finally:
        engine.dispose()


def _misused(message: str, field: str) -> InvalidRequest:
    return InvalidRequest.of([Fault("usage", message, field)])
