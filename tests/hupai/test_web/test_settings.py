"""Settings: where they come from, what is refused and how."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from hupai import settings as settings_module
from hupai.commands.serve import serve
from hupai.settings import Settings, SettingsError, load_settings


@pytest.fixture(autouse=True)
def _nothing_around(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("HUPAI_"):
            monkeypatch.delenv(name)
    monkeypatch.setattr(settings_module, "default_config", lambda: tmp_path / "none.toml")


def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "hupai.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_flags_go_over_environment_over_file_over_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file(tmp_path, "port = 1001\nqueue = 5\nworkers = 2\nallowed_hosts = ['a', 'b']")
    monkeypatch.setenv("HUPAI_PORT", "1002")
    monkeypatch.setenv("HUPAI_QUEUE", "6")
    found = load_settings(path, port=1003, https=None)
    assert (found.port, found.queue, found.workers, found.https) == (1003, 6, 2, None)
    assert found.allowed_hosts == ("a", "b")


def test_the_file_may_be_named_by_the_environment_or_lie_at_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file(tmp_path, "port = 1001")
    monkeypatch.setenv("HUPAI_CONFIG", str(path))
    assert load_settings().port == 1001
    monkeypatch.delenv("HUPAI_CONFIG")
    assert load_settings().port == 8000
    monkeypatch.setattr(settings_module, "default_config", lambda: path)
    assert load_settings().port == 1001


def test_lists_are_separated_by_commas_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUPAI_CORS_ORIGINS", "https://A.example, http://b.example:8080")
    assert load_settings().cors_origins == ("https://a.example", "http://b.example:8080")


def test_an_empty_variable_is_not_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file(tmp_path, "access_code = 'tile5'\nport = -1")
    for name in ("ACCESS_CODE", "DATABASE", "DATA_FOLDER", "THREADS", "PORT"):
        monkeypatch.setenv(f"HUPAI_{name}", "")
    with pytest.raises(SettingsError, match=f"^port in {path}: "):
        load_settings(path)
    found = load_settings(path, port=1001)
    assert found.access_code is not None and found.access_code.get_secret_value() == "tile5"
    assert found.database is None
    assert found.data_folder != Path.cwd()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"port": 70000}, "--port: .*65535"),
        ({"host": "http://x/"}, "--host: must be an address"),
        ({"host": "a..b"}, "--host: must be an address .*not 'a..b'"),
        ({"rate_read": "often"}, "--rate-read: must be a rate such as 60/minute, or off, not 'often'"),
        ({"rate_any": "10/minute;100/hour"}, "--rate-any: must be a rate such as 60/minute, or off, not"),
        ({"rate_code": "0/minute"}, "--rate-code: must be a rate such as 60/minute"),
        ({"rate_code": "off"}, "--rate-code: .*guessed"),
        ({"access_code": "123"}, "--access-code: must have 4 to 100"),
        ({"access_code": "naïve"}, "--access-code: "),
        ({"access_code": "hupai-2026"}, "--access-code: must not begin with hupai-"),
        ({"cors_origins": "*"}, "--cors-origins: must be origins such as .* star, not '.'[.]$"),
        *(
            ({"allowed_hosts": (host,)}, "--allowed-hosts: must be host names such as mahjong.example")
            for host in ("mahjong.example:8000", "https://mahjong.example", "*.example", "a.example,b.example", "")
        ),
        ({"database": "mysql://x"}, "--database: must be a URL"),
        ({"log_level": "loud"}, "--log-level: must be one of"),
        ({"prot": 1}, "no setting 'prot': did you mean port"),
        ({"zzzzz": 1}, "there are host, port"),
    ],
)
def test_bad_values_are_refused_in_words(given: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        load_settings(**given)
    assert caught.value.exit_status == 2


def test_every_fault_is_named_with_the_place_it_came_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file(tmp_path, "queue = -1\nhots = 'x'")
    monkeypatch.setenv("HUPAI_WORKERS", "many")
    with pytest.raises(SettingsError) as caught:
        load_settings(path, port=-1)
    text = caught.value.message
    for part in ("--port", "HUPAI_WORKERS", f"queue in {path}", "did you mean host"):
        assert part in text
    assert len(caught.value.faults) == 4


def test_wrong_secrets_are_not_shown() -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(access_code="x1", database="mysql://me:hunter2@h/x")
    assert "x1" not in caught.value.message
    assert "hunter2" not in caught.value.message
    assert "1234" not in repr(load_settings(access_code="1234"))


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(tmp_path / "missing.toml")
    with pytest.raises(SettingsError, match="no TOML"):
        load_settings(file(tmp_path, "port == 3"))
    (tmp_path / "latin.toml").write_bytes(b"host = '\xe9'")
    with pytest.raises(SettingsError, match="no TOML"):
        load_settings(tmp_path / "latin.toml")


def test_flags_of_the_command_reach_the_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[Settings] = []
    monkeypatch.setattr("hupai.web.listen.server.run_server", lambda settings, _: seen.append(settings))
    app = typer.Typer()
    app.command()(serve)
    path = file(tmp_path, "queue = 5\nport = 1")
    flags = ["--config", str(path), "--port", "1234", "--https", "--allowed-hosts", "a", "--allowed-hosts", "b"]
    result = CliRunner().invoke(app, flags)
    assert result.exception is None, result.output
    assert (seen[0].port, seen[0].https, seen[0].allowed_hosts, seen[0].queue) == (1234, True, ("a", "b"), 5)
    assert CliRunner().invoke(app, ["--http"]).exception is None
    assert seen[1].https is False
