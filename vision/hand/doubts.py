"""What to ask the user: every doubt about a hand as a stable code and one sentence.

The codes are documented in docs/errors.md; programs may rely on them, sentences may change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

from scoring.tiles import BACK_KIND, PLAIN, Tile, format_tiles
from vision.hand.tiles import RED_FIVES
from vision.hand.trust import chance_of, chance_right
from vision.layout.layout import Layout, SeenMeld
from vision.layout.shapes import HandRules, max_tiles
from vision.reading import Doubt, Repair, Role, Sighting

MIN_SURE: Final = 0.8
"""A tile that is less likely than this to be what it was read as is asked about."""
MIN_SURE_WON: Final = 0.9
"""A tile apart or across that is less likely than this to have won is asked about; the rest of its hand is known."""
MIN_IN_LINES: Final = 5
"""Fewer tiles are not lines of tiles."""
KONGS: Final = ("kong_open", "kong_added", "kong_concealed")


def _codes(tiles: Iterable[Tile]) -> tuple[str, ...]:
    """Tiles in the notation, each once, in the order given; face-down ones are not answers."""
    return tuple(dict.fromkeys(t.code for t in tiles if t.kind != BACK_KIND))


def no_hand(layout: Layout, count: int) -> Doubt:
    """No row of tiles that could be a hand, or one line among many; ``count``: all tiles in the picture."""
    message = "No row of tiles could be a hand: is the whole hand in the picture?"
    if layout.left_out and count >= MIN_IN_LINES:
        message = "It is not clear which lines of tiles are the hand: can it lie apart from the rest?"
    return Doubt("no_hand", message)


def set_aside(named: Sequence[Tile]) -> Doubt:
    """Things look like these tiles, but were taken for something else beside all that the photo shows."""
    many = f"{len(named)} things look" if len(named) > 1 else "One thing looks"
    message = f"{many} like tiles ({format_tiles(named)}), but not like those of a mahjong set: are they tiles?"
    return Doubt("set_aside", message, answers=_codes(named))


def nothing_left(count: float) -> Doubt:
    """Not one tile is left of ``count`` that detector and classifier alone would expect, none with a sure name."""
    message = f"About {count:.0f} things look like tiles, but together not like a mahjong set: are they tiles?"
    return Doubt("set_aside", message)


def two_hands(taken: Sequence[Tile], other: Sequence[Tile]) -> Doubt:
    """Two players' hands lie open."""
    one, two = (format_tiles(sorted(tiles, key=lambda t: t.kind)) for tiles in (taken, other))
    message = f"Two hands lie open, {one} and {two}: which is meant? The first is taken."
    return Doubt("two_hands", message, answers=(one, two), open=True)


def winning_tile(tile: int | None, used: Tile, hand: Sequence[Tile], *, apart: bool = False) -> Doubt:
    """No tile lies apart, or one that may do so by chance; ``hand``: those in the row, the ones at the end first."""
    why = f"{used}, which may lie apart or across by chance" if apart else f"None lies apart, so the last one, {used}"
    message = f"Which tile completed the hand? {why}, is taken."
    return Doubt("winning_tile_unknown", message, tile, _codes((used, *hand)), open=True)


def which_won(tile: int, taken: Tile, other: Tile) -> Doubt:
    """Beside four melds, two different tiles of which either may have come last."""
    message = f"Which tile completed the hand: {taken} or {other}? {taken} is taken."
    return Doubt("winning_tile_unknown", message, tile, _codes((taken, other)), open=True)


def indicator(winning: Sequence[Tile]) -> Doubt:
    """Hangzhou's indicator is not in the photo; ``winning``: those with which the hand would win."""
    hint = f" As it lies the hand wins only if it was one of {format_tiles(winning)}." if winning else ""
    message = f"Which tile was turned up as the wild tile indicator?{hint}"
    return Doubt("indicator_unknown", message, answers=_codes(winning), open=True)


def about_melds(
    layout: Layout, read: Sequence[SeenMeld], sightings: Sequence[Sighting], shapes: HandRules
) -> list[Doubt]:
    """Melds whose tiles, kind or existence the photo leaves open."""
    doubts = []
    for meld in layout.melds:
        down = [i for i in meld.tiles if sightings[i].tile.kind == BACK_KIND]
        text = format_tiles(sightings[i].tile for i in meld.tiles if i not in down)
        if len(down) == len(meld.tiles):
            doubts.append(Doubt("hidden_kong", "Which tile is the kong that lies face-down?", meld.tiles[0], open=True))
        elif meld not in read:
            doubts.append(Doubt("unreadable_meld", f"Which set is this? It reads as {text}.", meld.tiles[0]))
        elif len(meld.tiles) == 4 and not down and meld.turned is None:
            message = f"Was the kong {text} claimed, added to a claimed pung, or drawn by the winner alone?"
            doubts.append(Doubt("kong_kind_unknown", message, meld.tiles[0], KONGS, open=True))
        elif down and shapes.reds and _may_hide_a_red([sightings[i].tile for i in meld.tiles]):
            message = f"Is a red five among the face-down tiles of the kong {text}?"
            five = next(sightings[i].tile for i in meld.tiles if i not in down)
            answers = (f"0{five.suit}", f"5{five.suit}")
            doubts.append(Doubt("hidden_red_five", message, meld.tiles[0], answers, open=True))
    unclear = [meld.tiles for meld in _unmarked_melds(layout, read, shapes)]
    asked = {doubt.tile for doubt in doubts} | {tiles[0] for tiles in unclear}
    unclear += [tiles for tiles in layout.unclear if tiles[0] not in asked]
    return doubts + _sets_or_hand(unclear, sightings)


def _unmarked_melds(layout: Layout, read: Sequence[SeenMeld], shapes: HandRules) -> list[SeenMeld]:
    """Sets of three without a tile across, where players mark what they claimed: they may as well be concealed."""
    if not (shapes.claims_lie_across or any(meld.turned is not None for meld in layout.melds)):
        return []
    return [meld for meld in read if len(meld.tiles) == 3 and meld.turned is None]


def _sets_or_hand(sets: Sequence[Sequence[int]], sightings: Sequence[Sighting]) -> list[Doubt]:
    """A doubt about each set, all with one question: as a rule one answer is true of all."""
    texts = [format_tiles(sightings[i].tile for i in tiles) for tiles in sets]
    message = f"Is {''.join(texts)} a set that was claimed or declared, or does it only lie a little apart in the hand?"
    if len(sets) > 1:
        names = f"{', '.join(texts[:-1])} and {texts[-1]}"
        message = f"Are {names} sets that were claimed or declared, or do they only lie a little apart in the hand?"
    return [Doubt("melds_unclear", message, tiles[0]) for tiles in sets]


def _may_hide_a_red(tiles: Sequence[Tile]) -> bool:
    """Whether a red five may be among the face-down tiles of a kong: it shows a plain one, and not every red one."""
    plain = next((t for t in tiles if t.code in ("5m", "5p", "5s")), None)
    return plain is not None and sum(t.red for t in tiles) < RED_FIVES[f"0{plain.suit}"]


def about_count(layout: Layout, want: int, waiting: Sequence[int]) -> list[Doubt]:
    """More or fewer concealed tiles than the ``want`` of a winning hand; ``waiting``: the kinds it waits for."""
    inside = len(layout.inside)
    if inside == want:
        return []
    melds = f" beside {len(layout.melds)} meld{'s' if len(layout.melds) > 1 else ''}" if layout.melds else ""
    count = f"The hand has {inside} tiles{melds}, a winning hand has {want}"
    edge = f" It reaches the {' and the '.join(layout.edges)} edge of the picture." if layout.edges else ""
    if inside == want - 1:
        waits = format_tiles(PLAIN[k] for k in waiting)
        hint = f" As it lies it waits for {waits}." if waits else ""
        awaited = _codes(PLAIN[k] for k in waiting)
        message = f"{count}: which tile is missing?{hint}{edge}"
        return [Doubt("one_tile_short", message, answers=awaited, open=bool(awaited))]
    if inside + 3 * len(layout.melds) in (max_tiles() - 1, max_tiles()):
        taiwan = "with sixteen and the winning one they play in Taiwan (rules taiwanese)"
        return [Doubt("too_many_tiles", f"{count}; {taiwan}. Which tiles are not of the hand?")]
    if inside > want:
        return [Doubt("too_many_tiles", f"{count}: which tiles are not of the hand, or which of them are melds?")]
    return [Doubt("too_few_tiles", f"{count}: are tiles hidden, or outside the picture?{edge}")]


def about_left_out(layout: Layout, sightings: Sequence[Sighting]) -> list[Doubt]:
    """Tiles that touch the hand and were not taken for a part of it."""
    if not layout.left_out:
        return []
    text = format_tiles(sightings[i].tile for i in layout.left_out)
    many = len(layout.left_out) > 1
    message = f"{text} {'lie' if many else 'lies'} against the hand: {'do they' if many else 'does it'} belong to it?"
    return [Doubt("left_out", message, layout.left_out[0])]


def about_tiles(
    used: Mapping[int, Tile],
    inside: Sequence[int],
    sightings: Sequence[Sighting],
    repairs: Sequence[Repair],
    shapes: HandRules,
    *,
    explained: Container[int] = (),
) -> list[Doubt]:
    """Tiles of the hand that lie face-down, cannot be where they are or were read unsurely.

    Args:
        explained: repaired tiles that a winning hand, a meld or the other bonus tiles speak for.
    """
    doubts = []
    repaired = {r.tile for r in repairs}
    for i, t in sorted(used.items()):
        sighting = sightings[i]
        known = sum(sighting.posterior.values())
        if t.kind == BACK_KIND:
            doubts.append(Doubt("face_down_tile", "Which tile lies face-down here?", i))
        elif t.is_bonus and i in inside:
            message = f"Is this tile {t}? It lies among the tiles of the hand."
            doubts.append(Doubt("strange_tile", message, i, _codes(sighting.choices())))
        elif t.kind in shapes.left_out:
            message = f"Is this tile {t}? These rules play without it."
            doubts.append(Doubt("not_in_play", message, i, _codes(sighting.choices())))
        elif sighting.tile.kind != BACK_KIND and known < 1 - known:
            message = f"Is this a mahjong tile, and which? I know none with this face, and took it for {t}."
            doubts.append(Doubt("unknown_face", message, i, _codes((t, *sighting.choices()))))
        elif i not in explained and (i in inside or sighting.tile.kind != BACK_KIND):
            other = i in repaired or sighting.tile.kind == BACK_KIND  # a back may be a blank white dragon
            chance = chance_of(t.kind, sighting, shapes) if other else chance_right(sighting, shapes)
            if chance >= MIN_SURE:
                continue
            likely = dict.fromkeys((t, sighting.tile, *(u for u, _ in sighting.alternatives(1))))
            choice = " or ".join([str(u) for u in likely][:2])
            doubts.append(Doubt("low_confidence", f"Is this tile {choice}?", i, _codes((t, *sighting.choices()))))
    return doubts


def about_sets(repairs: Sequence[Repair], sightings: Sequence[Sighting]) -> list[Doubt]:
    """Of the tiles of melds that are taken for another only to make sets, the one that looks least like it."""
    other = [r for r in repairs if r.read.kind != r.used.kind]
    if not other:
        return []
    least = min(other, key=lambda r: sum(p for t, p in sightings[r.tile].posterior.items() if t.kind == r.used.kind))
    message = f"Is this tile {least.used} or {least.read}?"
    return [Doubt("low_confidence", message, least.tile, _codes((least.used, *sightings[least.tile].choices())))]


def about_kinds(shown: Mapping[int, Tile], sightings: Sequence[Sighting]) -> list[Doubt]:
    """More tiles of a kind than there are; ``shown``: those of the hand and the indicators."""
    doubts = []
    counts = Counter(t.kind for t in shown.values() if t.is_playable)
    for kind, n in counts.items():
        if n > 4:
            least = min((i for i, t in shown.items() if t.kind == kind), key=lambda i: sightings[i].confidence)
            message = f"{n} of {PLAIN[kind]} are read, there are only four: what is this?"
            doubts.append(Doubt("five_of_a_kind", message, least, _codes(sightings[least].choices())))
    return doubts


def about_bonus(strange: Sequence[int], sightings: Sequence[Sighting], shapes: HandRules) -> list[Doubt]:
    """Bonus tiles that the rules do not have, or have only once."""
    which = (
        "which of these rules' bonus tiles is this?"
        if shapes.bonus
        else "these rules play without any. Is it another tile?"
    )
    return [
        Doubt(
            "bonus_not_in_play",
            f"{sightings[i].tile} is left out: {which}",
            i,
            _codes(t for t in sightings[i].choices() if not t.is_bonus or t.suit in shapes.bonus),
        )
        for i in strange
    ]


def about_win(
    found: Sequence[Mapping[int, int]],
    taken: bool,
    used: Mapping[int, Tile],
    sightings: Sequence[Sighting],
    distance: int | None,
) -> list[Doubt]:
    """A second winning hand that is nearly as likely, or no winning hand that is close to what was read.

    Args:
        found: the kinds of the tiles in the likeliest winning hand and in a close second, as far as there are any.
        taken: the first was chosen.
        distance: shanten if the tiles are as many as a winning hand has; None where that is not known.
    """
    compared = found[1:] if taken else found[:1]
    unlike = [(i, k) for other in compared for i, k in other.items() if used[i].kind != k]
    if unlike and (taken or len(unlike) == 1):
        i, kind = unlike[0]
        answers = _codes((used[i], PLAIN[kind], *sightings[i].choices()))
        if taken:
            message = f"Is this tile {used[i]} or {PLAIN[kind]}? Both make a winning hand."
            return [Doubt("close_second", message, i, answers)]
        message = f"Is this tile {used[i]}? Only with {PLAIN[kind]} there would this hand win."
        return [Doubt("near_win", message, i, answers)]
    if taken or distance is None or distance < 0:
        return []
    far = f"{distance + 1} tile{'s' if distance else ''} would have to be another"
    return [Doubt("no_win", f"These tiles do not win ({far}): was one misread, or does one not belong to the hand?")]


def explain_repair(read: Tile, used: Tile, role: Role, wins: bool, reds: bool) -> str:
    """Why the hand takes a tile for another than the networks read; ``reds``: the rules have red fives."""
    if read.kind == used.kind:
        if not reds:
            return "these rules have no red fives"
        return "a set holds no more red fives" if used.red != read.red and not used.red else "the likelier five"
    if role is Role.MELD:
        return "the tiles of a meld are a set"
    if role is Role.BONUS:
        return "there is one of each bonus tile"
    return "so the hand is complete" if wins else "there are four of each tile, and these rules play with no other"
