"""Hands read on whole tables, given the true faces: roles, whole hands, winning tiles, errors without a doubt.

    python -m scripts.accuracy.tables [--tables 600] [--seed 100000]

The tables (``datasets/tables/whole.py``) are photographed without pixels, so that only the understanding of the table
is tested. Seeds from 100,000 on are never trained on. What counts as right is defined in ``datasets/tables/marks.py``;
an error is silent when no doubt goes with it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

import typer

from datasets.tables.marks import mark_reading
from datasets.tables.views import true_sightings
from datasets.tables.whole import WITH_HAND, WITHOUT, SimulatedTable, simulated_table
from scripts.accuracy import shares
from vision.hand.read import read_hand

UNSEEN = 100_000
"""The first seed of tables that nothing is fitted on."""


def read_table(table: SimulatedTable) -> tuple[dict[str, bool], Counter[tuple[str, str]], tuple[str, ...]]:
    """What is right of one table; its roles, true and read; and what is wrong, in words."""
    sightings = true_sightings(table.seen)
    reading, decoded = read_hand(sightings, table.seen.width, table.seen.height, table.rules)
    hand = decoded.hand
    roles = Counter((p.role, r.value) for p, r in zip(table.seen.placed, decoded.roles, strict=True))
    if table.kind in WITHOUT:
        whole = hand is not None and hand.winning_tile is not None and hand.complete
        return {"invented": hand is not None, "whole": hand is None, "silent": whole and not reading.doubts}, roles, ()
    if table.dealt is None:  # more tiles than these rules' hands have
        own = {i for i, p in enumerate(table.seen.placed) if p.role == "concealed"}
        read_as = {i for i, r in enumerate(decoded.roles) if r.value in ("concealed", "winning", "meld")}
        asked = any(d.code in ("too_many_tiles", "no_hand") for d in reading.doubts)
        return {"whole": asked and (not read_as or own == read_as), "silent": not reading.doubts}, roles, ()
    marks = mark_reading(table.dealt, table.seen, decoded)
    winning = not any("won" in fault or "winning" in fault for fault in marks.faults)
    asked_about = {doubt.code for doubt in reading.doubts}
    doubts = [doubt for doubt in reading.doubts if not doubt.open]
    return (
        {
            "whole": marks.hand,
            "winning": winning,
            "silent": not marks.hand and not asked_about,
            "doubted": marks.hand and bool(doubts),
            "asked": marks.hand and bool(asked_about),
        },
        roles,
        marks.faults,
    )


def measure_tables(seeds: Iterable[int], kind: str | None = None) -> dict[str, Any]:
    """Figures by what a table shows, the roles' confusion, and every table that is wrong."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    roles: Counter[tuple[str, str]] = Counter()
    wrong = []
    for seed in seeds:
        table = simulated_table(seed, kind)
        right, seen, faults = read_table(table)
        roles.update(seen)
        keys = [table.kind.split()[0], *(["with a hand"] if table.kind in WITH_HAND else [])]
        for key in [*keys, *(["without one"] if table.kind in WITHOUT else [])]:
            counts[key].update(n=1, **{name: int(value) for name, value in right.items()})
        if not right["whole"]:
            wrong.append({"seed": seed, "kind": table.kind, "silent": right["silent"], "faults": faults[:3]})
    return {
        "by": {key: shares(count) for key, count in sorted(counts.items())},
        "roles": [[*pair, count] for pair, count in roles.most_common()],
        "wrong": wrong,
    }


def main(tables: int = 600, seed: int = UNSEEN) -> None:
    found = measure_tables(range(seed, seed + tables))
    for key, marks in found["by"].items():
        print(f"{key:14s} {marks}")
    print("roles, true -> read:")
    for true, answer, count in found["roles"]:
        print(f"  {true:10s} {answer:10s} {count}")


if __name__ == "__main__":
    typer.run(main)
