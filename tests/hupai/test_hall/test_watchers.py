"""What the services in deploy/ start watches the tables of their file."""

from __future__ import annotations

import shlex
from pathlib import Path

import cv2
import numpy as np
import pytest

from hupai.hall.store.watched import watched_tables
from hupai.store.database import open_store
from tests.trust.process import run_hupai
from tests.trust.test_deploy import HUPAI, services, unit


@pytest.mark.slow
@pytest.mark.parametrize("how", ["systemd", "compose"])
def test_watchers_watch_the_tables_of_their_file(how: str, tmp_path: Path) -> None:
    video = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 12, (320, 240))
    for _ in range(12):
        writer.write(np.full((240, 320, 3), 90, np.uint8))
    writer.release()
    tables = tmp_path / "tables.toml"
    tables.write_text(f'[[table]]\nname = "A"\nsource = "{video}"\n', encoding="utf-8")
    if how == "systemd":
        service = unit("hupai-watch@.service")
        credential, _, source = service["LoadCredential"].partition(":")
        assert (credential, source) == (tables.name, "/etc/hupai/%i.toml")
        said = service["ExecStart"].replace("${CREDENTIALS_DIRECTORY}", str(tmp_path))
        words = shlex.split(said)
        assert words.pop(0) == HUPAI
    else:
        watchers = services()["watchers"]
        (mounted,) = (v for v in watchers["volumes"] if isinstance(v, dict))
        inside = mounted["target"]
        words = [str(tables) if word == inside else word for word in watchers["command"]]
        assert words.pop(0) == "hupai" and str(tables) in words
    done = run_hupai(*words, home=tmp_path)
    assert done.returncode == 0, done
    engine = open_store(f"sqlite:///{tmp_path / 'data' / 'hupai.db'}", ())
    assert [t["name"] for t in watched_tables.list_tables(engine)] == ["A"]
    engine.dispose()
