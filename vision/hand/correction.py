"""A person's corrections of a reading: which there are, how they are applied, and which settle a doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from scoring.errors import Fault, InvalidRequest
from scoring.hand import Meld, MeldType
from scoring.tiles import BACK_KIND, NORTH, PLAIN, Tile, parse_tiles, tile
from vision.errors import NoHandError
from vision.hand.doubts import two_hands, winning_tile
from vision.hand.read import read_hand
from vision.layout.shapes import HandRules, Rules, shapes_of
from vision.reading import Doubt, Reading, Relation, Repair, Role, SeenHand

TOLD: Final = "as you said"
"""Why a tile that a person named is taken for another than was read."""


@dataclass(frozen=True, slots=True)
class SetTile:
    """A tile of the photo is this one; ``number``: its index in the reading's tiles."""

    number: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class DropTile:
    """A tile of the photo is not part of the hand; ``number``: its index in the reading's tiles."""

    number: int


@dataclass(frozen=True, slots=True)
class SetKita:
    """A tile of the photo is a north set aside, or one of the hand; ``number``: its index in the reading's tiles."""

    number: int
    aside: bool = True


@dataclass(frozen=True, slots=True)
class TakeOtherHand:
    """Of two hands that lie open, the one that was not read is meant."""


@dataclass(frozen=True, slots=True)
class SetIndicator:
    """Hangzhou's fortune indicator; the white dragon stands for a fortune that is always the same."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class AddTile:
    """The hand also has this concealed tile, which the photo does not show."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class SetConcealed:
    """The concealed tiles beside the winning one, in place of all that were read."""

    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class SetWinningTile:
    """The tile that completed the hand: the missing one, another one of the hand, or what the last one really is."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class SetMeld:
    """A set was declared: one that was read with the same tiles, or one of the tiles read as concealed."""

    meld: Meld


@dataclass(frozen=True, slots=True)
class DropMelds:
    """Nothing was declared: what looks like melds is concealed."""


@dataclass(frozen=True, slots=True)
class SetBonus:
    """The flowers, seasons, animals and norths set aside, in place of those that were read."""

    tiles: tuple[Tile, ...]


PhotoCorrection: TypeAlias = SetTile | DropTile | SetKita | TakeOtherHand | SetIndicator
"""About what lies in the photo: the hand is decoded again."""
HandCorrection: TypeAlias = AddTile | SetConcealed | SetWinningTile | SetMeld | DropMelds | SetBonus
"""About the hand that was read."""
Correction: TypeAlias = PhotoCorrection | HandCorrection

_FACE: Final = (SetTile, DropTile, SetConcealed)
_BY_NUMBER: Final = (SetTile, DropTile, SetKita)
SETTLED_BY: Final[Mapping[str, tuple[type[Correction], ...]]] = {
    **dict.fromkeys(("low_confidence", "close_second", "near_win", "no_win", "five_of_a_kind"), _FACE),
    **dict.fromkeys(("face_down_tile", "strange_tile", "not_in_play", "unknown_face"), _FACE),
    "bonus_not_in_play": (SetTile, SetBonus, DropTile, SetKita),
    "left_out": (SetConcealed, SetTile, DropTile, SetKita),
    **dict.fromkeys(("no_hand", "set_aside"), (SetConcealed,)),
    "one_tile_short": (SetWinningTile, AddTile, SetConcealed),
    "too_few_tiles": (SetConcealed, AddTile, SetMeld),
    "too_many_tiles": (DropTile, SetMeld, SetConcealed),
    "winning_tile_unknown": (SetWinningTile,),
    "two_hands": (TakeOtherHand, SetConcealed),
    "hidden_kong": (SetMeld, DropMelds),
    "unreadable_meld": (SetMeld, DropMelds),
    "melds_unclear": (SetMeld, DropMelds),
    "kong_kind_unknown": (SetMeld,),
    "hidden_red_five": (SetMeld,),
    "indicator_unknown": (SetIndicator,),
}
"""Doubt -> the corrections that settle it, the usual one first."""
ABOUT_COUNT: Final = frozenset({"one_tile_short", "too_few_tiles", "too_many_tiles"})
"""Doubts about the number of tiles; settled once there are as many as a winning hand has."""
_ABOUT_ONE_MELD: Final = frozenset({"kong_kind_unknown", "hidden_red_five"})
_ONCE: Final[Mapping[type[Correction], str]] = {
    SetConcealed: "concealed tiles",
    SetWinningTile: "winning tile",
    SetBonus: "bonus tiles",
    SetIndicator: "indicator",
}


def apply_corrections(reading: Reading, corrections: Iterable[Correction], *, rules: Rules) -> Reading:
    """Return the reading with the corrections applied, without the doubts that they settle.

    Their order does not matter, but those of tiles are given together: the hand is decoded again from ``tiles``, which
    stay as the networks read them.

    Args:
        reading: of a photo. corrections: none leave the reading as it is.
        rules: as for the reading.

    Raises:
        InvalidRequest: corrections that contradict one another, or that do not fit the photo; unknown rules.
        NoHandError: a correction of the hand, where no hand can be made out.
    """
    given = tuple(corrections)
    if not given:
        return reading
    _check(reading, given, rules)
    tiles = _tiles_by_number(reading, given)
    indicator = next((c.tile for c in given if isinstance(c, SetIndicator)), None)
    if any(isinstance(c, SetKita) for c in given):
        reading = _set_aside(reading, tiles, given, shapes_of(rules))
    elif tiles or indicator is not None:
        reading = decode_again(reading, tiles, rules=rules, indicator=indicator)
    about_hand = [c for c in given if not isinstance(c, PhotoCorrection)]
    if about_hand:
        reading = _correct_hand(reading, about_hand, shapes_of(rules).sets)
    return replace(reading, doubts=tuple(d for d in reading.doubts if not _is_settled(d, reading, given)))


def answers(doubt: Doubt, reading: Reading) -> tuple[Correction, ...]:
    """Return the corrections that a doubt offers as answers, the likeliest first.

    None where the choice is not among a few: any tile, several tiles, other melds.

    Args:
        doubt: one of the ``reading``.
    """
    number, offered = doubt.tile, doubt.answers
    if doubt.code == "two_hands":
        return (TakeOtherHand(),)
    if doubt.code in _ABOUT_ONE_MELD:
        return tuple(SetMeld(meld) for meld in _meld_choices(doubt, reading))
    usual = usual_correction(doubt, reading.hand)
    if usual is SetTile and number is not None:
        return tuple(SetTile(number, tile(code)) for code in offered)
    for kind in (SetWinningTile, AddTile, SetIndicator):
        if usual is kind:
            return tuple(kind(tile(code)) for code in offered)
    return ()


def usual_correction(doubt: Doubt, hand: SeenHand | None) -> type[Correction]:
    """Return the correction that usually settles a doubt about a hand."""
    if doubt.code == "one_tile_short" and hand is not None and hand.winning_tile is not None:
        return AddTile
    return SETTLED_BY[doubt.code][0]


def no_hand(reading: Reading) -> NoHandError:
    """Return the error for a reading without a hand."""
    questions = " ".join(d.message for d in reading.doubts if d.tile is None)
    if not reading.tiles:
        message = f"No tile in sight: fill the picture with the hand, in focus and in good light. {questions}"
        return NoHandError(message.strip(), code="no_tiles")
    return NoHandError(f"{len(reading.tiles)} tiles are in sight, but they do not make a hand. {questions}".strip())


def decode_again(
    reading: Reading, tiles: Mapping[int, Tile | None], *, rules: Rules, indicator: Tile | None = None
) -> Reading:
    """Lay out and decode the hand anew, under other rules or with tiles that are known.

    Args:
        reading: of a photo; its ``tiles`` stay as the networks read them.
        tiles: index into them -> what that tile is, None where it is not part of the hand.
        rules: to decode under. indicator: Hangzhou's fortune indicator, where it is known.

    Raises:
        scoring.errors.InvalidRequest: unknown rules.
    """
    given = {i: t for i, t in tiles.items() if t is not None}
    count = len(reading.tiles)
    kept = [i for i in range(count) if i in given or i not in tiles]
    sure = {
        i: replace(reading.tiles[i], tile=t, confidence=1.0, posterior={t: 1.0}, located=1.0) for i, t in given.items()
    }
    sightings = [sure.get(i, reading.tiles[i]) for i in kept]
    decoded, _ = read_hand(sightings, reading.width, reading.height, rules, indicator=indicator)
    roles, groups = dict(zip(kept, decoded.roles, strict=True)), dict(zip(kept, decoded.groups, strict=True))
    apart = max(decoded.groups, default=0) + 1
    repairs = {
        kept[r.tile]: replace(r, tile=kept[r.tile], read=reading.tiles[kept[r.tile]].tile) for r in decoded.repairs
    }
    for i, t in given.items():
        if t is not reading.tiles[i].tile:
            repairs.setdefault(i, _repair_as_told(reading, i, t))
    return replace(
        reading,
        roles=tuple(roles.get(i, Role.OTHER) for i in range(count)),
        groups=tuple(groups.get(i, apart) for i in range(count)),
        hand=decoded.hand,
        doubts=tuple(d if d.tile is None else replace(d, tile=kept[d.tile]) for d in decoded.doubts),
        repairs=tuple(repairs[i] for i in sorted(repairs)),
    )


def other_hand(reading: Reading, *, rules: Rules) -> Reading:
    """Return the reading of the other of two hands that lie open; its ``two_hands`` then offers the first one.

    If only one lies open, the reading stays as it is. ``rules``: as for the reading.

    Raises:
        scoring.errors.InvalidRequest: unknown rules.
    """
    asked = next((doubt for doubt in reading.doubts if doubt.code == "two_hands"), None)
    if asked is None:
        return reading
    other = apply_corrections(reading, [TakeOtherHand()], rules=rules)
    one, two = (parse_tiles(text) for text in asked.answers)
    return replace(other, doubts=(*other.doubts, two_hands(two, one)))


def _check(reading: Reading, given: Sequence[Correction], rules: Rules) -> None:
    """Refuse corrections that contradict one another or do not fit the photo, naming them all.

    Raises:
        InvalidRequest: with a fault for each.
    """
    count = len(reading.tiles)
    known = f"the photo's tiles have the numbers 0 to {count - 1}" if count else "the photo shows no tiles"
    faults = []
    said: dict[int, Correction] = {}
    for c in given:
        if isinstance(c, _BY_NUMBER):
            if not 0 <= c.number < count:
                message = f"There is no tile {c.number}: {known}."
                faults.append(Fault("bad_tile", message, "tile"))
            elif said.setdefault(c.number, c) != c:
                message = f"Tile {c.number} is given twice, and not alike: keep one."
                faults.append(Fault("contradiction", message, "tile"))
    for kind, name in _ONCE.items():
        if len({c for c in given if isinstance(c, kind)}) > 1:
            faults.append(Fault("contradiction", f"The {name} can be given once: keep one.", "tile"))
    has = {type(c) for c in given}
    if {AddTile, SetConcealed} <= has:
        message = "All concealed tiles are given: write the added tile among them."
        faults.append(Fault("contradiction", message, "tile"))
    if SetIndicator in has and not shapes_of(rules).wild:
        faults.append(Fault("bad_tile", "These rules have no wild tile indicator: leave it out.", "indicator"))
    if SetKita in has and not shapes_of(rules).kita:
        faults.append(Fault("bad_tile", "By these rules no north is set aside: name the tile.", "tile"))
    if TakeOtherHand in has and Role.OTHER not in reading.roles:
        faults.append(Fault("bad_tile", "No other hand lies open: every tile in the photo is of this one.", "tile"))
    if faults:
        raise InvalidRequest.of(faults)


def _tiles_by_number(reading: Reading, given: Sequence[Correction]) -> dict[int, Tile | None]:
    """Return what tiles of the photo are by number, None where they are not part of the hand."""
    tiles: dict[int, Tile | None] = {}
    if any(isinstance(c, TakeOtherHand) for c in given):
        held = (Role.CONCEALED, Role.MELD, Role.WINNING, Role.BONUS)
        tiles |= dict.fromkeys(i for i, role in enumerate(reading.roles) if role in held)
    for c in given:
        if isinstance(c, SetTile):
            tiles[c.number] = c.tile
        elif isinstance(c, DropTile):
            tiles[c.number] = None
    return tiles


def _set_aside(
    reading: Reading, tiles: Mapping[int, Tile | None], given: Sequence[Correction], shapes: HandRules
) -> Reading:
    """Return the reading decoded again with the norths set aside that were, but for what is said of each tile."""
    said = {c.number: c.aside for c in given if isinstance(c, SetKita)}
    north, bonus = PLAIN[NORTH], [i for i, role in enumerate(reading.roles) if role is Role.BONUS]
    were = {i: True for i in bonus if reading.tile_used(i) is north and i not in tiles}
    aside = [i for i, kita in sorted((were | said).items()) if kita]
    told = {**tiles, **dict.fromkeys(said, north), **dict.fromkeys(aside)}
    decoded = decode_again(reading, told, rules=replace(shapes, kita=False))
    group = max(decoded.groups, default=0) + 1
    told_north = [_repair_as_told(reading, i, north) for i in aside if reading.tiles[i].tile is not north]
    return replace(
        decoded,
        roles=tuple(Role.BONUS if i in aside else role for i, role in enumerate(decoded.roles)),
        groups=tuple(group if i in aside else g for i, g in enumerate(decoded.groups)),
        hand=replace(decoded.hand, bonus=(north,) * len(aside)) if decoded.hand else None,
        repairs=tuple(sorted([*decoded.repairs, *told_north], key=lambda r: r.tile)),
    )


def _repair_as_told(reading: Reading, number: int, t: Tile) -> Repair:
    return Repair(number, reading.tiles[number].tile, t, TOLD)


def _correct_hand(reading: Reading, given: Sequence[Correction], sets: int) -> Reading:
    """Return the reading with its hand corrected; ``sets``: of a whole hand beside its pair."""
    typed = next((c.tiles for c in given if isinstance(c, SetConcealed)), None)
    if reading.hand is None and typed is None:
        raise no_hand(reading)
    hand = reading.hand or SeenHand(sets=sets)
    if any(isinstance(c, DropMelds) for c in given):
        melded = (t for meld in hand.melds for t in meld.tiles)
        hand = replace(hand, concealed=(*hand.concealed, *melded), melds=(), relations=())
    melds = [c.meld for c in given if isinstance(c, SetMeld)]
    if melds:
        # Nothing shows which tile of a row won, so the one that was taken may be of a meld, too.
        assumed = any(d.code == "winning_tile_unknown" for d in reading.doubts)
        hand = _declare(hand, melds, winning_assumed=assumed)
    added = (c.tile for c in given if isinstance(c, AddTile))
    hand = replace(hand, concealed=(*hand.concealed, *added) if typed is None else typed)
    for c in given:
        if isinstance(c, SetWinningTile):
            hand = replace(hand, winning_tile=c.tile) if typed is not None else _win_with(hand, c.tile)
        elif isinstance(c, SetBonus):
            hand = replace(hand, bonus=c.tiles)
    corrected = replace(reading, hand=hand)
    return _ask_which_won(corrected) if typed is None else corrected


def _declare(hand: SeenHand, melds: Sequence[Meld], *, winning_assumed: bool) -> SeenHand:
    """Return the hand with melds: each in place of one seen with the same tiles, else out of the concealed ones."""
    concealed = list(hand.concealed)
    declared = list(zip(hand.melds, hand.relations or (None,) * len(hand.melds), strict=True))
    assumed = hand.winning_tile if winning_assumed else None
    if assumed is not None:
        concealed.append(assumed)
    for meld in melds:
        kinds = _count_kinds(meld.tiles)
        at = next((i for i, (seen, _) in enumerate(declared) if _count_kinds(seen.tiles).keys() == kinds.keys()), None)
        if at is not None:  # whom it was claimed from is still seen in the photo
            relation: Relation | None = None if meld.type is MeldType.KONG_CONCEALED else declared[at][1]
            declared[at] = (meld, relation)
            continue
        there = kinds & _count_kinds(concealed)
        if there == kinds or (meld.type.is_kong and there.total() >= 3):  # one of a kong may lie hidden
            for t in meld.tiles:
                _remove_tile(concealed, t)
        declared.append((meld, None))
    won = concealed.pop() if assumed is not None and concealed else hand.winning_tile
    return replace(
        hand,
        concealed=tuple(concealed),
        melds=tuple(meld for meld, _ in declared),
        relations=tuple(relation for _, relation in declared),
        winning_tile=won,
    )


def _win_with(hand: SeenHand, won: Tile) -> SeenHand:
    """Return the hand won with a tile: the missing one, another one of the hand, or a correction of the one seen."""
    seen, concealed = hand.winning_tile, list(hand.concealed)
    if seen is won:
        return hand
    missing = len(concealed) + (seen is not None) == 3 * (hand.sets - len(hand.melds)) + 1
    if (missing or _remove_tile(concealed, won)) and seen is not None:
        concealed.append(seen)
    return replace(hand, concealed=tuple(concealed), winning_tile=won)


def _ask_which_won(reading: Reading) -> Reading:
    """Return the reading with its question which tile won about the tiles that are not in melds now."""
    hand, asked = reading.hand, next((d for d in reading.doubts if d.code == "winning_tile_unknown"), None)
    if asked is None or hand is None or hand.winning_tile is None:
        return reading
    won = hand.winning_tile
    if set(asked.answers) <= {t.code for t in (*hand.concealed, won)}:
        return reading
    row = [i for i, role in enumerate(reading.roles) if role in (Role.CONCEALED, Role.WINNING)]
    at = next((i for i in row if reading.tile_used(i) is won), None)
    question = winning_tile(at, won, hand.concealed[::-1])
    return replace(reading, doubts=tuple(question if d is asked else d for d in reading.doubts))


def _is_settled(doubt: Doubt, reading: Reading, given: Sequence[Correction]) -> bool:
    """Whether a correction settles a doubt of the corrected reading."""
    if doubt.code in ABOUT_COUNT:
        return reading.hand is not None and reading.hand.complete
    kinds = SETTLED_BY.get(doubt.code, ())
    return any(isinstance(c, kinds) and _is_about(c, doubt, reading) for c in given)


def _is_about(correction: Correction, doubt: Doubt, reading: Reading) -> bool:
    """Whether a correction is about the tile or the meld of a doubt, where the doubt is about one."""
    if isinstance(correction, _BY_NUMBER):
        return correction.number == doubt.tile
    if isinstance(correction, SetMeld) and doubt.code in _ABOUT_ONE_MELD and doubt.tile is not None:
        return _count_kinds(correction.meld.tiles).keys() == _kinds_beside(reading, doubt.tile)
    return True


def _kinds_beside(reading: Reading, number: int) -> set[int]:
    """Return the kinds of the meld that a tile of the photo is in, as far as its tiles lie face up."""
    group = reading.groups[number]
    kinds = {reading.tile_used(i).kind for i, other in enumerate(reading.groups) if other == group}
    return kinds - {BACK_KIND}


def _meld_choices(doubt: Doubt, reading: Reading) -> list[Meld]:
    """Return the melds that may be meant where the kind of a kong or a red five in it is in doubt."""
    kinds = set() if doubt.tile is None else _kinds_beside(reading, doubt.tile)
    melds = reading.hand.melds if reading.hand else ()
    kong = next((m for m in melds if m.type.is_kong and _count_kinds(m.tiles).keys() == kinds), None)
    if kong is None:
        return []
    if doubt.code == "kong_kind_unknown":
        return [replace(kong, type=MeldType(kind)) for kind in doubt.answers]
    red, plain = (tile(code) for code in doubt.answers)
    at = kong.tiles.index(plain)
    return [replace(kong, tiles=(*kong.tiles[:at], red, *kong.tiles[at + 1 :])), kong]


def _count_kinds(tiles: Iterable[Tile]) -> Counter[int]:
    return Counter(t.kind for t in tiles)


def _remove_tile(tiles: list[Tile], wanted: Tile) -> bool:
    """Remove a tile from a list: this one, or else one of its kind (a five for a red five)."""
    for i in sorted(range(len(tiles)), key=lambda i: tiles[i] is not wanted):
        if tiles[i].kind == wanted.kind:
            del tiles[i]
            return True
    return False
