"""Licences of everything that installing hupai brings along, from the metadata of the installed packages.

Writes the table of ``docs/licences.md``; fails if a package is under the GPL or AGPL, or names no licence.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from scripts.docs import renew_table

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "licences.md"
_FORBIDDEN: Final = re.compile(r"(?<!l)(?<!lesser )\b(a?gpl|gnu (affero )?general public)", re.IGNORECASE)


def is_forbidden(licence: str) -> bool:
    """Whether what has this licence may not ship; of ``MIT OR GPL-2.0-only`` the better one is chosen."""
    return all(not one or _FORBIDDEN.search(one) for one in re.split(r"\bOR\b", licence))


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


def page(text: str, parts: Mapping[str, str]) -> str:
    """The page with its table of packages made anew; what it says of the inside of their wheels is kept."""
    inside = dict(re.findall(r"^\| (\S+) \| .* \| (.*) \|$", text, re.MULTILINE))
    rows = ((name, licence, inside.get(name, "")) for name, licence in parts.items())
    return renew_table(text, ("package", "licence", "inside its wheel"), rows)


if __name__ == "__main__":
    found = closure()
    if bad := [name for name, licence in found.items() if is_forbidden(licence)]:
        raise SystemExit(f"may not ship: {', '.join(bad)}")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
