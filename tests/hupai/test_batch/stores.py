"""A store for the tests of labels at addresses: S3 where moto is installed, else a folder by way of fsspec."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest


@contextmanager
def store_in(place: Path) -> Iterator[Callable[[str], str]]:
    """Gives the address of what lies in the store; ``place`` takes it where there is no S3 server."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra: cluster)")
    try:
        from moto.server import ThreadedMotoServer
    except ImportError:
        yield lambda inner: f"local://{place}/bucket/{inner}"
        return
    server = ThreadedMotoServer(port=0)
    server.start()
    host, port = server.get_host_and_port()
    os.environ |= {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_EC2_METADATA_DISABLED": "true"}
    query = f"endpoint_override={host}:{port}&scheme=http&region=us-east-1&allow_bucket_creation=true"
    from pyarrow import fs

    found, path = fs.FileSystem.from_uri(f"s3://bucket?{query}")
    found.create_dir(path)
    yield lambda inner: f"s3://bucket/{inner}?{query}"
    server.stop()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def on_the_web(folder: Path) -> Iterator[str]:
    """The address at which a folder is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
