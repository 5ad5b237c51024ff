from __future__ import annotations

from pathlib import Path

import pytest

from foveate.datasets._options import AbsentError, official_file
from foveate.errors import InputError
from foveate.sources.folders import surveying
from tests.helpers import write
from tests.zips import packed


def test_in_the_folder_itself_or_the_only_one_below(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    deep = write(tmp_path / "deep" / "train.csv", "deep")
    assert official_file(tmp_path, "train.csv") == deep
    direct = write(tmp_path / "train.csv", "direct")
    assert official_file(tmp_path, "train.csv") == direct


def test_below_a_link_to_a_folder(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "root").mkdir()
    write(tmp_path / "far" / "train.csv", "x")
    (tmp_path / "root" / "annotations").symlink_to(tmp_path / "far")
    assert official_file(tmp_path / "root", "train.csv") == tmp_path / "root" / "annotations" / "train.csv"


def test_equal_copies_are_fine_and_different_ones_are_both_named(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder / "train.csv", "same")
    assert official_file(tmp_path, "train.csv") == tmp_path / "x" / "train.csv"
    write(tmp_path / "y" / "train.csv", "diff")  # Of the same length.
    with pytest.raises(InputError, match=r"2 files have this name below the folder and differ: .*x/train.*y/train"):
        official_file(tmp_path, "train.csv")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("folder", r"train\.csv: this is a folder, not a file\. Give with --root the folder that holds train\.csv"),
        ("capitals", r"there is no such file, but .*Train\.CSV\. Rename that file to train\.csv"),
        ("zip", r"it is still packed, in .*all\.zip\. Unpack it: unzip .*all\.zip"),
        ("nothing", r"train\.csv: there is no such file\. Give with --root"),
    ],
)
def test_why_it_is_not_there(name: str, said: str, tmp_path: Path) -> None:
    if name == "folder":
        (tmp_path / "train.csv").mkdir()
    elif name == "capitals":
        write(tmp_path / "Train.CSV", "x")
    elif name == "zip":
        packed(tmp_path / "all.zip", {"set/train.csv": "x"})
    with pytest.raises(AbsentError, match=said):
        official_file(tmp_path, "train.csv")


def test_a_file_where_the_folder_is_expected(tmp_path: Path) -> None:
    path = write(tmp_path / "train.csv", "x")
    with pytest.raises(AbsentError, match="it is a file, not a folder"):
        official_file(path, "train.csv")


def test_a_copy_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder / "train.csv", "same")

    def refuse(path: Path) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("foveate.sources.folders.sha256_of", refuse)
    with pytest.raises(InputError, match=r"train\.csv: it cannot be read \(Permission denied\)"):
        official_file(tmp_path, "train.csv")


def test_a_survey_notes_the_copies_that_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    write(tmp_path / "old" / "train.csv", "old")
    direct = write(tmp_path / "train.csv", "new")
    with surveying() as survey:
        assert official_file(tmp_path, "train.csv") == direct
    assert survey.official == {"train.csv": [direct, tmp_path / "old" / "train.csv"]}
