"""What labelling adds to hupai."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hupai.wing import MANY_HANDS, Command, Extra, Wing

if TYPE_CHECKING:
    from hupai.settings import Settings
    from hupai.web.wing import WebWing
    from vision.learn.tileset import TileSet
    from vision.pipeline import TileReader


def _check_parts() -> str:
    import watchfiles  # noqa: F401 - as below
    import yaml  # noqa: F401 - loaded to see that it does

    import hupai.label.engines.labeller
    import hupai.label.engines.run  # noqa: F401 - as above

    return "its parts load"


def _web(settings: Settings) -> WebWing | None:
    from hupai.label.settings import LabelSettings

    if not isinstance(settings, LabelSettings) or settings.label_studio is None:
        return None
    from hupai.label.web_wing import WEB

    return WEB


def _learn_labels(name: str, known: TileSet | None, photos: Sequence[Path], labels: str, reader: TileReader) -> TileSet:
    from hupai.label.formats import read_labels
    from hupai.label.inputs.paths import local_path
    from hupai.label.review.teach import learn_from

    return learn_from(name, photos, read_labels(local_path(labels)), known, reader)


_COMMANDS: Final = {
    "label": Command(
        "hupai.label.commands.label.label", MANY_HANDS, ("hupai label photos --format coco --out labels",)
    ),
    "labels": Command("hupai.label.commands.labels.app", MANY_HANDS),
    "review": Command("hupai.label.commands.review.review", MANY_HANDS, ("hupai review labels",)),
}
WING: Final = Wing(
    web=_web,
    checks=(("labelling", _check_parts),),
    extras=(Extra("cluster", ("ray",), "labelling on several machines", "pip install ray"),),
    commands=_COMMANDS,
    learn_labels=_learn_labels,
)
