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
    from hupai.api import ReadPhoto, ScoredPhoto, read, score
    from scoring.errors import HupaiError

    __version__: str

__all__ = ["HupaiError", "ReadPhoto", "ScoredPhoto", "__version__", "read", "score"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from scoring.version import version

        return version()
    if name not in __all__:
        raise AttributeError(f"module 'hupai' has no attribute {name!r}")
    return getattr(import_module("scoring.errors" if name == "HupaiError" else "hupai.api"), name)
