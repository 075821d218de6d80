"""Frozen dataclasses that are quick to create, for those created for every hand.

A frozen dataclass has to bypass its own ``__setattr__`` for each of its fields, which takes most of the time of its
creation. Here the object belongs to an unfrozen subclass while its fields are written, and then to its frozen class.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, TypeVar

T = TypeVar("T")


def fast_init(cls: type[T]) -> type[T]:
    """Make a frozen dataclass with slots whose ``__init__`` writes its fields directly.

    ``__post_init__`` finds the object unfrozen and writes computed fields like any others.
    """
    shut = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    opened = type(cls.__name__, (cls,), {"__slots__": (), "__module__": cls.__module__, **shut})
    names: dict[str, Any] = {"_become": object.__setattr__, "_open": opened, "_shut": cls}
    asked, body = ["self"], ["_become(self, '__class__', _open)"]
    for f in fields(cls):  # type: ignore[arg-type]
        if not f.init:
            continue
        value = f.name
        if f.default_factory is not MISSING:
            names[f"_made_{f.name}"] = f.default_factory
            names["_absent"] = MISSING
            asked.append(f"{f.name}=_absent")
            value = f"_made_{f.name}() if {f.name} is _absent else {f.name}"
        elif f.default is not MISSING:
            names[f"_default_{f.name}"] = f.default
            asked.append(f"{f.name}=_default_{f.name}")
        else:
            asked.append(f.name)
        body.append(f"self.{f.name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    lines = ["try:", *(f" {line}" for line in body), "finally:", " self.__class__ = _shut"]
    exec(f"def __init__({', '.join(asked)}):\n " + "\n ".join(lines), names)
    setattr(cls, "__init__", names["__init__"])  # noqa: B010 - mypy knows no other way
    return cls
