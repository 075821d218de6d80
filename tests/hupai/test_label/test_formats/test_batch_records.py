"""Records and their JSON; duplicates; the worst first; cores."""

from __future__ import annotations

import itertools
import json
import tracemalloc
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hupai.label.corrections.matching import MIN_OVERLAP, match_boxes
from hupai.label.duplicates import BITS, NEAR, Hashes
from hupai.label.engines.cores import usable_cores, usable_memory
from hupai.label.engines.labeller import perceptual_hash
from hupai.label.outputs.ranking import WorstRanking, reasons
from hupai.label.outputs.statistics import Statistics
from hupai.label.progress import ProgressLines
from hupai.label.records import ORIGINS, BadRecord, Box, Record, record_of, record_of_line
from scoring.tiles import TILES, tile
from tests.repository import ROOT
from vision.geometry import overlap_ratios
from vision.io.photo import Photo

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
numbers = st.floats(-1000, 1000).map(lambda v: round(v, 1))
points = st.tuples(numbers, numbers)
shares = st.floats(0, 1).map(lambda v: round(v, 4))
tiles = st.sampled_from(TILES)
boxes = st.builds(
    Box,
    tile=tiles,
    corners=st.tuples(points, points, points, points),
    confidence=st.none() | shares,
    alternatives=st.lists(st.tuples(tiles, shares), max_size=3).map(tuple),
    located=st.none() | shares,
    role=st.none() | st.just("meld"),
    group=st.just(3),
    origin=st.sampled_from(ORIGINS),
).map(lambda b: b if b.role else replace(b, group=None))
names = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20)
good = st.builds(
    Record,
    image=names,
    width=st.integers(1, 9000),
    height=st.integers(1, 9000),
    boxes=st.lists(boxes, max_size=4).map(tuple),
    sha256=st.just("ab" * 32),
    phash=st.just("cd" * 32),
    models=st.just({"detector": "0" * 12}),
    hand=st.none() | st.just({"hand": None, "doubts": [], "repairs": []}),
)
bad = st.builds(Record, image=names, sha256=st.just("ab" * 32), error=st.tuples(names, names))


def test_pictures_are_compared_by_the_bits_of_other_tools():
    """ImageHash's; an even picture has no structure, whatever its size and shade."""
    hashed = perceptual_hash(Photo(ROOT / "examples" / "hand-riichi.jpg"))
    assert hashed == "c510c68e2fef78a9f05195762fae4e8dc20195703dfe78a9c209875e0fee6889"
    even = (np.full((side, 300, 3), shade, np.uint8) for side, shade in ((200, 7), (500, 201)))
    assert {perceptual_hash(Photo(pixels)) for pixels in even} == {"8".ljust(64, "0")}


@given(good | bad)
def test_a_record_comes_back_from_its_line(record):
    line = record.to_line()
    assert "\n" not in line
    assert record_of_line(line) == record


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"width": None}, "NoneType"),
        ({"image": ""}, "name"),
        ({"tiles": [{"tile": "5m"}]}, "'corners' is missing"),
        ({"tiles": [{"tile": "9z", "corners": SQUARE}]}, "'9z' is not a tile"),
        ({"tiles": [{"tile": "5m", "corners": SQUARE[:3]}]}, "four corners"),
        ({"tiles": [{"tile": "5m", "corners": [*SQUARE[:3], [float("nan"), 0]]}]}, "finite"),
        ({"tiles": [{"tile": "5m", "corners": SQUARE, "origin": "guess"}]}, "origin must be"),
        ({"width": 0}, "width and a height"),
        ({"height": 0}, "width and a height"),
    ],
)
def test_what_is_no_record_is_refused_with_the_reason(change, told):
    whole = {"image": "a.jpg", "width": 5, "height": 5, "tiles": []}
    record_of(whole)
    with pytest.raises(BadRecord, match=told):
        record_of(whole | change)
    for line in ("", "nonsense", "[1]"):
        with pytest.raises(BadRecord):
            record_of_line(line)


def hashes_of(*values):
    hashes = Hashes()
    for i, bits in enumerate(values):
        hashes.add(i, f"{bits:064x}", f"{i:064x}")
    return hashes


@given(st.lists(st.integers(0, 2**BITS - 1), min_size=1, max_size=6), st.data())
def test_copies_are_found_by_the_plain_definition(seeds, data):
    """Against all pairs compared one by one; fewer than 16 differing bits are never missed."""
    values = []
    for seed in seeds:
        values.append(seed)
        for _ in range(data.draw(st.integers(0, 3))):
            flips = data.draw(st.sets(st.integers(0, BITS - 1), max_size=15))
            values.append(seed ^ sum(1 << f for f in flips))
    first: dict[int, int] = {}
    for j, i in itertools.product(range(len(values)), repeat=2):
        apart = (values[i] ^ values[j]).bit_count()
        near = i < j and i not in first and apart <= NEAR
        if near and (j not in first or apart < (values[first[j]] ^ values[j]).bit_count()):
            first[j] = i
    found = {d.image: d.of for d in hashes_of(*values).duplicates()}
    assert {j: i for j, i in found.items() if (values[i] ^ values[j]).bit_count() < 16} == {
        j: i for j, i in first.items() if (values[i] ^ values[j]).bit_count() < 16
    }


def test_copies_among_many_pictures_are_found_in_little_memory():
    """Every fourth picture is a copy of the one before, with a few other bits."""
    rng = np.random.default_rng(4)
    whole = rng.integers(0, 256, (5000, BITS // 8), np.uint8)
    whole[3::4] = whole[2::4] ^ np.eye(1, BITS // 8, 5, np.uint8)
    hashes = Hashes()
    for i, one in enumerate(whole):
        hashes.add(i, one.tobytes().hex(), f"{i:064x}")
    tracemalloc.start()
    copies = [(d.image, d.of, d.bits) for d in hashes.duplicates()]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert copies == [(i, i - 1, 1) for i in range(3, 5000, 4)]
    assert most < 3_000_000


def test_a_film_does_not_become_copies_of_its_first_frame():
    frames = [(1 << (8 * i)) - 1 for i in range(12)]  # each 8 bits from the last
    assert [(d.image, d.of) for d in hashes_of(*frames).duplicates()] == [
        (1, 0), (2, 0), (4, 3), (5, 3), (7, 6), (8, 6), (10, 9), (11, 9),
    ]  # fmt: skip


def picture(name, *confidences, code="5m"):
    return Record(name, 9, 9, tuple(Box(tile(code), SQUARE, c, located=0.9) for c in confidences))


def test_the_worst_come_first_and_say_why():
    worst = WorstRanking(max_pictures=3)
    for record in (picture("good", 1.0), picture("bad", 0.2, 0.99), picture("none"), picture("fair", 0.95, 0.95)):
        worst.add(record)
    assert [(r["image"], r["doubt"]) for r in worst.pictures()] == [("none", 1.0), ("bad", 0.81), ("fair", 0.1)]
    assert [r["why"] for r in worst.pictures()] == ["no tile found", "1 of 2 below 90%", ""]


def test_of_equally_bad_pictures_the_first_by_name_stay_however_they_come():
    for order in itertools.permutations("abcd"):
        worst = WorstRanking(max_pictures=2)
        for name in order:
            worst.add(picture(name, 0.5))
        assert [r["image"] for r in worst.pictures()] == ["a", "b"]


def test_the_time_left_is_reckoned_from_what_this_run_has_done(capsys, monkeypatch):
    now = [100.0]
    monkeypatch.setattr("hupai.label.progress.time", SimpleNamespace(monotonic=lambda: now[0]))
    lines = ProgressLines()
    lines.stage("labelling", 1000, 200)
    for _ in range(100):
        now[0] += 10
        lines.step(failed=False)
    told = capsys.readouterr().err.splitlines()[1:]
    assert told[0] == "hupai: 203 of 1000, 0.1 a second, time left not known yet, 0 failed"
    assert told[-1] == "hupai: 299 of 1000, 0.1 a second, 1 h 56 min left, 0 failed"


def test_more_tiles_than_a_set_has_are_a_reason():
    assert reasons(picture("x", *[1.0] * 5)) == ["more than a set has: 5 x 5m"]
    assert reasons(picture("x", *[1.0] * 4)) == []
    assert reasons(picture("x", 1.0, 1.0, code="f1")) == ["more than a set has: 2 x f1"]
    assert reasons(picture("x", *[1.0] * 30, code="back")) == []


def test_statistics_count_everything():
    statistics = Statistics()
    for record in (picture("a", 0.97, 1.0), picture("b"), Record("c", error=("image_missing", "gone"))):
        statistics.add(record)
    told = statistics.to_json()
    assert (told["pictures"], told["pictures_without_tiles"], told["pictures_failed"], told["tiles"]) == (2, 1, 1, 2)
    assert told["classes"]["5m"] == 2 and len(told["classes"]) == len(TILES)
    assert told["confidence_histogram"][19] == 2 and told["tiles_probably_wrong"] == 0.03
    json.dumps(told)


def test_a_container_may_have_fewer_cores_and_less_memory_than_the_machine(tmp_path):
    (tmp_path / "cpu.max").write_text("150000 100000\n")
    assert usable_cores(tmp_path) <= 2
    (tmp_path / "cpu.max").write_text("50000 100000\n")
    assert usable_cores(tmp_path) == 1
    (tmp_path / "memory.max").write_text("2000000000\n")
    (tmp_path / "memory.current").write_text("500000000\n")
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable:  8000000 kB\n")
    assert usable_memory(tmp_path, tmp_path / "meminfo") == 1_500_000_000
    (tmp_path / "memory.max").write_text("max\n")
    assert usable_memory(tmp_path, tmp_path / "meminfo") == 8_192_000_000
    assert usable_memory(tmp_path / "none", tmp_path / "none") is None


def test_boxes_are_matched_as_if_all_pairs_were_measured():
    random = np.random.default_rng(5)
    outline = np.array([[-20, -30], [22, -28], [20, 30], [-22, 28]])
    for _ in range(40):
        centres = random.uniform(0, 300, (24, 1, 2))
        there = np.float32(centres + outline)
        moved = np.float32(centres + outline * random.uniform(0.7, 1.3, (24, 1, 1)) + random.normal(0, 6, (24, 1, 2)))
        given = np.where(random.random((24, 1, 1)) < 0.4, there, moved)[random.permutation(24)[:20]]
        shares = np.array([[overlap_ratios(a, b)[0] for b in there] for a in given])
        expected = []
        while shares.max() >= MIN_OVERLAP:
            i, j = (int(k) for k in np.unravel_index(shares.argmax(), shares.shape))
            expected.append((i, j, pytest.approx(shares[i, j], abs=1e-4)))
            shares[i], shares[:, j] = 0, 0
        mine, theirs = ([Box(tile("1m"), tuple(map(tuple, q.tolist()))) for q in quads] for quads in (given, there))
        found = match_boxes(mine, theirs)
        assert sorted(found) == sorted(expected, key=lambda pair: pair[:2])
        assert [share for _, _, share in found] == sorted((share for _, _, share in found), reverse=True)
