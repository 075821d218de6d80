"""Every error code that the code can give, found in its syntax."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
_MAKERS = frozenset({"Fault", "Refusal", "fault", "_error"})
_CODE = re.compile(r"[a-z][a-z_]*[a-z]")


def strings(node: ast.AST) -> Iterator[str]:
    """String constants an expression may yield; keys of a dictionary are none."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str) and _CODE.fullmatch(node.value):
            yield node.value
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from strings(value)
    elif isinstance(node, ast.IfExp):
        yield from strings(node.body)
        yield from strings(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from strings(value)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        yield from strings(node.func.value)
        for value in node.args[1:]:
            yield from strings(value)


def codes_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in _MAKERS and node.args:
                yield from strings(node.args[0])
            for keyword in node.keywords:
                if keyword.arg == "code":
                    yield from strings(keyword.value)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(t, ast.Name) and t.id == "code" for t in targets):
                yield from strings(node.value)
            if any(isinstance(t, ast.Name) and t.id == "_HTTP_CODES" for t in targets) and isinstance(
                node.value, ast.Dict
            ):
                for pair in node.value.values:
                    if isinstance(pair, ast.Tuple):
                        yield from strings(pair.elts[0])


def doubts_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Doubt" and node.args:
            yield from strings(node.args[0])
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Doubt":
            for keyword in node.keywords:
                if keyword.arg == "code":
                    yield from strings(keyword.value)


def all_codes() -> dict[str, set[str]]:
    """Code -> the files that give it."""
    found: dict[str, set[str]] = {}
    for package in ("scoring", "vision", "hupai"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for code in codes_in(ast.parse(path.read_text(encoding="utf-8"))):
                found.setdefault(code, set()).add(str(path.relative_to(ROOT)))
    return found


def all_doubts() -> set[str]:
    return {
        code
        for path in sorted((ROOT / "vision").rglob("*.py"))
        for code in doubts_in(ast.parse(path.read_text(encoding="utf-8")))
    }
