"""Archives of a release."""

from __future__ import annotations

import zipfile
from pathlib import Path

from scripts.release import pack_folder


def test_what_is_unpacked_may_be_read_by_a_web_server(tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text("<p>")
    pack_folder(tmp_path / "page", tmp_path / "page.zip")
    with zipfile.ZipFile(tmp_path / "page.zip") as archive:
        assert [entry.external_attr >> 16 for entry in archive.infolist()] == [0o644]
