"""Pyodide as it is unpacked: the release that was named, without what no page needs."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import zipfile

import pytest

from hupai.web.page.alone import PYODIDE_FILES
from scripts import fetch_pyodide


def test_another_release_is_refused() -> None:
    with pytest.raises(ValueError, match="SHA-512 differs"):
        fetch_pyodide.unpack(b"something else")


def test_a_release_is_trimmed(monkeypatch: pytest.MonkeyPatch) -> None:
    library = io.BytesIO()
    with zipfile.ZipFile(library, "w") as archive:
        for name in ("json/__init__.py", "unittest/case.py", "pdb.py", "encodings/big5.py", "encodings/utf_8.py"):
            archive.writestr(name, name)
        for name in ("http/__init__.py", "http/client.py"):
            archive.writestr(name, name)
    parts = {name: name.encode() for name in PYODIDE_FILES}
    parts["python_stdlib.zip"] = library.getvalue()
    parts["pyodide-lock.json"] = b'{"info": {"python": "3.14.2"}, "packages": {"numpy": {}}}'
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, data in parts.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    digest = base64.b64encode(hashlib.sha512(packed.getvalue()).digest()).decode()
    monkeypatch.setattr(fetch_pyodide, "_SHA512", digest)
    found = fetch_pyodide.unpack(packed.getvalue())
    assert found["pyodide.mjs"] == b"pyodide.mjs"
    assert json.loads(found["pyodide-lock.json"]) == {"info": {"python": "3.14.2"}, "packages": {}}
    with zipfile.ZipFile(io.BytesIO(found["python_stdlib.zip"])) as archive:
        assert archive.namelist() == ["json/__init__.py", "encodings/utf_8.py", "http/__init__.py"]
