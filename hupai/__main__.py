"""The ``hupai`` command, also as ``python -m hupai``. Ctrl-C while it is being loaded ends it without a word."""

from __future__ import annotations

import os
import signal


def main() -> None:
    """Load the command, which takes a second or two, and run it; see :func:`hupai.cli.main`."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not where a shell has it ignored
    if heard:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # nothing has begun that would be left undone
    from hupai.cli import main as run

    if heard:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


if __name__ == "__main__":
    main()
