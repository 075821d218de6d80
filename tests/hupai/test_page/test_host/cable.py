"""The cable between a phone and its server: it can be cut, and it can lose an answer."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

_ENTRY = re.compile(rb"^POST /api/v1/games/[^/ ]+/hands ")
_GAME = re.compile(rb"^GET /api/v1/games/")


class Cable:
    """Carries what a phone and a server say to each other, whole connections at a time.

    Attributes:
        lose: whether it breaks at the next entry: the server hears of the hand, and the phone nothing any more, neither
            the answer nor the news of the game. It is over once the server has answered.
        entries: how many entries went over it.
        entry_first: whether it breaks each connection that asks for a game until an entry has gone over it.
    """

    def __init__(self, server_url: str) -> None:
        there = urlsplit(server_url)
        self._there = (there.hostname or "127.0.0.1", there.port or 80)
        self._ends: set[socket.socket] = set()
        self._whole = True
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        self.lose = False
        self.entries = 0
        self.entry_first = False
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self, *, but: Collection[socket.socket] = ()) -> None:
        """Nothing comes through, and what was under way is gone; ``but`` the ends of one connection stay."""
        self._whole = False
        for end in self._ends.difference(but):
            self._drop(end)

    def mend(self) -> None:
        """Everything comes through again."""
        self._whole = True

    def close(self) -> None:
        self.cut()
        self._door.close()

    def _drop(self, *ends: socket.socket) -> None:
        for end in ends:
            self._ends.discard(end)
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                phone, _ = self._door.accept()
                if not self._whole:
                    phone.close()
                    continue
                server = socket.create_connection(self._there)
                self._ends |= {phone, server}
                if not self._whole:  # cut meanwhile, perhaps before these ends were known
                    self._drop(phone, server)
                lost = threading.Event()
                for ends in ((phone, server), (server, phone)):
                    threading.Thread(target=self._carry, args=(*ends, ends[0] is phone, lost), daemon=True).start()

    def _carry(self, here: socket.socket, there: socket.socket, asks: bool, lost: threading.Event) -> None:
        with suppress(OSError):
            while said := here.recv(65536):
                if asks and _ENTRY.match(said):
                    self.entries += 1
                    self.entry_first = False
                    if self.lose:
                        lost.set()
                        self.cut(but=(here, there))
                if asks and self.entry_first and _GAME.match(said):
                    break
                if not asks and lost.is_set():  # the server has answered; nobody hears it
                    self.lose = False
                    self.cut()
                there.sendall(said)
        self._drop(here, there)


@contextmanager
def cable(server_url: str) -> Iterator[Cable]:
    """A cable to a server."""
    made = Cable(server_url)
    try:
        yield made
    finally:
        made.close()
