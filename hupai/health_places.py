"""The places hupai keeps things in: settings, data folder, disk, database, certificates; looked at, nothing is made."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hupai.finding import Finding
from hupai.settings import CONFIG_VARIABLE, PREFIX, Settings, default_config, load
from scoring.errors import HupaiError

if TYPE_CHECKING:
    from sqlalchemy import Connection

LEAST_FREE: Final = 200_000_000
"""Bytes of free disk below which something will soon fail."""
_DEVELOPERS: Final = frozenset({CONFIG_VARIABLE, f"{PREFIX}DATA", f"{PREFIX}FULL"})
_EXTRAS: Final = (
    ("postgres", ("psycopg",), "a ledger in PostgreSQL"),
    ("cluster", ("ray", "pyarrow"), "labelling on several machines"),
    ("mqtt", ("paho",), "events over MQTT"),
    ("train", ("torch", "onnx"), "training the eyes"),
)


def places(config: Path | None = None) -> Iterator[Finding]:
    """Settings first; what depends on them is looked at only where they make sense."""
    try:
        settings = load(config)
    except HupaiError as error:
        yield Finding(False, "settings", error.message)
        return
    yield _settings(settings, config)
    yield _data_folder(settings.data_folder)
    yield _disk(settings.data_folder)
    yield _database(settings)
    yield _half_written(settings.data_folder)
    yield from _sets(settings.data_folder / "sets")
    yield from _samples(settings.data_folder / "samples")
    yield from _keys(settings.data_folder / "certificates")


def extras() -> Iterator[Finding]:
    """What may be installed beside; its absence is no fault."""
    for name, modules, purpose in _EXTRAS:
        lacking = [m for m in modules if find_spec(m) is None]
        said = f"not installed; for {purpose}: pip install 'hupai[{name}]'" if lacking else f"installed, for {purpose}"
        yield Finding(True, f"extra {name}", said)


def _settings(settings: Settings, config: Path | None) -> Finding:
    known = {PREFIX + name.upper() for name in type(settings).model_fields} | _DEVELOPERS
    strange = sorted(name for name in os.environ if name.startswith(PREFIX) and name.upper() not in known)
    if strange:
        close = get_close_matches(strange[0], known, 1)
        hint = f"; did you mean {close[0]}?" if close else "; hupai serve --help lists the settings."
        return Finding(False, "settings", f"There is no setting for the variable {', '.join(strange)}{hint}")
    named = config or os.environ.get(CONFIG_VARIABLE) or (default_config() if default_config().is_file() else None)
    given = sorted(name for name in os.environ if name in known - _DEVELOPERS)
    from_variables = f", {', '.join(given)} from the environment" if given else ""
    return Finding(True, "settings", f"valid; {named or 'no settings file'}{from_variables}")


def _existing(path: Path) -> Path:
    """The path, or the nearest folder above it that exists."""
    while not path.exists():
        path = path.parent
    return path


def _data_folder(folder: Path) -> Finding:
    there = _existing(folder)
    if there != folder:
        if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
            return Finding(
                True, "data folder", f"{folder} is made at the first start", lambda: folder.mkdir(parents=True)
            )
        return Finding(
            False, "data folder", f"{folder} cannot be made below {there}; give another with HUPAI_DATA_FOLDER."
        )
    if not folder.is_dir():
        return Finding(False, "data folder", f"{folder} is no folder; move that file, or set HUPAI_DATA_FOLDER.")
    if not os.access(folder, os.W_OK | os.X_OK | os.R_OK):
        own = folder.stat().st_uid == os.geteuid()
        message = f"{folder} cannot be written by this user; change its owner, or set HUPAI_DATA_FOLDER."
        return Finding(False, "data folder", message, (lambda: folder.chmod(0o700)) if own else None)
    return Finding(True, "data folder", f"{folder} can be written")


def _disk(folder: Path) -> Finding:
    free = shutil.disk_usage(_existing(folder)).free
    if free < LEAST_FREE:
        return Finding(False, "disk", f"only {free / 1e6:.0f} MB are free under {folder}; make room.")
    return Finding(True, "disk", f"{free / 1e9:.1f} GB are free under {folder}")


def _database(settings: Settings) -> Finding:
    from sqlalchemy import make_url, text
    from sqlalchemy.exc import SQLAlchemyError

    from hupai.store.database import connect, reason_of, shown

    url = settings.database_url
    file = Path(make_url(url).database or "") if url.startswith("sqlite") else None
    if file is not None and not file.exists():
        return Finding(True, "database", f"{file} is made at the first start")
    try:
        engine = connect(url)
        try:
            with engine.connect() as connection:
                if file is not None:
                    said = str(connection.execute(text("pragma quick_check(1)")).scalar())
                    if said != "ok":
                        return Finding(False, "database", f"{file} is damaged ({said}); put a copy back.")
                state = _state(connection)
        finally:
            engine.dispose()
    except SQLAlchemyError as error:
        return Finding(False, "database", f"{shown(url)} cannot be used: {reason_of(error)}.")
    except HupaiError as error:
        return Finding(False, "database", error.message)
    return Finding(True, "database", f"{shown(url)} answers; {state}")


def _state(connection: Connection) -> str:
    """How its tables stand to those of this version."""
    from alembic.config import Config
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    from hupai.store.database import MIGRATIONS

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    known = ScriptDirectory.from_config(config)
    there = MigrationContext.configure(connection).get_current_revision()
    if there == known.get_current_head():
        return "its tables are up to date"
    if there is None:
        return "its tables are made at the first start"
    if there not in {script.revision for script in known.walk_revisions()}:
        raise HupaiError(f"The database was made by a newer hupai (its revision is {there}); install that version.")
    return "its tables are brought up to date at the next start"


def _half_written(folder: Path) -> Finding:
    """Drafts that a crash left; the server clears its samples at every start, the rest is found here."""
    drafts = [
        path
        for name in ("samples", "sets", "certificates")
        if os.access(folder / name, os.R_OK)
        for path in sorted((folder / name).iterdir())
        if path.suffix in (".new", ".part")
    ]
    if not drafts:
        return Finding(True, "files", "none is half-written")

    def remove() -> None:
        for path in drafts:
            path.unlink(missing_ok=True)

    named = ", ".join(str(d) for d in drafts[:5])
    return Finding(
        False, "files", f"half-written, of a run that was killed: {named}; hupai check --mend removes them.", remove
    )


def _sets(folder: Path) -> Iterator[Finding]:
    """Learned tile sets: damaged ones, and those learned with other weights."""
    from hupai.store.sets import list_sets
    from vision.zoo import entries

    if not os.access(folder, os.R_OK | os.X_OK):
        return
    try:
        model = entries()["reader"].sha256[:12]
    except HupaiError:  # told under models
        model = None
    found = list_sets(folder, model)
    bad = [f"{one['name']}: {one['trouble']}" for one in found if one["trouble"]]
    if bad:
        yield Finding(False, "sets", " ".join(bad))
    elif found:
        yield Finding(True, "sets", f"{', '.join(one['name'] for one in found)} can be used")


def _samples(folder: Path) -> Iterator[Finding]:
    """Photos given away for training whose labels cannot be read."""
    from hupai.store.samples import damaged_samples

    if not os.access(folder, os.R_OK | os.X_OK):
        return
    count = len(list(folder.glob("*.json")))
    bad = damaged_samples(folder)
    if bad:
        named = ", ".join(str(path) for path in bad[:5])
        yield Finding(False, "samples", f"the labels cannot be read of {named}; put a copy back, or delete them.")
    elif count:
        yield Finding(True, "samples", f"{count} are whole")


def _keys(folder: Path) -> Iterator[Finding]:
    if not os.access(folder, os.R_OK | os.X_OK):
        return
    keys = sorted(folder.glob("*.key"))
    if not keys:
        return
    loose = [key for key in keys if key.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)]
    if not loose:
        yield Finding(True, "keys", "only their owner can read them")
        return

    def tighten() -> None:
        for key in loose:
            key.chmod(0o600)

    named = ", ".join(str(k) for k in loose)
    yield Finding(False, "keys", f"others can read {named}; hupai check --mend takes that away.", tighten)
