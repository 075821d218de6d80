"""What labelling adds to hupai."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hupai.wing import MANY_HANDS, Command, Wing

if TYPE_CHECKING:
    from hupai.settings import Settings
    from hupai.web.wing import WebWing


def _check_parts() -> str:
    import watchfiles  # noqa: F401 - as below
    import yaml  # noqa: F401 - loaded to see that it does

    import hupai.batch.engines.labeller
    import hupai.batch.engines.run  # noqa: F401 - as above

    return "its parts load"


def _web(settings: Settings) -> WebWing | None:
    if settings.label_studio is None:
        return None
    from hupai.label.web import WEB

    return WEB


_COMMANDS: Final = {
    "label": Command("hupai.commands.label.label", MANY_HANDS, ("hupai label photos --format coco --out labels",)),
    "labels": Command("hupai.commands.labels.app", MANY_HANDS),
    "review": Command("hupai.commands.review.review", MANY_HANDS, ("hupai review labels",)),
}
WING: Final = Wing(web=_web, checks=(("labelling", _check_parts),), commands=_COMMANDS)
