from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from hupai.store.files.sets import FolderSets
from scoring.tiles import PLAIN, Tile, parse_tiles, tile
from scoring.version import version
from tests.vision.laid import H, W, seen
from vision.device import finish, rows_of
from vision.errors import TileSetError
from vision.learn.lessons import assign, lessons_by_elimination, lessons_in_order, lessons_of_corrections, reading_order
from vision.learn.setfiles import SUFFIX, from_bytes, to_bytes
from vision.learn.tileset import MAX_PROTOTYPES, Lesson, TileSet, Vector
from vision.photo_lessons import lessons_of
from vision.pipeline import TileReader
from vision.reader import PhotoReader
from vision.reading import Sighting

MODEL = "0123456789ab"
PLACES = np.random.default_rng(0).normal(size=(60, 32)).astype(np.float32)


def place(t: Tile, noise: float = 0.0, seed: int = 0) -> Vector:
    """Where the embeddings of a face lie."""
    rng = np.random.default_rng([seed, t.kind + 50 * t.red])
    return tuple((PLACES[t.kind + 13 * t.red] + noise * rng.normal(size=32)).astype(np.float32).tolist())


def sight(code: str, x: float, y: float, read: str | None = None, p: float = 0.9, seed: int = 1) -> Sighting:
    """A tile that shows ``code`` and is read as ``read``."""
    shown, face = tile(code), tile(read or code)
    s = seen(face, x, y, 0, p)
    rest = {t: (1 - p) / 50 for t in PLAIN if t is not face}
    return Sighting(s.corners, face, p, {**rest, shown: 0.03, face: p}, 0.95, place(shown, 0.1, seed))


def whole_set(mistaken: dict[str, str] | None = None) -> list[Sighting]:
    """One of each of the 34 kinds in four lines."""
    found = []
    for line, text in enumerate(("123456789m", "123456789p", "123456789s", "1234567z")):
        for at, t in enumerate(parse_tiles(text)):
            found.append(sight(t.code, 100 + at * W, 100 + line * (H + 20), (mistaken or {}).get(t.code)))
    return found


def learned(mistaken: dict[str, str] | None = None) -> TileSet:
    return TileSet.empty("home", MODEL).with_lessons(lessons_by_elimination(whole_set(mistaken)))


def test_a_set_learned_from_a_photo_mends_what_the_classifier_mistakes() -> None:
    known = learned({"1s": "3z"})
    wrong = [sight("1s", 0, 0, "3z", 0.8, seed) for seed in range(5)]
    assert [s.tile for s in known.read(wrong)] == [tile("1s")] * 5
    right = [sight(t.code, 0, 0, seed=3) for t in PLAIN[:34]]
    after = known.read(right)
    assert [s.tile for s in after] == list(PLAIN[:34])
    for before, now in zip(right, after, strict=True):
        assert 1 >= sum(now.posterior.values()) > 0.99
        assert now.confidence == now.posterior[now.tile] and now.located == before.located


def test_labels_that_were_not_learned_can_still_be_read() -> None:
    known = TileSet.empty("home", MODEL).with_lessons([Lesson(tile("1m"), place(tile("1m")))])
    assert [s.tile for s in known.read([sight("7z", 0, 0, seed=2), sight("1m", 0, 0, seed=2)])] == [
        tile("7z"),
        tile("1m"),
    ]


def test_a_face_that_no_set_is_known_to_have_is_known_once_it_was_learned() -> None:
    """The reader leaves little to any tile where the face is none they know."""
    odd = sight("1s", 0, 0, seed=4)
    odd = replace(odd, confidence=0.05, posterior={t: 0.1 * p for t, p in odd.posterior.items()})
    (now,) = learned().read([odd])
    assert now.tile == tile("1s") and now.confidence > 0.8
    (still,) = TileSet.empty("home", MODEL).with_lessons([Lesson(tile("9m"), place(tile("9m")))]).read([odd])
    assert sum(still.posterior.values()) < 0.2, "another face was learned, not this one"


def test_more_lessons_refine_and_never_pile_up() -> None:
    known = learned()
    again = known.with_lessons(Lesson(tile("1m"), place(tile("1m"), 0.6, seed)) for seed in range(40))
    own = [w for t, w in zip(again.tiles, again.weights, strict=True) if t is tile("1m")]
    assert len(own) <= MAX_PROTOTYPES and sum(own) == 41
    assert np.allclose(np.linalg.norm(again.prototypes, axis=1), 1, atol=1e-5)
    assert len(known.tiles) == 34  # a set is never changed in place


def test_corrections_teach() -> None:
    wrong = [sight("g1", i * W, 0, "g3", 0.85, seed=i) for i in range(4)]
    known = learned().with_lessons(lessons_of_corrections(wrong[:2], {0: tile("g1"), 1: tile("g1")}))
    assert [s.tile.code for s in known.read(wrong[2:])] == ["g1", "g1"]


def test_lessons_by_elimination_find_the_mistaken_faces() -> None:
    lessons = lessons_by_elimination(whole_set({"1s": "3z", "8p": "9p"}))
    assert sorted(x.tile.kind for x in lessons) == list(range(34))


def test_a_find_that_would_be_no_tile_upside_down_teaches_all_the_same(reader: TileReader) -> None:
    """Whether a find is a tile depends on its embedding, which is another for the crop upside down."""
    photo = Path(__file__).resolve().parents[2] / "examples" / "hand-riichi.jpg"
    detected, _ = reader.detect(photo)
    (flat,) = finish(detected.crops.look("classifier", ["emb"], range(len(detected)), [2] * len(detected)))
    over = [replace(one, embedding=row) for one, row in zip(detected.found, rows_of(flat, len(detected)), strict=True)]
    turned = replace(detected, found=over)
    both = np.array([finish(reader.photos.scene.rescore(look))[1] for look in (detected, turned)])
    between = both.mean(axis=0)[np.ptp(both, axis=0).argmax()]
    one_way, the_other = (both >= between).sum(axis=1)
    strict = copy(reader)
    strict.device = copy(reader.device)
    of = reader.device.metadata
    strict.device.metadata = replace(of, scene=replace(of.scene, least=float(between)))
    strict.photos = PhotoReader(strict.device)
    seen = strict.classify(detected)
    lessons = lessons_of(photo, lambda seen: [Lesson(s.tile, s.embedding) for s in seen], strict)  # type: ignore[arg-type]
    assert one_way != the_other and len(seen) == one_way
    assert [x.tile for x in lessons] == [s.tile for s in seen] * 2


def test_the_cheapest_assignment_is_that_of_scipy() -> None:
    rng = np.random.default_rng(5)
    for trial in range(200):
        rows = int(rng.integers(0, 12))
        shape = rows, rows + int(rng.integers(0, 6))
        costs = rng.normal(size=shape) if trial % 2 else rng.integers(-3, 3, shape).astype(float)  # and many alike
        columns = assign(costs.tolist())
        assert len(set(columns)) == rows
        assert sum(costs[range(rows), columns]) == pytest.approx(costs[linear_sum_assignment(costs)].sum())


def test_what_is_no_whole_set_teaches_nothing() -> None:
    with pytest.raises(TileSetError, match="not a whole set") as few:
        lessons_by_elimination(whole_set()[:14])
    assert few.value.code == "set_order_unclear"
    with pytest.raises(TileSetError, match="does not look like"):
        lessons_by_elimination([sight("1m", 100 + i * W, 100) for i in range(34)])


def test_lessons_in_order_follow_the_lines() -> None:
    tiles = whole_set({"1s": "3z"})
    order = np.random.default_rng(1).permutation(len(tiles))
    shuffled = [tiles[i] for i in order]
    assert [int(order[i]) for i in reading_order(shuffled)] == list(range(34))
    lessons = lessons_in_order(shuffled, PLAIN[:34])
    assert [x.tile for x in lessons] == list(PLAIN[:34])
    assert lessons[18].embedding == place(tile("1s"), 0.1, 1)


def test_another_number_or_order_is_refused_with_what_was_read() -> None:
    with pytest.raises(TileSetError, match="34 tiles face-up are seen, 33 named"):
        lessons_in_order(whole_set(), PLAIN[:33])
    with pytest.raises(TileSetError, match="not in this order"):
        lessons_in_order(whole_set(), tuple(reversed(PLAIN[:17])) + PLAIN[17:34])


def test_files_round_trip_export_and_import(tmp_path: Path) -> None:
    known = learned()
    sets, mine = FolderSets(tmp_path / "sets"), FolderSets(tmp_path / "mine")
    sets.save(known)
    path = tmp_path / "sets" / ("home" + SUFFIX)
    assert sets.names() == ["home"]
    again = sets.load("home", MODEL)
    assert again == known
    with np.load(path, allow_pickle=False) as arrays:
        assert np.array_equal(arrays["prototypes"], np.array(known.prototypes, np.float32))
        assert arrays["tiles"].tolist() == [t.code for t in known.tiles]
    assert json.loads(np.load(path)["meta"].tobytes())["version"] == version()
    mine.import_set(path.read_bytes(), "from a friend.npz", replace=False)
    assert mine.load("home") == known
    assert list((tmp_path / "sets").iterdir()) == [path]


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "x" * 41, "nul\0"])
def test_names_that_are_no_file_names_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(TileSetError) as refused:
        FolderSets(tmp_path).load(name)
    assert refused.value.code == "set_bad_name"


def test_missing_sets_and_other_models_are_refused_by_name(tmp_path: Path) -> None:
    sets = FolderSets(tmp_path)
    sets.save(learned())
    with pytest.raises(TileSetError, match="there are: home") as missing:
        sets.load("club")
    assert missing.value.code == "set_missing" and missing.value.exit_status == 3
    with pytest.raises(TileSetError, match="0123456789ab") as other:
        sets.load("home", "ffffffffffff")
    assert other.value.code == "set_other_model"
    with pytest.raises(TileSetError) as another:
        learned().read([Sighting(seen("1m", 0, 0).corners, tile("1m"), 0.9, {}, 1.0, (1.0,) * 7)])
    assert another.value.code == "set_other_model"


def _file(**changed: np.ndarray) -> bytes:
    known = learned()
    out = io.BytesIO()
    meta = np.frombuffer(json.dumps({"format": 1, "name": "home", "model": MODEL}).encode(), np.uint8)
    parts = {
        "meta": meta,
        "tiles": np.array([t.code for t in known.tiles]),
        "prototypes": np.array(known.prototypes, np.float32),
        "weights": np.array(known.weights, np.int32),
    }
    np.savez(out, **(parts | changed))  # type: ignore[arg-type]
    return out.getvalue()


def _edited(name: str, edit: Callable[[bytes], bytes | None]) -> bytes:
    """A file in which one array is another, or not there at all."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(_file())) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            edited = edit(data) if info.filename == name + ".npy" else data
            if edited is not None:
                new.writestr(info, edited)
    return out.getvalue()


BROKEN = {
    "not a file of ours": b"hello",
    "empty": b"",
    "cut off": to_bytes(learned())[:-300],
    "one bit changed": bytes(b ^ (i == 1500) for i, b in enumerate(to_bytes(learned()))),
    "a part missing": _edited("weights", lambda data: None),
    "a huge shape": _edited("weights", lambda data: data.replace(b"(34,", b"(99999999999,")),
    "no header": _edited("tiles", lambda data: data.replace(b"{", b"(")),
    "no letters": _edited("tiles", lambda data: data[:-4] + b"\xff\xff\xff\x7f"),
    "no array": _edited("meta", lambda data: data.replace(b"\x93NUMPY", b"no array")),
    "an unknown tile": _file(tiles=np.array(["9z"] * 34)),
    "labels too few": _file(tiles=np.array(["1m"])),
    "not numbers": _file(prototypes=np.full((34, 32), np.nan, np.float32)),
    "not of unit length": _file(prototypes=np.ones((34, 32), np.float32)),
    "objects that would need pickle": _file(tiles=np.array([{"a": 1}] * 34, dtype=object)),
    "a later format": _file(meta=np.frombuffer(b'{"format": 2, "name": "x", "model": "y"}', np.uint8)),
    "no description": _file(meta=np.frombuffer(b"[]", np.uint8)),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_refused_by_name(what: str, tmp_path: Path) -> None:
    (tmp_path / "broken.npz").write_bytes(BROKEN[what])
    with pytest.raises(TileSetError, match=r"broken\.npz") as refused:
        FolderSets(tmp_path).load("broken")
    assert refused.value.code == "set_corrupt"


def test_a_bomb_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("prototypes.npy", b"\0" * (200 << 20))
    with pytest.raises(TileSetError, match="unpacks"):
        from_bytes(out.getvalue(), "bomb.npz")


def test_a_bonus_tile_that_was_not_learned_is_not_taken_for_its_neighbour_in_the_set() -> None:
    known = learned().with_lessons([Lesson(tile("g1"), place(tile("g1")))])
    face = place(tile("g1"), 0.8, 5)  # the set's g3 is drawn like its g1 but for the number
    s = sight("g3", 0, 0)
    alike = Sighting(s.corners, s.tile, 0.9, {tile("g3"): 0.9, tile("g1"): 0.08}, 0.95, face)
    assert known.read([alike])[0].tile is tile("g3")


def test_sightings_without_embedding_stay_as_they_are() -> None:
    plain = seen("5m", 0, 0)
    assert learned().read([plain]) == [plain]
    assert TileSet.empty("new", MODEL).read([plain]) == [plain]
