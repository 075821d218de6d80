"""Licences of everything that installing hupai brings along, from the metadata of the installed packages.

Usage: ``python -m scripts.docs.licences [--write]``. Fails if a package is under the GPL or AGPL, or names no licence.
``--write`` makes ``docs/licences.md``.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "licences.md"
_FORBIDDEN: Final = re.compile(r"(?<!l)(?<!lesser )\b(a?gpl|gnu (affero )?general public)", re.IGNORECASE)
_WEAK: Final = re.compile(r"\blgpl|lesser general public|\bmpl|mozilla public", re.IGNORECASE)
_BUNDLED: Final = {
    "opencv-python": "FFmpeg (LGPL-2.1) and Qt 5 (LGPL-3.0) as shared libraries of the wheel, replaceable",
    "pi-heif": "libheif and libde265 (LGPL-3.0) as shared libraries of the wheel, replaceable; no encoder",
    "psycopg-binary": "libpq (PostgreSQL licence) and OpenSSL (Apache-2.0)",
    "numpy": "OpenBLAS (BSD-3-Clause); the GCC runtime, whose exception lets it ship with anything",
    "scipy": "OpenBLAS (BSD-3-Clause); the GCC runtime, whose exception lets it ship with anything",
}
"""What wheels hold beside their own code, looked up in their licence files."""


@dataclass(frozen=True, slots=True)
class Release:
    """A library's file that is kept among ours as it was released; SHA-256 in hexadecimal."""

    path: str
    name: str
    version: str
    licence: str
    sha256: str


RELEASES: Final = (
    Release(
        "hupai/web/static/js/vendor/preact.mjs",
        "Preact",
        "11.2.0",
        "MIT",
        "bdcbd9abdf2c77c5c45326eab42191e949222d479d0d5f69467387a77040cb55",
    ),
)
"""Files from ``dist/`` of their npm packages; their licences lie beside them."""
_FOR_LITTLE: Final = {
    "pi-heif": "reads the HEIC files of iPhones, which nothing else here does",
    "scipy": "assignment (tiles from frame to frame, a whole set to its faces), least squares (the table's plane), the "
    "cosine transform (equal pictures): sound numerics in place of our own",
    "segno": "the QR codes by which phones join",
    "trustme": "the certificate of `--https`, without which phones open no camera",
    "watchfiles": "`label --watch`, on every system",
}
"""Direct dependencies that serve a few calls, and why they stay."""


@dataclass(frozen=True, slots=True)
class Part:
    """An installed distribution: its name as it is written, version, licence in words."""

    name: str
    version: str
    licence: str

    @property
    def forbidden(self) -> bool:
        """Whether it may not ship."""
        return not self.licence or bool(_FORBIDDEN.search(self.licence) and not _choice(self.licence))


def _choice(licence: str) -> bool:
    """Whether another licence may be chosen instead: ``MIT OR GPL-2.0-only``."""
    return any(not _FORBIDDEN.search(one) for one in re.split(r"\bOR\b", licence))


def normal(name: str) -> str:
    """The name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def closure() -> Iterator[Part]:
    """Everything that installing hupai brings along on this machine, by name.

    Raises:
        SystemExit: a part of it is not installed here.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    left = [Requirement(text) for text in project["dependencies"]]
    found: dict[str, Part] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    while left:
        wanted = left.pop()
        key = (normal(wanted.name), frozenset(wanted.extras))
        if key in seen:
            continue
        seen.add(key)
        try:
            one = distribution(wanted.name)
        except PackageNotFoundError:
            raise SystemExit(f"{wanted.name} is not installed here, so its licence is not known.") from None
        found[key[0]] = Part(one.metadata["Name"], one.version, licence_of(one))
        for needed in map(Requirement, one.requires or ()):
            if needed.marker is None or any(needed.marker.evaluate({"extra": e}) for e in (*wanted.extras, "")):
                left.append(needed)
    return iter(sorted(found.values(), key=lambda part: part.name.lower()))


def licence_of(one: Distribution) -> str:
    """The licence in words: the SPDX expression, else the classifiers, else the first line of the free text."""
    meta = one.metadata
    if meta["License-Expression"]:
        return str(meta["License-Expression"])
    classified = [
        c.rpartition(" :: ")[2] for c in meta.get_all("Classifier") or () if c.startswith("License ::") and "OSI" in c
    ]
    classified = [c for c in classified if c != "OSI Approved"]
    said = str(meta["License"] or "").strip().splitlines()
    return ", ".join(classified) or (said[0][:80] if said else "")


_DRAWN: Final = (
    "The tiles on printed sheets (`hupai/printed/tiles.png`) are drawn with characters of Noto Serif CJK (SIL Open "
    "Font License 1.1); no font is part of an installation."
)


def page(parts: Iterable[Part]) -> str:
    """The page of the documentation."""
    lines = [
        "# Licences",
        "",
        "<!-- Made by scripts/docs/licences.py --write. -->",
        "",
        "hupai is under the Apache License 2.0. An installation without extras brings these packages along (on Linux);",
        "none is under the GPL or AGPL, which every run of the tests checks (`python -m scripts.docs.licences`).",
        "",
        "| package | licence | inside its wheel |",
        "|---|---|---|",
        *(f"| {p.name} | {p.licence} | {_BUNDLED.get(normal(p.name), '')} |" for p in parts),
        "",
        "Some serve a few calls only. They stay because each does something well that we would do worse:",
        "",
        *(f"- {name}: {why}." for name, why in _FOR_LITTLE.items()),
        "",
        _DRAWN,
        "",
        "These files lie among ours as they were released, their licences beside them:",
        "",
        *(f"- {one.name} {one.version} ({one.licence}): `{one.path}`." for one in RELEASES),
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    parts = list(closure())
    for part in parts:
        mark = "FORBIDDEN" if part.forbidden else "weak" if _WEAK.search(part.licence) else "ok"
        print(f"{mark:9} {part.name} {part.version}: {part.licence or 'says nothing'}")
    bad = [part.name for part in parts if part.forbidden]
    if bad:
        print(f"may not ship: {', '.join(bad)}", file=sys.stderr)
    if given.write:
        PAGE.write_text(page(parts), encoding="utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
