"""Check the format, the types and the likely mistakes of the page's scripts: ``python -m scripts.page_checks``.

oxlint looks for mistakes (``.oxlintrc.json``); deno checks the types written in comments, as strictly as TypeScript
can, and the format (``deno.json``; ``deno fmt -c deno.json`` formats); and no room may import one above it. Nothing is
fetched; the types of the API's answers are left behind, for an editor. Exit status 1 if something was found, 2 if the
tools are not installed (extra ``dev``).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Final

from scripts.docs import answers

ROOT: Final = Path(__file__).resolve().parents[1]
STATIC: Final = ROOT / "hupai" / "page" / "static"
HALL: Final = ROOT / "hupai" / "hall" / "static"
REVIEW: Final = ROOT / "hupai" / "label" / "review" / "static"
FOLDERS: Final = tuple(folder for folder in (STATIC, HALL, REVIEW) if folder.is_dir())
"""Where scripts are: of the page, and of the wings that are there."""
ROOMS: Final = (
    *("vendor", "dom", "api", "hand", "state", "words", "faces", "names", "controls", "rules", "camera", "scoring"),
    *("handeditor", "score", "outcomes", "ledger", "game", "screens", "main.js"),
    *("board", "overlay", "seat", "hall", "register", "report"),
)
"""The rooms of the page, then those of a hall, each above what it may import."""


def find_tool(name: str) -> str | None:
    """Where a tool of this environment lies, or one on the path; None where there is none."""
    return shutil.which(name, path=sysconfig.get_path("scripts")) or shutil.which(name)


def lint_scripts(*given: Path) -> int:
    """Status of oxlint over some files, all of the page's if none are given."""
    return _run("oxlint", "--deny-warnings", *map(str, given or FOLDERS))


def check_types(*entries: Path) -> int:
    """Status of the type check of some modules and all they import; the types of answers are made before."""
    answers.write()
    return _run("deno", "check", "--no-remote", "--no-npm", "-c", "deno.json", *map(str, entries))


def check_format() -> int:
    """Status of the formatter over all of the page's scripts."""
    return _run("deno", "fmt", "--check", "--quiet", "-c", "deno.json")


def climbing_imports(scripts: Path) -> list[str]:
    """``a.js imports b.js`` for every import of a room that is higher in :data:`ROOMS`."""
    found = []
    for path in sorted(scripts.rglob("*.js")):
        for named in re.findall(r'^(?:import|export)\b[^"]*"(\.[^"]+)";', path.read_text(encoding="utf-8"), flags=re.M):
            one, other = path.relative_to(scripts), (path.parent / named).resolve().relative_to(scripts.resolve())
            if ROOMS.index(one.parts[0]) < ROOMS.index(other.parts[0]):
                found.append(f"{one} imports {other}")
    return found


def check_imports() -> int:
    """1 if an import climbs, which is printed; 0 otherwise."""
    found = [climb for folder in FOLDERS if folder != REVIEW for climb in climbing_imports(folder / "js")]
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


def _run(name: str, *arguments: str) -> int:
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "DENO_DIR": cache, "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
        return subprocess.run([find_tool(name) or name, *arguments], cwd=ROOT, env=env, check=False).returncode


def main() -> int:
    missing = [name for name in ("oxlint", "deno") if find_tool(name) is None]
    if missing:
        print(f"Not installed: {', '.join(missing)}. They come with: pip install -e '.[dev]'", file=sys.stderr)
        return 2
    found = [
        check_imports(),
        check_format(),
        lint_scripts(),
        check_types(
            *(STATIC / "js" / name for name in ("main.js", "api/python/worker.js")),
            *sorted((HALL / "js").glob("*/main.js")),
            *REVIEW.glob("review.js"),
        ),
    ]
    return 1 if any(found) else 0


if __name__ == "__main__":
    raise SystemExit(main())
