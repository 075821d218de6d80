"""Answers that need no server: the same as over HTTP."""

from __future__ import annotations

import httpx

from hupai.web.answers.respond import respond
from tests.hupai.page_requests import page_requests


def test_the_page_is_answered_as_over_http(client: httpx.Client) -> None:
    statuses = []
    for asked in page_requests(160):
        headers = {**asked.headers, **({"content-type": "application/json"} if asked.body else {})}
        reply = client.request(asked.method, asked.path, content=asked.body.encode(), headers=headers)
        status, text = respond(asked.method, asked.path, asked.headers, asked.body)
        assert status == reply.status_code, asked
        if asked.path != "/about":  # which says whether there is a code, and what may be uploaded
            assert text.encode() == reply.content, asked
        statuses.append(status)
    assert {200, 400, 404, 422} == set(statuses) and statuses.count(200) > 80
