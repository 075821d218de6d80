"""``hupai serve``: the phone page and the API for everybody in the local network; quick to import."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

WHO = "Who may use it"
LIMITS = "Limits"
STUDIO = "Label Studio"


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
        Path | None,
        typer.Option(help="Where the ledger, learned sets, labelled samples and certificates are kept."),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            help="Database URL, such as postgresql://user@host/hupai; SQLite in the data folder if not given.",
        ),
    ] = None,
    access_code: Annotated[
        str | None,
        typer.Option(help="Code every phone must give; nobody is asked if not given.", rich_help_panel=WHO),
    ] = None,
    director_code: Annotated[
        str | None,
        typer.Option(
            help="Code of a tournament's director; without one nobody can change a tournament.",
            rich_help_panel=WHO,
        ),
    ] = None,
    allowed_hosts: Annotated[
        list[str] | None,
        typer.Option(
            help="Further host names this server answers to (addresses and its own names are always known).",
            rich_help_panel=WHO,
        ),
    ] = None,
    cors_origins: Annotated[
        list[str] | None,
        typer.Option(help="Other sites whose pages may use the API; none if not given.", rich_help_panel=WHO),
    ] = None,
    label_studio: Annotated[
        str | None,
        typer.Option(
            help="Address of the Label Studio that hupai is the ML backend of; off if not given.",
            rich_help_panel=STUDIO,
        ),
    ] = None,
    label_studio_token: Annotated[
        str | None, typer.Option(help="Access token of a user of that Label Studio.", rich_help_panel=STUDIO)
    ] = None,
    label_studio_pictures: Annotated[
        list[str] | None,
        typer.Option(
            help="Other addresses that its tasks may have pictures at, such as https://pictures.example.",
            rich_help_panel=STUDIO,
        ),
    ] = None,
    max_upload_mb: Annotated[
        int | None, typer.Option(help="Largest upload, megabytes (10^6 bytes).", rich_help_panel=LIMITS)
    ] = None,
    max_megapixels: Annotated[
        int | None, typer.Option(help="Largest picture, megapixels.", rich_help_panel=LIMITS)
    ] = None,
    upload_seconds: Annotated[int | None, typer.Option(help="Time an upload may take.", rich_help_panel=LIMITS)] = None,
    uploads: Annotated[
        int | None,
        typer.Option(help="Photos uploaded, waiting or read at once; more get 503.", rich_help_panel=LIMITS),
    ] = None,
    uploads_mb: Annotated[
        int | None,
        typer.Option(help="Memory for photos uploaded or waiting, megabytes.", rich_help_panel=LIMITS),
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Photos recognised at once.", rich_help_panel=LIMITS)] = None,
    threads: Annotated[
        int | None,
        typer.Option(help="Cores one recognition may use; all (4 at most) by default.", rich_help_panel=LIMITS),
    ] = None,
    queue: Annotated[
        int | None,
        typer.Option(help="Photos that may wait for a worker; more get 503 and Retry-After.", rich_help_panel=LIMITS),
    ] = None,
    rate_read: Annotated[
        str | None,
        typer.Option(help="Photos one address may send, such as 60/minute; off for no limit.", rich_help_panel=LIMITS),
    ] = None,
    rate_write: Annotated[
        str | None, typer.Option(help="Other writing requests one address may send.", rich_help_panel=LIMITS)
    ] = None,
    rate_any: Annotated[
        str | None,
        typer.Option(help="Requests one address may send in all, files of the page apart.", rich_help_panel=LIMITS),
    ] = None,
    rate_code: Annotated[
        str | None, typer.Option(help="Wrong access codes one address may try.", rich_help_panel=LIMITS)
    ] = None,
    keep_minutes: Annotated[
        int | None,
        typer.Option(help="How long a photo is kept in memory for a correction.", rich_help_panel=LIMITS),
    ] = None,
    keep_mb: Annotated[
        int | None,
        typer.Option(help="Memory for photos kept for corrections, megabytes.", rich_help_panel=LIMITS),
    ] = None,
    samples_mb: Annotated[
        int | None, typer.Option(help="Disk space for labelled samples, megabytes.", rich_help_panel=LIMITS)
    ] = None,
    log_level: Annotated[str | None, typer.Option(help="Critical, error, warning, info or debug.")] = None,
) -> None:
    """Serve the phone page and the API until Ctrl+C. Settings may also come from HUPAI_* variables or a file."""
    given = {name: value for name, value in locals().items() if name != "config" and value not in (None, [])}
    from hupai.settings import load_settings
    from hupai.web.listen.server import run_server

    run_server(load_settings(config, **given))
