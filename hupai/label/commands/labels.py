"""``hupai labels``: what comes after labelling: import corrections, compare, split, forget."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hupai.basics.counts import count_of
from hupai.label.commands.label import BOXES
from hupai.label.formats import BY_NAME, NAMES, Target, parse_formats
from hupai.terminal.options import PrintJson
from hupai.terminal.output import print_json, with_provenance
from scoring.errors import Fault, HupaiError, InvalidRequest

if TYPE_CHECKING:
    from hupai.label.corrections.compare import Agreement
    from hupai.label.corrections.importing import Doubt, LabelSource
    from hupai.label.corrections.losses import Losses
    from hupai.label.formats import LabelError
    from hupai.label.progress import Progress
    from hupai.label.records import Record

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Labels afterwards: import what people corrected, compare two sets, split for training, forget what is gone.",
)
MAX_FOLDERS = 10
Images = Annotated[str | None, typer.Option(help="Folder of the pictures, for labels without sizes.")]
Formats = Annotated[str, typer.Option("--format", help=f"{NAMES}; or several: coco,csv.")]
_CLASSES = "Classes of the files written: 34, 37, 42, camerash, jonchan, or a file, one class per line."
WrittenClasses = Annotated[str | None, typer.Option(help=_CLASSES)]


@app.command("import")
def import_(
    out: Annotated[str, typer.Option(help="New folder for the labels.")],
    given: Annotated[
        str | None, typer.Argument(metavar="LABELS", help="A file or folder of labels, of any tool.")
    ] = None,
    corrections: Annotated[
        bool, typer.Option("--corrections", help="The samples that `hupai serve` keeps, in place of LABELS.")
    ] = False,
    kind: Annotated[str | None, typer.Option("--from", help=f"{NAMES}; recognised if not given.")] = None,
    base: Annotated[str | None, typer.Option(help="The labels that were corrected; untouched tiles stay.")] = None,
    images: Images = None,
    rename: Annotated[
        list[str] | None, typer.Option(help="NAME=TILE for a foreign label; NAME= leaves it out.")
    ] = None,
    names: Annotated[
        Path | None,
        typer.Option(help="File of foreign names and what they mean; what you are asked about new ones is kept there."),
    ] = None,
    from_classes: Annotated[
        str | None, typer.Option(help="What the labels are called: 34, 37, 42, camerash, jonchan, or a file.")
    ] = None,
    classes: WrittenClasses = None,
    format_: Formats = "jsonl",
    boxes: Annotated[bool, typer.Option("--boxes", help=BOXES)] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask, however many tiles are lost.")] = False,
    as_json: PrintJson = False,
) -> None:
    """Read the labels of any tool, lay them over what was read, write them in any format."""
    from hupai.label.classes import parse_classes
    from hupai.label.corrections.importing import LabelSource, import_labels
    from hupai.label.corrections.merge import KINDS
    from hupai.label.corrections.names import read_names
    from hupai.label.corrections.parts import lost_places
    from hupai.label.inputs.paths import local_path
    from hupai.label.progress import show_progress

    formats = parse_formats(format_)
    if (given is None) != corrections:
        raise _usage_error("Give a file or folder of labels, or --corrections.", "labels")
    if kind is not None and kind not in BY_NAME:
        raise _usage_error(f"--from {kind}: give one of {NAMES}.", "from")
    called = None if from_classes is None else parse_classes(from_classes)
    target = Target(local_path(out), classes=parse_classes(classes), boxes=boxes)
    meanings = (read_names(names) if names is not None else {}) | _parse_renames(rename or ())
    place = str(_samples_folder()) if given is None else given
    source = LabelSource(place, kind, called, base, images)
    with show_progress() as progress:
        ask = partial(_ask_names, names=names)
        agree = partial(_agree_to_losses, source=source, yes=yes, ask=sys.stdin.isatty() and not as_json)
        found = import_labels(source, meanings, target, formats, ask_names=ask, agree=agree, progress=progress)
    if told := lost_places(formats, found.ignored):
        typer.echo(f"hupai: {told}", err=True)
    if as_json:
        print_json(found.to_json())
        return
    line = f"{count_of(found.pictures, 'picture')} with {count_of(found.tiles, 'tile')} written to {out}"
    if changes := found.changes:
        line += "; " + ", ".join(f"{getattr(changes, kind)} {kind}" for kind in KINDS)
        line += f"; as they were read, since nobody saved them: {changes.unchecked}" if changes.unchecked else ""
        line += f"; not in {base}: {count_of(len(changes.unknown), 'picture')}" if changes.unknown else ""
        left = found.left_out
        line += f"; left out, since not in {place}: {count_of(left, 'picture')} of {base}" if left else ""
    typer.echo(f"{line}.")


@app.command("compare")
def compare(
    a: Annotated[str, typer.Argument(help="The labels to test.")],
    b: Annotated[str, typer.Argument(help="The labels to trust.")],
    images: Images = None,
    as_json: PrintJson = False,
) -> None:
    """Count where two sets of labels agree, and what one takes for what."""
    from hupai.label.corrections.compare import compare as count_agreement
    from hupai.label.corrections.record_store import FILES, A, B, RecordStore
    from hupai.label.progress import show_progress

    with RecordStore() as store, show_progress() as progress:
        if images is not None:
            store.add_pictures(images)
        store.add(A, _iter_labels(a, progress, sizes=store.sizes(FILES)), a)
        store.add(B, _iter_labels(b, progress, sizes=store.sizes(A, FILES)), b)
        agreement = count_agreement(progress.track(store.pairs(), "comparing", store.size(A)))
        agreement.only_b += store.list_unpaired()
    if not agreement.pictures:
        raise _usage_error(f"{a} and {b} have no picture in common, by name or bytes.", "labels")
    if as_json:
        print_json(with_provenance(agreement.to_json()))
        return
    _print_agreement(agreement)


@app.command("split")
def split(
    labels: Annotated[str, typer.Argument(help="A file or folder of labels.")],
    out: Annotated[str, typer.Option(help="New folder for the parts.")],
    share: Annotated[
        float, typer.Option("--validation", min=0.01, max=0.9, help="Share of the tiles for validation.")
    ] = 0.2,
    by: Annotated[
        str, typer.Option(help="set: keep tile sets apart, too; photo: only photos and their copies.")
    ] = "set",
    sets: Annotated[
        Path | None, typer.Option(help="CSV with columns image (wildcards) and set; else the first folder is the set.")
    ] = None,
    images: Annotated[
        str | None, typer.Option(help="Folder of the pictures: finds copies, and links them beside YOLO labels.")
    ] = None,
    classes: WrittenClasses = None,
    seed: Annotated[int, typer.Option(help="Deal the groups differently.")] = 0,
    format_: Formats = "jsonl",
    as_json: PrintJson = False,
) -> None:
    """Make training and validation parts that share no tile set and no photo."""
    from hupai.label.classes import parse_classes
    from hupai.label.corrections.parts import lost_places, write_parts
    from hupai.label.corrections.record_store import FILES, A, RecordStore, add_hashes
    from hupai.label.corrections.split import LabelledPicture, only_in_validation
    from hupai.label.corrections.split import split as split_records
    from hupai.label.inputs.paths import local_path
    from hupai.label.photo_names import PARTS
    from hupai.label.progress import show_progress
    from hupai.label.provenance import Provenance

    formats = parse_formats(format_)
    if by not in ("set", "photo"):
        raise _usage_error(f"--by {by}: give set or photo.", "by")
    if sets is not None and by == "photo":
        raise _usage_error("--sets goes with --by set.", "sets")
    pictures: list[LabelledPicture] = []
    models: set[str] = set()
    ignored = 0

    def note_pictures(records: Iterable[Record]) -> Iterator[Record]:
        nonlocal ignored
        for record in records:
            pictures.append(LabelledPicture.of(record))
            models.add(record.model)
            ignored += len(record.ignored)
            yield record

    with RecordStore() as store, show_progress() as progress:
        if images is not None:
            store.add_pictures(images)
        records = _iter_labels(labels, progress, sizes=store.sizes(FILES))
        store.add(A, note_pictures(records if images is None else add_hashes(records, images)), labels)
        pictures.sort(key=lambda one: one.image)
        placed = split_records(pictures, share, tileset=_tileset_lookup(sets) if by == "set" else None, seed=seed)
        named = parse_classes(classes)
        options = {"validation": share, "by": by, "sets": sets is not None, "seed": seed, "classes": named.option}
        made = Provenance.of(options, sorted(models - {""}))
        tracked = progress.track(store.records(A), f"writing {out}", len(placed))
        write_parts(tracked, placed, local_path(out), formats, images, made, named)
    counts = {
        part: {
            "pictures": sum(p.part == part for p in placed),
            "tiles": sum(len(p.codes) for p in placed if p.part == part),
            "groups": len({p.group for p in placed if p.part == part}),
        }
        for part in PARTS
    }
    if told := lost_places(formats, ignored):
        typer.echo(f"hupai: {told}", err=True)
    unlearnt = only_in_validation(placed)
    without_set = sum(not p.tileset for p in placed) if by == "set" else 0
    if as_json:
        print_json({**counts, "only_in_validation": unlearnt, "without_set": without_set, **made.to_json()})
        return
    for part, n in counts.items():
        typer.echo(f"{part}: {', '.join(count_of(n[f'{what}s'], what) for what in ('picture', 'tile', 'group'))}")
    if unlearnt:
        typer.echo(f"Only in val: {', '.join(f'{code} ({n})' for code, n in unlearnt.items())}; try another --seed.")
    if without_set:
        typer.echo(
            f"Tile set unknown: {count_of(without_set, 'picture')}, only kept apart by photo, so both parts may show "
            "the same tiles. Name the sets with --sets."
        )


@app.command("forget")
def forget(
    labels: Annotated[str, typer.Argument(help="Folder of labels that `hupai label` wrote.")],
    pictures: Annotated[
        list[str] | None, typer.Argument(help="Names or wildcards (in quotes) of pictures that are gone; all if none.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON; with it nothing is asked.")] = False,
) -> None:
    """Remove the labels of pictures that are no longer in the sources, for good; says how many first, and asks."""
    from hupai.label.corrections.forget import find_gone_pictures, open_existing_journal
    from hupai.label.corrections.forget import forget as forget_pictures
    from hupai.label.inputs.paths import local_path
    from hupai.label.progress import Progress

    folder = local_path(labels)
    with open_existing_journal(folder) as journal:
        found = find_gone_pictures(journal, folder, pictures or ())
        sums = {"pictures": len(found.pictures), "tiles": found.tiles, "crops": found.crops, "removed": False}
        if found.pictures and not as_json:
            typer.echo(
                f"No longer in the sources: {count_of(len(found.pictures), 'picture')}, "
                f"{count_of(found.tiles, 'tile')}, {count_of(found.crops, 'crop')}"
            )
            for inner, (lost, every) in list(found.folders.items())[:MAX_FOLDERS]:
                whole = "; all of them: is a disk not mounted?" if lost == every else ""
                typer.echo(f"  {inner or '.'}: {lost} of {every} labelled pictures{whole}")
        if found.pictures and not yes and not as_json:
            if not sys.stdin.isatty():
                raise _usage_error("Nothing was removed: add --yes where nobody can be asked.", "yes")
            yes = typer.confirm("Remove their labels for good?")
        if found.pictures and yes:
            forget_pictures(journal, folder, found.pictures, Progress())
            sums["removed"] = True
    if as_json:
        print_json(with_provenance(sums))
        return
    if not found.pictures:
        typer.echo("Nothing to remove: every labelled picture was there when the sources were last looked at.")
    else:
        typer.echo("Removed." if yes else "Nothing was removed.")


def _iter_labels(given: str, progress: Progress, **how: Any) -> Iterator[Record]:
    """Yield the labels of a file or folder; see :func:`hupai.label.formats.iter_labels`."""
    from hupai.label.formats import iter_labels
    from hupai.label.inputs.paths import local_path

    return progress.track(iter_labels(local_path(given), **how), f"reading {given}")


def _usage_error(message: str, field: str) -> InvalidRequest:
    return InvalidRequest.of([Fault("usage", message, field)])


def _samples_folder() -> Path:
    from hupai.settings import load_settings

    folder = load_settings().data_folder / "samples"
    if not folder.is_dir():
        raise _usage_error(f"No corrections are kept here: there is no folder {folder}.", "corrections")
    return folder


def _ask_names(error: LabelError, names: Path | None) -> dict[str, str]:
    """The tiles that unknown names mean: guesses that the user confirms or corrects; kept in a file, if one is named.

    Raises:
        LabelError: it is about something else, or nobody can be asked.
    """
    from hupai.label.corrections.names import guess, read_names, write_names
    from scoring.tiles import tile

    if error.code != "unknown_label":
        raise error
    guesses = {fault.field: guess(fault.field) for fault in error.faults if fault.field is not None}
    likely = {name: code for name, code in guesses.items() if code is not None}
    if not sys.stdin.isatty():
        if likely:
            lines = "; ".join(f"{name}: {code}" for name, code in likely.items())
            error.message += f" Guesses: {lines}. Write those that are right, a line each, into a file for --names."
        raise error

    def parse_meaning(given: str) -> str:
        try:
            return "" if given.strip() == "-" else tile(given.strip()).code
        except HupaiError as wrong:
            raise typer.BadParameter(wrong.message) from None

    for name, code in likely.items():
        typer.echo(f"  {name} = {code} ({tile(code).name})", err=True)
    if likely and not typer.confirm(f"Is that what these {len(likely)} names mean?", default=True, err=True):
        guesses |= dict.fromkeys(likely)
    meanings: dict[str, str] = {
        name: code or typer.prompt(f"Which tile is {name!r}? (- leaves it out)", value_proc=parse_meaning, err=True)
        for name, code in guesses.items()
    }
    if names is not None:
        write_names(names, read_names(names) | meanings)
    return meanings


def _agree_to_losses(losses: Losses, doubt: Doubt | None, *, source: LabelSource, yes: bool, ask: bool) -> None:
    """Print what an import changes; if it loses more than people remove, go on only if the user says so.

    Raises:
        LabelsLost: nobody can be asked.
        Exit: the user says no.
    """
    from hupai.label.corrections.losses import LabelsLost

    place, base = source.place, source.base
    for line in losses.lines():
        typer.echo(line, err=True)
    if doubt is not None:
        preset, lost = doubt
        typer.echo(
            f"hupai: No label of {place} is {', '.join(sorted(lost))}, of which {base} has {lost.total()} in "
            f"the same pictures. If they were written with --classes {preset}, import them with --from-classes "
            f"{preset}: as it is, these tiles count as removed or renamed.",
            err=True,
        )
    if yes or not losses.are_too_many:
        return
    message = (
        f"{losses.lost} of the {count_of(losses.tiles, 'tile')} that {base} has in these pictures are not in {place}. "
        "People rarely remove so many, but several tools leave polygons out of some formats: export in another "
        "one, or give such a tool labels made with --boxes."
    )
    if not ask:
        raise LabelsLost(f"{message} Nothing was written; if somebody did remove them, add --yes.")
    typer.echo(f"hupai: {message}", err=True)
    if not typer.confirm("Did somebody remove them?", err=True):
        typer.echo("Nothing was written.")
        raise typer.Exit(1)


def _parse_renames(pairs: Sequence[str]) -> dict[str, str]:
    known = {}
    for pair in pairs:
        name, sign, tile = pair.rpartition("=")
        if not sign or not name:
            raise _usage_error(f"--rename {pair}: write NAME=TILE, as in bamboo-5=5s.", "rename")
        known[name] = tile
    return known


def _tileset_lookup(path: Path | None) -> Callable[[str], str]:
    from hupai.basics.csv_files import read_rows
    from hupai.label.corrections.split import set_by_folder, set_by_list

    if path is None:
        return set_by_folder
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = read_rows(file)
            if not {"image", "set"} <= set(rows.fieldnames or ()):
                raise _usage_error(f"{path} needs the columns image and set.", "sets")
            named = [(row["image"], row["set"]) for row in rows]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise _usage_error(f"{path} cannot be read ({error}).", "sets") from None
    sets: dict[str, str] = {}
    for image, name in named:
        if sets.setdefault(image, name) != name:
            raise _usage_error(f"{path} names two sets for {image}: {sets[image]} and {name}.", "sets")
    return set_by_list(named)


def _print_agreement(agreement: Agreement) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    sums = agreement.to_json()
    only = [f"{len(sums[f'pictures_only_in_{x}'])} only in {x.upper()}" for x in "ab" if sums[f"pictures_only_in_{x}"]]
    console.print(
        f"{count_of(sums['pictures'], 'picture')} in both{''.join(f', {o}' for o in only)}; "
        f"{sums['pictures_alike']} alike in every box."
    )
    console.print(
        f"Boxes: {sums['boxes_a']} in A, {sums['boxes_b']} in B; {sums['matched']} of the same tile "
        f"(mean overlap {sums['mean_overlap'] or 0:.1%}), {sums['same_label']} of them with the same name "
        f"({sums['label_agreement'] or 0:.2%}, kappa {'-' if sums['kappa'] is None else sums['kappa']})."
    )
    for key, words in (("missing_in_a", "A lacks"), ("extra_in_a", "only A has")):
        if sums[key]:
            console.print(f"{words}: " + ", ".join(f"{n} x {code}" for code, n in sums[key].items()))
    if sums["confusions"]:
        table = Table("A says", "B says", "times")
        for c in sums["confusions"][:30]:
            table.add_row(c["a"], c["b"], str(c["count"]))
        console.print(table)
