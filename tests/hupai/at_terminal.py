"""Commands at a terminal of their own, where they ask and show progress."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence


def at_terminal(command: Sequence[str], answers: str = "") -> tuple[int, str]:
    """Exit status of a command at whose terminal somebody types these answers, and what the terminal showed."""
    import pty  # not there on Windows

    main, side = pty.openpty()
    shown = b""
    with subprocess.Popen(
        list(command), stdin=side, stdout=side, stderr=side, env={**os.environ, "TERM": "xterm"}
    ) as process:
        os.close(side)
        os.write(main, answers.encode())
        while True:
            try:
                piece = os.read(main, 65536)
            except OSError:  # the other end was closed
                break
            if not piece:
                break
            shown += piece
    os.close(main)
    return process.returncode, shown.decode()
