"""schemathesis on the OpenAPI description: whatever is sent, the server answers, and as the description says."""

from __future__ import annotations

import os
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.hupai.serving import Server

pytestmark = pytest.mark.slow

FULL = os.environ.get("HUPAI_FULL") == "1"


def test_nothing_that_is_sent_breaks_the_server(server: Server, client: httpx.Client) -> None:
    import schemathesis
    from schemathesis.generation import GenerationMode

    schema = schemathesis.openapi.from_url(f"{server.api}/openapi.json")
    game = client.post("/games", json={"players": ["a", "b", "c", "d"], "rules": "hk"}).json()["id"]
    client.post("/presets", json={"name": "known", "rules": "hk"})
    known = {"game_id": game, "rules_id": "riichi", "name": "known", "number": 1}
    tried: dict[str, int] = {}
    statuses: set[int] = set()
    for found in schema.get_all_operations():
        operation = found.ok()
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            _bombard(operation, mode, known, tried, statuses)
    assert len(tried) >= 20, tried
    assert {200, 422, 404} <= statuses
    assert client.get("/about").status_code == 200


def _bombard(operation: Any, mode: Any, known: dict[str, Any], tried: dict[str, int], statuses: set[int]) -> None:
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

    checks = [not_a_server_error, content_type_conformance, response_schema_conformance]
    deletes = operation.method.upper() == "DELETE"

    @given(case=operation.as_strategy(generation_mode=mode), real=st.booleans())
    @settings(
        max_examples=200 if FULL else 4,
        deadline=None,
        derandomize=not FULL,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def bombard(case: Any, real: bool) -> None:
        if real and case.path_parameters and not deletes:
            case.path_parameters = {k: known.get(k, v) for k, v in case.path_parameters.items()}
        reply = case.call()
        statuses.add(reply.status_code)
        tried[operation.label] = tried.get(operation.label, 0) + 1
        case.validate_response(reply, checks=checks)

    try:
        bombard()
    except Exception as error:
        if "Unsatisfiable" in type(error).__name__:  # nothing can be made wrong about an operation without parameters
            return
        raise
