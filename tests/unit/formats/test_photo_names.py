from __future__ import annotations

import unicodedata

import pytest

from foveate.formats.photo_names import image_name, same_letters, sample_namer

FLAT = ("x.jpg", "y.jpg#0")
IN_FOLDERS = ("x.jpg", "sub/x.jpg", "./jar.jpg")
ADDRESS = "https://example.invalid/photos"


@pytest.mark.parametrize(
    ("text", "ids", "sample"),
    [
        ("x.jpg", FLAT, "x.jpg"),
        ("y.jpg#0", FLAT, "y.jpg#0"),
        ("sub/x.jpg", FLAT, "x.jpg"),
        ("./x.jpg", FLAT, "x.jpg"),
        (f"{ADDRESS}/x.jpg?size=1", FLAT, "x.jpg"),
        ("sub/", FLAT, ""),
        ("x.jpg", IN_FOLDERS, "x.jpg"),
        ("sub/x.jpg", IN_FOLDERS, "sub/x.jpg"),
        ("./jar.jpg", IN_FOLDERS, "./jar.jpg"),
        # What these mean cannot be told here; as they stand they are no sample, which is then an error.
        ("other/x.jpg", IN_FOLDERS, "other/x.jpg"),
        ("./x.jpg", IN_FOLDERS, "./x.jpg"),
        (f"{ADDRESS}/sub/x.jpg", IN_FOLDERS, "x.jpg"),
        # Samples called by an address are in no folder.
        (f"{ADDRESS}/a.jpg", (f"{ADDRESS}/a.jpg", "b.jpg"), f"{ADDRESS}/a.jpg"),
        ("val/b.jpg", (f"{ADDRESS}/a.jpg", "b.jpg"), "b.jpg"),
        ("x.jpg", (), "x.jpg"),
    ],
)
def test_which_sample_a_text_means(text: str, ids: tuple[str, ...], sample: str) -> None:
    assert sample_namer(ids)(text) == sample


def test_a_question_mark_ends_addresses_and_no_names() -> None:
    assert image_name(f"{ADDRESS}/a.jpg?b/c.jpg") == "a.jpg"
    assert image_name("is it?.jpg") == "is it?.jpg"


def test_the_same_letters_in_another_way() -> None:
    composed, apart = unicodedata.normalize("NFC", "é.jpg"), unicodedata.normalize("NFD", "é.jpg")
    assert composed != apart
    assert same_letters([apart, "e.jpg"], [composed, "b.jpg"]) == [apart]
    assert same_letters([composed], [apart]) == [composed]
    assert same_letters([], [composed]) == []
