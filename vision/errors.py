"""What can go wrong between a file and a reading, each with a code programs may rely on."""

from __future__ import annotations

from scoring.errors import HupaiError


class VisionError(HupaiError):
    """Base of the errors raised on purpose by vision."""

    code = "vision"
    exit_status = 3


class PhotoError(VisionError):
    """A picture that cannot be used.

    Codes: ``image_missing``, ``image_unreadable``, ``image_truncated``, ``image_too_large``, ``image_too_small``.
    """

    code = "image_unreadable"


class ModelError(VisionError):
    """Weights that cannot be used. Codes: ``model_missing``, ``model_corrupt``, ``model_unsuitable``."""

    code = "model_missing"


class TileSetError(VisionError):
    """A learned tile set that cannot be used, or a photo that no set can be learned from.

    Codes: ``set_missing``, ``set_corrupt``, ``set_other_model``, ``set_bad_name``, ``set_order_unclear``.
    """

    code = "set_corrupt"


class NoHandError(VisionError):
    """A picture that shows no tiles (``no_tiles``), or none that make a hand (``no_hand``)."""

    code = "no_hand"
