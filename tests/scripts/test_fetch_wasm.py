"""What comes from npm as it is unpacked: the release that was named, of Pyodide without what no page needs."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import zipfile
from dataclasses import replace

import pytest

from hupai.page.alone import WASM_FILES
from scripts import fetch_wasm


@pytest.mark.parametrize("package", fetch_wasm.PACKAGES.values())
def test_another_release_is_refused(package: fetch_wasm.Package) -> None:
    with pytest.raises(ValueError, match="SHA-512 differs"):
        fetch_wasm.unpack(package, b"something else", ())


@pytest.mark.parametrize("name", fetch_wasm.PACKAGES)
def test_a_release_is_unpacked(name: str) -> None:
    package, names = fetch_wasm.PACKAGES[name], WASM_FILES[name]
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for path in ("package.json", "README.md", *(package.dist + one for one in names)):
            member = tarfile.TarInfo(f"package/{path}")
            member.size = len(path)
            archive.addfile(member, io.BytesIO(path.encode()))
    digest = base64.b64encode(hashlib.sha512(packed.getvalue()).digest()).decode()
    found = fetch_wasm.unpack(replace(package, sha512=digest), packed.getvalue(), names)
    assert found == {one: (package.dist + one).encode() for one in names} | {"package.json": b"package.json"}


def test_pyodide_is_trimmed() -> None:
    library = io.BytesIO()
    with zipfile.ZipFile(library, "w") as archive:
        for name in ("json/__init__.py", "unittest/case.py", "pdb.py", "encodings/big5.py", "encodings/utf_8.py"):
            archive.writestr(name, name)
        for name in ("http/__init__.py", "http/client.py", "importlib/metadata/_meta.py"):
            archive.writestr(name, name)
    lock = b'{"info": {"python": "3.14.2"}, "packages": {"numpy": {}}}'
    found = fetch_wasm.trim({"python_stdlib.zip": library.getvalue(), "pyodide-lock.json": lock, "pyodide.mjs": b"."})
    assert found["pyodide.mjs"] == b"."
    assert json.loads(found["pyodide-lock.json"]) == {"info": {"python": "3.14.2"}, "packages": {}}
    with zipfile.ZipFile(io.BytesIO(found["python_stdlib.zip"])) as archive:
        assert archive.namelist() == ["json/__init__.py", "encodings/utf_8.py", "http/__init__.py"]
