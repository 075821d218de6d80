"""The review page: served to a browser on this machine, protected by a key in its address."""

from __future__ import annotations

import functools
import hmac
import secrets
from dataclasses import asdict
from importlib.resources import files
from typing import Annotated, Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse

from hupai.games.terms.shapes import OBJECT, list_of, whole
from hupai.label.review.jpeg import jpeg, tile_jpeg
from hupai.label.review.label_review import LabelReview
from hupai.label.review.missed import hints
from hupai.label.review.picture_index import PictureFilter
from hupai.web.requests.shaped import Shaped
from hupai.web.requests.strict import StrictRoute
from scoring.errors import HupaiError
from scoring.tiles import TILES
from vision.io.photo import Photo

SIDE_PX: Final = 2400
"""Least longer side at which a picture is shown, pixels; corners are given in pixels of the picture itself."""
PICTURES_BEFORE: Final = 50
"""Pictures of the list that are sent before the one on the screen."""
LIST_LENGTH: Final = 200
"""Pictures of the list that are sent at once."""
GRID_LENGTH: Final = 120
"""Tiles of the grid that are sent at once."""
_TYPES: Final = {"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css"}
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


_PLACE: Final = list_of({"type": "number"}, 4, 4)
ReviewedPicture = Annotated[
    dict[str, Any], Shaped.of({"tiles": list_of(OBJECT, 2000), "seen": whole()}, {"ignored": list_of(_PLACE, 2000)})
]
"""A person's labels of a picture; the arguments of :meth:`LabelReview.save`."""


def new_key() -> str:
    """Return a random end for the page's address, so that no other page and no other user of the machine can use it."""
    return secrets.token_urlsafe(16)


def review_app(label_review: LabelReview, key: str) -> FastAPI:
    """Return the application with the page and its requests, below ``/KEY/``."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.router.route_class = StrictRoute

    @app.middleware("http")
    async def check_key(request: Request, call_next: Any) -> Response:
        given = request.url.path.split("/")[1] if "/" in request.url.path else ""
        if not hmac.compare_digest(given.encode(), key.encode()):
            return Response("This is a review of labels; its address stands in the terminal.", 404)
        answer: Response = await call_next(request)
        answer.headers.update(_HEADERS)
        return answer

    @app.exception_handler(HupaiError)
    async def explain_error(_: Request, error: HupaiError) -> Response:
        return JSONResponse({"code": error.code, "message": error.message}, 400)

    @app.get(f"/{key}/pictures")
    def pictures(text: str = "", code: str = "", around: int | None = None) -> dict[str, Any]:
        label_review.check_labels()
        wanted, index = PictureFilter(text, code), label_review.index
        share = label_review.share_read  # asked first: the list then holds at least that much
        first = 0 if around is None else max(0, index.position(wanted, around) - PICTURES_BEFORE)
        return {
            "pictures": [asdict(item) for item in index.pictures(wanted, first, LIST_LENGTH)],
            "first": first,
            "total": index.picture_count(wanted),
            "reviewed": index.count_reviewed(wanted),
            "share_read": share,
        }

    @app.get(f"/{key}/grid")
    def grid(text: str = "", code: str = "", start: int = 0) -> dict[str, Any]:
        label_review.check_labels()
        wanted, index = PictureFilter(text, code), label_review.index
        listed = [asdict(tile) for tile in index.tiles(wanted, start, GRID_LENGTH)]
        return {"tiles": listed, "total": index.tile_count(wanted)}

    @app.post(f"/{key}/next")
    def open_next(window: str, after: int | None = None, text: str = "", code: str = "") -> dict[str, int | None]:
        found = label_review.open_next(after, window, PictureFilter(text, code))
        return {"at": None if found is None else found.at}

    @app.post(f"/{key}/leave")
    def leave(window: str) -> None:
        label_review.leave(window)

    @app.get(f"/{key}/tiles")
    def tiles() -> list[dict[str, Any]]:
        counts = label_review.index.code_counts()
        return [{"code": t.code, "name": t.name, "count": counts.get(t.code, 0)} for t in TILES]

    @app.get(f"/{key}/pictures/{{at}}")
    def picture(at: int, window: str = "") -> dict[str, Any]:
        times = label_review.save_count(at)  # asked first: what is kept between the two was not seen
        record = label_review.record(at)
        if window:
            label_review.claim(at, window)
        why = label_review.index.why(at)
        return {"ignored": [], **record.to_json(), "times": times, "places": hints(record).places, "why": why}

    @app.get(f"/{key}/pictures/{{at}}/photo")
    def photo(at: int) -> Response:
        view = Photo(label_review.photo(at), name=label_review.as_read_record(at).image).view(SIDE_PX)
        return Response(jpeg(view, 90), media_type="image/jpeg")

    @app.get(f"/{key}/pictures/{{at}}/tiles/{{number}}")
    def crop(at: int, number: int) -> Response:
        record = label_review.record(at)
        if not 0 <= number < len(record.boxes):
            raise HupaiError("There is no such tile; load the page again.", code="image_missing")
        data = tile_jpeg(Photo(label_review.photo(at), name=record.image), record.boxes[number])
        return Response(data, media_type="image/jpeg")

    @app.put(f"/{key}/pictures/{{at}}")
    def save(at: int, given: ReviewedPicture) -> dict[str, int]:
        return label_review.save(at, **given)

    @app.get(f"/{key}/{{name:path}}")
    def static(name: str) -> Response:
        name = name or "review.html"
        if name not in static_files():
            return Response("There is no such page.", 404)
        return Response(static_files()[name], media_type=_TYPES[name.rpartition(".")[2]])

    return app


@functools.cache
def static_files() -> dict[str, bytes]:
    """Return the page's files by name."""
    return {file.name: file.read_bytes() for file in files("hupai.label.review").joinpath("static").iterdir()}
