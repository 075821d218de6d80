"""The page without a server: files for any web server, of which one answers requests in the browser itself.

What answers is hupai's own Python (:mod:`hupai.web.answers`), run by Pyodide in a worker of the page. Pyodide's core is
not in the repository: ``python -m scripts.fetch_pyodide`` fetches it, and a wheel takes it along.
"""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hupai.basics.atomic_write import atomic_write
from hupai.messages import LANGUAGES
from hupai.web.page.files import TOURNAMENT, files
from hupai.web.page.policy import page_policy, source_of
from scoring.errors import HupaiError
from scoring.version import version

_ROOT: Final = Path(__file__).resolve().parents[3]
_STATIC: Final = _ROOT / "hupai" / "web" / "static"
PYODIDE: Final = _ROOT / "hupai" / "web" / "pyodide"
"""Where its files lie once they have been fetched."""
PYODIDE_FILES: Final = (
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "package.json"),
)
_SOURCES: Final = (
    *("scoring/**/*.py", "hupai/__init__.py", "hupai/messages.py", "hupai/basics/*.py", "hupai/ledger/*.py"),
    *("hupai/web/__init__.py", "hupai/web/errors.py", "hupai/web/answers/*.py", "hupai/locale/*.mo"),
    *(f"hupai/web/static/i18n/{part}{code}.json" for code in LANGUAGES for part in ("", "rules.")),
    *("vision/__init__.py", "vision/hand/__init__.py", "vision/hand/shanten.py"),
    *("vision/layout/__init__.py", "vision/layout/shapes.py"),
)
"""What answers requests, below the folder of the packages."""
_OF_A_BUILD: Final = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class WrittenPage:
    """What was written: so many files, of so many bytes."""

    files: int
    size: int


def write_page(folder: Path) -> WrittenPage:
    """Write the page into a folder, in place of an older one.

    Raises:
        HupaiError: ``pyodide_missing``; ``cannot_write``; the folder holds something else.
    """
    found = page_files()
    try:
        if folder.is_dir() and any(folder.iterdir()) and not (folder / "worker.js").exists():
            message = f"{folder} holds something else; name a new folder, or one with an older page."
            raise HupaiError(message, code="cannot_write")
        for address, data in sorted(found.items(), key=lambda one: not one[0].startswith("at/")):
            path = folder / address
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_write(path, data)
        builds = {address.split("/")[1] for address in found if address.startswith("at/")}
        for old in (folder / "at").iterdir():
            if _OF_A_BUILD.fullmatch(old.name) and old.name not in builds:
                shutil.rmtree(old)
    except OSError as error:
        raise HupaiError(f"The page cannot be written: {error}", code="cannot_write") from error
    return WrittenPage(len(found), sum(map(len, found.values())))


def page_files() -> dict[str, bytes]:
    """Return path -> bytes of all files.

    Raises:
        HupaiError: ``pyodide_missing``.
    """
    if not all((PYODIDE / name).exists() for name in PYODIDE_FILES):
        message = (
            "Pyodide, which runs hupai in browsers, is not in this installation. In a checkout, fetch it once "
            "with: python -m scripts.fetch_pyodide"
        )
        raise HupaiError(message, code="pyodide_missing")
    pyodide = {name: (PYODIDE / name).read_bytes() for name in PYODIDE_FILES}
    python = {"hupai.zip": python_archive()}
    places = {name: f"at/{_digest(part)}/" for name, part in (("python", python), ("pyodide", pyodide))}
    more = {places["python"] + name: data for name, data in python.items()}
    more |= {places["pyodide"] + name: data for name, data in pyodide.items()}
    made = files(_STATIC, ("index.html",), without=(*TOURNAMENT, "i18n/board."), more=more)
    found = {address: file.body for address, file in made.items() if address}
    text = found["index.html"].decode()
    style, script = (source_of(re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)[0]) for tag in ("style", "script"))
    policy = page_policy(script, style).replace("; frame-ancestors 'none'", "")  # which only a header may say
    marks = f' data-python="{places["python"]}hupai.zip" data-pyodide="{places["pyodide"]}"'
    text = text.replace('<html lang="en"', f'<html lang="en"{marks}', 1)
    said = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    found["index.html"] = text.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n  {said}', 1).encode()
    return found


def python_archive() -> bytes:
    """Return hupai's own part of what answers requests, as a zip that is the same each time."""
    out = io.BytesIO()
    paths = [path for pattern in _SOURCES for path in sorted(_ROOT.glob(pattern))]
    parts = {path.relative_to(_ROOT).as_posix(): path.read_bytes() for path in paths}
    metadata = f"Metadata-Version: 2.1\nName: hupai\nVersion: {version()}\n"
    parts[f"hupai-{version()}.dist-info/METADATA"] = metadata.encode()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def _digest(parts: dict[str, bytes]) -> str:
    whole = hashlib.sha256()
    for name, data in parts.items():
        whole.update(f"{name} {len(data)} ".encode() + data)
    return whole.hexdigest()[:12]
