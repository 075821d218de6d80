"""Try an installed hupai: ``python try_installed.py FOLDER PHOTO``, with the Python of its environment.

``hupai check`` finds nothing, the page is written into FOLDER, a photo of a hand is scored, and a server answers.
Where the process has a network of its own, so that nothing can be reached, its loopback is switched on first.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

SECONDS = 120


def main() -> int:
    folder, photo = sys.argv[1:]
    if sys.platform == "linux" and len(socket.if_nameindex()) == 1:
        switch_on_loopback()
    hupai = str(Path(sys.executable).with_name("hupai"))
    for name in [name for name in os.environ if name.startswith(("HUPAI_", "PYTHON"))]:
        del os.environ[name]
    subprocess.run([hupai, "check"], check=True)
    subprocess.run([hupai, "page", folder], check=True)
    command = [hupai, "score", photo, "--seat", "S", "--win", "self_draw", "--json"]
    score = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    if not score["legal"]:
        raise SystemExit(f"The hand of {photo} is not scored: {score}")
    ask_server(hupai)
    return 0


def switch_on_loopback() -> None:
    """What ``ip link set lo up`` does, which slim systems lack."""
    import fcntl  # noqa: PLC0415 - Windows has none

    up_and_running, set_flags = 0x41, 0x8914
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sh14x", b"lo", up_and_running))


def ask_server(hupai: str) -> None:
    """Start a server, see that it is ready, and stop it.

    Raises:
        SystemExit: it ended, or was not ready in time.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([hupai, "serve", "--http", "--host", "127.0.0.1", "--port", str(port)]) as server:
        last = time.monotonic() + SECONDS
        try:
            while server.poll() is None and time.monotonic() < last:
                try:
                    with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=SECONDS):
                        return
                except URLError:
                    time.sleep(0.2)
        finally:
            server.terminate()
    raise SystemExit("hupai serve is not ready.")


if __name__ == "__main__":
    raise SystemExit(main())
