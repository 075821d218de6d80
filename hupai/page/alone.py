"""The page without a server: files for any web server, of which one answers requests in the browser itself.

What answers is hupai's own Python (:mod:`hupai.web.answers`), run by Pyodide in a worker of the page, with the networks
run by onnxruntime-web. Neither is in the repository: ``python -m scripts.fetch_wasm`` fetches them, and a wheel takes
them along.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import segno

from hupai.basics.atomic_write import atomic_write
from hupai.messages import LANGUAGES
from hupai.page.files import STATIC, files
from hupai.page.policy import page_policy, source_of
from scoring.errors import HupaiError
from scoring.version import version
from vision.models.network import describe_models
from vision.models.zoo import list_models, models_folder

_ROOT: Final = Path(__file__).resolve().parents[2]
WASM: Final = Path(__file__).resolve().parent / "wasm"
"""Where Pyodide and onnxruntime-web lie, each in a folder, once they have been fetched; in ``networks``, made for them,
the networks, with ``weights.json``, which says from which weights, and how."""
FORM: Final = 4
"""How ``scripts.fetch_wasm`` writes networks: those of another form are not taken."""
WASM_FILES: Final = {
    "pyodide": ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"),
    "onnxruntime": ("ort.wasm.bundle.min.mjs", "ort-wasm-simd-threaded.wasm"),
}
_SOURCES: Final = (
    *("scoring/**/*.py", "hupai/__init__.py", "hupai/messages.py", "hupai/tilesets.py", "hupai/locale/*.mo"),
    *(f"hupai/{part}/**/*.py" for part in ("basics", "games", "imports", "web/answers")),
    *(f"hupai/web/{module}.py" for module in ("__init__", "errors", "export")),
    *(f"hupai/page/static/i18n/{part}{code}.json" for code in LANGUAGES for part in ("", "rules.")),
    *(f"vision/{name}.py" for name in ("__init__", "device", "errors", "geometry", "metadata", "reader", "reading")),
    *(
        f"vision/{part}/*.{kind}"
        for part in ("classify", "detect", "hand", "layout", "learn", "scene")
        for kind in ("py", "json")
    ),
)
"""What answers requests, below the folder of the packages."""
_OF_SEGNO: Final = ("consts", "encoder")
"""What makes QR codes; the rest of segno needs more of the standard library than a browser has."""
LEAST_COPIED_BYTES: Final = 20_000
"""Bytes above which a file has a compressed copy (static/worker.js asks for it)."""
_OF_A_BUILD: Final = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class WrittenPage:
    """What was written: so many files, of so many bytes."""

    files: int
    size: int


def write_page(folder: Path) -> WrittenPage:
    """Write the page into a folder, in place of an older one.

    Raises:
        HupaiError: ``wasm_missing``; ``cannot_write``; the folder holds something else.
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
        HupaiError: ``wasm_missing``.
    """
    parts = {name: _read_fetched(name) for name in WASM_FILES} | {"python": {"hupai.zip": python_archive()}}
    places = {name: f"at/{_digest(part)}/" for name, part in parts.items()}
    runtime = {f"../../{places['onnxruntime']}{file}": len(data) for file, data in parts["onnxruntime"].items()}
    parts["models"] = _read_models(runtime)
    places["models"] = f"at/{_digest(parts['models'])}/"
    more = {places[name] + file: data for name, part in parts.items() for file, data in part.items()}
    made = files(STATIC, without=(), more=more, later=(places["onnxruntime"], places["models"]))
    found = {address: file.body for address, file in made.items() if address}
    packed = {
        address: gzip.compress(file.body, 9, mtime=0)
        for address, file in made.items()
        if file.lasting and len(file.body) > LEAST_COPIED_BYTES and file.media_type != "image/png"
    }
    found |= {f"{address}.gz": data for address, data in packed.items()}
    first = json.loads(re.findall(r"FILES = (\{.*?\});", found["worker.js"].decode())[0])
    megabytes = sum(len(packed.get(address, found[address])) for address in first) / 1e6
    text = found["index.html"].decode()
    style, script = (source_of(re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)[0]) for tag in ("style", "script"))
    policy = page_policy(script, style).replace("; frame-ancestors 'none'", "")  # which only a header may say
    marks = "".join(f' data-{name}="{place}"' for name, place in places.items()) + f' data-megabytes="{megabytes:.1f}"'
    text = text.replace("<html", f"<html{marks}", 1)
    said = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    found["index.html"] = text.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n  {said}', 1).encode()
    return found


def describe_networks() -> dict[str, int | str]:
    """Return what ``weights.json`` says: the form, and hashes by role."""
    return {"form": FORM, **{role: entry.sha256 for role, entry in list_models().items()}}


def _read_fetched(name: str) -> dict[str, bytes]:
    folder = WASM / name
    if not all((folder / file).exists() for file in (*WASM_FILES[name], "package.json")):
        raise _missing_error("are not in this installation")
    return {file: (folder / file).read_bytes() for file in WASM_FILES[name]}


def _missing_error(what: str) -> HupaiError:
    parts = f"Pyodide, onnxruntime-web and the networks, which run in browsers, {what}."
    return HupaiError(f"{parts} In a checkout, fetch them with: python -m scripts.fetch_wasm", code="wasm_missing")


def _read_models(runtime: dict[str, int]) -> dict[str, bytes]:
    """Return networks, graphs, and ``models.json``, which says what is to be fetched, and what they say of themselves.

    Args:
        runtime: bytes of what runs them, by addresses as seen from the networks.
    """
    folder, made = WASM / "networks", describe_networks()
    if not (folder / "weights.json").exists() or json.loads((folder / "weights.json").read_bytes()) != made:
        raise _missing_error("are missing, or older than the models or hupai")
    found = {path.name: path.read_bytes() for path in sorted((models_folder() / "graphs").iterdir())}
    found |= {f"{role}.onnx": (folder / f"{role}.onnx").read_bytes() for role in list_models()}
    sizes = runtime | {name: len(data) for name, data in found.items()}
    spare = {name: size for name, size in sizes.items() if name == "bonus.onnx"}  # few photos need it
    listed = {"files": {name: size for name, size in sizes.items() if name not in spare}, "spare": spare}
    return found | {"models.json": json.dumps(listed | {"metadata": describe_models()}).encode()}


def python_archive() -> bytes:
    """Return the Python that answers requests, hupai's and what draws codes, as a zip that is the same each time."""
    out = io.BytesIO()
    paths = [path for pattern in _SOURCES for path in sorted(_ROOT.glob(pattern))]
    parts = {path.relative_to(_ROOT).as_posix(): path.read_bytes() for path in paths}
    parts["hupai/web/answers/networks.json"] = json.dumps(describe_networks()).encode()
    parts |= {f"segno/{name}.py": (Path(segno.__file__).parent / f"{name}.py").read_bytes() for name in _OF_SEGNO}
    parts["scoring/version.py"] = f"def version() -> str:\n    return {version()!r}\n".encode()  # not installed there
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data)  # as it is: together the files are compressed better
    return out.getvalue()


def _digest(parts: dict[str, bytes]) -> str:
    whole = hashlib.sha256()
    for name, data in parts.items():
        whole.update(f"{name} {len(data)} ".encode() + data)
    return whole.hexdigest()[:12]
