"""``hupai label``: label many pictures at once, resumable after any interruption."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from hupai.basics.counts import count_of
from hupai.label.formats import BY_NAME, FORMATS, NAMES, parse_formats
from scoring.errors import Fault, InvalidRequest

if TYPE_CHECKING:
    from pathlib import Path

    from hupai.label.engines.run import Job
    from hupai.label.outputs.finish import RunResult
    from hupai.label.progress import Progress

_file_option = partial(typer.Option, rich_help_panel="What the label files hold")
_work_option = partial(typer.Option, rich_help_panel="How the work is done")
_cluster_option = partial(typer.Option, rich_help_panel="Beyond one machine")
BOXES = "Upright boxes for COCO, Label Studio, CVAT and labelme, where a tool leaves polygons out of its exports."
BESIDE = ", ".join(each.name for each in FORMATS if each.takes_pictures)


def label(
    sources: Annotated[
        list[str], typer.Argument(help="Folders, wildcards (in quotes), lists (.txt .csv .jsonl), pictures.")
    ],
    out: Annotated[str, typer.Option(help="Folder for the labels; run again with the same one to go on.")],
    format_: Annotated[str, typer.Option("--format", help=f"{NAMES}; or several: coco,csv.")] = "jsonl",
    hands: Annotated[
        bool, typer.Option("--hands", help="Make out the hand, too: roles, groups, doubts (in labels.jsonl).")
    ] = False,
    rules: Annotated[str | None, typer.Option(help="With --hands: the rules whose winning shapes help.")] = None,
    set_: Annotated[
        str | None, typer.Option("--set", help="The learned tile set the pictures show (see learn-set).")
    ] = None,
    crops: Annotated[bool, _file_option("--crops", help="Write every tile as a picture, too.")] = False,
    images: Annotated[
        str | None, _file_option(help=f"link or copy: put the pictures beside labels of {BESIDE}.")
    ] = None,
    min_confidence: Annotated[
        float, _file_option(min=0.0, max=1.0, help="Leave less certain tiles out of the files.")
    ] = 0.0,
    drop_duplicates: Annotated[bool, _file_option("--drop-duplicates", help="Leave copies of a picture out.")] = False,
    classes: Annotated[
        str | None, _file_option(help="34, 37, 42, camerash, jonchan, or a file: classes, one per line.")
    ] = None,
    boxes: Annotated[bool, _file_option("--boxes", help=BOXES)] = False,
    image_url: Annotated[str, _file_option(help="Label Studio: what comes before a picture's name.")] = "",
    workers: Annotated[
        int | None, _work_option(min=1, max=4096, help="Worker processes; one per core by default.")
    ] = None,
    fresh: Annotated[bool, _work_option("--fresh", help="Forget what is in the folder and begin again.")] = False,
    retry: Annotated[bool, _work_option("--retry", help="Try the pictures that failed again.")] = False,
    watch: Annotated[
        bool, _work_option("--watch", help="Go on labelling new pictures until stopped (Ctrl-C).")
    ] = False,
    engine: Annotated[str, _cluster_option(help="local, or ray for many machines.")] = "local",
    ray_address: Annotated[
        str | None, _cluster_option(help="Ray cluster (host:port, auto, local); else one that runs here, or a new one.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON, nothing else.")] = False,
) -> None:
    """Label the tiles in many pictures; interrupted, go on with the same command."""
    from hupai.label.classes import parse_classes
    from hupai.label.engines.pictures import LabelOptions
    from hupai.label.engines.run import Job, run
    from hupai.label.inputs.paths import local_path
    from hupai.label.outputs.derive import OutputOptions
    from hupai.label.plan import fingerprint
    from hupai.label.progress import show_progress
    from hupai.store.files.learned_sets import load_set
    from vision.models.zoo import list_models

    _check(images, engine, ray_address, rules, hands, watch=watch)
    formats = parse_formats(format_)
    if images is not None and not any(BY_NAME[name].takes_pictures for name in formats):
        message = f"--images goes with a format that takes pictures: {BESIDE}."
        raise InvalidRequest.of([Fault("usage", message, "images")])
    known = load_set(set_, list_models()["classifier"].short)
    folder = local_path(out)
    job = Job(
        tuple(sources),
        folder,
        OutputOptions(formats, min_confidence, drop_duplicates, image_url, parse_classes(classes), boxes),
        LabelOptions(hands, _system_id(rules), known),
        None if known is None else (known.name, fingerprint(known)),
        crops=crops,
        images=images,
        workers=workers,
        fresh=fresh,
        retry=retry,
    )
    try:
        with show_progress() as progress:
            if engine == "ray":
                from hupai.label.engines.cluster import RayPool
                from hupai.label.engines.joining import join_cluster

                with join_cluster(ray_address, workers, progress) as count:
                    finished = run(replace(job, workers=count), progress, RayPool)
            elif watch:
                finished = _watch(job, progress)
            else:
                finished = run(job, progress)
    except KeyboardInterrupt:
        print(f"hupai: stopped; run the same command to go on in {folder}.", file=sys.stderr)
        raise typer.Exit(130) from None
    _report(finished, folder, as_json)
    raise typer.Exit(finished.exit_status)


def _system_id(rules: str | None) -> str | None:
    if rules is None:
        return None
    from scoring.rules import system_named

    return system_named(rules).id


def _check(
    images: str | None, engine: str, ray_address: str | None, rules: str | None, hands: bool, *, watch: bool
) -> None:
    """Refuse what makes no sense together, all at once, before anything is read."""
    faults = []
    if images not in (None, "link", "copy"):
        faults.append(Fault("usage", f"--images {images}: give link or copy.", "images"))
    if engine not in ("local", "ray"):
        faults.append(Fault("usage", f"--engine {engine}: give local or ray.", "engine"))
    if ray_address is not None and engine != "ray":
        faults.append(Fault("usage", "--ray-address goes with --engine ray.", "ray_address"))
    if rules is not None and not hands:
        faults.append(Fault("usage", "--rules helps to make out hands: give --hands, too.", "rules"))
    if watch and engine == "ray":
        faults.append(Fault("usage", "--watch works on this machine only: leave out --engine ray.", "watch"))
    if faults:
        raise InvalidRequest.of(faults)


def _watch(job: Job, progress: Progress) -> RunResult:
    """Watch until Ctrl-C or a polite request to end; then everything is written once more."""
    from hupai.label.engines.folder_watch import watch_sources
    from hupai.terminal.stop_event import stop_event

    return watch_sources(job, progress, stop_event())


def _report(finished: RunResult, out: Path, as_json: bool) -> None:
    summary = finished.summary
    if as_json:
        from hupai.terminal.output import print_json

        print_json(summary)
    else:
        typer.echo(
            f"{count_of(summary['pictures'], 'picture')} with {count_of(summary['tiles'], 'tile')} labelled in {out}; "
            f"{summary['pictures_without_tiles']} without a tile, "
            f"{count_of(summary['pictures_copied'], 'copy', 'copies')}, "
            f"about {count_of(round(summary['tiles_probably_wrong']), 'label')} probably wrong. Look through them: "
            f"hupai review {out}"
        )
        if summary["tiles_left_out"]:
            typer.echo(
                f"In labels.jsonl only: {count_of(summary['tiles_left_out'], 'tile')}, which --min-confidence or "
                "--drop-duplicates left out of the label files."
            )
        if summary["pictures_kept"]:
            typer.echo(
                f"No longer there as they were read: {count_of(summary['pictures_kept'], 'picture')}; the labels are "
                f"kept (see {out / 'kept.csv'}). To remove those that are gone: hupai labels forget {out}"
            )
        if summary["pictures_of_many_pages"]:
            typer.echo(
                f"Several pages or frames: {count_of(summary['pictures_of_many_pages'], 'file')}, of which the first "
                f"was labelled (see {out / 'pages.csv'}); save the others as files of their own."
            )
        if finished.recalled:
            typer.echo(f"Recognised by content, not read again: {count_of(finished.recalled, 'picture')}.")
        if finished.pace is not None:
            typer.echo(f"This run: {finished.pace}.")
    if finished.counts.failed:
        named = ", ".join(f"{n} {code}" for code, n in summary["failures"].items())
        print(f"hupai: {finished.counts.failed} failed ({named}), see {out / 'failures.csv'}.", file=sys.stderr)
