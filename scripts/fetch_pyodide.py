"""Fetch Pyodide, Python for browsers, which ``hupai page`` needs: ``python -m scripts.fetch_pyodide``.

The core comes from npm's registry, by version and digest, and lies where a wheel takes it along, never in git. Of its
standard library what no page needs is left out and the rest is compiled, with deno (of the extra ``dev``); of its list
of packages nothing is left: hupai uses none.
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
from pathlib import Path
from typing import Final

from hupai.web.page.alone import PYODIDE, PYODIDE_FILES
from scripts.page_checks import find_tool

VERSION: Final = "314.0.7"
_SHA512: Final = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
_URL: Final = f"https://registry.npmjs.org/pyodide/-/pyodide-{VERSION}.tgz"
_SECONDS: Final = 60
_COMPILE: Final = Path(__file__).with_name("compile_library.mjs")
_LEFT_OUT: Final = """
_compat_pickle _pydatetime _pydecimal _pyio _pyrepl _aix_support _apple_support _ios_support antigravity argparse
asyncio/proactor_events asyncio/tools asyncio/windows_events asyncio/windows_utils bdb cProfile cmd code compileall
configparser ctypes curses dbm difflib doctest ensurepip filecmp fileinput ftplib getopt getpass graphlib gzip html
http/client http/cookiejar http/cookies http/server idlelib imaplib logging/config logging/handlers mailbox mimetypes
modulefinder multiprocessing netrc nturl2path optparse pdb pickle pickletools plistlib poplib pprint profile profiling
pstats pty py_compile pyclbr pydoc pydoc_data pyodide/console rlcompleter runpy shelve shlex smtplib socketserver
sqlite3 statistics symtable tabnanny tarfile this timeit tkinter tomllib trace tracemalloc turtle turtledemo unittest
urllib/request urllib/robotparser uuid venv wave webbrowser wsgiref xml xmlrpc zipapp zoneinfo
"""
"""Modules and packages of the standard library that no page needs."""
_ENCODINGS: Final = ("__init__", "aliases", "ascii", "cp437", "latin_1", "utf_8")
"""What is left of the package of that name."""


def unpack(archive: bytes) -> dict[str, bytes]:
    """Return the files that a page needs by name, from the package as released.

    Raises:
        ValueError: the archive is another one.
    """
    if base64.b64encode(hashlib.sha512(archive).digest()).decode() != _SHA512:
        raise ValueError(f"{_URL} is not the release that hupai was tested with: its SHA-512 differs.")
    found = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        for name in PYODIDE_FILES:
            member = packed.extractfile(f"package/{name}")
            assert member is not None
            found[name] = member.read()
    found["python_stdlib.zip"] = _trim_library(found["python_stdlib.zip"])
    found["pyodide-lock.json"] = json.dumps(json.loads(found["pyodide-lock.json"]) | {"packages": {}}).encode()
    return found


def _trim_library(library: bytes) -> bytes:
    out = io.BytesIO()
    left_out = set(_LEFT_OUT.split())
    with zipfile.ZipFile(io.BytesIO(library)) as whole, zipfile.ZipFile(out, "w") as kept:
        for entry in whole.infolist():
            module = entry.filename.removesuffix(".py")
            package, _, part = module.partition("/")
            if not {package, module} & left_out and (package != "encodings" or part in _ENCODINGS):
                kept.writestr(entry, whole.read(entry), zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def main() -> int:
    stamp = PYODIDE / "package.json"
    if stamp.exists() and json.loads(stamp.read_bytes())["version"] == VERSION:
        return 0
    deno = find_tool("deno")
    if deno is None:
        print("deno is missing; it comes with: pip install -e '.[dev]'", file=sys.stderr)
        return 2
    with urllib.request.urlopen(_URL, timeout=_SECONDS) as answer:
        files = unpack(answer.read())
    version = files.pop(stamp.name)
    PYODIDE.mkdir(exist_ok=True)
    for name, data in files.items():
        (PYODIDE / name).write_bytes(data)
    allowed = ("--no-remote", "--no-npm", "--allow-read", f"--allow-write={PYODIDE}")
    subprocess.run([deno, "run", *allowed, _COMPILE, PYODIDE], check=True)
    stamp.write_bytes(version)  # all is there
    print(f"Pyodide {VERSION} in {PYODIDE}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
