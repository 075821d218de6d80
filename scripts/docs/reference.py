"""The parts of a rules page that settle arguments: what contains what, the order of counting, presets, payments."""

from __future__ import annotations

from typing import Any, Final

from hupai.printed.amounts import NO_WIN, Amounts, amounts_of, instant_of, streaks_of
from scoring.options import worded
from scoring.payments import Payments, plain
from scoring.request import parse_request
from scoring.rulebook.presets import Preset
from scoring.rules.zungjung.table import PATTERNS
from scoring.seats import Seat
from scoring.system import RuleSystem
from scripts.docs import table

_HOW: Final = {
    "player_discard": "player wins on a player's tile",
    "player_dealers": "player wins on the dealer's tile",
    "dealer_discard": "dealer wins on a tile",
    "player_draws": "player draws it",
    "dealer_draws": "dealer draws it",
    "discard": "on another's tile",
    "draws": "self-drawn",
}
_ROLE: Final = {"giver": "who gave it", "dealer": "dealer", "other": "the other", "others": "others", "each": "each"}
_LIABLE: Final = ("liable", "fed", "responsible")
"""Circumstances by which a player pays for others."""
_SEATS: Final = {"E": "east", "S": "south", "W": "west", "N": "north", "pot": "pot"}

ORDER: Final = {
    "hongkong": (
        "Every way to read the tiles is counted, and the best one after the limit is taken.",
        "An element that another one contains is left out.",
        "Faan are added, and cut to the limit (`max_faan`), except with the unlimited table.",
        "Too few faan (`min_faan`) are no win.",
        "The table turns faan into the base; then come the doublings for self-draw, his tile and east, and penalties.",
    ),
    "zungjung": (
        "Every way to read the tiles is counted, and the best one after the limit is taken.",
        "Of each series (the first two numbers of a pattern) the best counts, Value Honour for every set.",
        "A pattern listed at 320 points or more counts alone; otherwise points are added and cut to `limit`.",
        "Fewer points than `minimum` are no win.",
        "Everybody pays the value; above the standard score the responsible player pays the rest of three times it.",
    ),
    "hangzhou": (
        "Every way to read the tiles, fortunes for any tile, is counted, and the largest product is taken.",
        "Everything that doubles multiplies; there is no limit.",
        "Between the banker and another player the factor doubles for every hand of his streak, three times at most.",
        "Who fed three sets pays for the others; nobody pays more than the chips he has left.",
    ),
    "singapore": (
        "Every way to read the tiles is counted, and the one with most doubles is taken.",
        "An element that another one contains is left out; doubles are added.",
        "Fewer than `min` are no win. More than `limit` count as the limit, unless `over_bonus` pays for them.",
        "Base times two to the doubles is the first figure, twice that the second; each is rounded if that is played.",
        "The discarder, or everybody on a self-draw, pays the second figure; who is liable pays for all.",
    ),
    "riichi": (
        "Every way to read the tiles is counted, and the one with the largest base is taken.",
        "Yakuman count alone: no yaku, fu or dora beside them.",
        "Otherwise yaku are added; without one the hand does not win. Dora come after that.",
        "Fu are added and rounded up to tens; seven pairs are 25.",
        "Base: fu times two to 2 + han, or the limit the han reach.",
        "Each payment is a multiple of the base rounded up to hundreds; then counters, wareme, riichi sticks.",
    ),
    "mcr": (
        "Every way to read the tiles is counted by itself (non-separation), and the one with most points is taken "
        "(freedom of choice); flower tiles wait.",
        "What a fan contains is not counted beside it (non-repeat). Straights and equal chows, winds and dragons "
        "contain lesser fan of their own sets only: a pung of nines beside a dragon pung counts.",
        "No set makes the same fan twice (non-identical); sets that were combined are combined again only with one "
        "that was not (account once): four chows make three fan of two chows at most, a fan of three chows and one of "
        "two, or one of four.",
        "Points are added. Where nothing counts at all, Chicken Hand does.",
        "Fewer points than `min_points` are no win; then every flower tile adds a point. There is no limit.",
        "Everybody pays `base`; who gave the tile, or everybody on a self-draw, pays the points as well.",
    ),
    "taiwanese": (
        "Every way to read the tiles as five sets and a pair, or as seven pairs and a pung, is counted, and the one "
        "with most tai is taken.",
        "An element that another one contains is left out; tai are added.",
        "A winning dealer adds 1, and 2 for each hand that he has stayed (連莊拉莊).",
        "Fewer tai than `min_tai`, the dealer's left out, are no win; more than `max_tai` are cut to it.",
        "Who gave the tile, or everybody on a self-draw, pays `base` and `unit` for each tai.",
        "A losing dealer adds 1 to what he pays, and 2 for each hand that he has stayed.",
    ),
}
SOURCES: Final = {
    "hongkong": ("Wikipedia, Hong Kong mahjong scoring rules",),
    "zungjung": (
        "Mahjong Australia, Traditional Mahjong Scoring Pattern",
        "Alan Kwan, Zung Jung Mahjong Scoring System",
    ),
    "hangzhou": ("kzpn200, the rules of Hangzhou mahjong (2018)",),
    "singapore": (
        "mahjongsingapore, Rules of Singapore Style Mahjong: Scoring (2011)",
        "Wikipedia, Singaporean mahjong scoring rules",
    ),
    "riichi": ("Wikipedia, Japanese mahjong scoring rules",),
    "mcr": (
        "State Sport Commission of China (1998) and World Mahjong Organization (2006), Mahjong Competition Rules, as "
        "they are commonly known; the texts do not lie with the project",
        "PyMahjongGB 1.4 (Peking University), which counts 50,000 random hands in the same way but for differences "
        "that tests/scoring/mcr/test_mcr_oracle.py names",
        "Tom Sloper, Sloper on Mah-Jongg, column 657 (sloperama.com, 2016): what it costs to lay a hand open too early",
        "MCR Penalties, an outline of the fouls, with what the European Mahjong Association has of its own (xmind.net, "
        "noluck)",
    ),
    "taiwanese": (
        "atawmj.org.tw, 台數計算, as revised on 26 December 2009: its rows of one, two and four tai",
        "chh.cx, 2023 台灣最新麻將 16 張台數表",
        "nh48jid.com, 台灣十六張麻將：台數表一覽",
        "the tables of tai as they are commonly known, for Seven Rob One, Heavenly Ready and Seven Pairs and a Pung; "
        "no text lies with the project",
    ),
}
"""The sources of elements and payments; each preset also names its own."""
PAYS: Final = {
    "hongkong": "A loser pays the base; it is doubled for him who gave the tile, for everybody on a self-draw, and "
    "between east and another player.",
    "zungjung": "The winner always gets three times his points.",
    "riichi": "A counter adds 300 to what the winner gets, 100 from each on a self-draw.",
    "mcr": "Points with flower tiles; whoever deals pays as the others do.",
    "taiwanese": "Stakes of 30 and 10; others change `base` and `unit`. A winning dealer's own tai are counted in.",
}
"""What the tables of payments do not say."""
FOULS: Final = {
    "mcr": (
        "A false win is a hand that is none, and one with fewer points than `min_points`. The house rule `false_win` "
        "is what it pays each of the others.",
        "Who lays his hand open because another declared a win, before that win was verified, pays each of the others "
        "10, too: in a game, enter it as his false win.",
        "Who begins to count before he took the winning tile loses 10 points where the European Mahjong Association's "
        "regulations hold; elsewhere his hand may be dead. The source names nobody who gets them: enter a penalty of "
        "the tournament.",
        "The rules have a chapter of fouls, which does not lie with the project: what a referee decides beyond these "
        "is entered as a payment, or as a penalty of the tournament.",
    ),
}
"""Penalties for a false win and others, where a source names them."""


def reference(system: RuleSystem[Any], worked: list[dict[str, Any]]) -> list[str]:
    """The sections, in Markdown; fewer for a system that declares less."""
    parts = []
    if system.absorbs:
        names = {e.id: f"{e.name} {e.native}" for e in system.elements}
        inner = [(names[by], ", ".join(names[id_] for id_ in inner)) for by, inner in system.absorbs.items()]
        parts += [
            "## What contains what",
            "What stands on the right is not counted beside what stands on the left.",
            table(("counted", "contains"), inner),
        ]
    if system.id == "zungjung":
        series: dict[str, list[str]] = {}
        for pattern in PATTERNS:
            series.setdefault(pattern.series, []).append(f"{pattern.name} {pattern.native} {pattern.listed}")
        several = [(n, ", ".join(names)) for n, names in series.items() if len(names) > 1]
        parts += ["## Series", "Of each line only the best counts, 3.1 once for every set."]
        parts.append(table(("series", "patterns"), several))
    if system.id in ORDER:
        lines = (f"{n}. {line}" for n, line in enumerate(ORDER[system.id], 1))
        parts += ["## Order of counting, limits", "\n".join(lines)]
    if system.presets:
        parts += [
            "## Presets",
            "`--preset NAME`, or `preset` in a request. What a source leaves open keeps its default.",
            table(("preset", "name", "house rules", "game", "left open", "source"), map(_preset, system.presets)),
        ]
    parts += ["## What it pays", *([PAYS[system.id]] if system.id in PAYS else ()), *_houses(system), *_instant(system)]
    parts += [*_payments(worked), *_penalties(system)]
    if system.id in SOURCES:
        parts += ["## Sources", "\n".join(f"- {text}" for text in SOURCES[system.id])]
    return parts


def _preset(preset: Preset) -> tuple[str, ...]:
    game = [f"{preset.points} points each"] if preset.points else []
    game += [f"`{name}` {in_words(value)}" for name, value in preset.course.items()]
    return (
        *(f"`{preset.id}`", f"{preset.name} {preset.native}"),
        ", ".join(f"`{name}={in_words(value)}`" for name, value in preset.options.items()) or "as usual",
        *(", ".join(game), ", ".join(f"`{name}`" for name in preset.unsettled), preset.source),
    )


def in_words(value: object) -> str:
    """A value of an option or of a request's context as people write it."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {in_words(part)}" for name, part in value.items())
    return " ".join(map(in_words, value)) if isinstance(value, list) else worded(value)


def _houses(system: RuleSystem[Any]) -> list[str]:
    """Who pays whom how much, a table for every house; one for those that pay alike."""
    alike: dict[str, list[str]] = {}
    streaks = streaks_of(system)
    for name, options in (("the usual rules", {}), *((f"`{p.id}`", dict(p.options)) for p in system.presets)):
        tables = []
        for streak in streaks:
            tables += [f"The dealer's hand {streak} in a row:"] if len(streaks) > 1 else []
            tables.append(_amounts(amounts_of(system, options, streak), system))
        alike.setdefault("\n\n".join(tables), []).append(name)
    return [part for paid, names in alike.items() for part in (f"### Who pays whom: {', '.join(names)}", paid)]


def _instant(system: RuleSystem[Any]) -> list[str]:
    """What each other player pays at once, under the usual rules and every preset's."""
    paid = {"usual": [*instant_of(system, {})]}
    if not paid["usual"]:
        return []
    paid |= {f"`{p.id}`": [*instant_of(system, dict(p.options))] for p in system.presets}
    rows = [
        (f"`{same[0].event}`", *(i.amount if i.dealt is None else f"{i.amount} ({i.dealt})" for i in same))
        for same in zip(*paid.values(), strict=True)
    ]
    text = "Each other player pays this to who has it, whoever wins; in brackets, where he was dealt it."
    return ["### Instant payments", table(("event", *paid), rows), text]


def _amounts(amounts: Amounts, system: RuleSystem[Any]) -> str:
    heads = ["han / fu" if system.unit == "han" else system.unit]
    for column in amounts.columns:
        heads.append(f"{_HOW[column.how]}: {' / '.join(_ROLE[role] for role, _ in column.roles)}")
    rows = []
    for label, figures in amounts.rows:
        none = "-" if any(figure != NO_WIN for paid in figures for figure in paid) else "no win"
        rows.append((label, *(none if NO_WIN in paid else " / ".join(paid) for paid in figures)))
    return table(heads, rows)


def _payments(worked: list[dict[str, Any]]) -> list[str]:
    """A worked win on a discard, or self-drawn, and one with a liable player, drawn."""
    legal = [w for w in worked if w["expected"]["legal"]]
    liable = next((w for w in legal if any(w["request"]["context"].get(name) for name in _LIABLE)), None)
    plain_ = next((w for w in legal if w is not liable), None)
    shown = {"## Payments, drawn": plain_, "### With a liable player": liable}
    return [part for title, case in shown.items() if case is not None for part in (title, _drawn(case))]


def _drawn(case: dict[str, Any]) -> str:
    score = parse_request(case["request"]).score()
    context = score.context
    how = "drew the tile" if context.self_drawn else f"won on {_SEATS[str(context.source)]}'s tile"
    said = f"{case['id']}: {_SEATS[context.seat.value]} {how}."
    if context.liable is not None:
        who, why = _SEATS[context.liable.seat.value].capitalize(), score.system.liable_kinds[context.liable.kind]
        said += f" {who} is liable: {why}."
    for pair, sets in case["request"]["context"].get("fed", {}).items():
        giver, taker = (_SEATS[code] for code in pair.split(">"))
        said += f" {giver.capitalize()} had fed {taker} {sets} open sets, so he pays for all."
    responsible = case["request"]["context"].get("responsible")
    if responsible in _SEATS:
        said += f" {_SEATS[responsible].capitalize()} is responsible: {case['note']}."
    transfers = (score.payments or Payments()).transfers
    arrows = [f'    {t.payer} -- "{plain(t.amount)}" --> {t.payee}' for t in transfers]
    moved = {str(who) for t in transfers for who in (t.payer, t.payee)}
    names = [f"    {code}([{name}])" for code, name in _SEATS.items() if code in moved]
    return "\n".join([said, "", "```mermaid", "flowchart LR", *names, *arrows, "```"])


def _penalties(system: RuleSystem[Any]) -> list[str]:
    parts = []
    if system.liable_kinds:
        rows = [(f"`{kind}`", words) for kind, words in system.liable_kinds.items()]
        parts += ["### Who may be liable", table(("`liable.kind`", "what it is"), rows)]
    said = "The sources name no amount: agree on one before you play."
    if system.custom.false_win is not None:
        paid = [(seat, system.custom.false_win(seat, system.option_class()).to_json()) for seat in (Seat.S, Seat.E)]
        said = table(
            ("who", *(_SEATS[code] for code in "ESWN")),
            [(_SEATS[seat.value], *(net[code] for code in "ESWN")) for seat, net in paid],
        )
    elif system.custom.claimed_back is not None:
        said = "Who wins falsely pays each player what that player would have paid him."
    parts += ["## Penalty for a false win", said]
    if system.id in FOULS:
        parts += ["### Other fouls", "\n".join(f"- {text}" for text in FOULS[system.id])]
    return parts
