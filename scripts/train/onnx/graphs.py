"""Write ``models/graphs/``, what runs between the networks in a browser. New weights need no new graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from datasets.learn.graphs import files

FOLDER: Final = Path(__file__).resolve().parents[3] / "models" / "graphs"

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, data in files().items():
        (FOLDER / f"{name}.onnx").write_bytes(data)
