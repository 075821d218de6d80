"""The page of the API's operations, made from the server's own description."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from hupai.settings import Settings
from hupai.web.app import create_app
from hupai.web.listen.start import build_services
from scripts.docs import table


def describe_api() -> dict[str, Any]:
    """The OpenAPI description of a server with the default settings."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.model_validate({"data_folder": Path(folder)})
        services = build_services(settings)
        try:
            return create_app(settings, services).openapi()
        finally:
            services.engine.dispose()


def page() -> str:
    """The page's text: one table for each subject."""
    lines = [
        "# Every operation",
        "",
        "[The API](api.md), [tournaments](tournament.md) and [cameras](cameras.md) describe what they take and answer;",
        "`/api/v1/openapi.json` does so for programs. The operation ids are stable. Not listed are the streams",
        "`GET /api/v1/events` and `GET /api/v1/changes`, `GET /metrics`, and what Label Studio asks.",
    ]
    subjects: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for path, operations in describe_api()["paths"].items():
        for method, one in operations.items():
            words = one.get("description", one["summary"]).partition("\n\n")[0]
            row = (f"`{method.upper()} {path}`", f"`{one['operationId']}`", words)
            subjects[(one.get("tags") or ["other"])[0]].append(row)
    for subject, rows in subjects.items():
        lines += ["", f"## {subject.capitalize()}", "", table(("request", "operation", "does"), rows)]
    return "\n".join(lines) + "\n"
