"""House rules and presets of Singapore: every one of them varies from table to table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from scoring.options import choice, decimal_option, element_values, switch, whole
from scoring.rulebook.presets import Preset
from scoring.rules.singapore.elements import DOUBLES

MAX_DOUBLES: Final = 40
"""The highest value an element may be given."""


@dataclass(frozen=True, slots=True)
class SingaporeOptions:
    """House rules; the values of elements are not in the source text (see ``elements``).

    - ``limit``: 5 is called the commonest, 6 typical, too.
    - ``rounding``: the text rounds 0.3/0.6 up to have round figures. Beyond its table, the next whole number.
    - ``discarder``: the prose has him pay twice what the others pay, and the winner get four times the score. But the
      tables round and add the bonus in each column by itself, and on a self-draw, for which the prose says doubled as
      well, nobody pays twice the first figure there. So the discarder pays the second one, too.
    - ``shooter``: the text advises against it.
    - ``concealed_by_discard``, ``concealed_pungs_by_discard``: the text asks for a self-draw.
    - ``min``: a hand without a double is called an illegal win.
    - ``instant_limit``: that payments are capped may mean instant payments as well. Off, for the limit is one of
      doubles counted in scoring a hand, and these have fixed prices.
    - ``false_win``: the text calls such wins penalisable and names no amount; auto is a limit hand, self-drawn.
    """

    base: Decimal = decimal_option("0.5", "what a loser pays for 0 tai on another's discard; 0.5 is called 0.5/1")
    limit: int | None = whole(5, "more tai count as this many; none: no limit", low=1, high=100, words=(None,))
    over_bonus: Decimal = decimal_option("0", "each double over the limit adds this to what each payer pays", zero=True)
    rounding: str = choice("none", ("up",), "up: 0.5 or less is 0.5, more goes up to the next whole number")
    discarder: str = choice(
        "second_figure",
        ("twice",),
        "what the discarder pays where rounding or over_bonus leaves the second figure less than twice the first: the "
        "second figure, as printed for a self-draw, or twice the first",
    )
    shooter: bool = switch(False, "the discarder alone pays what all three would")
    rob_kong_bao: bool = switch(True, "who is robbed of a kong or the eighth flower pays for all; off: as a discarder")
    min: int = whole(1, "tai a win needs", low=0, high=100)
    dealer_doubling: bool = switch(False, "east pays and is paid double")
    values: Mapping[str, int] = element_values(DOUBLES, MAX_DOUBLES, "tai", {"all_green": 4, "animal": 2})
    concealed_by_discard: bool = switch(False, "Concealed Hand counts on another's tile, too")
    concealed_pungs_by_discard: bool = switch(
        False, "Four Concealed Pungs counts where another's tile completed the pair, too"
    )
    seven_pairs: bool = switch(False, "seven pairs win; four equal tiles may be two pairs")
    instant: bool = switch(False, "the instant payments that the hand shows are added to its payments")
    instant_limit: bool = switch(
        False, "limit and over_bonus hold for instant payments, too; off: these have fixed prices"
    )
    false_win: int | str | None = whole(
        "auto",
        "tai that who wins falsely pays each other player at the self-draw rate; "
        "auto: those of the limit, or 5 without one; none: no fixed penalty",
        low=1,
        high=100,
        words=("auto", None),
    )


_BLOG: Final = "mahjongsingapore, Rules of Singapore Style Mahjong: Scoring (2011)"

PRESETS: Final = (
    Preset(
        "sg-usual",
        "0.5/1, five tai",
        "五台",
        f"{_BLOG}: the commonest base and limit, and those for tournaments",
        {"base": "0.5", "limit": 5, "rounding": "none", "shooter": False},
    ),
    Preset(
        "sg-shooter",
        "Shooter pays",
        "放铳全包",
        f"{_BLOG}: the discarder pays for all; five tai",
        {"base": "0.5", "limit": 5, "shooter": True},
    ),
    Preset(
        "sg-six",
        "0.5/1, six tai",
        "六台",
        f"{_BLOG}: the other usual limit",
        {"base": "0.5", "limit": 6},
    ),
    Preset(
        "sg-0.3",
        "0.3/0.6, rounded up",
        "三角六角",
        f"{_BLOG}: its second base, with every figure rounded up",
        {"base": "0.3", "limit": 5, "rounding": "up"},
    ),
    Preset(
        "sg-bonus",
        "Five tai and 10 for each more",
        "五台加台",
        f"{_BLOG}: each double over the limit adds 10 points",
        {"base": "0.5", "limit": 5, "over_bonus": "10"},
    ),
    Preset(
        "sg-unlimited",
        "Unlimited",
        "不封顶",
        f"{_BLOG}: its table without a limit",
        {"base": "0.5", "limit": None},
    ),
)
"""In the order they are listed to people. The text knows no limit of ten tai, so there is no preset of it."""
