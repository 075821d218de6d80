"""Why a photo was read as it was, for people: the stages as tables, and what they add to a marked photo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rich.table import Table
from rich.text import Text

from hupai.basics.counts import count_of
from hupai.terminal.show import Paper
from vision.explanation import ExplainedDetection, Explanation, Names, WatchedPass
from vision.geometry import bounds
from vision.reading import SURE, Reading

if TYPE_CHECKING:
    from vision.io.annotate import Notes

SHOWN: Final = 5
"""Likeliest interpretations that are shown, and the one that was taken."""


def show_explanation(paper: Paper, name: str, explained: Explanation) -> None:
    """Show the search, what was made of each detection, and the interpretations; tiles have their numbers."""
    reading, passes, kept = explained.reading, explained.passes, Counter(d.found_in for d in explained.detections)
    found = count_of(len(explained.detections), "detection")
    where = " in the photo's negative" if explained.negative else ""
    taken = sum(one.tile is not None for one in explained.detections)
    paper.print(Text(f"How {name} was read", style="bold"))
    _show(
        paper,
        f"Search: {count_of(len(passes), 'pass', 'passes')}, {found}{where}",
        ("pass", "searched (pixels of the photo)", "seen at", "found", "of these used"),
        ((n, _part(one, reading), "{}x{}".format(*one.size), len(one.found), kept[n]) for n, one in enumerate(passes)),
    )
    _show(
        paper,
        f"Tiles: {taken} with a chance of {explained.least:.2f} or more",
        ("tile", "at", "pass", "score", "classifier", "tile?", "read as"),
        (_detection_row(one, explained) for one in explained.detections),
    )
    ways = explained.interpretations
    shown = [one for at, one in enumerate(ways) if at < SHOWN or one.taken]
    _show(
        paper,
        f"Hand: {count_of(len(ways), 'interpretation')}, {len(shown)} shown",
        ("", "nats", "chance", "faces", "", "winning", "hand"),
        (
            (
                ">" if one.taken else "",
                f"{one.nats:.1f}",
                f"{one.chance:.1%}",
                f"{one.changed_nats:.1f}",
                {None: "", -1: "wins", 0: "waits"}.get(one.shanten, f"shanten {one.shanten}"),
                "" if one.parts.get("winning") is None else one.parts["winning"],
                one.hand or "no hand",
            )
            for one in shown
        ),
    )


def _detection_row(one: ExplainedDetection, explained: Explanation) -> tuple[object, ...]:
    x0, y0, x1, y1 = bounds(one.quad)
    tile, outcome = "-", "dropped"
    if one.tile is not None:
        tile, seen, was = str(one.tile), explained.reading.tiles[one.tile], one.classifier[0][0]
        outcome = f"{seen.tile} {seen.confidence:.2f}" + (f", was {was}" if was != seen.tile.code else "")
    at, names = f"{(x0 + x1) / 2:.0f},{(y0 + y1) / 2:.0f}", _names(one.classifier)
    return tile, at, one.found_in, f"{one.score:.2f}", names, f"{one.chance:.2f}", outcome


def notes_of(explained: Explanation) -> Notes:
    """Return what the marked photo shows: numbers, scores, names where unsure, what was dropped, windows."""
    from vision.io.annotate import Notes

    tiles, marks, sentences = [], [], []
    for one in explained.detections:
        (best, sure), names = one.classifier[0], [_names([name]) for name in one.classifier]
        if one.tile is None:
            marks.append((one.quad, [f"{one.chance:.0%} tile", *(names if sure < SURE else names[:1])]))
        else:
            plain = sure >= SURE and best == explained.reading.tiles[one.tile].tile.code
            tiles.append([f"{one.tile}: {one.score:.2f}", *(() if plain else names)])
    tiles += [[] for _ in explained.reading.tiles[len(tiles) :]]  # those that were set aside and kept
    for number, look in enumerate(explained.passes):
        part, (x0, y0, x1, y1) = _part(look, explained.reading), look.window
        if not part.endswith("all"):
            marks.append((((x0, y0), (x1, y0), (x1, y1), (x0, y1)), [f"pass {number}"]))
        sentences.append(f"Pass {number}: {part} at {look.size[0]}x{look.size[1]}, {len(look.found)} found")
    sentences += [f"{one.nats:.1f} nats: {one.hand or 'no hand'}" for one in explained.interpretations[:SHOWN]]
    return Notes(tiles, marks, sentences)


def _show(paper: Paper, title: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    table = Table(*columns, box=None, pad_edge=False, header_style="dim")
    for row in rows:
        table.add_row(*map(str, row))
    paper.print(Text(title, style="bold"))
    if table.row_count:
        paper.print(table)


def _part(look: WatchedPass, reading: Reading) -> str:
    x0, y0, x1, y1 = part = tuple(map(round, look.window))
    where = "all" if part == (0, 0, reading.width, reading.height) else f"{x0},{y0} to {x1},{y1}"
    return f"negative, {where}" if look.negative else where


def _names(names: Names) -> str:
    """Return names with their probabilities, unless these are next to nothing."""
    return " ".join(f"{label} {p:.2f}" if p >= 0.005 else label for label, p in names)
