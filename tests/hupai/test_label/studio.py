"""Label Studio's side of the ML backend protocol, as its version 1.23.2 was seen to speak it: tasks, pictures, tokens.

The real one takes minutes to install and to start; ``test_label_studio.py`` works with it, too, where it is at hand.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "abcdef0123456789abcdef0123456789abcdef01"


@dataclass
class Studio:
    """Projects, tasks and uploads; what was asked for is noted."""

    config: str = ""
    tasks: dict[int, dict[str, Any]] = field(default_factory=dict)
    uploads: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    url: str = ""

    def add(self, number: int, picture: bytes, annotations: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        """A task as /api/tasks/ tells it."""
        path = f"/data/upload/1/{number:08x}-hand.jpg"
        self.uploads[path] = picture
        self.tasks[number] = {"id": number, "project": 1, "data": {"image": path}, "annotations": annotations or []}
        return self.tasks[number]

    def answer(self, path: str, query: dict[str, list[str]]) -> tuple[int, bytes]:
        if path == "/api/projects/1/":
            return 200, json.dumps({"id": 1, "label_config": self.config}).encode()
        if path == "/api/tasks/":
            page, size = int(query["page"][0]), int(query["page_size"][0])
            part = list(self.tasks.values())[(page - 1) * size : page * size]
            return 200, json.dumps({"tasks": part, "total": len(self.tasks)}).encode()
        if path.startswith("/api/tasks/") and int(path.split("/")[3]) in self.tasks:
            return 200, json.dumps(self.tasks[int(path.split("/")[3])]).encode()
        if path in self.uploads:
            return 200, self.uploads[path]
        return 404, b"{}"


@contextmanager
def studio() -> Iterator[Studio]:
    """A Label Studio on a port of its own, which wants its token."""
    it = Studio()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            it.asked.append(parts.path)
            status, body = 401, b"{}"
            if parts.path == "/data/moved.jpg":
                status = 302
            elif self.headers.get("Authorization") == f"Token {TOKEN}":
                status, body = it.answer(parts.path, parse_qs(parts.query))
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "/data/secret")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    it.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield it
    finally:
        server.shutdown()
        server.server_close()
