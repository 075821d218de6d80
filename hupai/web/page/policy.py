"""What a browser lets the pages do (Content-Security-Policy): use their own files and what stands in them."""

from __future__ import annotations

import base64
import hashlib
from typing import Final

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
"""Of everything but the pages: nothing inline."""
ANY_STYLE: Final = "'unsafe-inline'"
"""In place of a hash: any inline style."""


def allowing(script: str, style: str) -> str:
    """The policy of a page with one inline script and one inline style sheet; ``'sha256-…'`` or :data:`ANY_STYLE`."""
    return POLICY.replace("script-src 'self'", f"script-src 'self' {script}").replace(
        "style-src 'self'", f"style-src 'self' {style}"
    )


def source_of(text: str) -> str:
    """How a policy names an inline text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
