"""Set up a fresh environment and score the photo that ships with the repository.

Needs git and Python 3.11 or newer, nothing else: ``python3 scripts/demo.py``. With arguments it runs the ``hupai``
command with them instead.
"""

from __future__ import annotations

import subprocess
import sys

from setup_env import ROOT, environment

PHOTO = "examples/hand-self-draw.jpg"
FLAGS = {"rules": "hongkong", "seat": "S", "round": "E", "win": "self_draw", "annotate": "marked.png"}
DEMO = ["score", PHOTO, *(word for name, value in FLAGS.items() for word in (f"--{name}", value))]


def main() -> int:
    bin_dir = environment()
    arguments = sys.argv[1:] or DEMO
    print(f"$ hupai {' '.join(arguments)}", file=sys.stderr, flush=True)
    return subprocess.run([str(bin_dir / "hupai"), *arguments], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
