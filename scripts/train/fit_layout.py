"""Fit the weights by which the likeliest interpretation of a table is chosen; write them into ``vision/layout``.

Learns from randomly laid tables with full truth (``datasets/tables/whole.py``) and from hands laid by themselves, half
of them with true faces, half with faces misread as a calibrated classifier does. An interpretation is right when its
concealed tiles, melds and winning tile are; tables with a hand for which no interpretation is right teach nothing.
Seeds from 100,000 on are left for measuring.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch.nn.utils.rnn import pad_sequence

from datasets.tables.hands import RULES, DealtHand, deal
from datasets.tables.layouts import PlacedTile, lay_hand, lay_no_hand, random_style
from datasets.tables.neighbours import lay_strays, view_two
from datasets.tables.sets import deal_kongs, five_sets, lay_behind, lay_kongs, short_kong
from datasets.tables.views import View, noisy_sightings, photograph, true_sightings, without_tiles
from datasets.tables.whole import WITHOUT, SimulatedTable, simulated_table
from scoring.tiles import PLAIN, TILES
from vision.layout.evidence import NAMES, WEIGHTS, Weights
from vision.layout.interpretations import interpret_table
from vision.layout.layout import Layout

COUNT: Final = 16_000
"""Tables that are laid."""
HIDDEN: Final = 16
MEMBERS: Final = 4
"""Networks, each started at random, whose scores are averaged: in a single one luck plays a part."""
RATE: Final = 5e-3
DECAY: Final = 0.05
EPOCHS: Final = 40
HELD_OUT: Final = 5
"""One table in this many is held out for measuring."""
SHARES: Final = {
    "whole": 0.5,
    "kongs": 0.08,
    "short_kong": 0.03,
    "strays": 0.06,
    "behind": 0.03,
    "five_sets": 0.04,
    "two_hands": 0.03,
    "tray": 0.04,
    "alone": 0.19,
}
"""Shares of whole tables, of hands laid out with their kongs, with a kong half found, with other tiles against them,
with melds right behind them, of five sets, beside another player's, of lone trays and ponds, and of lone hands."""
MISSED: Final = 0.15
INVENTED: Final = 0.06
CUT: Final = 0.06
COVERED: Final = 0.03
"""Shares of hands in which some tiles were missed, with a false detection in the row, which go on outside the picture,
and with a tile or two face-down."""
LEAST_PART: Final = 6
"""A line of this many loose tiles may just as well be part of a hand: nothing is taught there."""
Example = tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]
"""(n, numbers) the evidence of n interpretations, the first one all zeros for no hand; (n,) which of them are right."""


def example_of(seed: int) -> Example | None:
    """A table's interpretations, and which of them are right; None where none is."""
    rng = np.random.default_rng([seed, 25])
    table = _lay_table(rng, seed)
    table = replace(table, seen=_spoil(rng, table.seen))
    sightings = noisy_sightings(rng, table.seen) if seed % 2 else true_sightings(table.seen)
    rules = table.rules if rng.random() < 0.8 else None
    if not sightings:
        return None
    likely, _ = interpret_table(sightings, table.seen.width, table.seen.height, rules)
    evidence = np.array([np.zeros(len(NAMES)), *(one.evidence for one in likely)])
    right = np.array([table.kind in WITHOUT, *(is_right(one.layout, table) for one in likely)])
    if table.kind == "rows" and len(sightings) >= LEAST_PART and len({p.group for p in table.seen.placed}) == 1:
        right[1:] = [len(one.layout.concealed) == len(sightings) for one in likely]
    if table.kind == "long" and not right.any():
        right[0] = True  # "no hand of these rules lies there" is an answer, too
    return (evidence, right) if right.any() else None


def _lay_table(rng: np.random.Generator, seed: int) -> SimulatedTable:
    """A whole table, or a hand by itself in any style, or a tray or a pond by itself; see :data:`SHARES`."""
    kind, rules = str(rng.choice(list(SHARES), p=list(SHARES.values()))), RULES[seed % len(RULES)]
    if kind == "whole":
        return simulated_table(seed)
    if kind == "short_kong":
        return SimulatedTable("alone", rules, *short_kong(rng, rules))
    if kind == "tray":
        return SimulatedTable("tray", rules, None, photograph(rng, lay_no_hand(rng)))
    how: Callable[[np.random.Generator, DealtHand], list[PlacedTile]] = _in_any_style
    if kind == "kongs":
        dealt, how = deal_kongs(rng, rules), lay_kongs
    elif kind == "five_sets":
        dealt = five_sets(rng)
        how = lay_behind if dealt.melds and rng.random() < 0.5 else how
    else:
        hand = str(rng.choice(["win", "wait", "near", "junk"], p=[0.7, 0.2, 0.05, 0.05]))
        if kind == "behind":
            dealt = deal(rng, rules, melds=int(rng.integers(1, 5)), kind="win" if hand == "junk" else hand)
        else:
            dealt = deal(rng, rules, kind=hand)
        if kind == "two_hands":
            return SimulatedTable("alone", rules, dealt, view_two(rng, rules, dealt))
        how = {"behind": lay_behind, "strays": lay_strays}.get(kind, how)
    return SimulatedTable("long" if kind == "five_sets" else "alone", rules, dealt, photograph(rng, how(rng, dealt)))


def _in_any_style(rng: np.random.Generator, dealt: DealtHand) -> list[PlacedTile]:
    return lay_hand(rng, dealt, random_style(rng, dealt))


def _spoil(rng: np.random.Generator, seen: View) -> View:
    """A view as camera and detector give it: some have tiles missed, false, cut off or face-down (:data:`MISSED`)."""
    row = [i for i, p in enumerate(seen.placed) if p.role == "concealed"]
    chance = rng.random()
    if len(row) < 4 or chance > MISSED + INVENTED + CUT + COVERED:
        return seen
    if chance < MISSED:
        gone = set(rng.permutation(row)[: int(rng.integers(1, 5))].tolist())
        return without_tiles(seen, gone)
    if chance > MISSED + INVENTED + CUT:
        down = set(rng.permutation(row)[: int(rng.integers(1, 3))].tolist())
        placed = tuple(replace(p, tile=TILES[-1]) if i in down else p for i, p in enumerate(seen.placed))
        return replace(seen, placed=placed)
    if chance > MISSED + INVENTED:
        at = sorted(seen.placed[i].x for i in row)[int(rng.integers(min(LEAST_PART, len(row) - 1), len(row)))]
        return without_tiles(seen, {i for i, p in enumerate(seen.placed) if p.x >= at})
    last = max(row, key=lambda i: seen.placed[i].x)
    near = min(
        (i for i in row if i != last), key=lambda i: float(np.hypot(*(seen.quads[i] - seen.quads[last]).mean(0)))
    )
    more = 2 * seen.quads[last] - seen.quads[near]
    face = replace(seen.placed[last], tile=PLAIN[int(rng.integers(34))])
    return replace(seen, quads=np.concatenate([seen.quads, more[None]]), placed=(*seen.placed, face))


def is_right(layout: Layout, table: SimulatedTable) -> bool:
    """Whether concealed tiles, melds and winning tile are those that were laid."""
    placed = table.seen.placed
    concealed, winning = ({i for i, p in enumerate(placed) if p.role == role} for role in ("concealed", "winning"))
    melds: dict[int, list[int]] = {}
    for i, p in enumerate(placed):
        if p.role == "meld":
            melds.setdefault(p.group, []).append(i)
    faces = [placed[i].tile for i in (*concealed, *winning)]
    either = len(faces) == 2 and faces[0] is faces[1]
    return (
        bool(concealed)
        and set(layout.inside) == concealed | winning
        and (either or {layout.winning} - {None} == winning)
        and sorted(melds.values()) == sorted(sorted(m.tiles) for m in layout.melds)
    )


def fit_weights(examples: Sequence[Example]) -> Weights:
    """The weights that make the right interpretations likeliest."""
    everything = np.concatenate([evidence[1:] for evidence, _ in examples])
    mean, spread = everything.mean(axis=0), np.maximum(everything.std(axis=0), 1e-3)
    standard = [torch.tensor((evidence - mean) / spread, dtype=torch.float32) for evidence, _ in examples]
    padded = pad_sequence(standard, batch_first=True)
    right = pad_sequence([torch.from_numpy(good) for _, good in examples], batch_first=True)
    there = pad_sequence([torch.ones(len(good), dtype=torch.bool) for _, good in examples], batch_first=True)

    def loss(scores: torch.Tensor, some: torch.Tensor) -> torch.Tensor:
        """Nats by which the right interpretations of the examples ``some`` are unlikely; ``scores``: theirs."""
        scores = scores * (torch.arange(scores.shape[1]) > 0)  # no hand at all has 0
        scores = scores.masked_fill(~there[some], -1e9)
        return (torch.logsumexp(scores, 1) - torch.logsumexp(scores.masked_fill(~right[some], -1e9), 1)).mean()

    torch.manual_seed(0)
    hidden, direct = torch.nn.Linear(len(NAMES), MEMBERS * HIDDEN), torch.nn.Linear(len(NAMES), MEMBERS)
    out = torch.nn.Parameter((torch.rand(MEMBERS, HIDDEN) * 2 - 1) / HIDDEN**0.5)
    optimiser = torch.optim.AdamW([*hidden.parameters(), *direct.parameters(), out], lr=RATE, weight_decay=DECAY)
    for epoch in range(EPOCHS):
        optimiser.param_groups[0]["lr"] = RATE * (1 - epoch / EPOCHS)
        for some in torch.split(torch.randperm(len(examples)), 64):
            given = padded[some]
            raised = torch.tanh(hidden(given)).reshape(*given.shape[:-1], MEMBERS, HIDDEN)
            scores = (raised * out).sum(-1) + direct(given)
            optimiser.zero_grad()
            torch.autograd.backward(torch.stack([loss(scores[..., m], some) for m in range(MEMBERS)]).sum())
            optimiser.step()
    found = (hidden.weight, hidden.bias, out.flatten() / MEMBERS, direct.weight.mean(0), direct.bias.mean()[None])
    learned = (np.asarray(w.detach(), np.float64).round(4).tolist() for w in found)
    return Weights(mean.tolist(), spread.tolist(), *learned)


def share_right(examples: Sequence[Example], weights: Weights) -> float:
    """The share of tables for which the likeliest interpretation is right."""
    scores = [[0.0, *map(weights.score, found[1:].tolist())] for found, _ in examples]
    marks = [right[int(np.argmax(some))] for some, (_, right) in zip(scores, examples, strict=True)]
    return float(np.mean(marks))


def main() -> None:
    """Fit, measure on the tables held out, write the weights and the shares right."""
    examples = {seed: found for seed in range(COUNT) if (found := example_of(seed)) is not None}
    teaching = [e for seed, e in examples.items() if seed % HELD_OUT]
    measuring = [e for seed, e in examples.items() if seed % HELD_OUT == 0]
    weights = fit_weights(teaching)
    card = {
        "what": "weights of the evidence for each way to take a table; see vision/layout/evidence.py",
        "fitted_on": f"{len(teaching)} tables laid by chance, half with misread, some with missed tiles; no photos",
        "licence": "as the code",
        "held_out": len(measuring),
        "right_of_held_out": round(share_right(measuring, weights), 4),
        "without_a_right_way": round(1 - len(examples) / COUNT, 4),
        "numbers": list(NAMES),
        **{name: np.round(value, 5).tolist() for name, value in asdict(weights).items()},
    }
    WEIGHTS.write_text(json.dumps(card, separators=(",", ":")) + "\n", encoding="utf-8")
    print({key: value for key, value in card.items() if isinstance(value, str | int | float)})


if __name__ == "__main__":
    main()
