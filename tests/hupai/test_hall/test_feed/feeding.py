"""What the tests of the feed share: a film on disk, watching processes, RTSP on loopback."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from sqlalchemy import Engine

from hupai.hall.store.watched import watched_tables
from tests.hupai.hurried import Constants, words
from tests.hupai.serving import ROOT
from tests.hupai.store_builders import begin_game
from tests.waiting import until

HAND: dict[str, Any] = {
    "concealed": ["2m", "3m", "4m", "5m", "6m", "7m", "3p", "4p", "5p", "8s"],
    "melds": [{"type": "pung", "tiles": ["5z", "5z", "5z"], "from": None}],
    "winning_tile": "8s",
    "bonus": [],
    "dora_indicators": [],
}
READ: dict[str, Any] = {"hand": HAND, "tiles": [], "doubts": [], "repairs": [], "models": {"detector": "abc"}}
JPEG = cv2.imencode(".jpg", np.full((40, 60, 3), 90, np.uint8))[1].tobytes()


@dataclass
class Watching:
    """A running ``hupai watch``."""

    process: subprocess.Popen[str]
    said: list[str] = field(default_factory=list)

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait(120)

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(120)

    def heard(self, part: str, seconds: float = 300) -> bool:
        return until(lambda: any(part in line for line in self.said), seconds)


def game_at(engine: Engine, table: str = "A", rules: str = "hongkong") -> str:
    """The id of a game begun at a table that is watched."""
    game = begin_game(engine, rules, players=("Ann", "Bo", "Cy", "Di"))
    watched_tables.set_game(engine, table, game)
    return game


def watching(
    source: str, table: str, folder: Path, *more: str, within: Sequence[str] = (), hurried: Constants | None = None
) -> Watching:
    """Start ``hupai watch``; ``within`` comes before the command, ``hurried`` are its constants."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("HUPAI_") and k != "DISPLAY"}
    env |= {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
    command = [*within, sys.executable, "-m", *words(hurried or {})]
    command += ["watch", source, "--table", table, "--data-folder", str(folder), *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    it = Watching(process)

    def listen() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            it.said.append(line.rstrip("\n"))

    threading.Thread(target=listen, daemon=True).start()
    return it


_RTSP = """
import sys, gi
gi.require_version("Gst", "1.0"); gi.require_version("GstRtspServer", "1.0")
from gi.repository import Gst, GstRtspServer, GLib
Gst.init(None)
server = GstRtspServer.RTSPServer.new(); server.set_address("127.0.0.1"); server.set_service(sys.argv[1])
factory = GstRtspServer.RTSPMediaFactory.new(); factory.set_shared(False)
factory.set_launch(f"( filesrc location={sys.argv[2]} ! qtdemux ! h264parse ! rtph264pay name=pay0 pt=96 )")
server.get_mount_points().add_factory("/table", factory); server.attach(None)
print("serving", flush=True); GLib.MainLoop().run()
"""


def rtsp_server(port: int, video: Path) -> subprocess.Popen[str] | None:
    """GStreamer serving a video as H.264 at rtsp://127.0.0.1:PORT/table in real time; None where it is missing.

    The same picture twice is the same once it is decoded: constant quality, one key frame at the beginning.
    """
    python = "/usr/bin/python3"
    probe = 'import gi; gi.require_version("GstRtspServer", "1.0"); from gi.repository import GstRtspServer'
    if not shutil.which(python) or subprocess.run([python, "-c", probe], capture_output=True, check=False).returncode:
        return None
    if not shutil.which("ffmpeg"):
        return None
    film = video.with_suffix(".mp4")
    if not film.exists():
        coding = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", "-g", "9999", "-sc_threshold", "0"]
        command = ["ffmpeg", "-v", "error", "-i", str(video), *coding, "-pix_fmt", "yuv420p", str(film)]
        subprocess.run(command, check=True, timeout=120)
    process = subprocess.Popen([python, "-c", _RTSP, str(port), str(film)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "serving"
    return process
