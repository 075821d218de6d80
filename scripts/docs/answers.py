"""Write ``hupai/web/static/types/answers.d.ts`` from the server itself: the API's answers as types for the page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from scripts.docs.operations import described

FILE: Final = Path(__file__).resolve().parents[2] / "hupai" / "web" / "static" / "types" / "answers.d.ts"
_PREFIX: Final = "/api/v1"
_PLAIN: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def text() -> str:
    """The text of that file: every schema that an operation answers with, and which operation answers with which."""
    api = described()
    schemas = api["components"]["schemas"]
    routes = dict(sorted(_routes(api["paths"])))
    needed: dict[str, None] = {}
    for schema in routes.values():
        _gather(schema, schemas, needed)
    lines = ["// Made by scripts/docs/answers.py: change the routes, then run it again.", "declare namespace Api {"]
    for name in sorted(needed):
        lines += [f"  interface {_name(name)} {_object(schemas[name], '  ')}"]
    lines += ["  /** What an operation answers; a part of its path in braces is whatever it is asked about. */"]
    lines += ["  interface Routes {"]
    lines += [f'    "{route}": {_type(schema, "    ")};' for route, schema in routes.items()]
    return "\n".join([*lines, "  }", "}", ""])


def _routes(paths: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Operations whose answer has a described form of its own."""
    found = []
    for path, operations in paths.items():
        for method, operation in operations.items():
            for status, reply in operation["responses"].items():
                schema = reply.get("content", {}).get("application/json", {}).get("schema", {})
                if status[0] == "2" and "$ref" in schema and path.startswith(_PREFIX):
                    found.append((f"{method.upper()} {path.removeprefix(_PREFIX)}", schema))
    return found


def _gather(schema: object, schemas: dict[str, Any], found: dict[str, None]) -> None:
    if isinstance(schema, dict):
        name = str(schema.get("$ref", "")).rpartition("/")[2]
        if name and name not in found:
            found[name] = None
            _gather(schemas[name], schemas, found)
        for value in schema.values():
            _gather(value, schemas, found)
    elif isinstance(schema, list):
        for value in schema:
            _gather(value, schemas, found)


def _name(name: str) -> str:
    return re.sub(r"-Output$", "", name)


def _type(schema: dict[str, Any], indent: str) -> str:
    if "$ref" in schema:
        return _name(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one, indent) for one in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"])
    kind = schema.get("type")
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(_type(one, indent) for one in schema['prefixItems'])}]"
        inner = _type(schema.get("items", {}), indent)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object":
        more = schema.get("additionalProperties")
        if "properties" in schema:
            return _object(schema, indent)
        return f"Record<string, {_type(more, indent) if isinstance(more, dict) else 'unknown'}>"
    return _PLAIN.get(str(kind), "unknown")


def _object(schema: dict[str, Any], indent: str) -> str:
    needed = schema.get("required", ())
    lines = [
        f"{indent}  {name}{'' if name in needed else '?'}: {_type(one, indent + '  ')};"
        for name, one in schema["properties"].items()
    ]
    if schema.get("additionalProperties") is True:
        lines.append(f"{indent}  [more: string]: unknown;")
    return "\n".join(["{", *lines, f"{indent}}}"])


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8", newline="\n")
