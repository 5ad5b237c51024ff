from __future__ import annotations

import numpy as np
import pytest

from foveate.assist.overlay import SKY_BLUE, YELLOW, overlay
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region
from tests.helpers import predicted


def photo(height: int, width: int, shade: int = 128) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.full((height, width, 3), shade, dtype=np.uint8)


def luminance(colour: tuple[int, ...]) -> float:
    """Relative luminance of WCAG 2.2."""
    parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("shade", [0, 60, 128, 200, 255])
def test_the_outline_stands_out_on_any_shade(shade: int) -> None:
    """WCAG 2.2, 1.4.11: 3 to 1 for graphics. The light line or its dark rim has it on every grey."""
    picture = overlay(photo(600, 800, shade), predicted("a", (200, 150, 600, 450)), "Where?")
    line, rim = picture.getpixel((400, 150 - 5)), picture.getpixel((400, 150 - 9))
    assert isinstance(line, tuple)
    assert isinstance(rim, tuple)
    assert line == YELLOW
    assert max(contrast(line, (shade,) * 3), contrast(rim, (shade,) * 3)) >= 3


def test_the_photo_inside_and_outside_the_region_is_untouched() -> None:
    picture = np.asarray(overlay(photo(600, 800), predicted("a", (200, 150, 600, 450)), "Where?"))
    assert (picture[150:450, 200:600] == 128).all()
    assert (picture[0:130, 0:180] == 128).all()


def test_the_text_stands_below_the_photo() -> None:
    picture = overlay(photo(600, 800), predicted("a", (200, 150, 600, 450)), "Where can we cook meals?")
    assert picture.width == 800
    assert picture.height > 600
    assert np.asarray(picture)[600:].max() > 180


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 300), (300, 1), (48, 64), (4000, 300)])
def test_any_size_of_photo(height: int, width: int) -> None:
    picture = overlay(photo(height, width), predicted("a", (0, 0, width, height)), "Where? " * 40)
    assert picture.width >= 480


def test_a_target_is_dashed_in_another_colour() -> None:
    picture = np.asarray(
        overlay(photo(600, 800), predicted("a", (20, 20, 60, 60)), "Where?", targets=[Box((200, 150, 600, 450))])
    )
    top = picture[150 - 5, 200:600]
    share = (top == SKY_BLUE).all(axis=1).mean()
    assert 0.3 < share < 0.8


def test_a_region_at_the_border_keeps_its_line_on_the_picture() -> None:
    picture = np.asarray(overlay(photo(600, 800), predicted("a", (0, 0, 800, 600)), "Where?"))
    for row in (picture[0], picture[599], picture[:600, 0], picture[:600, 799]):
        assert ((row == YELLOW).all(axis=1)).mean() > 0.9


def test_without_a_region_the_reason_is_written_and_nothing_drawn() -> None:
    prediction = Prediction("a", "no_region", reason="There is no oven in this photo.")
    picture = np.asarray(overlay(photo(600, 800), prediction, "Where can we cook?"))
    assert (picture[:600] == 128).all()
    assert picture[600:].max() > 200


def test_letters_of_any_alphabet_do_not_break_it() -> None:
    prediction = Prediction("a", "ok", "日本 ß \x00 \n é", final=Region(Box((0, 0, 9, 9)), 0.5))
    overlay(photo(100, 100), prediction, "¿Dónde?\n\n" + "x" * 400)
