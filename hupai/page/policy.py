"""What pages may do in a browser (Content-Security-Policy): use their own files and their own inline content."""

from __future__ import annotations

import base64
import hashlib
from typing import Final

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
"""Policy of everything but the pages: nothing inline."""
ANY_STYLE: Final = "'unsafe-inline'"
"""In place of a hash: allows any inline style."""


def page_policy(script: str, style: str) -> str:
    """Return the policy of a page with one inline script and style sheet; ``'sha256-…'`` or :data:`ANY_STYLE`."""
    return POLICY.replace("script-src 'self'", f"script-src 'self' {script}").replace(
        "style-src 'self'", f"style-src 'self' {style}"
    )


def source_of(text: str) -> str:
    """Return the source expression of an inline text in a policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
