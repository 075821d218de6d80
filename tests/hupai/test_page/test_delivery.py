"""What travels to a phone: one script, one style sheet, compressed, kept for good; and the page without its host."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re

import httpx
import pytest

from hupai.web.page.bundle import script
from hupai.web.page.files import PAGES
from tests.hupai.serving import Server
from tests.hupai.test_page.conftest import Ring

SOURCES = {
    "js/main.js": '// Starts.\nimport { a, b as c } from "./lib/a.js";\nimport * as all from "./lib/a.js";\n'
    'import "./lib/b.js";\nexport const sum = a + c() + all.a;\n',
    "js/lib/a.js": 'import { d } from "./b.js";\n\n/** One.\n * Two. */\nexport const a = d;\nexport function b() {\n'
    "  return 1;\n}\n",
    "js/lib/b.js": "const d = 20;\nexport { d };\n",
}


def test_modules_become_one_in_the_order_of_need() -> None:
    made = script("js/main.js", SOURCES.__getitem__)
    assert "import" not in made
    assert made.count("export") == 1
    assert "One." not in made and "Starts" not in made, "comments stay at home"
    assert made.index("const d = 20") < made.index("const a = d") < made.index("const sum")
    assert "const { a, b: c } = m1;" in made
    assert made.endswith('export const modules = {"js/lib/b.js": m0, "js/lib/a.js": m1, "js/main.js": m2};\n')


def test_a_library_is_taken_as_it_was_released() -> None:
    released = "let n=1,$=2;export{n as one,$ as two};\n//# sourceMappingURL=c.mjs.map\n"
    sources = {"js/main.js": 'import { two } from "./c.mjs";\n', "js/c.mjs": released}
    made = script("js/main.js", sources.__getitem__)
    assert "let n=1,$=2;\nreturn { one: n,two: $ };" in made
    assert "const { two } = m0;" in made
    assert "sourceMappingURL" not in made


def test_modules_know_their_own_address() -> None:
    sources = {"js/board/main.js": 'import { a } from "../a.js";\n', "js/a.js": "export const a = import.meta.url;\n"}
    assert 'const a = new URL("../a.js", import.meta.url);' in script("js/board/main.js", sources.__getitem__)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('import { sum } from "../main.js";\n', "js/main.js -> js/lib/a.js -> js/main.js"),
        ("export default 1;\n", "export default 1;"),
        ("export { d as e };\n", "renamed"),
        ('export * from "./b.js";\n', "export "),
        ('import x from "./b.js";\n', "import x"),
    ],
)
def test_what_cannot_be_bundled_is_refused(text: str, words: str) -> None:
    sources = {**SOURCES, "js/lib/a.js": text}
    with pytest.raises(ValueError, match=words.replace(".", r"\.")):
        script("js/main.js", sources.__getitem__)


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
    assert httpx.get(f"{server.url}/js/app.js").status_code == 404, "the sources are no part of the page"
    assert httpx.post(f"{server.url}/{address}").status_code == 405
    assert len(gzip.compress(plain.content)) < 100_000


@pytest.mark.parametrize("page", PAGES)
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
    for requests, size in ((12, 200_000), (3, 40_000)):
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
    phone.page.wait_for_function(
        """async () => (await (await caches.open('hupai')).keys()).some(({ url }) => url.includes('/i18n/en.json'))"""
    )
    phone.context.set_offline(True)
    phone.reload()
    phone.page.wait_for_selector(".start .caution")
    assert "Reading a photo needs it" in phone.text(".start .caution")
    phone.type_in("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 5s 5s 4p")
    phone.answer(seat="S", win="self_draw")
    phone.page.wait_for_function("() => inside.score?.state === 'failed'")
    assert "The hand waits for the host" in phone.text("#bar")
    phone.context.set_offline(False)
    phone.page.wait_for_selector("#bar .amounts")  # by itself
