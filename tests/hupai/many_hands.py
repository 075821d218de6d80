"""Random concealed hands as an array of kinds, the winning tile last; one in ten wins nothing."""

import numpy as np


def dealt(rng, number, sets=4):
    rows = []
    while len(rows) < number:
        row = [k for _ in range(sets) for k in _set(rng)] + [rng.randrange(34)] * 2
        if rng.random() < 0.1:
            row[rng.randrange(len(row))] = rng.randrange(34)
        if rng.random() < 0.05 and sets == 4:
            row = [k for kind in rng.sample(range(34), 7) for k in (kind, kind)]
        if max(map(row.count, row)) < 5:
            rng.shuffle(row)
            rows.append(row)
    return np.array(rows, np.uint8)


def _set(rng):
    low = 9 * rng.randrange(3) + rng.randrange(7)
    return (low, low + 1, low + 2) if rng.random() < 0.7 else (rng.randrange(34),) * 3
