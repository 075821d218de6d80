"""Ids that nobody can guess: of games, tournaments and keys."""

from __future__ import annotations

import secrets
from typing import Final

LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH: Final = 12


def new_id(length: int = ID_LENGTH) -> str:
    """Return random letters: 5 bits each."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def is_id(text: object) -> bool:
    """Whether this may be the id of a game or a tournament."""
    return isinstance(text, str) and len(text) == ID_LENGTH and all(c in LETTERS for c in text)
