"""Pack all that training needs into one small tar for a machine without network, with a command that runs it.

    python -m scripts.train.bundle --pack work/pack --out work/bundle.tar
    python -m scripts.train.bundle --pack work/pack --run runs/one --out work/bundle.tar --opencv headless.whl
    # there:
    tar xf bundle.tar && bundle/run.sh OUT --minutes 9 --total 27

The tar holds the code (``scoring vision datasets scripts/train/run.py``), the pack, and the checkpoints of earlier
runs. The other machine needs Python 3.11 or newer with torch, numpy and Pillow; where it lacks OpenCV, name a wheel of
it (fetched with ``pip download``): the wheel is taken apart and packed tighter. Nothing else is fetched or installed
there. Bundles over the limit are refused with the sizes of their parts.
"""

from __future__ import annotations

import argparse
import io
import lzma
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 60 * 2**20
CODE = ("scoring", "vision", "datasets", "scripts/train/run.py", "scripts/train/export.py")
UNNEEDED = ("cv2/data/",)
LEFT_HERE = ("held.npz",)
"""Parts of the pack that only the export needs."""
RUN = """\
#!/bin/sh
# Train for one run: run.sh OUT [options of scripts.train.run]; checkpoints and log go to OUT.
set -e
here=$(cd "$(dirname "$0")" && pwd)
out=$1; shift
mkdir -p "$out"
export PYTHONPATH="$here" PYTHONUNBUFFERED=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
if ! python3 -c "import cv2" 2>/dev/null; then
  [ -f "$here/opencv.tar.xz" ] || { echo "No OpenCV here, and the bundle brings none: see bundle.py --opencv"; exit 1; }
  [ -d "$here/opencv" ] || { mkdir "$here/opencv" && tar xJf "$here/opencv.tar.xz" -C "$here/opencv"; }
  export PYTHONPATH="$here:$here/opencv"
fi
for net in detector classifier; do
  if [ -f "$here/run/$net.pt" ] && [ ! -f "$out/$net.pt" ]; then cp "$here/run/$net.pt" "$out/"; fi
done
exec python3 -m scripts.train.run --out "$out" --pack "$here/pack" --light "$@"
"""


def code_files() -> Iterator[Path]:
    """Source and shipped art."""
    for name in CODE:
        path = ROOT / name
        if path.is_file():
            yield path
        for file in sorted(path.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts and "_models" not in file.parts:
                yield file


def repacked_wheel(wheel: Path) -> bytes:
    """A wheel's files as a tar.xz, smaller than the wheel."""
    plain = io.BytesIO()
    with zipfile.ZipFile(wheel) as packed, tarfile.open(fileobj=plain, mode="w") as tar:
        for name in packed.namelist():
            if name.startswith(UNNEEDED) or name.endswith("/"):
                continue
            data = packed.read(name)
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o755
            tar.addfile(entry, io.BytesIO(data))
    return lzma.compress(plain.getvalue(), preset=9)


def add(tar: tarfile.TarFile, name: str, data: bytes, mode: int = 0o644) -> int:
    """Put a file into the tar, always with the same date, so that the same content gives the same bundle."""
    entry = tarfile.TarInfo(f"bundle/{name}")
    entry.size, entry.mode = len(data), mode
    tar.addfile(entry, io.BytesIO(data))
    return len(data)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pack", type=Path, required=True, help="folder made by scripts.train.pack")
    parser.add_argument("--run", type=Path, help="folder with checkpoints to go on from")
    parser.add_argument("--opencv", type=Path, help="wheel to bring along")
    parser.add_argument("--out", type=Path, default=ROOT / "work" / "bundle.tar")
    parser.add_argument("--limit", type=float, default=LIMIT / 2**20, help="MiB")
    args = parser.parse_args()
    if not args.pack.is_dir():
        parser.error(f"{args.pack} is no folder: make it with scripts/train/pack.py")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    sizes: dict[str, int] = {"code": 0, "pack": 0, "run": 0, "opencv": 0}
    partial = args.out.with_suffix(".part")
    with tarfile.open(partial, "w") as tar:
        add(tar, "run.sh", RUN.encode(), 0o755)
        for file in code_files():
            sizes["code"] += add(tar, file.relative_to(ROOT).as_posix(), file.read_bytes())
        for file in sorted(args.pack.rglob("*")):
            if file.is_file() and file.name not in LEFT_HERE:
                sizes["pack"] += add(tar, f"pack/{file.relative_to(args.pack).as_posix()}", file.read_bytes())
        for net in ("detector", "classifier", "bonus"):
            path = args.run / f"{net}.pt" if args.run else None
            if path and path.is_file():
                sizes["run"] += add(tar, f"run/{net}.pt", path.read_bytes())
        if args.opencv:
            sizes["opencv"] = add(tar, "opencv.tar.xz", repacked_wheel(args.opencv))
    total = partial.stat().st_size
    listing = ", ".join(f"{name} {size / 2**20:.1f}" for name, size in sizes.items() if size)
    if total > args.limit * 2**20:
        partial.unlink()
        print(f"{total / 2**20:.1f} MiB is over {args.limit:.0f} ({listing}): make the pack smaller with "
              "scripts.train.pack --share", file=sys.stderr)  # fmt: skip
        return 1
    partial.replace(args.out)
    print(f"{args.out}: {total / 2**20:.1f} MiB ({listing})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
