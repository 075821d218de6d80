"""``hupai serve``: the phone page and the API for everybody in the local network; quick to import."""

from __future__ import annotations

from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, Final

import typer

_FLAGS: Final[dict[str | None, dict[str, tuple[object, str]]]] = {
    None: {
        "config": (Path, "Settings file (TOML)."),
        "host": (str, "Address to listen on; 127.0.0.1 keeps other devices out."),
        "port": (int, "Port to listen on; 0 takes any free one."),
        "https": (bool, "Serve HTTPS with a certificate of its own; by default unless only this machine is answered."),
        "data_folder": (Path, "Where the ledger, learned sets, labelled samples and certificates are kept."),
        "database": (
            str,
            "Database URL, such as postgresql://user@host/hupai; SQLite in the data folder if not given.",
        ),
        "log_level": (str, "Critical, error, warning, info or debug."),
    },
    "Who may use it": {
        "access_code": (str, "Code every phone must give; nobody is asked if not given."),
        "director_code": (str, "Code of a tournament's director; without one nobody can change a tournament."),
        "allowed_hosts": (
            list[str],
            "Further host names this server answers to (addresses and its own names are always known).",
        ),
        "cors_origins": (list[str], "Other sites whose pages may use the API; none if not given."),
    },
    "Label Studio": {
        "label_studio": (str, "Address of the Label Studio that hupai is the ML backend of; off if not given."),
        "label_studio_token": (str, "Access token of a user of that Label Studio."),
        "label_studio_pictures": (
            list[str],
            "Other addresses that its tasks may have pictures at, such as https://pictures.example.",
        ),
    },
    "Limits": {
        "max_upload_mb": (int, "Largest upload, megabytes (10^6 bytes)."),
        "max_megapixels": (int, "Largest picture, megapixels."),
        "upload_seconds": (int, "Time an upload may take."),
        "uploads": (int, "Photos uploaded, waiting or read at once; more get 503."),
        "uploads_mb": (int, "Memory for photos uploaded or waiting, megabytes."),
        "workers": (int, "Photos recognised at once."),
        "threads": (int, "Cores one recognition may use; all (4 at most) by default."),
        "queue": (int, "Photos that may wait for a worker; more get 503 and Retry-After."),
        "rate_read": (str, "Photos one address may send, such as 60/minute; off for no limit."),
        "rate_write": (str, "Other writing requests one address may send."),
        "rate_any": (str, "Requests one address may send in all, files of the page apart."),
        "rate_code": (str, "Wrong access codes one address may try."),
        "keep_minutes": (int, "How long a photo is kept in memory for a correction."),
        "keep_mb": (int, "Memory for photos kept for corrections, megabytes."),
        "samples_mb": (int, "Disk space for labelled samples, megabytes."),
    },
}
"""Panel of the help text -> setting -> type and help of its flag."""


def serve(config: Path | None = None, **given: Any) -> None:
    """Serve the phone page and the API until Ctrl+C. Settings may also come from HUPAI_* variables or a file."""
    from hupai.settings import load_settings
    from hupai.web.listen.server import run_server

    run_server(load_settings(config, **{name: value for name, value in given.items() if value not in (None, [])}))


def _parameter(name: str, kind: Any, text: str, panel: str | None) -> Parameter:
    named = ("--https/--http",) if name == "https" else ()
    option = typer.Option(*named, help=text, rich_help_panel=panel)
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option])


_PARAMETERS: Final = [_parameter(name, *flag, panel) for panel, flags in _FLAGS.items() for name, flag in flags.items()]
serve.__signature__ = signature(serve).replace(parameters=_PARAMETERS)  # type: ignore[attr-defined]
