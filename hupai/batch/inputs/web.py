"""Files on the web, and the directory listings of web servers."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, Final
from urllib.parse import urldefrag, urljoin, urlsplit

from scoring.errors import HupaiError

_SECONDS: Final = 60.0
_PIECE: Final = 1 << 20
_PAGE_BYTES: Final = 50_000_000


class DownloadError(HupaiError):
    """A file on the web that cannot be read; ``image_missing`` if its server reports that it does not exist."""

    code = "store_unreachable"


def is_web(address: str) -> bool:
    """Whether an address is on the web."""
    return address.startswith(("http://", "https://"))


def pieces(address: str, wanted: str = "") -> Iterator[bytes]:
    """Yield a file's bytes, one piece at a time.

    Args:
        address: of the file.
        wanted: the required beginning of the content type.

    Raises:
        DownloadError: the reason, without the address.
    """
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as reply:
            if not (reply.headers.get("Content-Type") or "").startswith(wanted):
                raise DownloadError(f"it is no {wanted}")
            while piece := reply.read(_PIECE):
                yield piece
    except urllib.error.HTTPError as error:
        code = "image_missing" if error.code in (404, 410) else None
        raise DownloadError(f"it answers {error.code}", code=code) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise DownloadError(str(getattr(error, "reason", error))) from None


def files_listed(address: str) -> Iterator[str]:
    """Yield the addresses of all files below a folder that its server lists, as Apache, nginx and Python's server do.

    Raises:
        DownloadError: it cannot be read, or is not a listing.
    """
    waiting = [address if address.endswith("/") else f"{address}/"]
    seen = set(waiting)
    while waiting:
        folder = waiting.pop()
        page = b""
        for piece in pieces(folder, "text/html"):
            page += piece
            if len(page) > _PAGE_BYTES:
                raise DownloadError(f"a page of more than {_PAGE_BYTES // 1_000_000} MB")
        links = _Links()
        links.feed(page.decode("utf-8", "replace"))
        for link in links.found:
            target = urldefrag(urljoin(folder, link)).url
            if urlsplit(target).query or not target.startswith(folder) or target in seen:
                continue  # links that sort the page, lead upwards or elsewhere
            seen.add(target)
            if target.endswith("/"):
                waiting.append(target)
            else:
                yield target


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        href = dict(attrs).get("href") if tag == "a" else None
        if href:
            self.found.append(href)
