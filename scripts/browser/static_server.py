"""A folder served to a browser, as any web server would."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class _Quiet(SimpleHTTPRequestHandler):
    def __init__(self, *given: Any, answer: Callable[[bytes], bytes] | None, **more: Any) -> None:
        self._answer = answer
        super().__init__(*given, **more)

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        if self._answer is None:
            self.send_error(HTTPStatus.NOT_IMPLEMENTED)
            return
        answer = self._answer(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(HTTPStatus.OK)
        self.end_headers()
        self.wfile.write(answer)


@contextmanager
def serve_folder(folder: Path, answer: Callable[[bytes], bytes] | None = None) -> Iterator[str]:
    """Serve a folder until the block ends; gives its URL. ``answer`` answers what is posted."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, answer=answer, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
