"""What a player of the videos does is possible."""

from __future__ import annotations

import numpy as np

from datasets.render.camera import Camera, Pose
from datasets.scenes.player_videos import _Play, _Stand, arm_from_below
from scoring.tiles import parse_tiles


def test_a_tile_is_called_only_while_another_player_may_have_one() -> None:
    row, size = parse_tiles("115577z"), (1280, 720)
    rng = np.random.default_rng(1)
    stand = _Stand(rng, 18.5, 1.3, 0.8, list(row), jolts=[(0.0, 0.0)] * 18)
    camera = Camera(Pose((9.0, 2.0), 18.0, 60.0, 0.0, 0.0, 0.8), *size)
    play = _Play(rng, stand, list(parse_tiles("2z")), camera, 10.0, size, arm_from_below(rng, 50.0), 50.0)
    assert not any(play._call() for _ in range(20)) and stand.row == list(row)
    play.wall += parse_tiles("1z2z")
    assert any(play._call() for _ in range(20)) and play.wall == list(parse_tiles("22z"))
    assert not any(play._call() for _ in range(20)) and len(stand.melds) == 1
