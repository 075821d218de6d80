"""What makes no sense in a Hangzhou request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from scoring.errors import Fault, quote_value
from scoring.hand import MeldType
from scoring.reasons.checks import (
    chow_source_faults,
    claimed_meld_faults,
    replacement_faults,
    robbed_kong_faults,
    winning_tile_faults,
)
from scoring.rules.hangzhou.context import PERMANENT, HangzhouContext
from scoring.rules.hangzhou.fortune import Fortune, fortune_of, is_permanent, meld_kinds
from scoring.rules.hangzhou.honours import honours_faults
from scoring.rules.hangzhou.liability import count_fed_by_melds, count_fed_sets
from scoring.rules.hangzhou.options import HangzhouOptions
from scoring.seats import SEATS
from scoring.system import Case, RuleSystem, tile_faults
from scoring.tiles import PLAIN, Tile, format_tiles
from scoring.words.sentence import say, say_many

_HONOURS: Final = 27
LIABLE_KINDS: Final = {"float": "who discarded a tile that kept a float going"}
"""The kinds of ``context.liable``, in words; three fed sets are told by ``fed``."""


def hangzhou_faults(system: RuleSystem[Any], case: Case[HangzhouOptions]) -> list[Fault]:
    """Everything at once: tiles, indicator, fortunes, melds, floats, kong streak, liability."""
    faults = tile_faults(system, case) + claimed_meld_faults(case) + chow_source_faults(case)
    faults += honours_faults(case) if case.context.convert_to(HangzhouContext).honours else winning_tile_faults(case)
    faults += replacement_faults(case, bonus_counts=False)
    unclear = list(_indicator_faults(case))
    faults += unclear
    fortune = None if unclear else case.compute_once(fortune_of)
    won = case.hand.winning_tile
    if fortune is None or won is None or won.kind != fortune.wild:  # a fortune is no kong's: claiming it is refused
        faults += robbed_kong_faults(case)
    if fortune is not None:
        faults += [*_fortune_faults(case, fortune), *_meld_faults(case, fortune)]
    return [*faults, *_streak_faults(case), *fed_faults(case), *liable_faults(case)]


def kong_streak_of(case: Case[HangzhouOptions]) -> int:
    """The kongs of the streak that ended with the winning supplement tile."""
    c = case.context.convert_to(HangzhouContext)
    return c.kong_streak or (2 if c.double_kong else 1 if c.replacement else 0)


def _indicator_faults(case: Case[HangzhouOptions]) -> Iterator[Fault]:
    indicator, field = case.context.convert_to(HangzhouContext).indicator, "context.indicator"
    if indicator is None:
        if not is_permanent(case):
            message = "Which tile is the wild tile indicator? Give it, or permanent where the white dragons are wild."
            yield Fault("indicator_needed", message, field)
    elif isinstance(indicator, Tile):
        if case.options.permanent:
            message = "With permanent wild tiles there is no indicator: leave one of them out."
            yield Fault("contradiction", message, field)
        if not indicator.is_playable or indicator.red:
            yield Fault(
                "wrong_tile", say("{t} cannot be the indicator: it is a plain suit or honour tile.", t=indicator), field
            )
    elif indicator != PERMANENT:
        message = say("The indicator is a tile or permanent, not {value}.", value=quote_value(indicator))
        yield Fault("bad_value", message, field)


def _fortune_faults(case: Case[HangzhouOptions], fortune: Fortune) -> Iterator[Fault]:
    floats, name = case.context.convert_to(HangzhouContext).floats, PLAIN[fortune.wild].code
    if floats >= fortune.supply:
        message = say(
            "At most {n} floats: one wild tile is needed for the Wild Eye, not {m}.", n=fortune.supply - 1, m=floats
        )
        yield Fault("contradiction", message, "context.floats")
    elif case.hand.counts[fortune.wild] + floats > fortune.supply:
        held = case.hand.counts[fortune.wild]
        many = "{n} of {t}: there are only {m} wild tiles."
        if floats:
            many = "{n} of {t} and {k} thrown: there are only {m} wild tiles."
        message = say(many, n=held, t=name, k=floats, m=fortune.supply)
        yield Fault("too_many_fortunes", message, "concealed")


def _meld_faults(case: Case[HangzhouOptions], fortune: Fortune) -> Iterator[Fault]:
    for i, meld in enumerate(case.hand.melds):
        field, text = f"melds[{i}]", format_tiles(meld.tiles)
        if any(t.kind == fortune.wild for t in meld.tiles):
            message = say("{t}: a wild tile ({u}) is never part of a declared set.", t=text, u=PLAIN[fortune.wild])
            yield Fault("fortune_in_meld", message, field)
            continue
        kinds = meld_kinds(fortune, meld)
        low = kinds[0]
        if meld.type is MeldType.CHOW:
            good = kinds == [low, low + 1, low + 2] and low < _HONOURS and low % 9 <= 6
        else:
            good = len(set(kinds)) == 1
        if not good:
            yield Fault(
                "bad_meld",
                say("{t} is not a {kind}: 5z stands for {u}.", t=text, kind=meld.type, u=PLAIN[fortune.face]),
                field,
            )


def _streak_faults(case: Case[HangzhouOptions]) -> Iterator[Fault]:
    c, field = case.context.convert_to(HangzhouContext), "context.kong_streak"
    kongs = sum(m.type.is_kong for m in case.hand.melds)
    if c.kong_streak > kongs:
        one, more = "kong_streak is {m}, but the hand has {n} kong.", "kong_streak is {m}, but the hand has {n} kongs."
        yield Fault("contradiction", say_many(one, more, kongs, m=c.kong_streak), field)
    if c.double_kong and c.kong_streak == 1:
        yield Fault("contradiction", "double_kong is a streak of two kongs, but kong_streak is 1.", field)
    if c.kong_streak and not c.self_drawn:
        yield Fault("contradiction", "A kong streak ends with a supplement tile, so win must be self_draw.", field)


def fed_faults(case: Case[HangzhouOptions]) -> Iterator[Fault]:
    """Nobody has more open sets than four; the winner's are those in the hand, which may say where they came from."""
    c, field = case.context.convert_to(HangzhouContext), "context.fed"
    fed = count_fed_sets(c, case.hand.melds)
    if not fed:
        return
    for (feeder, winner), sets in count_fed_by_melds(c.seat, case.hand.melds).items():
        agreed = c.fed.get((feeder, winner), sets)
        if agreed < sets:
            one, more = (
                "By the melds {f} fed {w} {n} set, by fed only {m}.",
                "By the melds {f} fed {w} {n} sets, by fed only {m}.",
            )
            yield Fault("contradiction", say_many(one, more, sets, f=feeder, w=winner, m=agreed), field)
    for receiver in SEATS:
        total = sum(n for (_, to), n in fed.items() if to is receiver)
        own = sum(m.type is not MeldType.KONG_CONCEALED for m in case.hand.melds)
        most = own if receiver is c.seat and not case.is_result_only else 4
        if total > most:
            one, more = (
                "{s} has at most {n} open set, but was fed {m}.",
                "{s} has at most {n} open sets, but was fed {m}.",
            )
            yield Fault("contradiction", say_many(one, more, most, s=receiver, m=total), field)


def liable_faults(case: Case[HangzhouOptions]) -> Iterator[Fault]:
    """Liability for a float that the circumstances or the house rules contradict."""
    c, field = case.context.convert_to(HangzhouContext), "context.liable"
    if c.liable is None:
        if c.doubles_after:
            message = "doubles_after belongs to liable, kind float: say who discarded the tile."
            yield Fault("contradiction", message, "context.doubles_after")
        return
    if c.liable.kind not in LIABLE_KINDS:
        template, names = "liable.kind is {names}, not {value}; sets go into fed.", ", ".join(LIABLE_KINDS)
        yield Fault("bad_value", say(template, names=names, value=quote_value(c.liable.kind)), field)
    elif not case.options.float_liability:
        yield Fault("contradiction", "Nobody is liable after a float here: set float_liability.", field)
    elif not c.self_drawn or not c.floats:
        yield Fault("contradiction", "Liability after a float needs a float and a self-drawn tile.", field)
    else:
        yield from _doubles_after_faults(case)


def _doubles_after_faults(case: Case[HangzhouOptions]) -> Iterator[Fault]:
    """The first float was made before the discard that kept it going, at least one float or kong came after it."""
    c, field = case.context.convert_to(HangzhouContext), "context.doubles_after"
    most = c.floats - 1 + kong_streak_of(case)
    if most < 1:
        message = (
            "The discard kept a float going, so another float or a kong came after it: give floats or kong_streak."
        )
        yield Fault("contradiction", message, "context.liable")
    elif c.doubles_after > most:
        one, more = (
            "At most {n} float or kong came after the discard, not {m}.",
            "At most {n} floats and kongs came after the discard, not {m}.",
        )
        yield Fault("contradiction", say_many(one, more, most, m=c.doubles_after), field)
    elif most > 1 and not c.doubles_after:
        message = say("How many of the {n} floats and kongs came after the discard? Give doubles_after.", n=most)
        yield Fault("doubles_needed", message, field)
