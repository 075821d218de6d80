"""Ids that nobody can guess: of games, tournaments and keys."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH: Final = 12


def new_id(length: int = ID_LENGTH) -> str:
    """Return random letters: 5 bits each."""
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def id_of(text: str) -> str:
    """Return the same id whenever it is made of the same text."""
    digest = hashlib.sha256(text.encode()).digest()
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:ID_LENGTH])


def is_id(text: object) -> bool:
    """Whether this may be the id of a game or a tournament."""
    return isinstance(text, str) and len(text) == ID_LENGTH and all(c in _LETTERS for c in text)
