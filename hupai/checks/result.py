"""The result of checking part of an installation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from scoring.errors import HupaiError


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One thing that was checked.

    Attributes:
        ok: whether it is in order. name: what it is.
        message: what was found, with what to do when it is not ok.
        repair: repairs it if no decision is needed; None if only people can.
    """

    ok: bool
    name: str
    message: str
    repair: Callable[[], object] | None = None

    @property
    def line(self) -> str:
        """It in one line."""
        return f"{'ok  ' if self.ok else 'BAD '} {self.name}: {self.message}"

    def to_json(self) -> dict[str, object]:
        """``ok``, ``name``, ``message``, ``mendable``."""
        return {"ok": self.ok, "name": self.name, "message": self.message, "mendable": self.repair is not None}


_LIBRARY = re.compile(r"(lib[\w.+-]+\.so[\d.]*): cannot open shared object file")
_OPENCV = ("libGL.so.1", "libgthread-2.0.so.0", "libglib-2.0.so.0")


def import_hint(error: ImportError) -> str:
    """Return why something cannot be loaded and how to repair that: a system library, or hupai's installation.

    OpenCV's wheels take libGL and glib from the system, which slim images and servers lack.
    """
    found = _LIBRARY.search(str(error))
    if found is None:
        return f"cannot be loaded ({error}); install hupai again with pip."
    packages = "libgl1 libglib2.0-0" if found[1] in _OPENCV else f"the package that holds {found[1]}"
    return f"cannot be loaded: the system has no {found[1]}; on Debian and Ubuntu: apt-get install {packages}."


def run_check(name: str, look: Callable[[], str | CheckResult | Iterable[CheckResult] | None]) -> Iterator[CheckResult]:
    """Yield what a check finds: a sentence if all is well, results, or None where there is nothing to look at.

    An exception becomes a finding, too, and does not stop other checks.
    """
    try:
        found = look()
        if isinstance(found, str):
            found = CheckResult(True, name, found)
        yield from [found] if isinstance(found, CheckResult) else list(found or ())
    except HupaiError as error:
        yield CheckResult(False, name, error.message)
    except ImportError as error:
        yield CheckResult(False, name, import_hint(error))
    except OSError as error:
        yield CheckResult(False, name, f"cannot be looked at ({error}); see that this user may read it.")
    except Exception as error:  # noqa: BLE001 - looks are made at what is broken, in ways nobody thought of
        said = f"does not work ({type(error).__name__}: {error})"
        yield CheckResult(False, name, f"{said}; install hupai again, and report it if that is no help.")
