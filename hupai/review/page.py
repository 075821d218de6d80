"""The review page: served to a browser on this machine, protected by a key in its address."""

from __future__ import annotations

import hmac
import secrets
from importlib.resources import files
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from pydantic import BaseModel, Field

from hupai.batch.outputs.thumbnails import jpeg
from hupai.review.label_review import LabelReview
from hupai.review.missed import hints
from scoring.errors import HupaiError
from scoring.tiles import TILES
from vision.io.photo import Photo

SIDE_PX: Final = 2400
"""Longer side at which a picture is shown, pixels; corners are given in pixels of the picture itself."""
_STATIC: Final = {"": "review.html", "review.js": "review.js", "review.css": "review.css"}
_TYPES: Final = {"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css"}
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class ReviewedTiles(BaseModel):
    """What a person says of a picture."""

    tiles: list[dict[str, Any]] = Field(max_length=2000)
    seen: int


def new_key() -> str:
    """Return a random end for the page's address, so that no other page and no other user of the machine can use it."""
    return secrets.token_urlsafe(16)


def review_app(label_review: LabelReview, key: str) -> FastAPI:
    """Return the application with the page and its requests, below ``/KEY/``."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)

    @app.middleware("http")
    async def guarded(request: Request, go_on: Any) -> Response:
        given = request.url.path.split("/")[1] if "/" in request.url.path else ""
        if not hmac.compare_digest(given.encode(), key.encode()):
            return Response("This is a review of labels; its address stands in the terminal.", 404)
        answer: Response = await go_on(request)
        answer.headers.update(_HEADERS)
        return answer

    @app.exception_handler(HupaiError)
    async def refused(_: Request, error: HupaiError) -> Response:
        from fastapi.responses import JSONResponse

        return JSONResponse({"code": error.code, "message": error.message}, 400)

    @app.get(f"/{key}/pictures")
    def pictures() -> dict[str, Any]:
        share = label_review.share_read  # asked first: the list then holds at least that much
        listed = [
            {"at": e.at, "image": e.image, "why": e.why, "done": label_review.is_reviewed(e)}
            for e in label_review.entries
        ]
        return {"pictures": listed, "share_read": share}

    @app.post(f"/{key}/next")
    def open_next(window: str, after: int | None = None) -> dict[str, int | None]:
        found = label_review.open_next(after, window)
        return {"at": None if found is None else found.at}

    @app.get(f"/{key}/tiles")
    def tiles() -> list[dict[str, str]]:
        return [{"code": t.code, "name": t.name} for t in TILES]

    @app.get(f"/{key}/pictures/{{at}}")
    def picture(at: int, window: str = "") -> dict[str, Any]:
        times = label_review.save_count(at)  # asked first: what is kept between the two was not seen
        record = label_review.record(at)
        if window:
            label_review.claim(at, window)
        return {**record.to_json(), "times": times, "places": hints(record).places}

    @app.get(f"/{key}/pictures/{{at}}/photo")
    def photo(at: int) -> Response:
        view = Photo(label_review.photo(at), name=label_review.as_read_record(at).image).view(SIDE_PX)
        return Response(jpeg(view, 90), media_type="image/jpeg")

    @app.put(f"/{key}/pictures/{{at}}")
    def keep(at: int, said: ReviewedTiles) -> dict[str, int]:
        return label_review.save(at, said.tiles, said.seen)

    @app.get(f"/{key}/{{name:path}}")
    def static(name: str) -> Response:
        if name not in _STATIC:
            return Response("There is no such page.", 404)
        file = _STATIC[name]
        text = files("hupai.review").joinpath("static", file).read_bytes()
        return Response(text, media_type=_TYPES[file.rpartition(".")[2]])

    return app
