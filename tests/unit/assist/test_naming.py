from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.assist.naming import Names, safe

WORDS = st.text(st.sampled_from('aAbé\u0301ßsſ.-_ /\\\0\n:*?"<>|~$१२きا2'), max_size=12)


@given(st.lists(WORDS, max_size=12))
def test_no_two_are_the_same_on_any_disk_and_none_leaves_its_folder(photos: list[str]) -> None:
    names = Names()
    given_names = [names.next(photo) for photo in photos]
    keys = {unicodedata.normalize("NFC", name).casefold() for name in given_names}
    assert len(keys) == len(photos)
    for name in given_names:
        for form in (PurePosixPath, PureWindowsPath):
            assert form(name).name == name
        assert name[0] not in "-. "
        assert not set(name) & set('\0\n:*?"<>|~$')


@pytest.mark.parametrize(
    ("photo", "name"),
    [
        ("holiday/jar.jpg", "jar"),
        ("../../etc/passwd", "passwd"),
        (r"C:\photos\jar.jpg", "jar"),
        ("a.b.jpg", "a.b"),
        ("....", "photo"),
        ("", "photo"),
        ("-", "photo"),
        ("हिन्दी.jpg", "हिन्दी"),
        ("\udcff.jpg", "photo"),
    ],
)
def test_a_photos_name_is_kept_as_far_as_it_is_harmless(photo: str, name: str) -> None:
    assert safe(photo) == name


def test_a_long_name_is_cut_where_a_letter_ends() -> None:
    assert safe("é" * 300 + ".jpg") == "é" * 75


def test_what_is_taken_gets_the_next_number() -> None:
    names = Names(lambda name: name != "c")
    assert [names.next(each) for each in ("a.jpg", "A.png", "a-2.jpg", "c.jpg")] == ["a", "A-2", "a-2-2", "c-2"]
