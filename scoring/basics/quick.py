"""Frozen dataclasses that are made quickly, for those that are made for every hand.

A frozen dataclass writes each of its fields past its own ``__setattr__``, which takes most of the time that making one
takes. Here the object is of an open subclass while its fields are written, and of its own frozen class from then on.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, TypeVar

T = TypeVar("T")


def quickly_made(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots, with an ``__init__`` that writes fields without detours.

    ``__post_init__`` finds the object open and writes computed fields as any others.
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
