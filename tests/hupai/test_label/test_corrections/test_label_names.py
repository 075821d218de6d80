"""What other data sets call their tiles: guessed, confirmed once, kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from hupai.label.corrections.names import guess, read_names, write_names
from hupai.label.formats import read_labels
from scoring.errors import InvalidRequest
from tests.hupai.at_terminal import at_terminal
from tests.hupai.test_label.batch_photos import command, hupai

GUESSES = {
    "bamboo 3": "3s", "B3": "3s", "3B": "3s", "sou3": "3s", "BambooThree": "3s", "三条": "3s", "circle_9": "9p",
    "characters-5": "5m", "man1": "1m", "East": "1z", "wind-s": "2z", "EW": "1z", "red dragon": "7z",
    "honors-white": "5z", "发": "6z", "5 red bamboo": "0s", "aka 5 pin": "0p", "bonus-plum": "f1", "bonus-bamboo": "f4",
    "dragon-red": "7z", "flower 1": "f1", "season-3": "g3", "rooster": "a3", "face down": "back",
}  # fmt: skip
COLUMNS = "image,width,height,tile,x0,y0,x1,y1,x2,y2,x3,y3"


@pytest.mark.parametrize(("name", "code"), GUESSES.items())
def test_names_of_other_data_sets_are_guessed(name: str, code: str) -> None:
    assert guess(name) == code


@pytest.mark.parametrize(
    "name", ["", "table", "3", "bamboo", "10 bamboo", "b33", "flower 9", "white dragon 3", "east 1"]
)
def test_what_could_be_anything_is_not_guessed(name: str) -> None:
    assert guess(name) is None


def foreign(folder: Path, *names: str) -> Path:
    path = folder / "foreign.csv"
    rows = [f"a.jpg,640,480,{n},{30 * i},0,{30 * i + 24},0,{30 * i + 24},40,{30 * i},40" for i, n in enumerate(names)]
    path.write_text("\n".join([COLUMNS, *rows]) + "\n")
    return path


def tiles(folder: Path) -> list[str]:
    (record,) = read_labels(folder)
    return [b.tile.code for b in record.boxes]


@pytest.mark.slow
def test_names_are_asked_about_once_and_kept(tmp_path: Path) -> None:
    path, kept = foreign(tmp_path, "bamboo 3", "East", "thing", "other", "5m"), tmp_path / "names.txt"
    arguments = ("labels", "import", path, "--names", kept, "--out")
    status, _, told = hupai(*arguments, tmp_path / "none")
    told = " ".join(told.split())
    assert status == 2 and "Guesses: East: 1z; bamboo 3: 3s." in told and not (tmp_path / "none").exists()
    assert not kept.exists()
    status, shown = at_terminal(command(*arguments, tmp_path / "first"), "y\nnonsense\n-\n7z\n")
    assert status == 0, shown
    assert "bamboo 3 = 3s" in shown and "'nonsense' is not a tile" in shown
    assert tiles(tmp_path / "first") == ["3s", "1z", "7z", "5m"]  # "other" came first and was left out
    assert read_names(kept) == {"East": "1z", "bamboo 3": "3s", "other": "", "thing": "7z"}
    assert hupai(*arguments, tmp_path / "again")[0] == 0  # nobody is asked a second time
    assert tiles(tmp_path / "again") == tiles(tmp_path / "first")


@pytest.mark.slow
def test_a_guess_that_is_wrong_is_put_right(tmp_path: Path) -> None:
    path = foreign(tmp_path, "S1", "B1")
    status, shown = at_terminal(command("labels", "import", path, "--out", tmp_path / "out"), "n\n1s\ng1\n")
    assert status == 0, shown
    assert tiles(tmp_path / "out") == ["g1", "1s"]


def test_a_file_of_names_is_read_back_and_its_faults_are_told_together(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    write_names(path, {"a: b": "3s", "left out": ""})
    assert read_names(path) == {"a: b": "3s", "left out": ""}
    path.write_text("# ours\n\nbamboo 3 = 3s\neast: 9z\n")
    with pytest.raises(InvalidRequest) as told:
        read_names(path)
    assert [f.message.split(":")[0][-6:] for f in told.value.faults] == ["line 3", "line 4"]
