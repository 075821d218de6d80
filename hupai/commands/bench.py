"""``hupai bench``: the same figures for the labels of any models, side by side."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hupai.output import lasting, print_json
from scoring.errors import Fault, InvalidRequest


def bench(
    truth: Annotated[
        str, typer.Argument(metavar="TRUTH", help="The labels that people made: a file, folder or address.")
    ],
    labels: Annotated[
        list[str],
        typer.Argument(
            metavar="[NAME=]LABELS",
            help="Labels to judge, of any model, such as a COCO file with scores or a list of COCO results.",
        ),
    ],
    least: Annotated[
        float, typer.Option(min=0, max=1, help="Confidence that a find needs to count in the exact photos.")
    ] = 0.5,
    classes: Annotated[
        str | None, typer.Option(help="Which tiles count as the same: 34, 37, 42, camerash, jonchan, or a file.")
    ] = None,
    from_classes: Annotated[
        str | None, typer.Option(help="What the labels are called: 34, 37, 42, camerash, jonchan, or a file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure labels of any models against labels that people made: mAP, exact photos and hands, calibration."""
    from hupai.batch.classes import ALL, classes_named
    from hupai.batch.corrections.bench import bench as measured
    from hupai.batch.formats import Labels, is_results, read_labels, read_results
    from hupai.batch.inputs.fetched import at_hand

    counted = classes_named(classes) if classes else ALL
    called = classes_named(from_classes) if from_classes else ALL
    found: dict[str, Any] = {}
    with at_hand(truth) as right_place:
        right = read_labels(right_place, rename=called.plain)
        sizes = {r.image.rpartition(".")[0] or r.image: (r.image, r.width, r.height) for r in right}
        for given in labels:
            name, sign, address = given.partition("=")
            name, address = (name, address) if sign and "/" not in name else (given, given)
            if name in found:
                raise InvalidRequest.of([Fault("usage", f"{name} stands there twice; name them apart: A={address}.")])
            with at_hand(address) as place:
                if is_results(place):
                    each = read_results(place, right_place, Labels(called.plain))
                else:
                    each = read_labels(place, rename=called.plain, sizes=sizes)
            found[name] = measured(right, each, counted, least).to_json()
    if as_json:
        print_json(lasting({"truth": truth, "labels": found}))
    else:
        _show(found, least)


def _show(found: dict[str, Any], least: float) -> None:
    from rich.console import Console
    from rich.table import Table

    any_one = next(iter(found.values()))
    hands = ["exact\nhands"] if any_one["hands"] else []
    table = Table("labels", "mAP\n50", "mAP\ncentres", "exact\nphotos", *hands, "confidence\noff by", "missing")
    for name, each in found.items():
        shown = ("-" if each[k] is None else f"{each[k]:.3f}" for k in ("map_50", "map_centres", "calibration_error"))
        overlap, centre, calibration = shown
        exact = [_share(each, "photos_exact", "pictures"), *(_share(each, "hands_exact", "hands") for _ in hands)]
        table.add_row(name, overlap, centre, *exact, calibration, str(each["pictures_missing"]))
    console = Console()
    console.print(
        f"{any_one['pictures']} photos with {any_one['tiles']} tiles; what is exact counts finds from {least:.0%} on"
    )
    console.print(table)


def _share(each: dict[str, Any], count: str, of: str) -> str:
    low, high = (f"{100 * v:.0f}" for v in each[f"{count}_interval"])
    return f"{each[count]} of {each[of]}\n{low}-{high} %"
