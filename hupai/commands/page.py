"""``hupai page``: the page without a server, as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def page(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder, or one with an older page.")],
) -> None:
    """Write the page that needs no hupai serve: it reads photos and scores hands on the phone itself, offline, too."""
    from hupai.page.alone import write_page

    made = write_page(folder)
    typer.echo(f"{folder}: {made.files} files, {made.size / 1e6:.1f} MB. Any web server with HTTPS can serve them.")
