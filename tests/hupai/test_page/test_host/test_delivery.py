"""What travels to a phone: modules of one build, compressed, kept for good; and the page without its host."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from pathlib import Path

import httpx
import pytest

from hupai.page.files import files
from scripts.page_checks import FOLDERS, STATIC
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring


def test_files_never_change_below_their_address(server: Server) -> None:
    page = httpx.get(server.url + "/")
    assert page.headers["cache-control"] == "no-cache"
    again = httpx.get(server.url + "/", headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    address = page.text.split('<script type="module" src="')[1].split('"')[0]
    packed = httpx.get(f"{server.url}/{address}")
    assert "immutable" in packed.headers["cache-control"]
    assert packed.headers["content-encoding"] == "gzip"
    plain = httpx.get(f"{server.url}/{address}", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == packed.content
    assert httpx.get(f"{server.url}/{address.replace('/at/', '/at/0')}x").status_code == 404
    assert httpx.get(f"{server.url}/js/state/app.js").status_code == 404, "the sources are no part of the page"
    assert httpx.post(f"{server.url}/{address}").status_code == 405


def test_a_page_names_all_modules_that_it_needs_at_once() -> None:
    """Found one from the other, they would take a phone a round trip for each level."""
    found = files(STATIC)
    named = re.findall(r'<link rel="modulepreload" href="(at/\w+/)([^"]+)">', found["index.html"].body.decode())
    modules = {path for _, path in named}
    ((at, _), *_) = named
    assert {"js/state/app.js", "js/vendor/preact.mjs"} <= modules and len(named) == len(modules)
    for path in {"js/main.js", *modules}:
        text, near = found[at + path].body.decode(), Path("/", path).parent
        imported = re.findall(r'^[^"/]*\bfrom "(\.[^"]+)"', text, re.MULTILINE)
        assert {str((near / one).resolve())[1:] for one in imported} <= modules, path


def test_no_page_has_modules_of_two_builds(tmp_path: Path) -> None:
    """A changed module gives every file another address, so that the old ones are gone with the old server."""
    static = tmp_path / "static"
    shutil.copytree(STATIC, static)
    builds = []
    for _ in range(2):
        found = files(static)
        named = "".join(found[name].body.decode() for name in ("index.html", "worker.js", "manifest.webmanifest"))
        (build,) = set(re.findall(r"\bat/(\w+)/", named))
        inside = {address.removeprefix(f"at/{build}/") for address in found if address.startswith("at/")}
        assert {"js/main.js", "js/screens/bar.js", "js/vendor/preact.mjs", "i18n/ja.json", "icons/icon.svg"} <= inside
        builds.append((build, inside))
        with (static / "js" / "screens" / "bar.js").open("a", encoding="utf-8") as module:
            module.write("// changed\n")
    assert builds[0][0] != builds[1][0] and builds[0][1] == builds[1][1]


@pytest.mark.parametrize("page", sorted(path.name for folder in FOLDERS[:2] for path in folder.glob("*.html")))
def test_a_page_brings_its_style_and_the_policy_lets_in_no_other(server: Server, page: str) -> None:
    """Nothing has to be waited for before it can be painted."""
    answer = httpx.get(f"{server.url}/{page}")
    policy = answer.headers["content-security-policy"]
    assert "stylesheet" not in answer.text and "<script src" not in answer.text
    for kind in ("script", "style"):
        (inline,) = re.findall(rf"<{kind}>(.*?)</{kind}>", answer.text, flags=re.S)
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        own = "'unsafe-inline'" if (page, kind) == ("overlay.html", "style") else f"'sha256-{digest}'"
        assert f"{kind}-src 'self' {own};" in policy
    again = httpx.get(f"{server.url}/{page}", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.headers["content-security-policy"]) == (304, policy)


TRAVELLED = """() => Object.fromEntries(['navigation', 'resource']
  .flatMap((type) => performance.getEntriesByType(type))
  .filter(({ transferSize }) => transferSize)
  .map(({ name, transferSize }) => [name, transferSize]))"""
"""Address -> bytes of what did not come from the browser's cache."""


def test_what_travels(ring: Ring) -> None:
    """A first visit and a second one, over plain HTTP, where no service worker helps."""
    phone = ring()
    for requests, size in ((110, 270_000), (3, 40_000)):
        phone.page.wait_for_function("() => inside.about")
        phone.page.wait_for_load_state("networkidle")
        travelled = phone.page.evaluate(TRAVELLED)
        assert 0 < len(travelled) <= requests, travelled
        assert sum(travelled.values()) <= size, travelled
        phone.open()


def test_without_its_host_the_page_opens_and_a_typed_hand_waits(ring: Ring) -> None:
    phone = ring(service_workers="allow")
    phone.allowed += ["Failed to load resource", "ERR_INTERNET_DISCONNECTED", "net::ERR_FAILED"]
    phone.page.wait_for_function("() => navigator.serviceWorker.controller && inside.about")
    # The words lie with the rest.
    phone.keeps("/i18n/en.json")
    phone.context.set_offline(True)
    phone.reload()
    phone.page.wait_for_selector(".start .caution")
    assert "Reading a photo needs it" in phone.text(".start .caution")
    phone.type_in("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 5s 4p")
    phone.answer(seat="S", win="self_draw")
    phone.page.wait_for_function("() => inside.score?.state === 'failed'")
    assert "The hand waits for the computer" in phone.text("#bar")
    phone.context.set_offline(False)
    phone.page.wait_for_selector("#bar .amounts")  # by itself
