"""What is read on real photos: floors under `python benchmarks/text.py` and the memo's figures."""

from __future__ import annotations

import pytest

from foveate.perception.read_text import read_text
from foveate.perception.text_lines import letters
from foveate.sources.images import FileImage
from tests.helpers import SHARED, needs_shared

pytestmark = [pytest.mark.reference, needs_shared]


def test_the_36_photos_by_blind_people_yield_as_much_text_as_was_measured() -> None:
    photos = sorted((SHARED / "vizwiz" / "images").glob("*.jpg"))
    lines = [line for path in photos for line in read_text(FileImage(path).load())]
    assert len(photos) == 36
    assert len(lines) >= 100
    assert sum(letters(line.text) for line in lines) >= 1_050


def test_a_disc_that_lies_on_its_head_is_read() -> None:
    lines = read_text(FileImage(SHARED / "vizwiz" / "images" / "VizWiz_val_00000017.jpg").load())
    assert {line.text for line in lines} == {"DVD", "Windows7", "Ultimate"}
    assert all(190 < line.orientation < 230 for line in lines)
