"""Licences of everything that installing hupai brings along, from the metadata of the installed packages.

Writes ``docs/licences.md``; fails if a package is under the GPL or AGPL, or names no licence.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from scripts.docs import table

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "licences.md"
_FORBIDDEN: Final = re.compile(r"(?<!l)(?<!lesser )\b(a?gpl|gnu (affero )?general public)", re.IGNORECASE)
_BUNDLED: Final = {
    "opencv-python": "FFmpeg (LGPL-2.1) and Qt 5 (LGPL-3.0) as shared libraries of the wheel, replaceable",
    "pi-heif": "libheif and libde265 (LGPL-3.0) as shared libraries of the wheel, replaceable; no encoder",
    "psycopg-binary": "libpq (PostgreSQL licence) and OpenSSL (Apache-2.0)",
    "numpy": "OpenBLAS (BSD-3-Clause); the GCC runtime, whose exception lets it ship with anything",
    "scipy": "OpenBLAS (BSD-3-Clause); the GCC runtime, whose exception lets it ship with anything",
}
"""What wheels hold beside their own code, looked up in their licence files."""


RELEASES: Final = {
    "hupai/web/static/js/vendor/preact.mjs": (
        *("Preact", "11.2.0", "MIT"),
        "bdcbd9abdf2c77c5c45326eab42191e949222d479d0d5f69467387a77040cb55",
    ),
}
"""Libraries' files, from ``dist/`` of their npm packages, that lie among ours as they were released, their licences
beside them: path -> name, version, licence, SHA-256 in hexadecimal."""
_FOR_LITTLE: Final = {
    "pi-heif": "reads the HEIC files of iPhones, which nothing else here does",
    "scipy": "assignment (tiles from frame to frame, a whole set to its faces), least squares (the table's plane), the "
    "cosine transform (equal pictures): sound numerics in place of our own",
    "segno": "the QR codes by which phones join",
    "trustme": "the certificate of `--https`, without which phones open no camera",
    "watchfiles": "`label --watch`, on every system",
}
"""Direct dependencies that serve a few calls, and why they stay."""


def forbidden(licence: str) -> bool:
    """Whether what has this licence may not ship; of ``MIT OR GPL-2.0-only`` the better one is chosen."""
    return all(not one or _FORBIDDEN.search(one) for one in re.split(r"\bOR\b", licence))


def normal(name: str) -> str:
    """The name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def closure() -> dict[str, str]:
    """Name -> licence of everything that installing hupai brings along on this machine, by name.

    Raises:
        PackageNotFoundError: a part of it is not installed here.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    left = [Requirement(text) for text in project["dependencies"]]
    found: dict[str, str] = {}
    seen: set[str] = set()
    while left:
        wanted = left.pop()
        if str(wanted) in seen:
            continue
        seen.add(str(wanted))
        one = distribution(wanted.name)
        found[one.metadata["Name"]] = licence_of(one)
        for needed in map(Requirement, one.requires or ()):
            if needed.marker is None or any(needed.marker.evaluate({"extra": e}) for e in (*wanted.extras, "")):
                left.append(needed)
    return {name: found[name] for name in sorted(found, key=str.lower)}


def licence_of(one: Distribution) -> str:
    """The licence in words: the SPDX expression, else the classifiers, else the first line of the free text."""
    meta = one.metadata
    classified = (c.rpartition(" :: ")[2] for c in meta.get_all("Classifier") or () if c.startswith("License :: OSI"))
    said = str(meta["License"] or "").strip().partition("\n")[0][:80]
    return str(meta["License-Expression"] or ", ".join(c for c in classified if c != "OSI Approved") or said)


_DRAWN: Final = (
    "The tiles on printed sheets (`hupai/printed/tiles.png`) are drawn with characters of Noto Serif CJK (SIL Open "
    "Font License 1.1); no font is part of an installation."
)


def page(parts: Mapping[str, str]) -> str:
    """The page of the documentation."""
    lines = [
        "# Licences",
        "",
        "<!-- Made by scripts/docs/licences.py. -->",
        "",
        "hupai is under the Apache License 2.0. An installation without extras brings these packages along (on Linux);",
        "none is under the GPL or AGPL, which every run of the tests checks (`python -m scripts.docs.licences`).",
        "",
        table(
            ("package", "licence", "inside its wheel"),
            ((name, licence, _BUNDLED.get(normal(name), "")) for name, licence in parts.items()),
        ),
        "",
        "Some serve a few calls only. They stay because each does something well that we would do worse:",
        "",
        *(f"- {name}: {why}." for name, why in _FOR_LITTLE.items()),
        "",
        _DRAWN,
        "",
        "These files lie among ours as they were released, their licences beside them:",
        "",
        *(f"- {name} {version} ({licence}): `{path}`." for path, (name, version, licence, _) in RELEASES.items()),
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    parts = closure()
    if bad := [name for name, licence in parts.items() if forbidden(licence)]:
        raise SystemExit(f"may not ship: {', '.join(bad)}")
    PAGE.write_text(page(parts), encoding="utf-8")
