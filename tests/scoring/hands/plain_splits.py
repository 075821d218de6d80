"""Slow and plain: every way to split tiles into sets and a pair, on lists of codes. For the recounts only."""

from collections import Counter

ORDER = [f"{n}{s}" for s in "mps" for n in range(1, 10)] + [f"{n}z" for n in range(1, 8)]
PLACE = {code: i for i, code in enumerate(ORDER)}
TERMINALS_HONOURS = {t for t in ORDER if t[1] == "z" or t[0] in "19"}


def sets_of(tiles):
    """Every list of sets (tuples of codes) that uses all these tiles, taken from the lowest tile on."""
    if not tiles:
        return [[]]
    tiles = sorted(tiles, key=PLACE.__getitem__)
    first, found = tiles[0], []
    triple = (first, first, first)
    run = tuple(f"{int(first[0]) + i}{first[1]}" for i in range(3)) if first[1] != "z" and int(first[0]) <= 7 else None
    for shape in (triple, run):
        if shape is not None:
            rest = list(tiles)
            try:
                for t in shape:
                    rest.remove(t)
            except ValueError:
                continue
            found += [[shape, *more] for more in sets_of(rest)]
    return found


def readings(tiles):
    """Every (sets, pair kind) of 3n + 2 tiles."""
    found = []
    for kind, count in Counter(tiles).items():
        if count >= 2:
            rest = list(tiles)
            rest.remove(kind)
            rest.remove(kind)
            found += [(sets, kind) for sets in sets_of(rest)]
    return found


def seven_pairs(tiles):
    return len(tiles) == 14 and all(n in (2, 4) for n in Counter(tiles).values())


def thirteen_orphans(tiles):
    return len(tiles) == 14 and set(tiles) == TERMINALS_HONOURS


def nine_gates(before, melds):
    """The 13 tiles before the win are 1112345678999 of one suit."""
    return not melds and any(sorted(before) == [f"{n}{s}" for n in "1112345678999"] for s in "mps")
