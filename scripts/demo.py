"""Set up a fresh environment and score the photo that ships with the repository.

Needs git and Python 3.11 or newer, nothing else: ``python3 scripts/demo.py``. With arguments it runs the ``hupai``
command with them instead.
"""

from __future__ import annotations

import subprocess
import sys

from setup_env import ROOT, environment

DEMO = [
    "score",
    "examples/hand-self-draw.jpg",
    "--rules",
    "hongkong",
    "--seat",
    "S",
    "--round",
    "E",
    "--win",
    "self_draw",
    "--annotate",
    "marked.png",
]

if __name__ == "__main__":
    bin_dir = environment()
    arguments = sys.argv[1:] or DEMO
    print(f"$ hupai {' '.join(arguments)}", file=sys.stderr, flush=True)
    status = subprocess.run([bin_dir / "hupai", *arguments], cwd=ROOT, check=False).returncode
    if status == 0 and arguments is DEMO:
        print(f"\nNext, on your phone: {bin_dir / 'hupai'} serve", file=sys.stderr)
    sys.exit(status)
