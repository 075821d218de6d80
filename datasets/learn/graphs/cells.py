"""The detector's output -> the cells of each tile."""

from __future__ import annotations

import numpy as np

from datasets.learn.graphs.writer import BOOL, FLOAT, INT64, Graph, Value
from vision.models.opencv import MIN_CELLS, WEAK
from vision.reading import THRESHOLD

PASSES = 10_000
"""Most passes of the search for what is connected; a dozen are needed."""


def cells(graph: Graph) -> None:
    """The cells of each tile, tile by tile: what each says of its quad, in pixels of the network, and how surely.

    Cells above THRESHOLD are what tells neighbouring tiles apart; weaker ones count only where they hold no kernel of
    those. ``kernel`` and ``geo`` are the detector's outputs, ``stride`` and ``unit`` its metadata. Cells are in the
    order of the picture, tiles in that of their first cells; ``ends`` says where each tile's cells end.
    """
    kernel = graph.given("kernel", FLOAT, [1, 1, "h", "w"])
    geometry = graph.given("geo", FLOAT, [1, 10, "h", "w"])
    stride, unit = graph.given("stride", FLOAT, []), graph.given("unit", FLOAT, [])
    chance = graph.Pad(kernel.reshape(-1, kernel.size(3)), [1, 1, 1, 1])  # a rim, so that every cell has neighbours
    width, plane = chance.size(1), graph.Size(chance)
    weak_and_sure = graph.joined(chance > WEAK, chance > THRESHOLD)
    on = graph.found(weak_and_sure.reshape(-1))
    count = graph.Size(on)
    ids = graph.ScatterElements(graph.full(count, plane * 2), on, graph.counted(count))
    labels = _connected(graph, ids, on, width, count)
    zeros, ones = graph.full(0, count), graph.full(1, count)
    large = ~(graph.ScatterElements(zeros, labels, ones, reduction="add").at(labels) < MIN_CELLS)
    sure = ~(on < plane)
    # A sure cell is a weak one, too: the weak kernels that hold a large sure one are told by it.
    within = graph.found(sure & large)
    there = labels.at(ids.at(on.at(within) - plane))
    taken = graph.ScatterElements(zeros, there, ones.at(within)) > 0
    kept = graph.found(large & ~taken.at(labels))
    place, first = graph.Mod(on.at(kept), plane), graph.Mod(on.at(labels.at(kept)), plane)
    _, order = graph.TopK(first * plane + place, graph.Shape(kept), largest=0, outputs=2)
    place, first = place.at(order), first.at(order)
    after = graph.joined(graph.Slice(first, [1], [2**62]), [-1])
    row, column = graph.Div(place, width) - 1, graph.Mod(place, width) - 1
    flat = row * (width - 2) + column
    codes = graph.Transpose(geometry.reshape(10, -1).at(flat, axis=1), perm=[1, 0]) * unit
    middles = graph.stacked(column, row, axis=1).cast(FLOAT) * stride + (stride - 1.0) / 2.0
    graph.give("codes", codes + graph.Pad(middles, [0, 0, 0, 8]), FLOAT, ["cells", 10])
    graph.give("sure", kernel.reshape(-1).at(flat), FLOAT, ["cells"])
    graph.give("ends", graph.found(~graph.Equal(first, after)) + 1, INT64, ["tiles"])


def _connected(graph: Graph, ids: Value, on: Value, width: Value, count: Value) -> Value:
    """(count,) for each cell the number of the first one that it is connected to, by its four sides.

    ``ids`` are the numbers of cells by place, ``count`` where there is none, ``on`` the places by number. Everybody
    takes the least number among its neighbours', then that of whom it points to, until nothing changes.
    """
    around = graph.stacked(on, on - 1, on + 1, on - width, on + width, axis=1)
    near = graph.joined(ids.at(around), graph.full(count, 1, 5))
    body = Graph("loop_")
    body.given("pass", INT64, [])
    body.given("going", BOOL, [])
    before = body.given("before", INT64, ["n"])
    least = body.ReduceMin(before.at(near), axes=[1], keepdims=0)
    after = least.at(least)
    apart = body.ReduceMax(body.Abs(after - before), axes=[0], keepdims=0)
    body.give("on", apart > 0, BOOL, [])
    body.give("after", after, INT64, ["n"])
    numbers = graph.counted(count + 1)
    found = graph.Loop(np.int64(PASSES), np.bool_(True), numbers, body=body.body("connected"))
    return graph.Slice(found, [0], [-1])
