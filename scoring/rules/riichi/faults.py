"""What makes no sense in a riichi request; everything is found at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from scoring.basics.counts import kind_bits
from scoring.context import DISCARD, ROBBED_KONG, Context
from scoring.errors import Fault, choice_message
from scoring.hand import CHOW, KONG_CONCEALED, KONG_OPEN, Hand, Meld
from scoring.reasons.checks import (
    claimed_meld_faults,
    heavenly_faults,
    liable_fault,
    robbed_kong_faults,
    winning_tile_faults,
)
from scoring.rules.riichi.context import RiichiContext
from scoring.rules.riichi.elements import PAO_SETS
from scoring.rules.riichi.hand.kinds import LEFT_OUT, ORPHANS, counts_with_kita
from scoring.rules.riichi.hand.whole import RiichiCase
from scoring.seats import DEALER, EMPTY_SEAT, Seat
from scoring.system import WHITES, RuleSystem, tile_faults
from scoring.tiles import KINDS, Tile, format_tiles, kind_name
from scoring.words.sentence import say, say_many

MAX_INDICATORS: Final = 5
"""At most five dora indicators are turned: one, and one more for each of four kans."""
_FIVES: Final = (4, 13, 22)


def riichi_faults(system: RuleSystem[Any], case: RiichiCase) -> list[Fault]:
    """Contradictions between the hand, its circumstances and the house rules; most requests need few looks."""
    c, hand = case.context, case.hand
    if c.__class__ is not RiichiContext:
        c = c.convert_to(RiichiContext)
    faults: list[Fault] = []
    melds, robbed = hand.melds, c.win is ROBBED_KONG
    if hand.winning_tile is None:
        faults += winning_tile_faults(case)
    if hand.bonus or (melds and hand.kinds & WHITES):
        faults += tile_faults(system, case)
    if case.options.players == 3:
        faults += _three_players_faults(case)
    dealt = c.heavenly or c.earthly or c.humanly
    if c.riichi or c.double_riichi:
        if dealt or c.ippatsu or not hand.is_concealed:
            faults += _riichi_faults(case)
    elif c.ippatsu or c.ura_indicators:
        faults += _no_riichi_faults(c)
    if dealt:
        faults += heavenly_faults(case)
        faults += _dealt_faults(c, hand)
    if robbed:
        faults += robbed_kong_faults(case)
    if c.robbed_concealed:
        faults += _robbed_concealed_faults(case)
    if c.replacement or (melds and _can_be_wrong(melds)):
        faults += _meld_faults(case)
    counts, reds, indicators = counts_with_kita(hand), hand.reds, c.dora_indicators + c.ura_indicators
    suspicious = robbed or len(indicators) > MAX_INDICATORS or len(c.ura_indicators) > len(c.dora_indicators)
    most = 4 - len(indicators)
    for t in indicators:
        reds += t.red
        if t.kind >= KINDS or counts[t.kind] > most:
            suspicious = True
    if suspicious and indicators:
        faults += _indicator_faults(case, indicators)
    if reds and (reds > 1 or not case.options.aka):
        faults += _red_five_faults(case, indicators)
    if c.liable is not None:
        faults += liable_faults(case)
    return faults


def _three_players_faults(case: RiichiCase) -> list[Fault]:
    """Tiles that three players leave out, chows, somebody in the empty seat, a kita before the first turn."""
    c, hand, faults = case.context.convert_to(RiichiContext), case.hand, seat_faults(case)
    groups = {
        "concealed": hand.concealed,
        "winning_tile": (hand.winning_tile,) if hand.winning_tile else (),
        "melds": [t for m in hand.melds for t in m.tiles],
        "context.dora_indicators": c.dora_indicators,
        "context.ura_indicators": c.ura_indicators,
    }
    for name, tiles in groups.items():
        wrong = [t for t in tiles if LEFT_OUT & kind_bits(t.kind)]
        if wrong:
            message = say("{t}: three players play without 2m to 8m.", t=format_tiles(wrong))
            faults.append(Fault("wrong_tile", message, name))
    faults += [
        _fault(say("{t}: three players call no chows.", t=format_tiles(m.tiles)), f"melds[{i}]")
        for i, m in enumerate(hand.melds)
        if m.type is CHOW
    ]
    if hand.bonus and (c.heavenly or c.earthly or c.humanly):
        faults.append(_fault("A north set aside ends the first turn: such a win has none.", "bonus"))
    return faults


def seat_faults(case: RiichiCase) -> list[Fault]:
    """With three players nobody sits north, and there is no north round."""
    if case.options.players == 4:
        return []
    c = case.context.convert_to(RiichiContext)
    named = {
        "context.seat": c.seat,
        "context.from": c.source,
        "context.round": c.round,
        "context.wareme": c.wareme,
        "context.liable": c.liable and c.liable.seat,
        **{f"melds[{i}].from": m.source for i, m in enumerate(case.hand.melds)},
    }
    message = say(EMPTY_SEAT, s=Seat.N)
    return [_fault(message, name) for name, seat in named.items() if seat is Seat.N]


def liable_faults(case: RiichiCase) -> list[Fault]:
    """A yakuman that nobody is liable for, or whose sets were not fed by whoever is named."""
    liable = case.context.liable
    return [] if liable is None else list(_pao_faults(case, liable.kind, liable.seat))


def _can_be_wrong(melds: tuple[Meld, ...]) -> bool:
    """Whether a meld says where it is from, or what red fives it has: of the others nothing can be wrong."""
    for m in melds:  # noqa: SIM110 - faster than any()
        if m.source is not None or len(m.tiles) > 3:
            return True
    return False


def _fault(message: str, name: str) -> Fault:
    return Fault("contradiction", message, name)


def _riichi_faults(case: RiichiCase) -> list[Fault]:
    c, faults = case.context.convert_to(RiichiContext), []
    name = "double_riichi" if c.double_riichi else "riichi"
    if not case.is_concealed:
        message = say("{name} needs a concealed hand: only concealed kans may be melded.", name=name)
        faults.append(_fault(message, f"context.{name}"))
    if c.heavenly or c.earthly or c.humanly:
        faults.append(_fault(say("A win before the first discard has no {name}.", name=name), f"context.{name}"))
    if c.ippatsu and c.replacement:
        message = "A kan of one's own ends ippatsu: a replacement tile is never ippatsu."
        faults.append(_fault(message, "context.ippatsu"))
    if c.ippatsu and c.double_riichi and c.last_tile:
        message = "Ippatsu after double riichi comes in the first turns, not with the last tile."
        faults.append(_fault(message, "context.last_tile"))
    return faults


def _no_riichi_faults(c: RiichiContext) -> Iterator[Fault]:
    if c.ippatsu:
        yield _fault("ippatsu needs riichi or double_riichi.", "context.ippatsu")
    if c.ura_indicators:
        yield _fault("Ura dora count after riichi only: leave ura_indicators out.", "context.ura_indicators")


def _robbed_concealed_faults(case: RiichiCase) -> list[Fault]:
    """A concealed kan is robbed by thirteen orphans alone, and only where the house allows it."""
    if case.context.win is not ROBBED_KONG:
        message = "Only a robbed kan can have been concealed: win must be robbed_kong."
    elif not case.options.rob_concealed_kan:
        message = "A concealed kan cannot be robbed here (option rob_concealed_kan)."
    elif case.hand.kinds != ORPHANS:
        message = "Only thirteen orphans rob a concealed kan."
    else:
        return []
    return [_fault(message, "context.robbed_concealed")]


def _dealt_faults(c: Context, hand: Hand) -> Iterator[Fault]:
    """Blessings of heaven, earth and man; the first is checked for all systems alike."""
    if c.earthly:
        if c.seat is DEALER:
            yield _fault("The dealer cannot have chiihou (earthly): seat cannot be E.", "context.earthly")
        if not c.self_drawn:
            yield _fault("chiihou (earthly) is self-drawn: win must be self_draw.", "context.earthly")
    if c.humanly:
        if c.seat is DEALER:
            yield _fault("The dealer cannot have renhou (humanly): seat cannot be E.", "context.humanly")
        if c.win is not DISCARD:
            yield _fault("renhou (humanly) is won on a discard: win must be discard.", "context.humanly")
    if hand.melds and not c.heavenly:
        yield _fault("A win before the winner's first discard has no melds.", "melds")


def _meld_faults(case: RiichiCase) -> list[Fault]:
    c, faults = case.context, []
    if c.replacement and not any(m.type.is_kong for m in case.hand.melds):
        if not (case.hand.kita and case.hand.bonus):
            faults.append(_fault("A replacement tile needs a kan in the hand.", "context.replacement"))
        elif not case.options.kita_rinshan:
            message = "The replacement of a north set aside is not rinshan by the house rules."
            faults.append(_fault(message, "context.replacement"))
    faults += claimed_meld_faults(case)
    left = c.seat.after(3)
    for meld in case.hand.melds:
        if meld.type is CHOW and case.options.players == 4 and meld.source not in (None, c.seat, left):
            message = say(
                "{t} is claimed from the player before, {s}, not {v}.",
                t=format_tiles(meld.tiles),
                s=left,
                v=meld.source,
            )
            faults.append(_fault(message, "melds"))
        if meld.kind in _FIVES and meld.type.is_kong and case.options.aka >= 3:
            faults += _five_kan_faults(meld, case.options.aka)
    return faults


def _indicator_faults(case: RiichiCase, indicators: tuple[Tile, ...]) -> list[Fault]:
    c, counts = case.context.convert_to(RiichiContext), counts_with_kita(case.hand)
    kinds = [t.kind for t in indicators]
    faults = []
    for name, tiles in (("dora_indicators", c.dora_indicators), ("ura_indicators", c.ura_indicators)):
        most = MAX_INDICATORS - (c.win is ROBBED_KONG)  # who is robbed makes one of the four kans
        if len(tiles) > most:
            message = say("{n} {name}: there are at most {m}.", n=len(tiles), name=name, m=most)
            faults.append(_fault(message, f"context.{name}"))
        for t in dict.fromkeys(tiles):
            if t.kind >= KINDS:
                message = say(
                    "{t} in {name} cannot be an indicator: only suit and honour tiles are in the wall.", t=t, name=name
                )
                faults.append(Fault("wrong_tile", message, f"context.{name}"))
    if len(c.ura_indicators) > len(c.dora_indicators):
        message = "Every ura indicator lies under a dora indicator: there are no more of them."
        faults.append(_fault(message, "context.ura_indicators"))
    for kind in dict.fromkeys(k for k in kinds if k < KINDS):
        total = counts[kind] + kinds.count(kind)
        if total > 4:
            message = say("{n} of {t} in hand and indicators: there are only four.", n=total, t=kind_name(kind))
            faults.append(Fault("five_of_a_kind", message, "context.dora_indicators"))
    won = case.hand.winning_tile
    if c.win is ROBBED_KONG and won is not None and won.kind in kinds:
        message = say("All four {t} are in the robbed kan: none can be an indicator.", t=won)
        faults.append(_fault(message, "context.dora_indicators"))
    return faults


def _red_five_faults(case: RiichiCase, indicators: tuple[Tile, ...]) -> list[Fault]:
    """More red fives than the set has."""
    aka, reds = case.options.aka, [t.code for t in (*case.hand.tiles, *indicators) if t.red]
    if len(reds) > aka:
        one, more = (
            "{n} red five, but the set has {m} (option aka).",
            "{n} red fives, but the set has {m} (option aka).",
        )
        return [_fault(say_many(one, more, len(reds), m=aka), "options.aka")]
    return [
        _fault(
            say("{n} of {t}: a set with {m} red fives has {k}.", n=n, t=code, m=aka, k=red_fives_in_set(code, aka)),
            "options.aka",
        )
        for code, n in Counter(reds).items()
        if n > red_fives_in_set(code, aka)
    ]


def red_fives_in_set(code: str, aka: int) -> int:
    """How many of this red five a set with ``aka`` of them can have."""
    return 2 if aka == 4 and code == "0p" else min(aka, 1)


def _five_kan_faults(meld: Meld, aka: int) -> Iterator[Fault]:
    """A kan of fives without its red one."""
    code = f"0{meld.tiles[0].suit}"
    need, held = red_fives_in_set(code, aka), sum(t.red for t in meld.tiles)
    if held < need:
        one, more = (
            "All four fives include the red one: write {t}, or set aka to 0.",
            "All four fives include the red ones: write {t}, or set aka to 0.",
        )
        yield Fault("contradiction", say_many(one, more, need, t=" ".join([code] * need)), "melds")


def _pao_faults(case: RiichiCase, kind: str, seat: Seat) -> Iterator[Fault]:
    """Whether a player can be liable for this yakuman: its sets lie on the table, the last one fed by him."""
    kinds = (*PAO_SETS, *(("suukantsu",) if case.options.pao_suukantsu else ()))
    if kind not in kinds:
        names = ", ".join(kinds)
        message = (
            say("liable.kind is one of {names}, not 'suukantsu' while the option pao_suukantsu is off.", names=names)
            if kind == "suukantsu"
            else choice_message("liable.kind", kinds, kind)
        )
        yield Fault("bad_value", message, "context.liable")
        return
    if case.is_result_only:
        return
    melds = case.hand.melds
    if kind == "suukantsu":
        sets = [m for m in melds if m.type.is_kong]
        fed = [m for m in sets if m.type is KONG_OPEN]
        if len(sets) < 4 or not fed:
            yield liable_fault(kind, "four kans must be melded, the last an open one.")
            return
    else:
        wanted = PAO_SETS[kind]
        sets = [m for m in melds if m.kind in wanted and m.kind < KINDS]
        fed = [m for m in sets if m.type is not KONG_CONCEALED]
        if len(sets) < len(wanted) or not fed:
            names = " ".join(kind_name(k) for k in wanted)
            yield liable_fault(kind, say("sets of {names} must all be melded, the last one claimed.", names=names))
            return
    if all(m.source not in (None, seat) for m in fed):
        yield liable_fault(kind, say("none of the melds was claimed from {s}.", s=seat))
