"""Everyday words for seats, wins and melds -> those of the score request.

An unknown word is unchanged: the scoring core then lists the valid ones.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_SEATS: Final = {
    "E": ("e", "east", "東", "东", "ton", "dong"),
    "S": ("s", "south", "南", "nan"),
    "W": ("w", "west", "西", "sha", "shaa", "xi"),
    "N": ("n", "north", "北", "pei", "bei"),
}
_WINS: Final = {
    "self_draw": ("selfdraw", "selfdrawn", "selfpick", "drawn", "tsumo", "zimo", "自摸", "ツモ"),
    "discard": ("ron", "rong", "dianpao", "ロン", "栄", "栄和", "榮和", "放炮", "點炮", "点炮", "出銃"),
    "robbed_kong": ("robkong", "robbingthekong", "chankan", "qianggang", "槍槓", "搶槓", "抢杠"),
}
_MELDS: Final = {
    "chow": ("chi", "chii", "sequence", "吃", "上", "チー"),
    "pung": ("pon", "pong", "peng", "triplet", "碰", "ポン"),
    "kong_open": ("kong", "kan", "gang", "openkong", "minkan", "daiminkan", "明槓", "明杠"),
    "kong_added": ("addedkong", "kakan", "shouminkan", "加槓", "加杠"),
    "kong_concealed": ("concealedkong", "closedkong", "ankan", "angang", "暗槓", "暗杠"),
}


def _values_by_word(table: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {_fold(word): value for value, words in table.items() for word in (value, *words)}


def _fold(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c not in "_- ")


_BY_WORD: Final = tuple(_values_by_word(table) for table in (_SEATS, _WINS, _MELDS))


def seat_of(text: str) -> str:
    """Return ``E`` for ``East``, ``e`` or ``東``."""
    return _BY_WORD[0].get(_fold(text), text)


def win_of(text: str) -> str:
    """Return ``self_draw`` for ``tsumo``, ``discard`` for ``ron``."""
    return _BY_WORD[1].get(_fold(text), text)


def meld_type_of(text: str) -> str:
    """Return ``pung`` for ``pon``, ``kong_concealed`` for ``ankan``."""
    return _BY_WORD[2].get(_fold(text), text)
