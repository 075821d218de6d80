"""Fetch what runs Python and networks in browsers, which ``hupai page`` needs: ``python -m scripts.fetch_wasm``.

Pyodide's core and onnxruntime-web come from npm's registry, by version and digest, and lie where a wheel takes them
along, never in git; the networks are written beside them. Of Pyodide's standard library what no page needs is left out
and the rest is compiled, with deno (of the extra ``dev``); of its list of packages nothing is left: hupai uses none. Of
onnxruntime-web what the networks use is left.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from hupai.page.alone import WASM, WASM_FILES, describe_networks
from scripts.page_checks import find_tool
from scripts.wasm.fitted_sums import fit_sums
from scripts.wasm.fused_codes import fuse_codes
from scripts.wasm.matrix_products import multiply_matrices
from scripts.wasm.trimmed_runtime import TRIMMING, trim_runtime
from scripts.wasm.whole_floats import convolve_in_floats
from vision.models.zoo import list_models, models_folder


@dataclass(frozen=True, slots=True)
class Package:
    """A package of npm.

    Attributes:
        name, version: in the registry. sha512: of its archive, base64. dist: the folder that holds its files.
    """

    name: str
    version: str
    sha512: str
    dist: str = ""

    @property
    def url(self) -> str:
        """Where its archive is."""
        return f"https://registry.npmjs.org/{self.name}/-/{self.name}-{self.version}.tgz"


PACKAGES: Final = {
    "pyodide": Package(
        "pyodide", "314.0.7", "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
    ),
    "onnxruntime": Package(
        "onnxruntime-web",
        "1.30.0",
        "q0y+JrrtukXSzsBWEMccVfqX25LRmosXHF+CaRJmg8pZClzcV7svNc4rKY3jL02Vb7QmRMDs1SigqR4CXAfKYQ==",
        "dist/",
    ),
}
"""What is fetched, by the folder it goes to."""
_STAMP: Final = "package.json"
"""The file of a package that is written last: all is there."""
_SECONDS: Final = 60
_COMPILE: Final = Path(__file__).with_name("compile_library.mjs")
_PHOTO: Final = Path(__file__).resolve().parents[1] / "examples" / "hand-riichi.jpg"
_LEFT_OUT: Final = """
_ast_unparse _compat_pickle _markupbase _pydatetime _pydecimal _pyio _pyrepl _aix_support _apple_support _ios_support
_sysconfigdata__emscripten_wasm32-emscripten antigravity argparse asyncio/__main__ asyncio/proactor_events asyncio/tools
asyncio/windows_events asyncio/windows_utils bdb cProfile calendar cmd code colorsys compileall concurrent/interpreters
concurrent/futures/interpreter concurrent/futures/process concurrent/futures/thread configparser ctypes curses dbm
difflib doctest email ensurepip filecmp fileinput ftplib getopt getpass graphlib gzip html http/client http/cookiejar
http/cookies http/server idlelib imaplib importlib/metadata importlib/resources json/tool logging/config
logging/handlers mailbox mimetypes modulefinder multiprocessing netrc nturl2path optparse pathlib/types pdb pickle
pickletools plistlib poplib pprint profile profiling pstats pty py_compile pyclbr pydoc pydoc_data
pyodide/_nodesock_transport pyodide/console pyodide/http quopri rlcompleter runpy sched shelve shlex smtplib
socketserver sqlite3 stringprep symtable sysconfig tabnanny tarfile this timeit tkinter tomllib trace tracemalloc tty
turtle turtledemo unittest urllib/request urllib/robotparser uuid venv wave webbrowser wsgiref xml xmlrpc zipapp
zoneinfo
"""
"""Modules and packages of the standard library that no page needs."""
_ENCODINGS: Final = ("__init__", "aliases", "ascii", "cp437", "latin_1", "utf_8")
"""What is left of the package of that name."""


def unpack(package: Package, archive: bytes, names: tuple[str, ...]) -> dict[str, bytes]:
    """Return the named files and ``package.json``, from a package as released.

    Raises:
        ValueError: the archive is another one.
    """
    if base64.b64encode(hashlib.sha512(archive).digest()).decode() != package.sha512:
        raise ValueError(f"{package.url} is not the release that hupai was tested with: its SHA-512 differs.")
    found = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        for name in (*names, _STAMP):
            member = packed.extractfile(f"package/{'' if name == _STAMP else package.dist}{name}")
            assert member is not None
            found[name] = member.read()
    return found


def trim(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return Pyodide's files without what no page needs."""
    lock = json.loads(files["pyodide-lock.json"]) | {"packages": {}}
    library = _trim_library(files["python_stdlib.zip"])
    return files | {"python_stdlib.zip": library, "pyodide-lock.json": json.dumps(lock).encode()}


def _trim_library(library: bytes) -> bytes:
    out = io.BytesIO()
    left_out = set(_LEFT_OUT.split())
    with zipfile.ZipFile(io.BytesIO(library)) as whole, zipfile.ZipFile(out, "w") as kept:
        for entry in whole.infolist():
            module = PurePosixPath(entry.filename.removesuffix(".py"))
            outside = module.parent.name == "encodings" and module.name not in _ENCODINGS
            if not outside and left_out.isdisjoint(map(str, (module, *module.parents))):
                kept.writestr(entry, whole.read(entry), zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def main() -> int:
    deno = find_tool("deno")
    if deno is None:
        print("deno is missing; it comes with: pip install -e '.[dev]'", file=sys.stderr)
        return 2
    networks = write_networks()
    forms = {"pyodide": _form("pyodide", {}), "onnxruntime": _form("onnxruntime", networks)}
    for name, package in PACKAGES.items():
        folder = WASM / name
        stamp = folder / _STAMP
        if stamp.exists() and json.loads(stamp.read_bytes()).get("hupai") == forms[name]:
            continue
        with urllib.request.urlopen(package.url, timeout=_SECONDS) as answer:
            files = unpack(package, answer.read(), WASM_FILES[name])
        said = files.pop(_STAMP)
        folder.mkdir(parents=True, exist_ok=True)
        if name == "pyodide":
            files = trim(files)
        else:
            loader, module = WASM_FILES[name]
            files[module] = trim_runtime(files[module], files[loader], networks, _PHOTO, deno)
        for file, data in files.items():
            (folder / file).write_bytes(data)
        if name == "pyodide":
            allowed = ("--no-remote", "--no-npm", "--allow-read", f"--allow-write={folder}")
            subprocess.run([deno, "run", *allowed, _COMPILE, folder], check=True)
        stamp.write_text(json.dumps(json.loads(said) | {"hupai": forms[name]}), encoding="utf-8")
        print(f"{package.name} {package.version} in {folder}", file=sys.stderr)
    return 0


def _form(name: str, networks: dict[str, bytes]) -> str:
    """Return what is another when a package is, or what is left of it."""
    scripts = _COMPILE.read_text(encoding="utf-8") + "".join(path.read_text(encoding="utf-8") for path in TRIMMING)
    made = f"{PACKAGES[name].sha512} {_LEFT_OUT} {_ENCODINGS} {scripts}".encode()
    return hashlib.sha256(made + b"".join(networks.values())).hexdigest()


def write_networks() -> dict[str, bytes]:
    """Write the networks for browsers, rewritten by :mod:`scripts.wasm`; one that is there as it should be is left.

    Returns:
        all that onnxruntime-web runs, by file name: these and the graphs between them.
    """
    entries, folder = list_models(), WASM / "networks"
    folder.mkdir(parents=True, exist_ok=True)
    found = {path.name: path.read_bytes() for path in sorted((models_folder() / "graphs").iterdir())}
    for role, entry in entries.items():
        data = entry.data()
        for rewrite in (fit_sums, multiply_matrices, convolve_in_floats, fuse_codes):
            data = rewrite(data)
        found[f"{role}.onnx"] = data
        _write_changed(folder / f"{role}.onnx", data)
    _write_changed(folder / "weights.json", json.dumps(describe_networks()).encode())
    return found


def _write_changed(path: Path, data: bytes) -> None:
    """Write a file unless it holds the same: somebody may be reading it."""
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)


if __name__ == "__main__":
    raise SystemExit(main())
