"""``hupai page``: the page without a server, as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def page(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="A new folder, or one with an older page; its URL with --check.")
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Say what a host does wrong that serves the page at a URL.")
    ] = False,
) -> None:
    """Write the page that needs no hupai serve: it reads photos and scores hands on the phone itself, offline, too."""
    if check:
        from hupai.checks.hosting import check_host

        found = []
        for finding in check_host(folder):
            found.append(finding.ok)
            typer.echo(finding.line)
        raise typer.Exit(0 if all(found) else 1)
    from hupai.page.alone import write_page

    made = write_page(Path(folder))
    typer.echo(f"{folder}: {made.files} files, {made.size / 1e6:.1f} MB. Any web server with HTTPS can serve them.")
