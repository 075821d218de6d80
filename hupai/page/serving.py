"""Answers for the page's files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from hupai.page.files import File, MorePages, files

YEAR_SECONDS: Final = 31_536_000
"""Seconds that unchanging files may be cached."""


@dataclass(frozen=True, slots=True)
class PageFiles:
    """ASGI application: the page's files from memory, compressed if the browser accepts it, unchanged ones as 304."""

    found: dict[str, File]

    @classmethod
    def of(cls, static: Path, wings: Sequence[MorePages]) -> Self:
        """Create it for the page with sources in a folder, and more (see :func:`hupai.page.files.files`)."""
        return cls(files(static, wings))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        file = self.found.get(request.scope["path"].removeprefix(request.scope.get("root_path", "")).lstrip("/"))
        if file is None:
            raise HTTPException(404)
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        cached = f"public, max-age={YEAR_SECONDS}, immutable" if file.lasting else "no-cache"
        headers = {"Cache-Control": cached, "ETag": file.tag, "Vary": "Accept-Encoding"}
        if file.policy is not None:
            headers["Content-Security-Policy"] = file.policy
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        packed = file.packed if "gzip" in request.headers.get("accept-encoding", "") else None
        if packed is not None:
            headers["Content-Encoding"] = "gzip"
        return Response(packed if packed is not None else file.body, headers=headers, media_type=file.media_type)
