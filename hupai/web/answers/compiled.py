"""What answers requests in a page, compiled: it is kept for the next visit, which starts sooner with it."""

from __future__ import annotations

import io
import zipfile
from importlib.util import cache_from_source
from pathlib import Path


def pack(folder: Path) -> bytes:
    """Return all files of a folder as a zip; of modules that were imported from it what was compiled, alone."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path in sorted(folder.rglob("*.*")):
            name, compiled = path.relative_to(folder), Path(cache_from_source(str(path)))
            if path.suffix == ".py" and compiled.exists():
                archive.write(compiled, name.with_suffix(".pyc"))
            elif path.suffix != ".pyc":
                archive.write(path, name)
    return out.getvalue()
