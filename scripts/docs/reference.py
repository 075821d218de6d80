"""The parts of a rules page that settle arguments: what contains what, the order of counting, presets, payments."""

from __future__ import annotations

from typing import Any, Final

from scoring.options import format_value
from scoring.payments import Payments, plain_amount
from scoring.request import parse_request
from scoring.rulebook.presets import Preset
from scoring.rules.zungjung.table import PATTERNS
from scoring.seats import Seat
from scoring.system import RuleSystem
from scripts.docs import table
from scripts.docs.amounts import NO_WIN, Amounts, amounts_of, instant_of, streaks_of

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


def reference(system: RuleSystem[Any], worked: list[dict[str, Any]]) -> list[str]:
    """The sections, in Markdown; fewer for a system that declares less. ``worked``: its golden hands."""
    parts = []
    if system.absorbs:
        names = {e.id: f"{e.name} {e.native}" for e in system.elements}
        inner = [(names[by], ", ".join(names[id_] for id_ in inner)) for by, inner in system.absorbs.items()]
        parts += [
            "## What contains what",
            "Elements on the right are not counted together with those on the left.",
            table(("counted", "contains"), inner),
        ]
    if system.id == "zungjung":
        series: dict[str, list[str]] = {}
        for pattern in PATTERNS:
            series.setdefault(pattern.series, []).append(f"{pattern.name} {pattern.native} {pattern.listed}")
        several = [(n, ", ".join(names)) for n, names in series.items() if len(names) > 1]
        parts += ["## Series", "Of each line only the best counts, 3.1 once for every set."]
        parts.append(table(("series", "patterns"), several))
    if system.presets:
        parts += [
            "## Presets",
            "`--preset NAME`, or `preset` in a request. What a source leaves open keeps its default.",
            table(("preset", "name", "house rules", "game", "left open", "source"), map(_preset, system.presets)),
        ]
    parts += ["## What it pays", *_houses(system), *_instant(system)]
    return [*parts, *_payments(worked), *_penalties(system)]


def _preset(preset: Preset) -> tuple[str, ...]:
    game = [f"{preset.points} points each"] if preset.points else []
    game += [f"`{name}` {in_words(value)}" for name, value in preset.course.items()]
    return (
        f"`{preset.id}`",
        f"{preset.name} {preset.native}",
        ", ".join(f"`{name}={in_words(value)}`" for name, value in preset.options.items()) or "as usual",
        ", ".join(game),
        ", ".join(f"`{name}`" for name in preset.unsettled),
        preset.source,
    )


def in_words(value: object) -> str:
    """A value of an option or of a request's context as people write it."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {in_words(part)}" for name, part in value.items())
    return " ".join(map(in_words, value)) if isinstance(value, list) else format_value(value)


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
    text = "Every other player pays this to whoever has it, whoever wins; in brackets if it was dealt."
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
    arrows = [f'    {t.payer} -- "{plain_amount(t.amount)}" --> {t.payee}' for t in transfers]
    moved = {str(who) for t in transfers for who in (t.payer, t.payee)}
    names = [f"    {code}([{name}])" for code, name in _SEATS.items() if code in moved]
    return "\n".join([said, "", "```mermaid", "flowchart LR", *names, *arrows, "```"])


def _penalties(system: RuleSystem[Any]) -> list[str]:
    parts = []
    if system.liable_kinds:
        rows = [(f"`{kind}`", words) for kind, words in system.liable_kinds.items()]
        parts += ["### Who may be liable", table(("`liable.kind`", "what it is"), rows)]
    said = "The sources name no amount: agree on one before you play."
    if system.conventions.false_win is not None:
        paid = [
            (seat, system.conventions.false_win(seat, system.option_class()).to_json()) for seat in (Seat.S, Seat.E)
        ]
        said = table(
            ("who", *(_SEATS[code] for code in "ESWN")),
            [(_SEATS[seat.value], *(net[code] for code in "ESWN")) for seat, net in paid],
        )
    elif system.conventions.claimed_back is not None:
        said = "Who wins falsely pays each player what that player would have paid him."
    return [*parts, "## Penalty for a false win", said]
