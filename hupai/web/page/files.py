"""The files a browser asks for, made from the sources in ``static/`` when the server starts.

Everything but the few pages themselves lies below ``/at/<build>/``, where ``<build>`` is a digest of it all: a file
there never changes, so a browser that has it never asks again. Nothing has to be built where hupai is installed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import posixpath
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hupai.web.page.bundle import Read, script, style

PAGES: Final = ("index.html", "board.html", "table.html", "overlay.html", "replay.html")
WORDS: Final = ("", "rules.", "phrases.")
"""Parts of a language that the pages always need together."""
_SMALL: Final = 600
"""Bytes below which compressing is not worth a header."""
_SHEETS: Final = re.compile(r'(?:  <link rel="stylesheet" href="([^"]+)">\n)+')
_HREF: Final = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
_LINK: Final = re.compile(r'((?:href|src)=")((?:js|css|icons)/[^"]+)"')
_ENTRY: Final = re.compile(r'<script type="module" src="([^"]+)">')
_TYPES: Final = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".json": "application/json"}


@dataclass(frozen=True, slots=True)
class File:
    """What one address answers.

    Attributes:
        body: the bytes. packed: the same compressed by gzip, None where that gains nothing. media_type: with charset.
        lasting: whether it never changes below its address. tag: entity tag, quoted.
    """

    body: bytes
    packed: bytes | None
    media_type: str
    lasting: bool
    tag: str


def files(static: Path) -> dict[str, File]:
    """Address (without the leading slash) -> file, of everything there is of the page.

    Args:
        static: folder of the sources.

    Raises:
        ValueError: a script is written in a way that cannot be bundled.
    """

    def read(path: str) -> str:
        return (static / path).read_text(encoding="utf-8")

    pages = {name: read(name) for name in PAGES}
    made: dict[str, bytes] = {}
    for name, text in pages.items():
        made |= {path: part.encode() for path, part in _parts(name, text, read).items()}
    made |= {path: part.encode() for path, part in _languages(static, read).items()}
    made |= {f"icons/{icon.name}": icon.read_bytes() for icon in sorted((static / "icons").iterdir())}
    worker = read("worker.js")
    digest = hashlib.sha256(worker.encode())
    for path, part in sorted({**made, **{name: text.encode() for name, text in pages.items()}}.items()):
        digest.update(f"{path} {len(part)} ".encode() + part)
    at = f"at/{digest.hexdigest()[:12]}/"
    found = {at + path: _file(path, part, lasting=True) for path, part in made.items()}
    for name, text in pages.items():
        found[name] = _file(name, _addressed(name, text, at).encode())
    found[""] = found["index.html"]
    first = [path for path in made if path.startswith(("js/main.js", "js/theme.js", "css/index.css", "icons/icon.svg"))]
    found["worker.js"] = _file("worker.js", worker.replace("[]", json.dumps([at + path for path in first]), 1).encode())
    found["manifest.webmanifest"] = _file("manifest.webmanifest", _icons_at(read("manifest.webmanifest"), at).encode())
    return found


def _parts(name: str, text: str, read: Read) -> dict[str, str]:
    """The scripts and the one style sheet of a page."""
    entry = _ENTRY.search(text)
    assert entry is not None, name  # every page of ours has one
    sheet = f"css/{name.removesuffix('.html')}.css"
    return {
        entry[1]: script(entry[1], read),
        "js/theme.js": read("js/theme.js"),
        sheet: style(_HREF.findall(text), read),
    }


def _languages(static: Path, read: Read) -> dict[str, str]:
    """The words of each language in one file, those of the board in another."""
    found = {}
    for path in sorted((static / "i18n").glob("board.*.json")):
        code = path.name.removeprefix("board.").removesuffix(".json")
        words, rules, phrases = (json.loads(read(f"i18n/{part}{code}.json")) for part in WORDS)
        found[f"i18n/{code}.json"] = _short({"words": {**words, **rules}, "phrases": phrases})
        found[f"i18n/{path.name}"] = _short(json.loads(read(f"i18n/{path.name}")))
    return found


def _short(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _addressed(name: str, text: str, at: str) -> str:
    """A page with one style sheet, and every file it names below ``at``."""
    sheet = f'  <link rel="stylesheet" href="css/{name.removesuffix(".html")}.css">\n'
    return _LINK.sub(rf'\1{at}\2"', _SHEETS.sub(sheet, text, count=1))


def _icons_at(manifest: str, at: str) -> str:
    return manifest.replace('"icons/', f'"{at}icons/')


def _file(path: str, body: bytes, *, lasting: bool = False) -> File:
    suffix = posixpath.splitext(path)[1]
    kind = _TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    text = suffix not in (".png",)
    packed = gzip.compress(body, 9, mtime=0) if text and len(body) > _SMALL else None
    media_type = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    return File(body, packed, media_type, lasting, f'"{hashlib.sha256(body).hexdigest()[:16]}"')
