"""Write ``hupai/page/static/types/answers.d.ts`` from a server without wings: its answers as types for the page.

Git does not keep the file; ``python -m scripts.page_checks`` makes it before it checks types.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hupai.settings import Settings
from hupai.web.answers.operations import OPERATIONS
from hupai.web.app import create_app
from hupai.web.services import build_services

FILE: Final = Path(__file__).resolve().parents[2] / "hupai" / "page" / "static" / "types" / "answers.d.ts"
_PREFIX: Final = "/api/v1"
_SCHEMAS: Final = "#/components/schemas/"
_PLAIN: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def text() -> str:
    """The text of that file: every schema that an operation answers with, and which operation answers with which."""
    api = _describe_api()
    schemas = api["components"]["schemas"]
    routes = dict(sorted(_routes(api["paths"])))
    needed: set[str] = set()
    left = [*routes.values()]
    while left:
        named = set(re.findall(rf'"{_SCHEMAS}([^"]+)"', json.dumps(left.pop()))) - needed
        needed |= named
        left += [schemas[name] for name in named]
    lines = ["// Made by scripts/docs/answers.py from the routes.", "declare namespace Api {"]
    lines += [f"  interface {_name(name)} {_object(schemas[name], '  ')}" for name in sorted(needed)]
    lines += ["  /** What an operation answers; a part of its path in braces is whatever it is asked about. */"]
    lines += ["  interface Routes {"]
    types = {route: _type(schema, "    ") for route, schema in routes.items()}
    types |= {one.asked: one.answers for one in OPERATIONS if one.answers}
    lines += [f'    "{route}": {said};' for route, said in sorted(types.items())]
    return "\n".join([*lines, "  }", "}", ""])


def _describe_api() -> dict[str, Any]:
    """The OpenAPI description of a server with the default settings and no wings."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.model_validate({"data_folder": Path(folder)})
        services = build_services(settings, ())
        try:
            return create_app(settings, services).openapi()
        finally:
            services.engine.dispose()


def _routes(paths: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Operations whose answer has a described form of its own."""
    for path, operations in paths.items():
        for method, operation in operations.items():
            for status, reply in operation["responses"].items():
                schema = reply.get("content", {}).get("application/json", {}).get("schema", {})
                if status[0] == "2" and "$ref" in schema and path.startswith(_PREFIX):
                    yield f"{method.upper()} {path.removeprefix(_PREFIX)}", schema


def _name(reference: str) -> str:
    return reference.removeprefix(_SCHEMAS).removesuffix("-Output")


def _type(schema: dict[str, Any], indent: str) -> str:
    if "$ref" in schema:
        return _name(schema["$ref"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one, indent) for one in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return " | ".join(map(json.dumps, schema.get("enum") or [schema["const"]]))
    if "prefixItems" in schema:
        return f"[{', '.join(_type(one, indent) for one in schema['prefixItems'])}]"
    if "properties" in schema:
        return _object(schema, indent)
    kind = schema.get("type")
    if kind == "array":
        inner = _type(schema.get("items", {}), indent)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object":
        more = schema.get("additionalProperties")
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


def write() -> None:
    """Write the file, if it does not say so already."""
    made = text()
    if not FILE.exists() or FILE.read_text(encoding="utf-8") != made:
        FILE.write_text(made, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
