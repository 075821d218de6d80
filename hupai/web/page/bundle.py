"""Bundles many small modules into one script and many style sheets into one, from their sources, at server start."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Final

Read = Callable[[str], str]
"""Path of a source below the static folder -> its text."""

_IMPORT: Final = re.compile(r'^import (?:(?P<what>\{[^}]*\}|\* as \w+) from )?"(?P<path>[^"]+)";\n', re.M)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?function |const |class )", re.M)
_NAME: Final = re.compile(r"^export (?:async )?(?:function\*? |const |class )(\w+)", re.M)
_AGAIN: Final = re.compile(r"^export \{([^}]*)\};\n", re.M)
_RELEASED: Final = re.compile(r"\bexport\{([^{}]*)\};\s*\Z")
"""Suffix of a library's minified release."""
_RENAMED: Final = re.compile(r"([\w$]+) as (\w+)")
_COMMENT: Final = re.compile(r"^[ ]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.M)
_LEFT: Final = re.compile(r"^(?:export\b|import\b).*", re.M)


def script(entry: str, read: Read) -> str:
    """Return one module that does what ``entry`` and all its imports do.

    Each module becomes a function of its own, called once, in dependency order; ``import.meta.url`` is preserved. The
    modules' exports are available by their paths from the only export, ``modules``.

    Args:
        entry: path of the first module, such as ``js/main.js``. read: returns the text of a source.

    Raises:
        ValueError: an unsupported form of import or export, or circular imports.
    """
    order = list(_in_order(entry, read, set(), ()))
    numbers = {path: f"m{i}" for i, path in enumerate(order)}
    parts = [_wrapped(path, _placed(path, entry, read(path)), numbers) for path in order]
    names = ", ".join(f'"{path}": {number}' for path, number in numbers.items())
    return "".join(parts) + f"export const modules = {{{names}}};\n"


def _in_order(path: str, read: Read, done: set[str], above: tuple[str, ...]) -> Iterator[str]:
    if path in above:
        raise ValueError(f"{' -> '.join((*above, path))}: these modules need each other; part them.")
    if path in done:
        return
    done.add(path)
    for found in _IMPORT.finditer(read(path)):
        yield from _in_order(_beside(path, found["path"]), read, done, (*above, path))
    yield path


def _beside(path: str, other: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), other))


def _placed(path: str, entry: str, text: str) -> str:
    """Return a module with its own address, though it is served at that of the first."""
    own = posixpath.relpath(path, posixpath.dirname(entry))
    return text.replace("import.meta.url", f'new URL("{own}", import.meta.url)')


def _wrapped(path: str, text: str, numbers: dict[str, str]) -> str:
    released = _RELEASED.search(bare(text))
    if released:
        given = _RENAMED.sub(r"\2: \1", released[1])
        return f"const {numbers[path]} = (() => {{\n{bare(text)[: released.start()]}\nreturn {{ {given} }};\n}})();\n"

    def taken(found: re.Match[str]) -> str:
        number = numbers[_beside(path, found["path"])]
        what = found["what"]
        if what is None:
            return ""
        if what.startswith("*"):
            return f"const {what.removeprefix('* as ')} = {number};\n"
        renamed = _RENAMED.sub(r"\1: \2", what)
        return f"const {renamed} = {number};\n"

    names = _NAME.findall(text)
    for again in _AGAIN.findall(text):
        names += [name.strip() for name in again.split(",") if name.strip()]
    body = _EXPORT.sub("", _AGAIN.sub("", _IMPORT.sub(taken, bare(text))))
    left = _LEFT.search(body)
    if left or any(" as " in name for name in names):
        raise ValueError(f"{path}: the bundle does not know {left[0] if left else 'a renamed export'!r:.80}.")
    return f"const {numbers[path]} = (() => {{\n{body}return {{ {', '.join(names)} }};\n}})();\n"


def bare(text: str) -> str:
    """Return a script without the lines that are comments."""
    return _COMMENT.sub("", text)


def style(paths: list[str], read: Read) -> str:
    """Return style sheets one after the other, without comments."""
    return "".join(re.sub(r"/\*.*?\*/\n?", "", read(path), flags=re.S) for path in paths)
