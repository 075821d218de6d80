"""Fuzz targets for the files that labelling and tournaments read: labels in every format, archives, lists, tables."""

from __future__ import annotations

import gzip
import io
import random
import shutil
import tarfile
import zipfile
from functools import lru_cache, partial

from hupai.batch.formats import WRITERS, Target, read_labels
from hupai.batch.formats.parquet import MissingPart
from hupai.batch.inputs.archives import members
from hupai.batch.inputs.sources import sources_of
from hupai.batch.records import Box, Record
from hupai.feed.plan import plan_from
from scoring.tiles import tile
from scripts.fuzz.common import SCRATCH, Feed, fed
from scripts.fuzz.mutate import mutated_bytes, mutated_text
from scripts.fuzz.seeds import pictures

TABLES = (
    'webhooks = ["http://a.example/x"]\n[[table]]\nname = "East"\nsource = "0"\nrules = "riichi"\n'
    "corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]\n",
    'mqtt = ["mqtt://host:1883/p"]\n[[table]]\nname = "A"\nsource = "rtsp://h/1"\nsize = [1280, 720]\nspeed = 2.0\n',
)
LISTS = (
    (".jsonl", b'{"image": "a.jpg"}\n{"image": "b/c.jpg", "x": 1}\n'),
    (".csv", b"image,x\na.jpg,1\nb.jpg,2\n"),
    (".txt", b"a.jpg\n# b\nc d.jpg\n"),
)
BILLION = (
    b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "'
    + b"x" * 1000
    + b'">'
    + b"".join(f"<!ENTITY {chr(99 + i)} '{f'&{chr(98 + i)};' * 20}'>".encode() for i in range(6))
    + b"]><annotation>&h;</annotation>"
)
"""An XML file of two kilobytes that claims to hold gigabytes of text."""


def labels(rng: random.Random) -> tuple[bytes, Feed]:
    """A label file of some format with one of its files broken."""
    kind = rng.choice([k for k in sorted(labelled()) if k != "parquet" or rng.random() < 0.3])
    files = dict(labelled()[kind])
    victim = rng.choice(sorted(files))
    if victim.endswith(".xml") and rng.random() < 0.05:
        files[victim] = BILLION
    elif victim.endswith(".parquet") or rng.random() < 0.5:
        files[victim] = mutated_bytes(rng, files[victim])
    else:
        files[victim] = mutated_text(rng, files[victim].decode("utf-8", "replace")).encode("utf-8", "surrogatepass")

    def feed() -> None:
        folder = SCRATCH / "labels"
        shutil.rmtree(folder, ignore_errors=True)
        for name, data in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        (one,) = folder.iterdir()
        read_labels(one)

    return f"{kind} {victim}\n".encode() + files[victim], partial(fed, feed)


@lru_cache(maxsize=1)
def labelled() -> dict[str, dict[str, bytes]]:
    """Format -> its files by name, for two small pictures."""
    corners = ((10.0, 10.0), (40.0, 12.0), (38.0, 60.0), (9.0, 58.0))
    boxes = tuple(Box(tile(code), corners, 0.9, ((tile("2m"), 0.01),), 0.9) for code in ("1m", "0p", "f1", "back"))
    names = {"detector": "0" * 12, "classifier": "1" * 12}
    found = {}
    for kind, make in WRITERS.items():
        folder = SCRATCH / f"seed-{kind}"
        folder.mkdir()
        try:
            writer = make(Target(folder))
        except MissingPart:  # Parquet without pyarrow
            continue
        for i in range(2):
            writer.add(Record(f"t/IMG_{i}.jpg", 640, 480, boxes, f"{i:064x}", f"{i:064x}", names))
        writer.close()
        tops: dict[str, dict[str, bytes]] = {}  # what reading takes is one file or folder of those written, the largest
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = path.relative_to(folder)
            tops.setdefault(name.parts[0], {})[str(name)] = path.read_bytes()
        found[kind] = max(tops.values(), key=lambda files: sum(map(len, files.values())))
    return found


def archive(rng: random.Random) -> tuple[bytes, Feed]:
    """A zip or tar of pictures, or a list of them."""
    suffix, whole = rng.choice(archives())
    data = mutated_bytes(rng, whole)

    def feed() -> None:
        path = SCRATCH / f"photos{suffix}"
        path.write_bytes(data)
        for source in sources_of([str(path)]):
            for _ in source.items():
                continue
        if suffix in (".zip", ".tar", ".tar.gz"):
            for member in members(path, lambda name: True):
                assert member.error or not member.name.startswith(("/", "..")), f"outside the archive: {member.name}"

    return data, partial(fed, feed)


@lru_cache(maxsize=1)
def archives() -> tuple[tuple[str, bytes], ...]:
    """Suffix and content of archives with names good and bad, and of lists."""
    zipped, tarred = io.BytesIO(), io.BytesIO()
    photo = pictures()[0]
    with zipfile.ZipFile(zipped, "w") as made, tarfile.open(fileobj=tarred, mode="w") as tar:
        for name in ("a.jpg", "b/c.png", "../d.jpg", "/e.jpg", "readme.txt"):
            made.writestr(zipfile.ZipInfo(name), photo, zipfile.ZIP_DEFLATED)  # without the time of day
            member = tarfile.TarInfo(name)
            member.size = len(photo)
            tar.addfile(member, io.BytesIO(photo))
    packed = gzip.compress(tarred.getvalue(), mtime=0)
    return ((".zip", zipped.getvalue()), (".tar", tarred.getvalue()), (".tar.gz", packed), *LISTS)


def tables(rng: random.Random) -> tuple[bytes, Feed]:
    """A file of tables to watch."""
    raw = mutated_text(rng, rng.choice(TABLES), TABLES).encode("utf-8", "surrogatepass")

    def feed() -> None:
        path = SCRATCH / "tables.toml"
        path.write_bytes(raw)
        plan_from(path)

    return raw, partial(fed, feed)
