"""Measurements of a watched table, which are stored with every heartbeat."""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import dataclass, field
from typing import Any

from hupai.basics.memory import resident_bytes
from hupai.hall.feed.background_reader import BackgroundReader
from hupai.hall.feed.capture.frames import FrameSource
from hupai.hall.feed.session.table_session import TableSession


@dataclass(slots=True)
class HealthMeter:
    """Counts what a worker does.

    Attributes:
        frames: processed so far. lag_seconds: age of the latest live frame when it was processed.
        width, height: of the pictures, pixels.
    """

    frames: int = 0
    lag_seconds: float = 0.0
    width: int = 0
    height: int = 0
    _frames_before: int = 0
    _reads_before: int = 0
    _measured_at: float = field(default_factory=time.monotonic)

    def measure(self, session: TableSession, source: FrameSource, reader: BackgroundReader) -> dict[str, Any]:
        """Return frames and reads per second since the last call, brightness, shake in pixels, memory ..."""
        now = time.monotonic()
        seconds = max(1e-6, now - self._measured_at)
        fps = (self.frames - self._frames_before) / seconds
        reads = (session.reads - self._reads_before) / seconds
        self._frames_before, self._reads_before, self._measured_at = self.frames, session.reads, now
        motion = session.motion
        return {
            "fps": round(fps, 1),
            "reads_per_second": round(reads, 2),
            "lag_ms": round(1000 * self.lag_seconds),
            "read_ms": round(1000 * reader.seconds / max(1, reader.count)),
            "frames": self.frames,
            "reads": session.reads,
            "reconnects": source.reconnects,
            "trouble": source.trouble,
            "level": round(motion.level) if motion is not None else None,
            "still_for": round(motion.still_for, 1) if motion is not None else None,
            "shake": round(motion.shake, 1) if motion is not None else None,
            "calibrated": session.calibrated,
            "width": self.width,
            "height": self.height,
            "memory_mb": round(memory_mb()),
        }


def memory_mb() -> float:
    """Return this process's memory in megabytes: the present use if the system reports it, otherwise the peak."""
    now = resident_bytes()
    if now:
        return now / 1e6
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most / 1e3
