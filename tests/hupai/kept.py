"""JsonStore by name, as a phone keeps them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hupai.games.json_store import JsonStore, NotFetched

T = TypeVar("T")


class Kept:
    """The texts; what is done with them is tried until it has what it needs, and written then."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def do(self, act: Callable[[JsonStore], T]) -> T:
        """What something done with the texts returns."""
        fetched: dict[str, dict[str, str]] = {}
        while True:
            texts = JsonStore(fetched)
            try:
                found = act(texts)
            except NotFetched as needed:
                assert needed.start not in fetched
                fetched[needed.start] = {k: text for k, text in self.texts.items() if k.startswith(needed.start)}
            else:
                kept = {**self.texts, **texts.written}
                self.texts = {name: text for name, text in kept.items() if text is not None}
                return found
