"""hupai: photograph a mahjong hand, get its score.

::

    import hupai

    hand = hupai.score("hand.jpg", rules="riichi", seat="E", win="self_draw")
    print(hand.explain())
    hand.plot().show()

:func:`read` returns what a photo shows, :func:`score` what it is worth; a notebook displays either as a card. Every
error is a :class:`HupaiError`. Importing this package costs nothing: the models are loaded at the first photo.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hupai.answers import ReadPhoto, ScoredPhoto
    from scoring.errors import HupaiError
    from vision.io.given import Source

    __version__: str

__all__ = ["HupaiError", "ReadPhoto", "ScoredPhoto", "__version__", "read", "score"]

_HOMES = {"HupaiError": "scoring.errors", "ReadPhoto": "hupai.answers", "ScoredPhoto": "hupai.answers"}


def read(picture: Source, rules: str | None = None, *, tileset: str | None = None) -> ReadPhoto:
    """Return what a photo shows.

    Args:
        picture: a path, the bytes of a file, an open binary file, a Pillow image, or an upright RGB array (H, W, 3) or
            grey array (H, W) of uint8.
        rules: the rule system whose winning shapes help the reading; any if not given.
        tileset: name of a tile set taught with ``hupai learn-set``.

    Raises:
        HupaiError: the picture cannot be used, or the rules or tile set do not exist.
    """
    from hupai.answers import read_photo

    return read_photo(picture, rules, tileset)


def score(
    picture: Source,
    rules: str = "hongkong",
    *,
    tileset: str | None = None,
    **circumstances: Any,
) -> ScoredPhoto:
    """Return what the hand on a photo is worth, why, and who pays whom: :func:`read`, then :meth:`ReadPhoto.score`.

    Args:
        picture, tileset: see :func:`read`.
        rules, circumstances: see :meth:`ReadPhoto.score`; ``seat`` and ``win`` are needed.

    Raises:
        HupaiError: the picture cannot be used, shows no whole hand, or an argument is invalid.
    """
    return read(picture, rules, tileset=tileset).score(rules, **circumstances)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from scoring.version import version

        return version()
    if name not in _HOMES:
        raise AttributeError(f"module 'hupai' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
