"""The files a browser asks for, read from the sources in ``static/`` when the server starts.

Everything except the pages themselves is below ``/at/<build>/``, where ``<build>`` is a digest of it all: a file
there never changes, so a browser that has it never asks again, and modules, which import each other by relative paths,
are all of one build. A page includes its style sheet and the script that runs first, and can be painted as soon as it
has arrived. No build step is needed where hupai is installed.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import mimetypes
import posixpath
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final

from hupai.messages import LANGUAGES, read_texts
from hupai.page.policy import ANY_STYLE, page_policy, source_of

Read = Callable[[str], str]
"""Path of a source below the static folder -> its text."""
STATIC: Final = Path(__file__).resolve().parent / "static"
"""Where the sources are."""
ALONE: Final = ("js/api/python/",)
"""Scripts of the page that has no server (:mod:`hupai.page.alone`)."""
_MIN_COMPRESSED_BYTES: Final = 600
"""Bytes below which compressing is not worth a header."""
_SHEETS: Final = re.compile(r'(?:  <link rel="stylesheet" href="([^"]+)">\n)+')
_HREF: Final = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
_LINK: Final = re.compile(r'((?:href|src)=")((?:js|icons)/[^"]+)"')
_FIRST: Final = re.compile(r'<script src="([^"]+)"></script>')
"""The script that runs before anything is painted."""
_MODULE: Final = re.compile(r'<script type="module" src="([^"]+)">')
_IMPORTED: Final = re.compile(r'^(?:import|export|\})[^"\n]*"(\.[^"]+)";$', re.MULTILINE)
_TYPES: Final = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}


@dataclass(frozen=True, slots=True)
class MorePages:
    """Sources of pages of a wing: to a browser they lie beside the page's own, which they use; no phone keeps them.

    Attributes:
        folder: holds pages, ``css/``, ``js/``, and in ``i18n/`` texts in every language, as ``board.en.json``.
        any_style: pages into which other programs put styles of their own, as OBS does.
    """

    folder: Path
    any_style: tuple[str, ...] = ()


@dataclass(frozen=True)
class File:
    """The answer at one address.

    Attributes:
        body: the bytes. media_type: with charset. lasting: whether it never changes at its address.
        tag: entity tag, quoted. policy: the Content-Security-Policy of a page; None for the usual one.
    """

    body: bytes
    media_type: str
    lasting: bool
    tag: str
    policy: str | None = None

    @cached_property
    def packed(self) -> bytes | None:
        """The body compressed by gzip, None if that does not help; made when it is first asked for."""
        helps = self.media_type != "image/png" and len(self.body) > _MIN_COMPRESSED_BYTES
        return gzip.compress(self.body, 9, mtime=0) if helps else None


def files(
    static: Path,
    wings: Sequence[MorePages] = (),
    *,
    without: tuple[str, ...] = ALONE,
    more: Mapping[str, bytes] = MappingProxyType({}),
    later: tuple[str, ...] = (),
) -> dict[str, File]:
    """Return address (without the leading slash) -> file, for all files of the pages.

    Args:
        static: folder of the sources. wings: more of them. without: what the paths of files left out begin with.
        more: lasting files at addresses of their own, which phones keep. later: folders of those that phones keep only
            once the page has asked for them; but ``models.json``, their list, they keep with the rest.
    """
    folders = (static, *(wing.folder for wing in wings))

    def read(path: str) -> str:
        return next(folder / path for folder in folders if (folder / path).exists()).read_text(encoding="utf-8")

    pages: dict[str, str] = {}
    policies: dict[str, str] = {}
    any_style = {name for wing in wings for name in wing.any_style}
    for name in sorted(path.name for folder in folders for path in folder.glob("*.html")):
        pages[name], policies[name] = _read_page(name, read, any_style)
    made = {path: part.encode() for path, part in _languages(wings).items()}
    scripts = _scripts_in(static)
    made |= {path: read(path).encode() for folder in folders for path in _scripts_in(folder)}
    made |= {f"icons/{icon.name}": icon.read_bytes() for icon in sorted((static / "icons").iterdir())}
    made = {path: part for path, part in made.items() if not path.startswith(without)}
    worker = read("worker.js")
    digest = hashlib.sha256(worker.encode())
    for path, part in sorted({**made, **{name: text.encode() for name, text in pages.items()}}.items()):
        digest.update(f"{path} {len(part)} ".encode() + part)
    at = f"at/{digest.hexdigest()[:12]}/"
    found = {at + path: _make_file(path, part, lasting=True) for path, part in made.items()}
    found |= {path: _make_file(path, part, lasting=True) for path, part in more.items()}
    for name, text in pages.items():
        found[name] = replace(_make_file(name, _place_files(text, at).encode()), policy=policies[name])
    found[""] = found["index.html"]
    kept = [at + path for path in (*scripts, "icons/icon.svg") if path in made]
    kept += [path for path in more if not path.startswith(later) or path.endswith("/models.json")]
    sizes = {path: len(found[path].body) for path in kept}
    listed = f"FILES = {json.dumps(sizes)}", f"LATER = {json.dumps(later)}"
    worker = worker.replace("FILES = {}", listed[0], 1).replace("LATER = []", listed[1], 1)
    found["worker.js"] = _make_file("worker.js", worker.encode())
    found["manifest.webmanifest"] = _make_file(
        "manifest.webmanifest", _place_icons(read("manifest.webmanifest"), at).encode()
    )
    return found


def _scripts_in(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in sorted((folder / "js").rglob("*.*js"))]


def _read_page(name: str, read: Read, any_style: Collection[str]) -> tuple[str, str]:
    """Return a page with style sheet, first script and languages included, and the browser's policy for them."""
    text = read(name)
    sheet, first = "".join(map(read, _HREF.findall(text))), read(_FIRST.findall(text)[0])
    text = _SHEETS.sub(lambda _: f"  <style>{sheet}</style>\n", text, count=1)
    text = _FIRST.sub(lambda _: f"<script>{first}</script>", text, count=1)
    text = text.replace("</head>", f"{_preloads(text, read)}</head>", 1)
    text = text.replace("<html", f'<html data-languages="{html.escape(_compact_json(LANGUAGES))}"', 1)
    return text, page_policy(source_of(first), ANY_STYLE if name in any_style else source_of(sheet))


def _preloads(text: str, read: Read) -> str:
    """Return links to all that a page's module imports: else a browser asks for them a level at a time."""
    found = _MODULE.findall(text)
    for path in found:
        there = (
            posixpath.normpath(posixpath.join(posixpath.dirname(path), one)) for one in _IMPORTED.findall(read(path))
        )
        found += [one for one in dict.fromkeys(there) if one not in found]
    return "".join(f'  <link rel="modulepreload" href="{path}">\n' for path in found[1:])


def _languages(wings: Sequence[MorePages]) -> dict[str, str]:
    """Return the words of each language in one file, those of a wing in others."""
    found = {}
    for code in LANGUAGES:
        found[f"i18n/{code}.json"] = _compact_json(read_texts("", code) | read_texts("rules.", code))
        for texts in (wing.folder / "i18n" for wing in wings):
            for part in (path.name.removesuffix("en.json") for path in sorted(texts.glob("*.en.json"))):
                found[f"i18n/{part}{code}.json"] = _compact_json(read_texts(part, code, texts))
    return found


def _compact_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _place_files(text: str, at: str) -> str:
    """Return a page with the address of every file it names placed below ``at``."""
    return _LINK.sub(rf'\1{at}\2"', text)


def _place_icons(manifest: str, at: str) -> str:
    return manifest.replace('"icons/', f'"{at}icons/')


def _make_file(path: str, body: bytes, *, lasting: bool = False) -> File:
    suffix = posixpath.splitext(path)[1]
    kind = _TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    media_type = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    return File(body, media_type, lasting, f'"{hashlib.sha256(body).hexdigest()[:16]}"')
