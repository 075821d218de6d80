"""Forms with photos, read completely and in memory; what is plainly not a picture is refused before decoding."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from hupai.web.answers.reading import parse_flag, parse_text
from hupai.web.errors import BadValue, WebError, WrongType
from hupai.web.middleware.limits import FORM_BYTES
from scoring.errors import Fault, quote_value
from scoring.words.sentence import joined, say
from vision.errors import PhotoError

TEXT: Final = {"type": "string"}
FILE: Final = {"type": "string", "format": "binary"}
SWITCH: Final = {"type": "string", "enum": ["true", "false"]}
_MAX_NAME_CHARACTERS: Final = 100
_NO_FILE: Final = "There is no file {a} here; there are {names}."
_NO_FIELD: Final = "There is no field {a} here; there are {names}."
_NO_PICTURE: Final = "{name} is not a picture in a supported format: give JPEG, PNG, WebP or HEIC."


def form_schema(required: list[str], **properties: Any) -> dict[str, Any]:
    """Return what the OpenAPI description says of a form: its fields, and those that are needed."""
    schema = {"type": "object", "required": required, "properties": properties}
    return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}}


class _InMemory(MultiPartParser):
    """Starlette's parser, never writing to disk: the middleware has bounded the body, and photos stay private."""

    spool_max_size = 1 << 40


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a form: its bytes, and its name in a form suitable for messages."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Form:
    """A form: texts by name (the last one counts), files by name."""

    texts: dict[str, str]
    files: dict[str, list[Upload]]

    def file(self, name: str) -> Upload:
        """Return the only file of this name.

        Raises:
            BadValue: none, or several.
        """
        found = self.files.get(name, [])
        if len(found) != 1:
            raise BadValue(
                say("Send one file as {name}, not {n}.", name=repr(name), n=len(found)), code="missing", field=name
            )
        return found[0]

    def text(self, name: str) -> str | None:
        """Return the text of this name; None if it is missing or blank."""
        return parse_text(self.texts, name)

    def flag(self, name: str) -> bool:
        """Whether ``true`` was sent.

        Raises:
            BadValue: something other than true or false.
        """
        return parse_flag(self.texts, name)


async def read_form(request: Request, *, texts: tuple[str, ...], files: tuple[str, ...], max_files: int = 1) -> Form:
    """Read the multipart form of a request.

    Args:
        request: its body must not have been read yet.
        texts, files: the allowed names.
        max_files: for all names together.

    Raises:
        WrongType: not a multipart form. WebError: ``bad_form``. BadValue: unknown fields, text in place of a file.
    """
    kind = request.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != "multipart/form-data":
        raise WrongType("Send a multipart form (Content-Type: multipart/form-data) with the photo in it.")
    async with _parse(request, max_files, len(texts) + 8) as items:
        found = Form({}, {})
        faults: list[Fault] = []
        for name, value in items:
            if isinstance(value, UploadFile):
                if name not in files:
                    faults.append(_unknown_fault(name, files, _NO_FILE))
                    continue
                data = await value.read()
                found.files.setdefault(name, []).append(Upload(_plain_name(value.filename), data))
            elif name in texts and "\0" in value:
                faults.append(Fault("bad_value", say("{field} holds a NUL character.", field=name), name))
            elif name in texts:
                found.texts[name] = value
            elif name in files:  # with curl, the @ before the path is missing
                faults.append(Fault("bad_value", say("Send {name} as a file, not as text.", name=name), name))
            else:
                faults.append(_unknown_fault(name, texts, _NO_FIELD))
    if faults:
        message = joined((f.message for f in faults), " ")
        raise BadValue(message, code=faults[0].code, field=faults[0].field, faults=tuple(faults))
    return found


@asynccontextmanager
async def _parse(
    request: Request, max_files: int, max_fields: int
) -> AsyncIterator[list[tuple[str, UploadFile | str]]]:
    parser = _InMemory(
        request.headers, request.stream(), max_files=max_files, max_fields=max_fields, max_part_size=FORM_BYTES
    )
    try:
        form = await parser.parse()
    except MultiPartException as error:
        raise WebError(say("The form cannot be read: {a}", a=error.message), code="bad_form") from None
    except ClientDisconnect:
        raise WebError("The upload broke off.", code="bad_form") from None
    except (ValueError, KeyError, LookupError, UnicodeError) as error:
        raise WebError(say("The form cannot be read: {a}", a=type(error).__name__), code="bad_form") from None
    try:
        yield form.multi_items()
    finally:
        await form.close()


def _unknown_fault(name: str, known: tuple[str, ...], template: str) -> Fault:
    return Fault("unknown_field", say(template, a=quote_value(name), names=", ".join(known)), name[:40])


def _plain_name(name: str | None) -> str:
    """Return a file name for messages: the last part, printable, short."""
    last = (name or "photo").replace("\\", "/").rpartition("/")[2]
    return "".join(c for c in last if c.isprintable())[:_MAX_NAME_CHARACTERS] or "photo"


def check_picture(upload: Upload) -> None:
    """Accept only the formats that cameras and phones produce; Pillow knows stranger ones.

    Raises:
        PhotoError: empty, or something else.
    """
    head = upload.data[:16]
    if not head:
        raise PhotoError(
            say("{name} is empty; copy or take the photo again.", name=upload.name), code="image_truncated"
        )
    brand = head[8:12]
    good = (
        head.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF87a", b"GIF89a", b"BM", b"II*\0", b"MM\0*"))
        or (head.startswith(b"RIFF") and brand == b"WEBP")
        or (head[4:8] == b"ftyp" and brand in _HEIF_BRANDS)
    )
    if not good:
        raise PhotoError(say(_NO_PICTURE, name=upload.name))


_HEIF_BRANDS: Final = frozenset(
    {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"hevm", b"hevs", b"mif1", b"msf1", b"avif", b"avis"}
)
