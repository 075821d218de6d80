"""Checks the places hupai needs: settings, data folder, disk, database, port, certificates; creates nothing."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hupai.checks.result import CheckResult, run_check
from hupai.settings import CONFIG_VARIABLE, PREFIX, Settings, default_config, load_settings
from hupai.wing import Wing, store_wings
from scoring.errors import HupaiError

if TYPE_CHECKING:
    from sqlalchemy import Connection

MIN_FREE_BYTES: Final = 200_000_000
"""Bytes of free disk space below which something will soon fail."""
_DEVELOPERS: Final = frozenset({CONFIG_VARIABLE, *(PREFIX + name for name in ("DATA", "FULL", "READERS"))})


def check_places(config: Path | None, wings: Sequence[Wing]) -> Iterator[CheckResult]:
    """Check the settings first; what depends on them is only checked if they are valid."""
    try:
        settings = load_settings(config)
    except HupaiError as error:
        yield CheckResult(False, "settings", error.message)
        return
    yield _check_settings(settings, config)
    folder = settings.data_folder
    yield from run_check("data folder", lambda: _check_data_folder(folder))
    yield from run_check("disk", lambda: _check_disk(folder))
    yield from run_check("database", lambda: _check_database(settings, wings))
    yield from run_check("files", lambda: _check_drafts(folder))
    yield from run_check("port", lambda: _check_port(settings))
    for name, look in (("sets", _check_sets), ("samples", _check_samples), ("certificates", _check_keys)):
        yield from run_check(name, partial(_check_subfolder, folder / name, look))


def _check_subfolder(folder: Path, look: Callable[[Path], str | CheckResult | None]) -> str | CheckResult | None:
    """Return what a check of a subfolder of the data folder finds; nothing if it does not exist."""
    if not os.path.lexists(folder):
        return None
    if not folder.is_dir() or not os.access(folder, os.R_OK | os.X_OK):
        raise HupaiError(f"{folder} is not a folder that this user can read; change its owner, or move it away.")
    return look(folder)


def _check_settings(settings: Settings, config: Path | None) -> CheckResult:
    known = {PREFIX + name.upper() for name in type(settings).model_fields} | _DEVELOPERS
    strange = sorted(name for name in os.environ if name.startswith(PREFIX) and name.upper() not in known)
    if strange:
        close = get_close_matches(strange[0], known, 1)
        hint = f"; did you mean {close[0]}?" if close else "; hupai serve --help lists the settings."
        return CheckResult(False, "settings", f"There is no setting for the variable {', '.join(strange)}{hint}")
    named = config or os.environ.get(CONFIG_VARIABLE) or (default_config() if default_config().is_file() else None)
    given = sorted(name for name in os.environ if name in known - _DEVELOPERS)
    from_variables = f", {', '.join(given)} from the environment" if given else ""
    return CheckResult(True, "settings", f"valid; {named or 'no settings file'}{from_variables}")


def _nearest_existing(path: Path) -> Path:
    """The path, or the nearest folder above it that exists."""
    while not path.exists():
        path = path.parent
    return path


def _check_data_folder(folder: Path) -> str | CheckResult:
    there = _nearest_existing(folder)
    if there != folder:
        if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
            raise HupaiError(f"{folder} cannot be made below {there}; give another with HUPAI_DATA_FOLDER.")
        message = f"{folder} is made at the first start"
        return CheckResult(True, "data folder", message, lambda: folder.mkdir(parents=True))
    if not folder.is_dir():
        raise HupaiError(f"{folder} is not a folder; move that file, or set HUPAI_DATA_FOLDER.")
    if not os.access(folder, os.W_OK | os.X_OK | os.R_OK):
        own = folder.stat().st_uid == os.geteuid()
        message = f"{folder} cannot be written by this user; change its owner, or set HUPAI_DATA_FOLDER."
        return CheckResult(False, "data folder", message, (lambda: folder.chmod(0o700)) if own else None)
    return f"{folder} can be written"


def _check_disk(folder: Path) -> str:
    free = shutil.disk_usage(_nearest_existing(folder)).free
    if free < MIN_FREE_BYTES:
        raise HupaiError(f"only {free / 1e6:.0f} MB are free under {folder}; make room.")
    return f"{free / 1e9:.1f} GB are free under {folder}"


def _check_port(settings: Settings) -> str:
    """Check whether the server could listen where the settings say; a server already running there is not a fault."""
    from hupai.web.listen.listening import bind_socket, serves_already

    place = f"{settings.host} port {settings.port}"
    try:
        bind_socket(settings.host, settings.port).close()
    except HupaiError:
        if serves_already(settings.host, settings.port):
            return f"hupai serves on {place} already"
        raise
    return f"{place} is free"


def _check_database(settings: Settings, wings: Sequence[Wing]) -> str:
    from sqlalchemy import make_url, text
    from sqlalchemy.exc import SQLAlchemyError

    from hupai.store.database import connect, describe_failure, without_password

    url = settings.database_url
    file = Path(make_url(url).database or "") if url.startswith("sqlite") else None
    if file is not None and not file.exists() and str(file) != ".":
        above = _nearest_existing(file.absolute())
        if not (above.is_dir() and os.access(above, os.W_OK | os.X_OK)) and file.parent != settings.data_folder:
            raise HupaiError(f"{file} cannot be made below {above}; name another in HUPAI_DATABASE.")
        return f"{file} is made at the first start"
    try:
        engine = connect(url, store_wings(wings))
        try:
            with engine.connect() as connection:
                if file is not None:
                    said = str(connection.execute(text("pragma quick_check(1)")).scalar())
                    if said != "ok":
                        raise HupaiError(f"{file} is damaged ({said}); put a copy back.")
                state = _schema_state(connection)
        finally:
            engine.dispose()
    except SQLAlchemyError as error:
        raise HupaiError(describe_failure(url, error)) from error
    return f"{without_password(url)} answers; {state}"


def _schema_state(connection: Connection) -> str:
    """Return the state of its tables compared with this version's."""
    from hupai.store.schema import check_keepers, is_up_to_date

    up_to_date = is_up_to_date(connection)
    check_keepers(connection)
    if up_to_date is None:
        return "its tables are made at the first start"
    return "its tables are up to date" if up_to_date else "its tables are brought up to date at the next start"


def _check_drafts(folder: Path) -> str | CheckResult:
    """Check for drafts left by a crash; the server clears those of samples at every start, this finds the rest."""
    drafts = [
        path
        for name in ("samples", "sets", "certificates")
        if (folder / name).is_dir() and os.access(folder / name, os.R_OK | os.X_OK)
        for path in sorted((folder / name).iterdir())
        if path.suffix in (".new", ".part")
    ]
    if not drafts:
        return "none is half-written"

    def remove() -> None:
        for path in drafts:
            path.unlink(missing_ok=True)

    named = ", ".join(str(d) for d in drafts[:5])
    message = f"half-written, of a run that was killed: {named}; hupai check --fix removes them."
    return CheckResult(False, "files", message, remove)


def _check_sets(folder: Path) -> str | None:
    """Check learned tile sets: damaged ones, and those learned with other weights."""
    from hupai.store.files.sets import FolderSets

    try:
        from vision.models.zoo import list_models

        model = list_models()["classifier"].short
    except (HupaiError, ImportError):  # reported under models
        model = None
    found = FolderSets(folder).list_sets(model)
    bad = [f"{one['name']}: {one['trouble']}" for one in found if one["trouble"]]
    if bad:
        raise HupaiError(" ".join(bad))
    return f"{', '.join(one['name'] for one in found)} can be used" if found else None


def _check_samples(folder: Path) -> str | None:
    """Check photos donated for training whose labels cannot be read."""
    from hupai.store.files.samples import damaged_samples

    count = len(list(folder.glob("*.json")))
    bad = damaged_samples(folder)
    if bad:
        named = ", ".join(str(path) for path in bad[:5])
        raise HupaiError(f"the labels cannot be read of {named}; put a copy back, or delete them.")
    return f"{count} are whole" if count else None


def _check_keys(folder: Path) -> CheckResult | None:
    keys = sorted(folder.glob("*.key"))
    loose = [key for key in keys if key.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)]
    if not loose:
        return CheckResult(True, "keys", "only their owner can read them") if keys else None

    def tighten() -> None:
        for key in loose:
            key.chmod(0o600)

    named = ", ".join(str(k) for k in loose)
    return CheckResult(False, "keys", f"others can read {named}; hupai check --fix takes that away.", tighten)
