"""hupai as a detector of CVAT: what nuclio calls for each picture that somebody annotates."""

from __future__ import annotations

import base64
import json
from typing import Any

from scoring.errors import HupaiError
from vision.io.photo import Photo
from vision.pipeline import TileReader

LEAST = 0.5
"""Confidence that a tile needs where the request names none."""


def init_context(context: Any) -> None:
    """Load the models, once a worker."""
    context.user_data.reader = TileReader()


def handler(context: Any, event: Any) -> Any:
    """Every tile of a picture as a polygon of its corners.

    The request is JSON with ``image`` (the file, base64) and perhaps ``threshold``; the answer is a list of ``label``,
    ``type``, ``points`` (x, y, x, y ...; pixels) and ``confidence`` (text, as CVAT's own functions give it).
    """
    try:
        given = event.body if isinstance(event.body, dict) else json.loads(event.body)
        photo = Photo(base64.b64decode(given["image"], validate=True), name="the picture")
        least = float(given.get("threshold") or LEAST)
        reading = context.user_data.reader.read(photo)
    except (HupaiError, KeyError, TypeError, ValueError) as error:
        body = json.dumps({"message": f"No picture to read: {error}"})
        return context.Response(body=body, headers={}, content_type="application/json", status_code=400)
    found = [
        {
            "confidence": f"{seen.confidence:.4f}",
            "label": seen.tile.code,
            "type": "polygon",
            "points": [round(v, 2) for point in seen.corners for v in point],
        }
        for seen in reading.tiles
        if seen.confidence >= least
    ]
    return context.Response(body=json.dumps(found), headers={}, content_type="application/json", status_code=200)
