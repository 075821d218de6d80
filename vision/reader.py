"""A photo on a device in, a reading out: the same steps on a server and in a browser.

1. ``detect`` finds the quads of printed faces.
2. ``classify`` gives each face a probability, on upright crops.
3. ``scene`` runs 1 and 2, and weighs all detections together: which are tiles, and which tiles.
4. What was learned of the set, if anything was, is taken into account.
5. ``layout`` makes rows, melds, the winning tile and bonus tiles of them.
6. ``hand`` decodes the likeliest hand that is legal under the rules, and says what is in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from vision.device import Device, DevicePhoto
from vision.hand.aside import with_aside
from vision.hand.read import read_hand
from vision.layout.shapes import Rules
from vision.reading import Reading, Sighting
from vision.scene.classifier import SceneClassifier
from vision.scene.detections import Detections, to_sightings
from vision.scene.views import Clock, detect, time_stage


class KnownSet(Protocol):
    """What was learned of one physical tile set."""

    def read(self, sightings: Sequence[Sighting]) -> list[Sighting]:
        """The same sightings with the set's own pictures taken into account."""


class PhotoReader:
    """Reads photos with the networks of a device.

    Attributes:
        networks: what they say of themselves.
        scene: weighs detections against one another.
    """

    def __init__(self, device: Device) -> None:
        """Take the device."""
        self.networks, self.scene = device.metadata, SceneClassifier(device)

    async def read(
        self, photo: DevicePhoto, rules: Rules = None, *, tileset: KnownSet | None = None, clock: Clock | None = None
    ) -> Reading:
        """Everything made out in a photo; see :meth:`vision.pipeline.TileReader.read`.

        Args:
            clock: milliseconds by stage that were spent on it already.
        """
        clock = {} if clock is None else clock
        with time_stage("total", clock):
            seen = await self.detect(photo, clock)
            sightings, aside = await self.part(seen)
            with time_stage("read", clock):
                if tileset is not None:
                    sightings, aside = tileset.read(sightings), tileset.read(aside)
                reading, _ = read_hand(sightings, photo.width, photo.height, rules)
                reading = with_aside(reading, dict(enumerate(aside)), rules, self.scene.count_printed(seen))
        return replace(reading, timings_ms=clock, models=dict(self.networks.weights))

    async def detect(self, photo: DevicePhoto, clock: Clock | None = None, *, thorough: bool = True) -> Detections:
        """Everything found in a photo, or in its negative where that shows more, tile or not.

        Args:
            clock: as for :meth:`read`. thorough: as for :func:`vision.scene.views.detect`.
        """
        views = await detect(photo, self.networks, {} if clock is None else clock, thorough=thorough)
        return await self.scene.pick_view(views)

    async def classify(self, seen: Detections) -> list[Sighting]:
        """The tiles among a photo's detections, which are weighed against one another."""
        return (await self.part(seen))[0]

    async def part(self, seen: Detections) -> tuple[list[Sighting], list[Sighting]]:
        """The tiles among a photo's detections, and what was set aside but may well be tiles."""
        tiles, aside = await self.scene.part(seen)
        return to_sightings(tiles, self.networks.classifier), to_sightings(aside, self.networks.classifier)
