from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from foveate.errors import InputError
from foveate.sources.folders import PhotoFolder, surveying
from tests.helpers import save_photo


def test_finds_by_name_by_path_and_by_address(tmp_path: Path) -> None:
    save_photo(tmp_path / "x" / "a.png")
    folder = PhotoFolder(tmp_path)
    for name in ("a.png", "x/a.png", "https://example.invalid/set/a.png"):
        found = folder.find(name)
        assert found is not None
        assert found.path == tmp_path / "x" / "a.png"
    assert folder.find("b.png") is None


def test_never_reaches_outside_the_root(tmp_path: Path) -> None:
    save_photo(tmp_path / "secret.png")
    (tmp_path / "root").mkdir()
    assert PhotoFolder(tmp_path / "root").find("../secret.png") is None


def test_upper_case_suffixes_are_photos_too(tmp_path: Path) -> None:
    (tmp_path / "A.JPG").write_bytes(save_photo(tmp_path / "x.jpg").read_bytes())
    assert PhotoFolder(tmp_path).find("A.JPG") is not None


def test_links_to_folders_are_followed_but_not_in_circles(tmp_path: Path) -> None:
    save_photo(tmp_path / "elsewhere" / "a.png")
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "images").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "back").symlink_to(tmp_path / "root")
    assert PhotoFolder(tmp_path / "root").find("a.png") is not None


def test_a_link_to_nothing_is_no_photo(tmp_path: Path) -> None:
    save_photo(tmp_path / "x" / "a.png")
    (tmp_path / "y").mkdir()
    (tmp_path / "y" / "a.png").symlink_to(tmp_path / "gone.png")
    found = PhotoFolder(tmp_path).find("a.png")
    assert found is not None
    assert found.path == tmp_path / "x" / "a.png"


@pytest.mark.parametrize("name", ["x/" + "z" * 5000 + ".jpg", "z" * 5000, "a\0b.jpg", "x/a\0b.jpg"])
def test_names_that_no_file_can_have(name: str, tmp_path: Path) -> None:
    assert PhotoFolder(tmp_path).find(name) is None


def test_a_photo_in_the_root_needs_no_known_suffix(tmp_path: Path) -> None:
    (tmp_path / "a.photo").write_bytes(save_photo(tmp_path / "x.jpg").read_bytes())
    assert PhotoFolder(tmp_path).find("a.photo") is not None


def test_equal_twins_are_fine_and_different_twins_are_not(tmp_path: Path) -> None:
    save_photo(tmp_path / "x" / "a.png")
    save_photo(tmp_path / "y" / "a.png")
    found = PhotoFolder(tmp_path).find("a.png")
    assert found is not None
    assert found.path == tmp_path / "x" / "a.png"
    save_photo(tmp_path / "y" / "a.png", colour=(0, 0, 1))
    with pytest.raises(InputError, match="2 different photos"):
        PhotoFolder(tmp_path).find("a.png")
    assert PhotoFolder(tmp_path).find("y/a.png") is not None
    save_photo(tmp_path / "a.png", colour=(0, 0, 2))
    assert PhotoFolder(tmp_path).find("./a.png") is not None


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        PhotoFolder(tmp_path / "none")


def test_one_name_in_two_spellings_of_unicode(tmp_path: Path) -> None:
    save_photo(tmp_path / unicodedata.normalize("NFD", "café.png"))
    assert PhotoFolder(tmp_path).find(unicodedata.normalize("NFC", "café.png")) is not None


def test_a_file_where_the_folder_is_expected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is a file, not a folder"):
        PhotoFolder(save_photo(tmp_path / "a.png"))


def test_a_suffix_in_capitals_is_taken_only_where_none_is_as_it_is_named(tmp_path: Path) -> None:
    capitals = tmp_path / "x" / "a.PNG"
    capitals.parent.mkdir()
    capitals.write_bytes(save_photo(tmp_path / "b.png", colour=(1, 2, 3)).read_bytes())
    found = PhotoFolder(tmp_path).find("a.png")
    assert found is not None
    assert found.path == capitals
    exact = save_photo(tmp_path / "y" / "a.png")
    found = PhotoFolder(tmp_path).find("a.png")
    assert found is not None
    assert found.path == exact


def test_a_name_in_capitals_may_be_another_photo(tmp_path: Path) -> None:
    save_photo(tmp_path / "x" / "IMG.png")
    assert PhotoFolder(tmp_path).find("img.png") is None


def test_two_suffixes_in_capitals_with_different_bytes_are_refused(tmp_path: Path) -> None:
    whole = save_photo(tmp_path / "b.png").read_bytes()
    for name, data in (("a.PNG", whole), ("a.Png", whole + b"x")):
        (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=r"a\.png: 2 different photos have this name: .*a\.PNG and .*a\.Png"):
        PhotoFolder(tmp_path).find("a.png")


def test_the_shadow_of_a_photo_is_no_twin_of_it(tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "x" / "a.png")
    (tmp_path / "__MACOSX").mkdir()
    (tmp_path / "__MACOSX" / "a.png").write_bytes(b"a shadow")
    (tmp_path / "x" / "._a.png").write_bytes(b"a shadow")
    found = PhotoFolder(tmp_path).find("a.png")
    assert found is not None
    assert found.path == photo


def test_a_survey_notes_what_is_refused_otherwise_and_goes_on(tmp_path: Path) -> None:
    save_photo(tmp_path / "x" / "a.png")
    save_photo(tmp_path / "y" / "a.png", colour=(0, 0, 1))
    capitals = tmp_path / "b.PNG"
    capitals.write_bytes((tmp_path / "x" / "a.png").read_bytes())
    with surveying() as survey:
        folder = PhotoFolder(tmp_path)
        assert folder.find("a.png") is None
        assert folder.find("b.png") is not None
    assert "2 different photos" in str(survey.differing["a.png"])
    assert survey.other_case == {"b.png": capitals}
    with pytest.raises(InputError, match="2 different photos"):
        PhotoFolder(tmp_path).find("a.png")
