from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from foveate.assist.asking import ask
from foveate.assist.desk.lost import Lost
from foveate.assist.desk.warm import Warm
from foveate.assist.desk.works import AskWork, ReadText
from foveate.assist.photos import Photo
from foveate.core.regions import Box, Mask, Region
from foveate.core.rle import encode
from foveate.errors import UsageError
from foveate.perception import read_text
from foveate.perception.text_lines import TextLine
from tests.unit.assist.desk.fakes import a_photo


def warm_with(*photos: Photo) -> Warm:
    warm = Warm()
    for number, photo in enumerate(photos):
        warm.take(number, photo)
    return warm


def test_an_answer_is_that_of_the_method() -> None:
    photo = a_photo(9)
    got = AskWork("What is this?", "centre_box").do(photo, warm_with(photo))
    expected = ask(photo, "What is this?", grounder="centre_box")
    assert got.prediction.final == expected.prediction.final
    assert got.explanation == expected.explanation
    with pytest.raises(UsageError, match="it is empty"):
        AskWork("  ")


def test_a_method_that_shares_its_weights_keeps_each_photo_and_another_one_only() -> None:
    first, second = a_photo(1), a_photo(2)
    warm = warm_with(first, second)
    assert warm.asker("pocket", first) is not warm.asker("pocket", second)
    again = warm.asker("pocket", first)
    assert again is warm.asker("pocket", first)
    assert again.photo is first
    assert warm.asker("whole_image", first) is warm.asker("whole_image", second)
    warm.asker("centre_box", first)
    warm.asker("slow_corner", second)  # The third of its sort: the first one goes.
    assert list(warm._single) == ["centre_box", "slow_corner"]
    warm.forget(0)
    assert list(warm._single) == ["slow_corner"]
    assert list(warm._photos) == [1]


def test_text_is_read_in_a_region_at_its_place() -> None:
    pixels = np.full((240, 900, 3), 255, dtype=np.uint8)
    cv2.putText(pixels, "TOMATO", (40, 140), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (0, 0, 0), 5)
    cv2.putText(pixels, "CHEESE", (520, 140), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (0, 0, 0), 5)
    photo = Photo("signs.png", pixels)
    warm = warm_with(photo)
    assert [line.text for line in ReadText().do(photo, warm)] == ["TOMATO", "CHEESE"]
    half = np.zeros(photo.size_hw, dtype=bool)
    half[:, 450:] = True
    region = Region(Mask(encode(half)), None)
    (line,) = ReadText(region).do(photo, warm)
    assert line.text == "CHEESE"
    x0, y0, x1, y1 = line.xyxy
    assert 490 < x0 < 540
    assert 740 < x1 < 830
    assert 60 < y0 < y1 < 180
    assert line.quad[0][0] == pytest.approx(x0, abs=12)
    assert ReadText(region).do(photo, warm)[0] is line  # It is not read again.


def test_a_scrap_that_cannot_be_read_by_itself_is_found_among_the_lines_of_the_photo(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    photo = a_photo(3, (200, 300))
    box, quad = (120.0, 50.0, 150.0, 60.0), ((120.0, 50.0), (150.0, 50.0), (150.0, 60.0), (120.0, 60.0))
    price = TextLine("2.99", 0.9, quad, box)
    name = replace(price, text="TEA", xyxy=(20.0, 50.0, 60.0, 60.0))
    # Stands in for the reader: only the whole photo has text.
    monkeypatch.setattr(read_text, "read_text", lambda image: (name, price) if image.shape == (200, 300, 3) else ())
    warm = warm_with(photo)
    assert ReadText(Region(Box((118, 48, 152, 62)), None)).do(photo, warm) == (price,)
    assert ReadText(Region(Box((218, 48, 252, 62)), None)).do(photo, warm) == ()


def test_lost_photos_are_known_by_their_pixels_and_not_forever() -> None:
    lost = Lost()
    lost.note(a_photo(1), "ask")
    assert not lost.twice(a_photo(1), "ask")
    lost.note(a_photo(1), "ask")
    assert lost.twice(a_photo(1), "ask")
    assert not lost.twice(a_photo(1), "read")
    assert not lost.twice(a_photo(1, (6, 4)), "ask")  # As many pixels of the same values, otherwise laid out.
    assert not lost.twice(a_photo(2), "ask")
    for value in range(1000):
        lost.note(a_photo(size_hw=(1, value + 1)), "read")
    assert not lost.twice(a_photo(1), "ask")
