"""The labelling is killed while disks come and go, in small; `scripts.bench.label_soak` does it at any size."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.bench.label_soak import soak


@pytest.mark.slow
def test_labels_are_the_same_after_kills_while_two_of_four_folders_vanish_and_return(tmp_path: Path) -> None:
    told = soak(tmp_path, pictures=200, kills=3, tiles_every=8)
    assert told["killed"] == 3
    assert told["labels_kept_while_two_folders_were_empty"] > 20  # of 50 of the second folder, which vanished half read
    assert told["files_compared"] > 40
    assert told["unlike"] == []
