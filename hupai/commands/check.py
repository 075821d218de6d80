"""``hupai check``: what is installed, which models, do they run; and fixing what can be fixed."""

from __future__ import annotations

from typing import Annotated

import typer

from hupai.terminal.options import Config, PrintJson


def check(
    config: Config = None,
    mend: Annotated[
        bool, typer.Option("--fix", "--mend", help="Make the data folder, remove half-written files, lock keys away.")
    ] = False,
    as_json: PrintJson = False,
) -> None:
    """Try every part of the installation and say what is wrong; exit status 1 when something is."""
    from hupai.checks.installation import check_installation
    from hupai.terminal.output import print_json, with_provenance
    from hupai.wing import installed_wings

    wings, mended = installed_wings(), []
    if mend:
        for finding in check_installation(config, wings, places_only=True):
            if finding.repair is not None:
                try:
                    finding.repair()
                except OSError as error:
                    typer.echo(f"hupai: {finding.name} cannot be fixed ({error.strerror or error}).", err=True)
                else:
                    mended.append(finding.name)
                    if not as_json:
                        typer.echo(f"{finding.name} is fixed; before: {finding.message}")
    found = []
    for finding in check_installation(config, wings):
        found.append(finding)
        if not as_json:
            typer.echo(finding.line)
    whole = all(f.ok for f in found)
    if as_json:
        print_json(with_provenance({"ok": whole, "findings": [f.to_json() for f in found], "mended": mended}))
    raise typer.Exit(0 if whole else 1)
