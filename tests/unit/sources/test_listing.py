from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from foveate.sources.listing import Listing
from foveate.sources.packed import names_in_zips, zips_with
from tests.helpers import write
from tests.zips import packed


def below(root: Path, paths: list[str]) -> list[str]:
    return [os.path.relpath(path, root) for path in paths]


def test_files_stand_in_a_stable_order_folder_by_folder(tmp_path: Path) -> None:
    for name in ("b/2.txt", "b/1.txt", "a/deep/3.txt", "0.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write(tmp_path / name, name)
    assert below(tmp_path, Listing(tmp_path).files) == ["0.txt", "a/deep/3.txt", "b/1.txt", "b/2.txt"]


def test_each_folder_is_listed_once_however_many_names_are_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(50):
        write(tmp_path / f"{number}.jpg", "")
    (tmp_path / "deep").mkdir()
    real, listed = os.scandir, []

    def counted(path: str) -> object:
        listed.append(path)
        return real(path)

    monkeypatch.setattr(os, "scandir", counted)
    listing = Listing(tmp_path)
    assert all(listing.named(f"{number}.jpg") for number in range(50))
    assert below(tmp_path, [str(path) for path in listed]) == [".", "deep"]


def test_links_to_files_and_folders_are_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (tmp_path / "far").mkdir()
    root.mkdir()
    write(tmp_path / "far" / "a.jpg", "a")
    (root / "folder").symlink_to(tmp_path / "far")
    (root / "b.jpg").symlink_to(tmp_path / "far" / "a.jpg")
    listing = Listing(root)
    assert below(root, listing.files) == ["b.jpg", "folder/a.jpg"]
    assert (listing.strange, listing.circles) == ([], [])


def test_links_in_circles_and_to_nothing_are_told(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    write(tmp_path / "x" / "a.jpg", "a")
    (tmp_path / "x" / "up").symlink_to(tmp_path)
    (tmp_path / "gone.jpg").symlink_to(tmp_path / "nowhere")
    (tmp_path / "me.jpg").symlink_to(tmp_path / "me.jpg")
    listing = Listing(tmp_path)
    assert below(tmp_path, listing.files) == ["x/a.jpg"]
    assert below(tmp_path, listing.circles) == ["x/up"]
    told = {os.path.relpath(path, tmp_path): what for path, what in listing.strange}
    assert told["gone.jpg"] == "a link to nothing"
    assert told["me.jpg"].startswith("a link that leads nowhere (")


def test_a_pipe_is_no_file_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.jpg")
    assert Listing(tmp_path).strange == [(str(tmp_path / "a.jpg"), "a pipe or a device")]


def test_a_folder_that_cannot_be_listed_is_told_and_the_others_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("closed", "open"):
        (tmp_path / name).mkdir()
        write(tmp_path / name / "a.jpg", "a")
    real = os.scandir

    def refusing(path: str) -> object:
        if os.fspath(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", refusing)
    listing = Listing(tmp_path)
    assert below(tmp_path, listing.files) == ["open/a.jpg"]
    assert listing.strange == [(str(tmp_path / "closed"), "a folder that cannot be listed (Permission denied)")]


def test_shadows_of_other_systems_are_counted_and_passed_over(tmp_path: Path) -> None:
    for name in ("._a.jpg", ".git/a.jpg", "__MACOSX/a.jpg", "a.jpg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write(tmp_path / name, name)
    listing = Listing(tmp_path)
    assert below(tmp_path, listing.files) == ["a.jpg"]
    assert below(tmp_path, sorted(listing.hidden)) == ["._a.jpg", ".git", "__MACOSX"]


@pytest.mark.parametrize(("written", "asked"), [("NFD", "NFC"), ("NFC", "NFD")])
def test_an_accent_is_one_letter_however_it_is_written(written: str, asked: str, tmp_path: Path) -> None:
    path = write(tmp_path / unicodedata.normalize(written, "café.jpg"), "")  # type: ignore[arg-type]
    assert Listing(tmp_path).named(unicodedata.normalize(asked, "café.jpg")) == [path]  # type: ignore[arg-type]


def test_a_suffix_in_capitals_is_the_same_and_a_name_in_capitals_is_not(tmp_path: Path) -> None:
    upper = write(tmp_path / "a.JPG", "")
    listing = Listing(tmp_path)
    assert listing.named("a.jpg") == [upper]
    assert listing.named("A.jpg") == []
    assert listing.alike("A.jpg") == [upper]
    exact = write(tmp_path / "a.jpg", "")
    assert Listing(tmp_path).named("a.jpg") == [exact]


def test_what_zips_hold_is_read_from_their_directory(tmp_path: Path) -> None:
    whole = packed(tmp_path / "a.zip", {"set/train.csv": "x", "set/images/1.jpg": "y"})
    broken = write(tmp_path / "b.zip", "no zip")
    zips = names_in_zips([str(whole), str(broken)])
    assert zips[str(broken)] == frozenset()
    assert zips_with(["train.csv", "1.jpg", "2.jpg"], zips) == {str(whole): 2}
