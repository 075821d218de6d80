"""``hupai learn-set`` and ``hupai sets``: teach it a physical tile set, and carry what it learned."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hupai.store.files.learned_sets import installed_sets
from hupai.terminal.options import PrintJson
from hupai.terminal.output import print_json, with_provenance
from scoring.errors import Fault, HupaiError, InvalidRequest
from scoring.tiles import format_tiles, parse_tiles

sets = typer.Typer(help="List, export, import or delete learned tile sets.", no_args_is_help=True)


def learn_set(
    photos: Annotated[list[Path], typer.Argument(help="Photos of the set.")],
    name: Annotated[str, typer.Option(help="What to call it; a set of this name is added to.")],
    tiles: Annotated[
        str | None,
        typer.Option(
            help="The face-up tiles of every photo, line by line: 123456789m ... Without it each photo must show a "
            "whole set, one or four of each kind in any order."
        ),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(help="Corrected labels of the photos, such as a review's corrections.jsonl."),
    ] = None,
) -> None:
    """Learn how one physical tile set looks from a photo or a few; then read with --set NAME."""
    from hupai.wing import installed_wings
    from vision.photo_lessons import learn_set
    from vision.pipeline import TileReader

    if labels is not None and tiles is not None:
        raise InvalidRequest.of([Fault("usage", "Give --tiles or --labels, not both.", "labels")])
    named = parse_tiles(tiles) if tiles is not None else None
    sets = installed_sets()
    reader = TileReader()
    known = sets.load(name, reader.models["classifier"]) if name in sets.names() else None
    if labels is not None:
        learn = next((wing.learn_labels for wing in installed_wings() if wing.learn_labels is not None), None)
        if learn is None:
            raise InvalidRequest.of([Fault("usage", "Labels are read where labelling is installed.", "labels")])
        learned = learn(name, known, photos, labels, reader)
    else:
        learned = learn_set(name, photos, tiles=named, known=known, reader=reader)
    sets.save(learned)
    faces = format_tiles(sorted(learned.labels, key=lambda t: (t.kind, t.red)))
    typer.echo(f"{name}: {learned.lessons} lessons on {len(learned.labels)} faces ({faces}), in {sets.path(name)}")


@sets.command("list")
def list_learned_sets(as_json: PrintJson = False) -> None:
    """Say which sets are learned and which faces each knows."""
    from vision.models.zoo import list_models

    found = installed_sets().list_sets(list_models()["classifier"].short)
    if as_json:
        print_json(with_provenance({"sets": found}))
        return
    for one in found:
        trouble = f"  {one['trouble']}" if one["trouble"] else ""
        typer.echo(f"{one['name']}: {len(one['tiles'])} faces, {one['lessons']} lessons{trouble}")
    if not found:
        typer.echo("no set is learned yet: hupai learn-set PHOTO --name NAME")


@sets.command("export")
def export(
    name: Annotated[str, typer.Argument(help="The set.")],
    file: Annotated[Path, typer.Argument(help="Where to write it, such as home.npz.")],
) -> None:
    """Write a set into a file, to carry it to another machine."""
    data = installed_sets().export_set(name)
    try:
        file.write_bytes(data)
    except OSError as error:
        raise HupaiError(f"{file} cannot be written ({error.strerror}).", code="cannot_write") from error
    typer.echo(f"{name} -> {file}")


@sets.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A file written by hupai sets export.")],
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of a set of the same name.")] = False,
) -> None:
    """Keep a set from a file; a damaged file is refused by name."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InvalidRequest.of([Fault("unreadable_file", f"{file} cannot be read ({error.strerror}).")]) from error
    known = installed_sets().import_set(data, file.name, replace=replace, how_to_replace="--replace")
    typer.echo(f"{known.name} is known now")


@sets.command("delete")
def delete(name: Annotated[str, typer.Argument(help="The set.")]) -> None:
    """Forget a set."""
    installed_sets().delete_set(name)
    typer.echo(f"{name} is forgotten")
