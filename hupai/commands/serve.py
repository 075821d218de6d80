"""``hupai serve``: the phone page and the API for everybody in the local network."""

from __future__ import annotations

from hupai.web.listen.serve import serve

__all__ = ["serve"]
