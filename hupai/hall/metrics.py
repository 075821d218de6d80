"""The watched tables of every host that shares the store, for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from prometheus_client.core import GaugeMetricFamily, Metric
from sqlalchemy import Engine

from hupai.hall.routes.feed import tables_json

_HEALTH: Final = {
    "fps": ("frames_per_second", "Frames looked at for motion"),
    "reads_per_second": ("reads_per_second", "Frames read"),
    "read_ms": ("read_milliseconds", "Processor time of a read, the mean"),
    "lag_ms": ("lag_milliseconds", "From a frame to its being looked at"),
    "reconnects": ("reconnects", "How often the camera came back"),
    "shake": ("shake_pixels", "How far the camera moves from frame to frame"),
    "memory_mb": ("memory_megabytes", "Memory of the watching process"),
}
"""A watcher's measurement -> the name and description of its metric."""


def count_tables(engine: Engine) -> Iterator[Metric]:
    """Yield the metrics of the tables; the store is asked once.

    Raises:
        StoreError, SQLAlchemyError: the store is unavailable.
    """
    listed = tables_json(engine, "")
    states = GaugeMetricFamily("hupai_table_state", "1 for the state a table is in", labels=("table", "state"))
    silent = _gauge_by_table("silent", "Whether nothing is heard of the table's watcher")
    waiting = _gauge_by_table("hands_waiting", "Laid hands that wait for the director")
    for table in listed["tables"]:
        states.add_metric((table["name"], table["state"]), 1)
        silent.add_metric((table["name"],), table["silent"])
        waiting.add_metric((table["name"],), table["waiting"])
    yield from (states, silent, waiting)
    for field, (name, text) in _HEALTH.items():
        family = _gauge_by_table(name, text)
        for table in listed["tables"]:
            if table["watched"] and table["health"].get(field) is not None:
                family.add_metric((table["name"],), table["health"][field])
        yield family
    behind = GaugeMetricFamily(
        "hupai_events_undelivered", "Events a webhook or broker does not take", labels=("target",)
    )
    for target in listed["undelivered"]:
        behind.add_metric((target["target"],), target["waiting"])
    yield behind


def _gauge_by_table(name: str, what: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"hupai_table_{name}", what, labels=("table",))
