"""Film photographs of real tiles with hands over them and compare the hand that is shown with the truth.

    HUPAI_DATA=data python -m scripts.bench.live_photos
    python -m scripts.bench.live_photos scenes-e-validation --only img_3088 --verbose

Of each collection the photographs count that show one row, lying or standing, which makes a hand together with the
melds beside it: by their annotations, whether hupai reads them or not. ``--work``, ``--looks`` and ``--replay`` are
those of :mod:`scripts.bench.live`.
"""

from __future__ import annotations

import json
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import cv2
import numpy as np
import typer

from datasets.scenes.player_photos import PlayerPhoto, film_photo
from datasets.scenes.player_videos import write_player_video
from hupai.hall.live.row.melds import FITTING, is_meld
from hupai.hall.live.seat_view import SeatView
from scoring.tiles import tile
from scripts.accuracy.holdouts import collections
from scripts.accuracy.truth import TruePhoto
from scripts.bench.live import Figures, Hand, shown_hand, watch
from vision.io.photo import Photo
from vision.pipeline import TileReader

COLLECTIONS: Final = ("scenes-e-validation", "scenes-f-deciding", "scenes-i-deciding")
LEAST_PX: Final = 24.0
"""Narrower tiles are known not to be read."""
OFF: Final = 0.5
"""How far a tile of one row may be off its line, tile widths."""


def player_photo(photo: TruePhoto) -> PlayerPhoto | None:
    """The row of a photograph and the melds beside it; None where that makes no hand."""
    noted = json.loads(photo.path.with_suffix(".json").read_text(encoding="utf-8"))
    row = [t for t in noted["tiles"] if t.get("row") == "main"]
    beside = [t for t in noted["tiles"] if t.get("row") == "aside"]
    if len(row) < 2:
        return None
    quads = np.array([t["corners"] for t in row], np.float32)
    middles, wide = quads.mean(axis=1), float(np.median(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)))
    vx, vy, x, y = cv2.fitLine(middles, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
    off = np.abs((middles - (x, y)) @ (-vy, vx)).max() / wide
    if wide < LEAST_PX or off > OFF:
        return None
    melds = _melds(noted.get("hand"), [t["label"] for t in beside])
    if len(row) + 3 * len(melds) not in FITTING:
        return None
    order = np.argsort(middles[:, 0])
    laid = {code for meld in melds for code in meld}
    lying = [t["corners"] for t in beside if t["label"] in laid]
    every = np.concatenate([quads[order], np.array(lying, np.float32).reshape(-1, 4, 2)])
    return PlayerPhoto(Photo(photo.path).pixels, tuple(row[k]["label"] for k in order), melds, every)


def _melds(hand: dict[str, Any] | None, beside: list[str]) -> tuple[tuple[str, ...], ...]:
    if hand is not None:
        melds = [meld["tiles"] if isinstance(meld, dict) else meld for meld in hand["melds"]]
        return tuple(tuple(meld) for meld in melds)
    return (tuple(beside),) if len(beside) in (3, 4) and is_meld([tile(code) for code in beside]) else ()


def undivided(hand: Hand) -> Hand:
    """A hand without what of it stands apart, which annotations do not tell."""
    row, drawn, melds = hand
    return (*row, *([drawn] if drawn is not None else [])), None, melds


def undivided_hand(view: SeatView) -> Hand | None:
    """The hand that is shown, undivided."""
    hand = shown_hand(view)
    return undivided(hand) if hand is not None else None


def films(names: Sequence[str], only: Sequence[str] | None, work: Path) -> Iterator[Path]:
    """The videos of the photographs, made where they are not there."""
    for name, photos in collections(names):
        for photo in photos:
            if only and photo.path.stem not in only:
                continue
            video = work / f"{name}-{photo.path.stem}.mp4"
            if not video.with_suffix(".json").exists():
                shown = player_photo(photo)
                if shown is None:
                    continue
                write_player_video(film_photo(shown, zlib.crc32(photo.path.stem.encode())), video)
            yield video


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Collections of annotated photographs.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Photographs by their stems.")] = None,
    work: Path | None = None,
    looks: Path | None = None,
    replay: bool = False,
    verbose: bool = False,
) -> None:
    cv2.setNumThreads(1)
    reader, total, many, covered = TileReader(threads=1), Figures(), 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        place = work or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        for video in films(names or COLLECTIONS, only, place):
            figures, share = watch(video, reader, looks, replay=replay, verbose=verbose, shows=undivided_hand)
            total.add(figures)
            many, covered = many + 1, covered + share
    print(f"{many} photographs, covered {covered / max(many, 1):.0%}: {total}")


if __name__ == "__main__":
    typer.run(main)
