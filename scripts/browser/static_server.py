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
    _packed = False

    def __init__(
        self,
        *given: Any,
        answer: Callable[[bytes], bytes] | None,
        halfway: Callable[[str], None] | None,
        packs: bool,
        **more: Any,
    ) -> None:
        self._answer, self._halfway, self._packs = answer, halfway, packs
        super().__init__(*given, **more)

    def log_message(self, *_: Any) -> None:
        pass

    def translate_path(self, path: str) -> str:
        found = super().translate_path(path)
        self._packed = self._packs and Path(f"{found}.gz").exists()
        return f"{found}.gz" if self._packed else found

    def guess_type(self, path: Any) -> str:
        return super().guess_type(str(path).removesuffix(".gz") if self._packed else path)

    def end_headers(self) -> None:
        if self._packed:
            self.send_header("Content-Encoding", "gzip")
        super().end_headers()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        content = source.read()
        outputfile.write(content[: len(content) // 2])
        if self._halfway is not None:
            self._halfway(self.path)
        outputfile.write(content[len(content) // 2 :])

    def do_POST(self) -> None:
        if self._answer is None:
            self.send_error(HTTPStatus.NOT_IMPLEMENTED)
            return
        answer = self._answer(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(HTTPStatus.OK)
        self.end_headers()
        self.wfile.write(answer)


@contextmanager
def serve_folder(
    folder: Path,
    answer: Callable[[bytes], bytes] | None = None,
    halfway: Callable[[str], None] | None = None,
    *,
    packs: bool = False,
) -> Iterator[str]:
    """Serve a folder until the block ends; gives its URL.

    ``answer`` answers what is posted; ``halfway`` is told of every path when half of its file is on its way, and the
    other half follows when it returns. With ``packs`` it sends compressed copies that lie beside the files.
    """
    handler = partial(_Quiet, answer=answer, halfway=halfway, packs=packs, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
