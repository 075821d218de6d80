"""The services in deploy/ are such that systemd takes them, and what they start is there and understands them."""

from __future__ import annotations

import re
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import make_url

from hupai.settings import Settings, all_settings
from tests.hupai.serving import ROOT

DEPLOY = ROOT / "deploy"
UNITS = ("hupai.service", "hupai-watch@.service")
HUPAI = "/opt/hupai/bin/hupai"
OF_COMPOSE = {"HUPAI_DB_PASSWORD", "HUPAI_TABLES"}
"""What the compose file itself asks for."""


def unit(name: str) -> dict[str, str]:
    """The section Service of a unit."""
    parser = ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[method-assign, assignment]
    parser.read(DEPLOY / name)
    return dict(parser["Service"])


def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    return found


def composed(said: str, variables: dict[str, str]) -> str:
    """A text of the compose file with these variables put in, as docker compose does; KeyError: one must be set."""

    def value(match: re.Match[str]) -> str:
        name, otherwise = match["name"], match["otherwise"]
        return variables.get(name) or (otherwise if match["how"] == ":-" else variables[name])

    return re.sub(r"\$\{(?P<name>\w+)(?P<how>:[-?])(?P<otherwise>[^}]*)\}", value, said)


@pytest.mark.parametrize("name", UNITS)
def test_systemd_takes_the_unit(name: str, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed (apt-get install systemd)")
    text = (DEPLOY / name).read_text(encoding="utf-8")
    assert HUPAI in text
    for service, wrong in ((text, ""), (text.replace("Restart=", "Restrat="), "Restrat")):
        path = tmp_path / name
        path.write_text(service.replace(HUPAI, "/bin/true"), encoding="utf-8")
        started = path.with_name(name.replace("@", "@hall"))
        told = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", str(started)],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert (wrong in told.stderr and told.stderr) if wrong else (told.returncode == 0 and not told.stderr), told


def test_compose_gives_server_and_watchers_the_same_database() -> None:
    found = services()
    assert set(found) == {"server", "watchers", "database"}
    addresses = {composed(found[name]["environment"]["HUPAI_DATABASE"], {}) for name in ("server", "watchers")}
    assert len(addresses) == 1
    url = make_url(addresses.pop())
    given = found["database"]["environment"]
    assert (url.host, url.username, url.database) == ("database", given["POSTGRES_USER"], given["POSTGRES_DB"])
    assert found["watchers"]["healthcheck"] == {"disable": True}, "a watcher serves no page that could be asked"
    for service in found.values():
        if "build" in service:
            file = DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]
            assert file.is_file()


@pytest.mark.parametrize("password", ["plain", "a/b@c:d#e?f%41 g"])
def test_any_password_reaches_the_database_as_it_is(password: str) -> None:
    for name in ("server", "watchers"):
        said = {k: composed(v, {"HUPAI_DB_PASSWORD": password}) for k, v in services()[name]["environment"].items()}
        url = make_url(said["HUPAI_DATABASE"])
        assert (url.host, url.port, url.database) == ("database", None, "hupai")
        assert (url.password or said.get("PGPASSWORD")) == password
    with pytest.raises(KeyError):
        composed(services()["server"]["environment"].get("PGPASSWORD", ""), {})


def test_compose_and_image_agree_on_folder_and_port() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert "VOLUME /data" in dockerfile and "HUPAI_DATA_FOLDER=/data" in dockerfile
    assert all("data:/data" in services()[name]["volumes"] for name in ("server", "watchers"))
    (port,) = services()["server"]["ports"]
    assert f"EXPOSE {Settings.model_fields['port'].default}" in dockerfile
    assert port.partition(":")[2] == str(Settings.model_fields["port"].default)


@pytest.mark.parametrize("name", [*UNITS, "compose.yaml", "Dockerfile"])
def test_every_setting_that_is_named_is_one(name: str) -> None:
    text = (DEPLOY / name).read_text(encoding="utf-8")
    named = set(re.findall(r"\bHUPAI_[A-Z_]+[A-Z]\b", text))
    settings = {f"HUPAI_{field.upper()}" for field in all_settings().model_fields}
    assert named and named <= settings | (OF_COMPOSE if name == "compose.yaml" else set())
