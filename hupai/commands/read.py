"""``hupai read``: recognition only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from hupai.terminal import options as o
from hupai.terminal.each_picture import each_picture, mention_pages
from hupai.terminal.flags import add_preset, parse_options
from hupai.terminal.output import print_json, with_provenance


def read(
    images: Annotated[list[Path], typer.Argument(metavar="PHOTO", help="Pictures of tiles: JPEG, PNG, WebP, HEIC ...")],
    rules: Annotated[
        str | None,
        typer.Option(metavar="RULES", help="Rules whose winning shapes help the reading."),
    ] = None,
    option: o.HouseRules = None,
    preset: o.PresetName = None,
    set_: Annotated[
        str | None,
        typer.Option("--set", metavar="NAME", help="A learned tile set (see learn-set)."),
    ] = None,
    annotate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the marked picture here (a folder when there are several)."),
    ] = None,
    keep_aside: Annotated[
        bool, typer.Option("--keep-aside", help="What was set aside is tiles, too; a --set learns it.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what each stage made of the picture, also in --json and --annotate.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per picture, nothing else.")] = False,
) -> None:
    """Say which tiles and which hand are in each picture."""
    from hupai.store.files.learned_sets import installed_sets, load_set
    from hupai.terminal.annotated import annotation_targets, write_annotated
    from hupai.terminal.explained import notes_of, show_explanation
    from hupai.terminal.show import Paper, show_reading
    from vision.hand.aside import keep_aside as keep_all
    from vision.io.photo import Photo
    from vision.layout.shapes import checked_shapes
    from vision.pipeline import TileReader

    target = annotation_targets(annotate, images)
    rules, house = add_preset(preset, rules, parse_options(option or ()))
    shapes = checked_shapes(rules, house)
    reader = TileReader()
    known = load_set(set_, reader.models["classifier"])
    paper = Paper()
    options = {name: value for name, value in (("rules", rules), ("options", house), ("set", set_)) if value}

    def work(image: Path) -> Callable[[], None]:
        photo = Photo(image)
        explained = reader.explain(photo, rules=shapes, tileset=known) if explain else None
        reading = explained.reading if explained else reader.read(photo, rules=shapes, tileset=known)
        taught = 0
        if keep_aside:
            found, reading = reading, keep_all(reading, rules=shapes)
            if set_ is not None and found.aside:
                taught = installed_sets().teach_kept(set_, reader.models["classifier"], reading, len(found.aside))
            explained = explained and explained._replace(reading=reading)

        def tell() -> None:
            mention_pages(photo)
            if annotate is not None:
                write_annotated(photo, reading, target(image), notes_of(explained) if explained else None)
            if as_json:
                told = {"explanation": explained.to_json()} if explained else {}
                print_json(with_provenance(reading.to_json(str(image)) | told, options))
            else:
                if explained:
                    show_explanation(paper, str(image), explained)
                show_reading(paper, str(image), reading)
                if taught:
                    typer.echo(f"{set_} learned {taught} tile{'s' if taught > 1 else ''} of what was set aside.")

        return tell

    outcome = each_picture(images, work, as_json=as_json)
    raise typer.Exit(outcome.exit_status)
