"""Fuzz targets for the files that labelling and tournaments read: labels in every format, archives, lists, tables."""

from __future__ import annotations

import gzip
import io
import random
import shutil
import tarfile
import zipfile
from functools import lru_cache
from pathlib import Path

from hupai.batch.formats import WRITERS, Target, read_labels
from hupai.batch.formats.parquet import MissingPart
from hupai.batch.inputs.archives import members
from hupai.batch.inputs.sources import sources_of
from hupai.batch.records import Box, Record
from hupai.feed.plan import plan_from
from scoring.errors import HupaiError
from scoring.tiles import tile
from scripts.fuzz.common import Feed, Wrong, check_error, scratch
from scripts.fuzz.mutate import mutated_bytes, mutated_text
from scripts.fuzz.seeds import pictures

TABLES = (
    'webhooks = ["http://a.example/x"]\n[[table]]\nname = "East"\nsource = "0"\nrules = "riichi"\n'
    "corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]\n",
    'mqtt = ["mqtt://host:1883/p"]\n[[table]]\nname = "A"\nsource = "rtsp://h/1"\nsize = [1280, 720]\nspeed = 2.0\n',
)
LISTS = (
    (".jsonl", '{"image": "a.jpg"}\n{"image": "b/c.jpg", "x": 1}\n'),
    (".csv", "image,x\na.jpg,1\nb.jpg,2\n"),
    (".txt", "a.jpg\n# b\nc d.jpg\n"),
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
    kind = rng.choice([k for k in sorted(_labelled()) if k != "parquet" or rng.random() < 0.3])
    files = dict(_labelled()[kind])
    victim = rng.choice(sorted(files))
    whole = files[victim]
    if victim.endswith(".xml") and rng.random() < 0.05:
        files[victim] = BILLION
    elif victim.endswith(".parquet") or rng.random() < 0.5:
        files[victim] = mutated_bytes(rng, whole, [whole])
    else:
        text = whole.decode("utf-8", "replace")
        files[victim] = mutated_text(rng, text, [text]).encode("utf-8", "surrogatepass")

    def feed() -> None:
        folder = scratch() / "labels"
        shutil.rmtree(folder, ignore_errors=True)
        for name, data in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        (one,) = {folder / Path(name).parts[0] for name in files}
        try:
            read_labels(one)
        except HupaiError as error:
            check_error(error)

    return f"{kind} {victim}\n".encode() + files[victim], feed


@lru_cache(maxsize=1)
def _labelled() -> dict[str, dict[str, bytes]]:
    """Format -> its files by name, for two small pictures."""
    corners = ((10.0, 10.0), (40.0, 12.0), (38.0, 60.0), (9.0, 58.0))
    boxes = tuple(Box(tile(code), corners, 0.9, ((tile("2m"), 0.01),), 0.9) for code in ("1m", "0p", "f1", "back"))
    names = {"detector": "0" * 12, "classifier": "1" * 12}
    records = [Record(f"t/IMG_{i}.jpg", 640, 480, boxes, f"{i:064x}", f"{i:064x}", names) for i in range(2)]
    found = {}
    for kind, make in WRITERS.items():
        folder = scratch() / f"seed-{kind}"
        folder.mkdir()
        try:
            writer = make(Target(folder))
        except MissingPart:  # Parquet without pyarrow
            continue
        for record in records:
            writer.add(record)
        writer.close()
        files = {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
        tops = {Path(name).parts[0] for name in files}
        top = max(tops, key=lambda t: sum(len(d) for n, d in files.items() if Path(n).parts[0] == t))
        found[kind] = {name: data for name, data in files.items() if Path(name).parts[0] == top}
    return found


def archive(rng: random.Random) -> tuple[bytes, Feed]:
    """A zip or tar of pictures, and a list of them."""
    seeds = list(_archives())
    suffix, whole = rng.choice(seeds)
    data = mutated_bytes(rng, whole, [whole])

    def feed() -> None:
        path = scratch() / f"photos{suffix}"
        path.write_bytes(data)
        try:
            for source in sources_of([str(path)]):
                for _ in source.items():
                    continue
            if suffix in (".zip", ".tar", ".tar.gz"):
                for member in members(path, lambda name: True):
                    if member.name.startswith(("/", "..")) and member.error is None:
                        raise Wrong(f"a member outside the archive: {member.name}")
        except HupaiError as error:
            check_error(error)

    return data, feed


@lru_cache(maxsize=1)
def _archives() -> tuple[tuple[str, bytes], ...]:
    zipped, tarred = io.BytesIO(), io.BytesIO()
    names = ("a.jpg", "b/c.png", "../d.jpg", "/e.jpg", "readme.txt")
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as made:
        for name in names:
            made.writestr(zipfile.ZipInfo(name), pictures()[0], zipfile.ZIP_DEFLATED)  # without the time of day
    with tarfile.open(fileobj=tarred, mode="w") as tar:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = len(pictures()[0])
            tar.addfile(member, io.BytesIO(pictures()[0]))
    packed = gzip.compress(tarred.getvalue(), mtime=0)
    lists = tuple((suffix, text.encode()) for suffix, text in LISTS)
    return ((".zip", zipped.getvalue()), (".tar", tarred.getvalue()), (".tar.gz", packed), *lists)


def tables(rng: random.Random) -> tuple[bytes, Feed]:
    """A file of tables to watch."""
    raw = mutated_text(rng, rng.choice(TABLES), list(TABLES)).encode("utf-8", "surrogatepass")

    def feed() -> None:
        path = scratch() / "tables.toml"
        path.write_bytes(raw)
        try:
            plan_from(path)
        except HupaiError as error:
            check_error(error)

    return raw, feed
