"""The 44 patterns of Zung Jung: points, series, conditions.

Source: the scoring pattern list of Mahjong Australia, a version of Alan Kwan's Zung Jung, with five figures of its
own; ``official`` holds the published system's figure where it differs.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from scoring.system import Element, english_name
from scoring.words.sentence import say

_GROUPS: Final = {
    "1": "1 Trivial patterns",
    "2": "2 One-suit patterns",
    "3": "3 Honour tiles",
    "4": "4 Triplets and kongs",
    "5": "5 Identical sets",
    "6": "6 Similar sets",
    "7": "7 Consecutive sets",
    "8": "8 Terminals",
    "9": "9 Incidental bonuses",
    "10": "10 Irregular hands",
    "0": "No pattern",
}


class Pattern(NamedTuple):
    """One row: ``number`` is category.series, with a third part in series of several patterns."""

    id: str
    native: str
    number: str
    points: int
    condition: str
    official: int | None = None

    @property
    def name(self) -> str:
        """The English name."""
        return english_name(self.id).replace("One Suit", "One-Suit")

    @property
    def series(self) -> str:
        """Category and series, such as ``4.2``; a hand scores the best of each."""
        return ".".join(self.number.split(".")[:2])

    @property
    def listed(self) -> str:
        """The points as people write them."""
        if self.id == "value_honour":
            return say("{n} each", n=self.points)
        return str(self.points) if self.official is None else say("{n} (official {m})", n=self.points, m=self.official)


PATTERNS: Final = (
    Pattern("all_sequences", "平和", "1.1", 5, "four sequences"),
    Pattern("concealed_hand", "門前清", "1.2", 5, "nothing claimed before the winning tile"),
    Pattern("no_terminals", "斷么九", "1.3", 5, "only 2 to 8"),
    Pattern("mixed_one_suit", "混一色", "2.1.1", 40, "one suit and honours"),
    Pattern("pure_one_suit", "清一色", "2.1.2", 100, "one suit, no honours", 80),
    Pattern("nine_gates", "九蓮寶燈", "2.2", 480, "1112345678999 of one suit before the win, then any tile of it"),
    Pattern("value_honour", "番牌", "3.1", 10, "set of dragons or of the winner's seat wind"),
    Pattern("small_three_dragons", "小三元", "3.2.1", 40, "two dragon sets and a pair of the third"),
    Pattern("big_three_dragons", "大三元", "3.2.2", 130, "sets of all three dragons"),
    Pattern("small_three_winds", "小三風", "3.3.1", 30, "two wind sets and a pair of winds"),
    Pattern("big_three_winds", "大三風", "3.3.2", 120, "three wind sets"),
    Pattern("small_four_winds", "小四喜", "3.3.3", 320, "three wind sets and a pair of the fourth"),
    Pattern("big_four_winds", "大四喜", "3.3.4", 400, "sets of all four winds"),
    Pattern("all_honours", "字一色", "3.4", 320, "winds and dragons only"),
    Pattern("all_triplets", "對對和", "4.1", 30, "four triplets or kongs"),
    Pattern("two_concealed_triplets", "二暗刻", "4.2.1", 5, "two triplets not finished by another's tile"),
    Pattern("three_concealed_triplets", "三暗刻", "4.2.2", 30, "three triplets not finished by another's tile"),
    Pattern("four_concealed_triplets", "四暗刻", "4.2.3", 125, "four triplets not finished by another's tile"),
    Pattern("one_kong", "一槓", "4.3.1", 5, "one kong of any kind"),
    Pattern("two_kongs", "兩槓", "4.3.2", 20, "two kongs of any kind"),
    Pattern("three_kongs", "三槓", "4.3.3", 120, "three kongs"),
    Pattern("four_kongs", "四槓", "4.3.4", 480, "four kongs"),
    Pattern("two_identical_sequences", "一般高", "5.1.1", 10, "the same sequence twice"),
    Pattern("double_two_sequences", "兩般高", "5.1.2", 55, "two sequences, each twice", 60),
    Pattern("three_identical_sequences", "一色三同順", "5.1.3", 120, "the same sequence three times"),
    Pattern("four_identical_sequences", "一色四同順", "5.1.4", 480, "the same sequence four times"),
    Pattern("three_similar_sequences", "三色同順", "6.1", 35, "the same sequence in all three suits"),
    Pattern(
        "small_three_similar_triplets",
        "三色小同刻",
        "6.2.1",
        30,
        "one number as triplets in two suits and as the pair in the third",
    ),
    Pattern("three_similar_triplets", "三色同刻", "6.2.2", 120, "triplets of one number in all three suits"),
    Pattern("pure_dragon", "一氣通貫", "7.1", 40, "sequences 123, 456, 789 of one suit"),
    Pattern("three_consecutive_triplets", "三連刻", "7.2.1", 100, "triplets of three numbers in a row in one suit"),
    Pattern("four_consecutive_triplets", "四連刻", "7.2.2", 200, "triplets of four numbers in a row in one suit"),
    Pattern("mixed_lesser_terminals", "混全帶么", "8.1.1", 40, "a 1, a 9 or honours in every set and the pair"),
    Pattern("pure_lesser_terminals", "純全帶么", "8.1.2", 50, "a 1 or a 9 in every set and the pair, no honours"),
    Pattern("mixed_greater_terminals", "混么九", "8.1.3", 100, "only 1, 9 and honours"),
    Pattern("pure_greater_terminals", "清么九", "8.1.4", 400, "only 1 and 9"),
    Pattern("last_card", "海底撈月", "9.1.1", 10, "self-draw of the last tile of the wall"),
    Pattern("final_discard", "河底撈魚", "9.1.2", 10, "won on the last discard"),
    Pattern("win_on_kong", "嶺上開花", "9.2", 10, "self-draw of a kong's supplement tile"),
    Pattern("rob_a_kong", "搶槓", "9.3", 10, "the winning tile was being added to a triplet"),
    Pattern("blessing_of_heaven", "天和", "9.4.1", 155, "East's hand complete on the deal"),
    Pattern("blessing_of_earth", "地和", "9.4.2", 155, "won with the dealt hand on East's first discard"),
    Pattern("thirteen_terminals", "十三么九", "10.1", 200, "one of each 1, 9, wind and dragon, and a second", 160),
    Pattern("seven_pairs", "七對子", "10.2", 30, "seven pairs; four equal tiles may be two of them"),
    Pattern("chicken_hand", "雞和", "0.0", 1, "no pattern, where the house asks for no minimum"),
)
"""The 44 patterns in their order, and the chicken hand, which is none."""

LISTED_LIMIT_POINTS: Final = 320
"""A pattern listed at this many points or more is the whole worth of its hand."""

SEED: Final[dict[str, int]] = {p.id: p.points for p in PATTERNS}
"""Element id -> Mahjong Australia's points."""
OFFICIAL: Final[dict[str, int]] = {p.id: p.official for p in PATTERNS if p.official is not None}
"""Element id -> the published system's points, where they differ."""
SERIES: Final[dict[str, str]] = {p.id: p.series for p in PATTERNS}
ELEMENTS: Final[dict[str, Element]] = {
    p.id: Element(p.id, p.name, p.native, p.listed, p.condition, _GROUPS[p.number.split(".", maxsplit=1)[0]])
    for p in PATTERNS
}
