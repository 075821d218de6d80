"""The documents cannot rot: what there is is told, what is told is there, and what can be typed works."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.docs.commands import PAGE, commands, flags, page
from tests.trust.codes import ROOT, all_codes, all_doubts
from tests.trust.documented import FENCE, TEXT, typed_lines, words_of

ERRORS = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")


def table_codes(text: str) -> set[str]:
    """Codes in the first column of the tables of errors.md."""
    found: set[str] = set()
    for line in text.splitlines():
        if line.startswith("| `"):
            found |= set(re.findall(r"`([a-z_]+)`", line.split("|")[1]))
    return found


# ---- what there is, is told ----


def test_the_page_of_commands_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m scripts.docs.commands"


@pytest.mark.parametrize(("typed", "command"), list(commands()), ids=[typed for typed, _ in commands()])
def test_every_flag_says_what_it_is(typed: str, command: object) -> None:
    assert getattr(command, "help", ""), f"{typed} says nothing about itself"
    for parameter in flags(command):
        assert getattr(parameter, "help", ""), f"{typed} {parameter.opts[0]} says nothing about itself"


def test_every_error_code_is_documented_and_nothing_documented_is_gone() -> None:
    told, given = table_codes(ERRORS.partition("## Doubts")[0]), all_codes()
    assert set(given) - told == set(), {c: sorted(given[c]) for c in set(given) - told}
    assert told - set(given) == set()
    assert len(given) > 60


def test_every_doubt_is_documented_and_nothing_documented_is_gone() -> None:
    assert table_codes(ERRORS.partition("## Doubts")[2]) == all_doubts()


def test_error_codes_are_found_however_they_are_written() -> None:
    import ast

    from tests.trust.codes import codes_in

    source = """
class E(HupaiError):
    code = "of_the_class"
raise E("x", code="given" if a else "other")
Fault("fault", "m"); Refusal("refusal", "m"); self.fault("method", "m", "f")
code = {"not_this": "of_a_table"}.get(kind, "by_default")
"""
    told = {"of_the_class", "given", "other", "fault", "refusal", "method", "of_a_table", "by_default"}
    assert set(codes_in(ast.parse(source))) == told


def test_every_setting_is_documented() -> None:
    from hupai.settings import PREFIX, Settings

    told = TEXT[ROOT / "docs" / "server.md"]
    for name in Settings.model_fields:
        assert f"| `{name}` | `{PREFIX}{name.upper()}` |" in told, name


def test_every_element_and_option_of_the_rules_is_documented() -> None:
    from scoring.rules import systems

    for system in systems().values():
        told = TEXT[ROOT / "docs" / "rules" / f"{system.id}.md"]
        for name in (*(e.id for e in system.elements), *(o.name for o in system.options)):
            assert f"`{name}`" in told, f"{system.id}: {name}"


def test_every_operation_of_the_api_is_documented(tmp_path: Path) -> None:
    from hupai.settings import Settings
    from hupai.web.app import create_app
    from hupai.web.listen.start import build

    settings = Settings(data_folder=tmp_path)
    services = build(settings)
    described = create_app(settings, services).openapi()
    services.engine.dispose()
    told = "\n".join(TEXT.values())
    names = [operation["operationId"] for path in described["paths"].values() for operation in path.values()]
    assert len(names) > 25
    for name in names:
        assert re.search(rf"\b{name}\b", told) or name in ("healthz", "readyz"), name


def test_every_extra_and_page_is_named() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = "\n".join(TEXT.values())
    for extra in project["optional-dependencies"]:
        assert f".[{extra}]" in told or extra == "dev", extra


def test_the_table_of_the_request_is_made_from_the_fields() -> None:
    from scripts.docs.request import page

    text = TEXT[ROOT / "docs" / "request.md"]
    assert page(text) == text, "run: python -m scripts.docs.request"


def test_every_field_of_a_request_is_documented_with_the_rules_that_read_it() -> None:
    """And the examples to copy are scored, and use every field."""
    import json

    from scoring.fields.asks import asks, readers_of
    from scoring.request import parse_request, respond
    from scoring.rules import systems

    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]* \| ([a-z, ]+) \|", TEXT[ROOT / "docs" / "request.md"], re.M))
    fields = {"seat", "win", "from", *asks()}
    readers = {name: [system.id for system in readers_of(name)] for name in fields}
    told = {name: list(systems()) if who == "all" else who.split(", ") for name, who in rows.items()}
    assert told == readers
    lines = (ROOT / "examples" / "requests.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line) for line in lines]
    assert {name for request in asked for name in request["context"]} == fields
    assert {request["rules"] for request in asked} == set(systems())
    for request in asked:
        parse_request(request)
        assert respond(request)["legal"], request["id"]
    with_flags = TEXT[ROOT / "docs" / "request.md"] + "\n".join(lines)
    for name in ("id", "rules", "options", "concealed", "melds", "winning_tile", "bonus", "context"):
        assert f"`{name}`" in with_flags


def test_every_tile_is_in_the_pictures_and_on_the_page_of_notation() -> None:
    from PIL import Image

    from scoring.tiles import TILES, parse_tiles
    from scripts.docs.tiles import GAP, LINES, PICTURES, WIDE

    assert {t.code for run in LINES.values() for t in parse_tiles(run)} == {t.code for t in TILES}
    for name, run in LINES.items():
        assert f"(img/tiles/{name}.png)" in TEXT[ROOT / "docs" / "tiles.md"]
        with Image.open(PICTURES / f"{name}.png") as picture:
            assert picture.width == len(parse_tiles(run)) * (WIDE + GAP) + GAP
        assert (PICTURES / f"{name}.png").stat().st_size < 12_000
    assert {path.stem for path in PICTURES.iterdir()} == set(LINES)


def test_the_pages_of_notation_and_request_are_linked_where_they_are_needed() -> None:
    for name in ("tiles.md", "request.md"):
        linking = {path.name for path, text in TEXT.items() if f"{name})" in text}
        assert linking >= {"api.md", "hongkong.md", "zungjung.md", "hangzhou.md", "singapore.md", "riichi.md"}
        assert f"docs/{name}" in TEXT[ROOT / "docs" / "commands.md"], "hupai score --help"


# ---- what is told, is there ----


def links() -> Iterator[tuple[Path, str]]:
    for path, text in TEXT.items():
        plain = FENCE.sub("", text)
        for target in re.findall(r"!?\[[^\]]*\]\(([^)\s]+)\)", plain):
            if not re.match(r"[a-z]+:", target):
                yield path, target


def anchors(text: str) -> set[str]:
    """Anchors of the headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.strip().lower()).replace(" ", "-") for head in heads}


def test_links_lead_somewhere() -> None:
    found = list(links())
    assert len(found) > 10
    for path, target in found:
        name, _, anchor = target.partition("#")
        there = (path.parent / name).resolve() if name else path
        assert there.exists(), f"{path.name}: {target}"
        if anchor:
            assert anchor in anchors(there.read_text(encoding="utf-8")), f"{path.name}: {target}"


def test_files_named_in_the_documents_exist() -> None:
    pattern = re.compile(r"`((?:scoring|vision|hupai|models|datasets|scripts|tests|docs|examples)/[\w./-]*)`")
    for path, text in TEXT.items():
        for name in pattern.findall(text):
            if name != "scoring/rules/kitchen.py" and not name.startswith(
                ("tests/golden/kitchen", "docs/rules/kitchen")
            ):
                assert (ROOT / name).exists(), f"{path.name}: {name}"


# ---- what can be typed, works ----


@pytest.mark.parametrize(("where", "line"), typed_lines(), ids=[line for _, line in typed_lines()])
def test_a_documented_command_line_can_be_typed(where: str, line: str) -> None:
    words = words_of(line)
    while words and ("=" in words[0] or words[0] in ("python", "python3", "-m")):
        words.pop(0)
    if words[0] == "hupai":
        parse_ours(words[1:])
        return
    script = words[0] if words[0].endswith(".py") else f"{words[0].replace('.', '/')}.py"
    assert (ROOT / script).is_file(), f"{where}: {line}"
    told = (ROOT / script).read_text(encoding="utf-8")
    for word in words[1:]:
        if word.startswith("--") and word != "--help":
            flag = word.partition("=")[0]
            parameter = flag.removeprefix("--").replace("-", "_")  # typer makes the flag of it
            assert flag in told or re.search(rf"\b{parameter}: ", told), f"{where}: {script} has no {flag}"


def parse_ours(words: list[str]) -> None:
    """Parse as the command would, without running it."""
    known = dict(commands())
    name = "hupai"
    while words and f"{name} {words[0]}" in known:
        name = f"{name} {words.pop(0)}"
    command = known[name]
    if not words or words[-1] == "--help" or words == ["COMMAND"]:
        return
    command.make_context(name, list(words))


def test_the_python_of_the_developers_page_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    blocks = [b for language, b in FENCE.findall(TEXT[ROOT / "docs" / "developer.md"]) if language == "python"]
    assert blocks
    for block in blocks:
        exec(compile(block, "developer.md", "exec"), {})
        printed = capsys.readouterr().out
        for said in re.findall(r"^print\(.*\)  # ([<\[].*)$", block, flags=re.M):
            assert " ".join(said.split()) in re.sub(r"\[ +", "[", " ".join(printed.split())), said


def test_the_readme_is_short() -> None:
    assert len(TEXT[ROOT / "README.md"].splitlines()) <= 110
