"""``hupai serve``: the phone page and the API for everybody in the local network; quick to import."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

_access_option = partial(typer.Option, rich_help_panel="Who may use it")
_studio_option = partial(typer.Option, rich_help_panel="Label Studio")
_limit_option = partial(typer.Option, rich_help_panel="Limits")


def serve(
    config: Annotated[Path | None, typer.Option(help="Settings file (TOML).")] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on; 127.0.0.1 keeps other devices out.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 takes any free one.")] = None,
    https: Annotated[
        bool | None,
        typer.Option(
            "--https/--http",
            help="Serve HTTPS with a certificate of its own; by default unless only this machine is answered.",
        ),
    ] = None,
    data_folder: Annotated[
        Path | None, typer.Option(help="Where the ledger, learned sets, labelled samples and certificates are kept.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            help="Database URL, such as postgresql://user@host/hupai; SQLite in the data folder if not given."
        ),
    ] = None,
    access_code: Annotated[
        str | None, _access_option(help="Code every phone must give; nobody is asked if not given.")
    ] = None,
    director_code: Annotated[
        str | None, _access_option(help="Code of a tournament's director; without one nobody can change a tournament.")
    ] = None,
    allowed_hosts: Annotated[
        list[str] | None,
        _access_option(
            help="Further host names this server answers to (addresses and its own names are always known)."
        ),
    ] = None,
    cors_origins: Annotated[
        list[str] | None, _access_option(help="Other sites whose pages may use the API; none if not given.")
    ] = None,
    label_studio: Annotated[
        str | None,
        _studio_option(help="Address of the Label Studio that hupai is the ML backend of; off if not given."),
    ] = None,
    label_studio_token: Annotated[
        str | None, _studio_option(help="Access token of a user of that Label Studio.")
    ] = None,
    label_studio_pictures: Annotated[
        list[str] | None,
        _studio_option(help="Other addresses that its tasks may have pictures at, such as https://pictures.example."),
    ] = None,
    max_upload_mb: Annotated[int | None, _limit_option(help="Largest upload, megabytes (10^6 bytes).")] = None,
    max_megapixels: Annotated[int | None, _limit_option(help="Largest picture, megapixels.")] = None,
    upload_seconds: Annotated[int | None, _limit_option(help="Time an upload may take.")] = None,
    uploads: Annotated[
        int | None, _limit_option(help="Photos uploaded, waiting or read at once; more get 503.")
    ] = None,
    uploads_mb: Annotated[int | None, _limit_option(help="Memory for photos uploaded or waiting, megabytes.")] = None,
    workers: Annotated[int | None, _limit_option(help="Photos recognised at once.")] = None,
    threads: Annotated[
        int | None, _limit_option(help="Cores one recognition may use; all (4 at most) by default.")
    ] = None,
    queue: Annotated[
        int | None, _limit_option(help="Photos that may wait for a worker; more get 503 and Retry-After.")
    ] = None,
    rate_read: Annotated[
        str | None, _limit_option(help="Photos one address may send, such as 60/minute; off for no limit.")
    ] = None,
    rate_write: Annotated[str | None, _limit_option(help="Other writing requests one address may send.")] = None,
    rate_any: Annotated[
        str | None, _limit_option(help="Requests one address may send in all, files of the page apart.")
    ] = None,
    rate_code: Annotated[str | None, _limit_option(help="Wrong access codes one address may try.")] = None,
    keep_minutes: Annotated[
        int | None, _limit_option(help="How long a photo is kept in memory for a correction.")
    ] = None,
    keep_mb: Annotated[int | None, _limit_option(help="Memory for photos kept for corrections, megabytes.")] = None,
    samples_mb: Annotated[int | None, _limit_option(help="Disk space for labelled samples, megabytes.")] = None,
    log_level: Annotated[str | None, typer.Option(help="Critical, error, warning, info or debug.")] = None,
) -> None:
    """Serve the phone page and the API until Ctrl+C. Settings may also come from HUPAI_* variables or a file."""
    given = {name: value for name, value in locals().items() if name != "config" and value not in (None, [])}
    from hupai.settings import load_settings

    settings = load_settings(config, **given)
    if sys.stderr.isatty():
        print("hupai is starting ...", file=sys.stderr)  # what follows takes seconds to load
    from hupai.web.listen.server import run_server
    from hupai.wing import web_wings

    run_server(settings, web_wings(settings))
