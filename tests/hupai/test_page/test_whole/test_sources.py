"""What the page is made of: its own files only, no markup from strings, small modules, a strict policy."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from scripts.browser.phone import Phone
from scripts.page_checks import HALL, STATIC
from tests.hupai.serving import Server

SCRIPTS = sorted((*STATIC.rglob("*.js"), *HALL.rglob("*.js")))
RELEASES = sorted(STATIC.rglob("*.mjs"))
"""Libraries as they were released: no code of ours."""
FORBIDDEN = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.name)
def test_scripts_build_no_markup_from_strings(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    code = re.sub(r"^\s*//.*$", "", text, flags=re.M)
    # Reading an element's own markup is not building it; the page does neither.
    assert not [word for word in FORBIDDEN if word in code]
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", code), "no foreign host"
    assert len(text.splitlines()) <= 400
    assert text.startswith("// "), "a file begins by saying what it yields"


def test_every_module_is_used() -> None:
    """What a wing names lies in its folder or is the page's, which uses all that it has itself."""
    for folder in (STATIC, HALL):
        named = {STATIC / "worker.js"} if folder == STATIC else set()
        for path in (*folder.glob("*.html"), *folder.rglob("*.js")):
            found = re.findall(
                r'(?:<script [^>]*src=|\bfrom |\bimport |\bimport\(|Worker\(new URL\()"([^"]+)"',
                path.read_text(encoding="utf-8"),
            )
            named |= {(path.parent / one).resolve() for one in found}
        own = {path for path in (*SCRIPTS, *RELEASES) if path.is_relative_to(folder)}
        assert own <= named
        assert all((STATIC / path.relative_to(folder)).is_file() for path in named - own)


def test_the_policy_holds(phone: Phone, server: Server) -> None:
    """The server forbids other inline scripts than its own and foreign hosts, and the page asks for neither."""
    policy = httpx.get(server.url + "/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    asked: list[str] = []
    phone.page.on("request", lambda r: asked.append(r.url))
    phone.reload()
    phone.photograph()
    for tab in ("game", "rules", "more", "hand"):
        phone.go(tab)
    assert all(url.startswith((server.url, "blob:" + server.url)) for url in asked), asked


def test_nothing_jumps(phone: Phone) -> None:
    """Layout shifts without a touch, from opening the page to a read photo."""
    phone.page.evaluate(
        """() => { window.shift = 0; const add = (entries) => { for (const e of entries)
            if (!e.hadRecentInput) window.shift += e.value };
          window.watch = new PerformanceObserver((list) => add(list.getEntries()));
          window.watch.observe({type: 'layout-shift', buffered: true});
          window.total = async () => { for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
            add(window.watch.takeRecords()); return window.shift } }"""
    )
    phone.photograph()
    phone.answer(seat="S", win="self_draw")
    phone.settle()
    assert phone.page.evaluate("window.total()") < 0.1
