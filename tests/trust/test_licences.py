"""Nothing under the GPL or AGPL ships, and the page of licences names what does."""

from __future__ import annotations

import hashlib

import pytest

pytest.importorskip("packaging")

from hupai.page.alone import WASM
from scripts.docs.licences import ROOT, closure, is_forbidden

RELEASES = {
    "hupai/page/static/js/vendor/preact.mjs": (  # Preact 11.2.0
        "MIT",
        "bdcbd9abdf2c77c5c45326eab42191e949222d479d0d5f69467387a77040cb55",
    ),
}
"""Libraries' files, from ``dist/`` of their npm packages, that lie among ours as they were released, their licences
beside them: path -> licence, SHA-256 in hexadecimal."""


def test_nothing_that_ships_is_forbidden() -> None:
    parts = closure()
    assert len(parts) > 20
    assert [name for name, licence in parts.items() if is_forbidden(licence)] == []


@pytest.mark.parametrize("path", RELEASES)
def test_what_lies_among_our_files_is_as_it_was_released(path: str) -> None:
    licence, sha256 = RELEASES[path]
    file = ROOT / path
    assert hashlib.sha256(file.read_bytes()).hexdigest() == sha256
    assert f"The {licence} License" in (file.parent / "LICENSE").read_text(encoding="utf-8")
    assert not is_forbidden(licence)


def test_every_file_of_a_library_is_listed() -> None:
    # Fetched files lie there, too, and scripts/fetch_wasm.py has checked them.
    ours = (path for path in (ROOT / "hupai").rglob("*.mjs") if WASM not in path.parents)
    assert {str(path.relative_to(ROOT)) for path in ours} == set(RELEASES)


@pytest.mark.parametrize(
    ("licence", "kept_out"),
    [
        ("GPL-3.0-only", True),
        ("GNU General Public License v2 (GPLv2)", True),
        ("GNU Affero General Public License v3", True),
        ("AGPL-3.0-or-later", True),
        ("", True),
        ("MIT OR GPL-2.0-only", False),
        ("LGPL-3.0-only", False),
        ("GNU Lesser General Public License v3 (LGPLv3)", False),
        ("MIT License", False),
    ],
)
def test_which_licences_may_ship(licence: str, kept_out: bool) -> None:
    assert is_forbidden(licence) is kept_out
