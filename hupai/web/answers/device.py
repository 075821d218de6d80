"""Photos read in a page: the browser's canvas and onnxruntime-web, behind JavaScript, as a device.

What JavaScript gives are Pyodide's proxies; ``js/api/python/device.js`` is their other end.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from pyodide.ffi import to_js

from hupai.basics.errors import NotFound
from hupai.web.answers.problems import NOTHING_HERE
from hupai.web.answers.reading import ReadRequest
from hupai.web.answers.respond import write_answer, write_refusal
from hupai.web.answers.tilesets import LearnRequest
from scoring.errors import HupaiError
from scoring.words.sentence import say
from vision.detect.codes import Cells, read_cells
from vision.detect.nms import non_maximum_suppression
from vision.device import ScoredQuad
from vision.errors import PhotoError
from vision.geometry import rescale_quad
from vision.learn.setfiles import from_bytes
from vision.metadata import Metadata
from vision.reader import PhotoReader
from vision.reading import THRESHOLD


def reader_of(device: Any, ask: Any) -> Callable[[str, Sequence[Any], Any], Awaitable[str]]:
    """Return what answers forms with a photo, with the networks of a JavaScript device.

    It takes the JSON text of method, path, headers and the form's texts, themselves JSON, the photos, Files, and what
    is told of quads after each look at one that is read (:class:`PagePhoto`); it gives the JSON text of status and
    answer. What names flowers may still be on its way: then the answer without it, text, is told first. ``ask`` answers
    requests without a photo, JSON texts like that.
    """
    reader = PhotoReader(PageDevice(device))
    model = reader.networks.weights["classifier"]

    async def kept(method: str, path: str, headers: Mapping[str, str], body: str = "") -> tuple[int, str]:
        answer = await ask(json.dumps([method, path, headers, body]))
        return answer.status, answer.text

    async def opened(file: Any, tell: Any = None) -> PagePhoto:
        photo = await device.open(file, tell is not None)
        if photo is None:
            raise PhotoError(say("{name} is not a picture that this browser can show.", name=file.name))
        return PagePhoto(photo, tell)

    async def see(texts: Mapping[str, str], headers: Mapping[str, str], file: Any, tell: Any) -> tuple[int, str]:
        request, known = ReadRequest.from_texts(texts), None
        if name := request.set_name:
            status, text = await kept("GET", f"/sets/{quote(name, safe='')}/file", headers)
            if status != HTTPStatus.OK:
                return status, text
            known = from_bytes(text.encode("latin-1"), name).for_model(model)
        photo = await opened(file, tell)
        reading = await reader.read(photo, request.rules, tileset=known)
        if device.lacking:
            tell(write_answer(request.answer(reading, file.name), headers)[1])
            device.early = False
            reading = await reader.read(photo, request.rules, tileset=known)
        return write_answer(request.answer(reading, file.name), headers)

    async def learn(texts: Mapping[str, str], headers: Mapping[str, str], files: Sequence[Any]) -> tuple[int, str]:
        request, lessons = LearnRequest.from_texts(texts, len(files)), []
        for number, file in enumerate(files):
            seen = await reader.part(await reader.detect(await opened(file)))
            lessons += [(x.tile.code, x.embedding) for x in request.lessons(number, *seen)]
        taught = {"name": request.name, "model": model, "lessons": lessons}
        return await kept("POST", "/sets/lessons", headers, json.dumps(taught))

    async def read(asked: str, files: Sequence[Any], tell: Any) -> str:
        method, path, headers, texts = json.loads(asked)
        try:
            if (method, path) == ("POST", "/read"):
                return json.dumps(await see(json.loads(texts), headers, files[0], tell))
            if (method, path) == ("POST", "/sets"):
                return json.dumps(await learn(json.loads(texts), headers, files))
            raise NotFound(NOTHING_HERE)
        except HupaiError as error:
            return json.dumps(write_refusal(error, headers))

    return read


class PageDevice:
    """The networks, as :class:`vision.device.Device`."""

    def __init__(self, proxy: Any) -> None:
        """Take the device.

        Raises:
            ModelError: the networks are not those of this version.
        """
        self._proxy, self.metadata = proxy, Metadata.from_json(json.loads(proxy.metadata))

    async def scene(self, measured: Mapping[str, Sequence[float]]) -> tuple[Sequence[float], Sequence[float]]:
        """Run the scene classifier."""
        given = to_js({name: array("f", values) for name, values in measured.items()})
        tile, names = map(_numbers, await self._proxy.scene(given))
        return tile, names


class _Sized:
    def __init__(self, proxy: Any) -> None:
        self._proxy, self.width, self.height = proxy, int(proxy.width), int(proxy.height)


class PagePhoto(_Sized):
    """A photo, as :class:`vision.device.DevicePhoto`.

    After each look ``tell`` hears where tiles seem to be so far: n x 4 x 2 corners, flat, shares of width and height.
    A photo that is read once more is neither searched nor classified again.

    Attributes:
        looked: what was found and cut out, by what was asked.
    """

    def __init__(self, proxy: Any, tell: Any = None) -> None:
        super().__init__(proxy)
        self._tell, self._found, self._glanced = tell, list[ScoredQuad](), False
        self.looked: dict[tuple[object, ...], Any] = {}

    async def view(self, side: int) -> PageView:
        """The photo at some size."""
        return PageView(await self._proxy.view(side), self)

    def add_found(self, found: Sequence[ScoredQuad]) -> None:
        """Tell what has been found so far, in pixels of the photo; not of the glance before the first pass."""
        if self._glanced and self._tell is not None:
            self._found = non_maximum_suppression([*self._found, *(one for one in found if one.score > THRESHOLD)])
            corners = [corner for one in self._found for corner in one.quad]
            self._tell(to_js(array("f", [share for x, y in corners for share in (x / self.width, y / self.height)])))
        self._glanced = True

    async def negative(self, side: int) -> PagePhoto:
        """Its negative."""
        return PagePhoto(await self._proxy.negative(side))


class PageView(_Sized):
    """A photo at some size, as :class:`vision.device.DeviceView`."""

    def __init__(self, proxy: Any, photo: PagePhoto) -> None:
        super().__init__(proxy)
        self._photo = photo

    async def detect(self, window: tuple[int, int, int, int], width: int, height: int) -> list[ScoredQuad]:
        """Run the detector."""
        asked = (self.width, window, width, height)
        if known := self._photo.looked.get(asked):
            return list(known)
        codes, sure, ends = await self._proxy.detect(to_js(window), width, height)
        found = self._photo.looked[asked] = read_cells(Cells(_numbers(codes), _numbers(sure), ends.to_py()))
        x0, y0, x1, y1 = window
        inside = (x1 - x0) / width, (y1 - y0) / height
        whole = self._photo.width / self.width, self._photo.height / self.height
        quads = [rescale_quad(rescale_quad(one.quad, inside), whole, (x0, y0)) for one in found]
        self._photo.add_found([one._replace(quad=quad) for one, quad in zip(found, quads, strict=True)])
        return found

    async def crop(self, quads: Sequence[float], size: tuple[int, int], margin: float) -> PageCrops:
        """Cut upright crops."""
        asked = (self.width, size, margin, *quads)
        if asked not in self._photo.looked:
            self._photo.looked[asked] = PageCrops(self._proxy.crop(to_js(array("f", quads)), to_js(size), margin))
        crops: PageCrops = self._photo.looked[asked]
        return crops


class PageCrops:
    """Crops, as :class:`vision.device.DeviceCrops`."""

    def __init__(self, proxy: Any) -> None:
        self._proxy, self._looked = proxy, dict[tuple[object, ...], list[list[float]]]()

    async def look(
        self, role: str, outputs: Sequence[str], rows: Sequence[int], quarters: Sequence[int]
    ) -> Sequence[Sequence[float]]:
        """Run a network on some of the crops."""
        asked = (role, *outputs, *rows, *quarters)
        if not self._looked.get(asked):
            found = await self._proxy.look(role, *map(to_js, (outputs, rows, quarters)))
            self._looked[asked] = [_numbers(one) for one in found]
        return self._looked[asked]

    async def colours(self) -> Sequence[float]:
        """Colour statistics."""
        return _numbers(await self._proxy.colours())

    async def prints(self) -> Sequence[float]:
        """How dark the print is, and how coloured all is."""
        return _numbers(await self._proxy.prints())


def _numbers(proxy: Any) -> list[float]:
    """Return a typed array's numbers."""
    found: list[float] = proxy.to_py().tolist()
    return found
