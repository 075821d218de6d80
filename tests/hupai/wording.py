"""The sentences that stand in the code: those that are whole, and those put together where no catalogue finds them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.hupai.serving import ROOT

_SENTENCE = re.compile(r"[\w{'\"].* .*[.?]", re.S)
_ENGLISH = {"__str__", "_explain", "describe_failure"}
"""Functions whose text no page shows: a whole score in English, for terminals and programs; what ails a store."""
_BY_CODE = {"StoreError", "Displaced"}
"""Errors whose sentence is for who runs the server; a page words them by their code."""


def whole(room: str) -> set[str]:
    """Sentences without values, and templates."""
    return {
        node.value
        for tree in _trees(room)
        for node in _texts(tree)
        if isinstance(node, ast.Constant) and _SENTENCE.fullmatch(node.value)
    }


def put_together(room: str) -> set[str]:
    """Sentences that are formatted in place, and so have no template."""
    return {
        ast.unparse(node)
        for tree in _trees(room)
        for node in _texts(tree)
        if isinstance(node, ast.JoinedStr) and _SENTENCE.fullmatch(_filled(node))
    }


def _trees(room: str) -> Iterator[ast.Module]:
    where = ROOT / room
    for path in [where] if where.is_file() else sorted(where.rglob("*.py")):
        yield ast.parse(Path(path).read_text(encoding="utf-8"))


def _texts(tree: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Texts and formatted texts; no docstrings, and nothing inside of a formatted one."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and node.name in _ENGLISH:
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _BY_CODE:
            continue
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            yield node
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield from _texts(node)


def _filled(text: ast.JoinedStr) -> str:
    return "".join(part.value if isinstance(part, ast.Constant) else "x" for part in text.values)
