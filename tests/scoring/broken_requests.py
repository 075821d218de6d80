"""Score requests broken at random: the same seed breaks them in the same way."""

import copy

WORDS = (
    *("", " ", "\0", "\ufeff", "１２３m", "٣m", "\ud800", "💥", "a" * 5000, "-1", "1e999", "NaN", "null"),
    *("../..", "%s", "{}", "0m" * 40, "f5", "8z", "back"),
)
VALUES = (
    *(None, True, False, 0, -1, 10**30, 1.5, -0.0, 1e308, "", "x", "E", "１m", "\ud800", [], {}, [[]], {"": None}),
    *(["1m"] * 30, "1m" * 300, "0.1", "1e400"),
)


def broken_text(rng, seed, others=()):
    """The seed with letters, runs and strange words put in, taken out or swapped."""
    letters = list(seed)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(letters) + 1)
        what = rng.randrange(6)
        if what == 0:
            letters[at : at + rng.choice((1, 2, 8))] = []
        elif what == 1:
            letters[at:at] = rng.choice(WORDS)
        elif what == 2:
            letters[at:at] = chr(rng.choice((rng.randrange(32, 127), rng.randrange(0xD800), rng.randrange(0x110000))))
        elif what == 3:
            letters[at:at] = letters[at : at + 12] * rng.choice((1, 2, 40))
        elif what == 4:
            other = rng.choice(others or [seed])
            letters[at:] = other[rng.randrange(len(other) + 1) :]
        elif letters:
            letters[at % len(letters)] = rng.choice(letters)
    return "".join(letters)


def broken(rng, seed, others):
    """A deep copy of the seed with some of its values, keys and lists changed."""
    value = copy.deepcopy(seed)
    for _ in range(rng.choice((1, 1, 2, 4))):
        places = list(places_in(value))
        holder, key = rng.choice(places) if places else (None, None)
        what = rng.randrange(6)
        if holder is None or (what == 0 and rng.random() < 0.1):
            value = rng.choice(VALUES)
        elif what == 1:
            del holder[key]
        elif what == 2 and isinstance(holder, dict):
            holder[rng.choice(WORDS)] = holder.pop(key)
        elif what == 3:
            donor = list(places_in(rng.choice(others)))
            other, at = rng.choice(donor)
            holder[key] = copy.deepcopy(other[at])
        elif what == 4 and isinstance(holder[key], str):
            holder[key] = broken_text(rng, holder[key])
        elif what == 5 and isinstance(holder[key], list):
            holder[key] = holder[key] * rng.choice((2, 3, 20))
        else:
            holder[key] = copy.deepcopy(rng.choice(VALUES))
    return value


def places_in(value):
    """Every (container, key) in a JSON value."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places_in(value[key])
