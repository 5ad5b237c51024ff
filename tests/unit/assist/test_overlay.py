from __future__ import annotations

from typing import Any

import numpy as np
import PIL.ImageDraw
import pytest

from foveate.assist._outlines import DARK
from foveate.assist.overlay import SKY_BLUE, YELLOW, overlay
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region
from tests.helpers import predicted
from tests.unit.assist.contrast import contrast


def photo(height: int, width: int, shade: int = 128) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.full((height, width, 3), shade, dtype=np.uint8)


@pytest.mark.parametrize("shade", [0, 60, 128, 200, 255])
def test_the_outline_stands_out_on_any_shade(shade: int) -> None:
    """WCAG 2.2, 1.4.11: 3 to 1 for graphics. The light line or its dark rim has it on every grey."""
    picture = overlay(photo(600, 800, shade), predicted("a", (200, 150, 600, 450)), "Where?")
    line, rim = picture.getpixel((400, 150 - 5)), picture.getpixel((400, 150 - 8))
    assert isinstance(line, tuple)
    assert isinstance(rim, tuple)
    assert line == YELLOW
    assert max(contrast(line, (shade,) * 3), contrast(rim, (shade,) * 3)) >= 3


def test_the_photo_inside_and_outside_the_region_is_untouched() -> None:
    picture = np.asarray(overlay(photo(600, 800), predicted("a", (200, 150, 600, 450)), "Where?"))
    assert (picture[150:450, 200:600] == 128).all()
    assert (picture[0:130, 0:180] == 128).all()


def test_the_corners_of_an_outline_are_closed() -> None:
    """Of 600 pixels: a line of 4 between rims of 2, square at the corner."""
    picture = np.asarray(overlay(photo(600, 800), predicted("a", (200, 150, 600, 450)), "Where?"))
    for corner in (
        picture[142:150, 192:200],
        picture[142:150, 607:599:-1],
        picture[457:449:-1, 192:200],
        picture[457:449:-1, 607:599:-1],
    ):
        expected = np.full((8, 8, 3), DARK)
        expected[2:6, 2:] = expected[2:, 2:6] = YELLOW
        assert (corner == expected).all()


@pytest.mark.parametrize("xyxy", [(300, 200, 327, 215), (300, 200, 301, 201), (300.4, 200.6, 312.2, 230.7)])
def test_around_a_small_region_the_line_is_thin_and_leaves_what_is_beside_it(
    xyxy: tuple[float, float, float, float],
) -> None:
    picture = np.asarray(overlay(photo(600, 800), predicted("a", xyxy), "Where?"))[:600]
    painted = (picture != 128).any(axis=2)
    rows, columns = np.nonzero(painted)
    x0, y0, x1, y1 = xyxy
    assert not painted[int(y0) : int(np.ceil(y1)), int(x0) : int(np.ceil(x1))].any()
    assert x0 - columns.min() <= 7
    assert rows.max() - y1 <= 7
    assert (picture == YELLOW).all(axis=2).sum() > 16


def test_a_tiny_region_of_a_large_photo_is_not_lost() -> None:
    picture = np.asarray(overlay(photo(3000, 4000), predicted("a", (2000, 1000, 2001, 1001)), "Where?"))
    # 5 pixels wide, around the region and a rim of 2.
    assert (picture[985:1015, 1985:2015] == YELLOW).all(axis=2).sum() == 15**2 - 5**2


@pytest.mark.parametrize("shift", [0, 1, 3, -2])
def test_a_region_and_a_target_that_nearly_coincide_are_both_seen(shift: int) -> None:
    target = Box((200 + shift, 150 + shift, 600 + shift, 450 + shift))
    picture = np.asarray(overlay(photo(600, 800), predicted("a", (200, 150, 600, 450)), "Where?", targets=[target]))
    for side in (picture[135:160, 210:590], picture[440:465, 210:590]):
        for colour in (YELLOW, SKY_BLUE):
            # Seen along the whole side: in every fifth of it.
            assert all((part == colour).all(axis=2).any(axis=0).mean() > 0.3 for part in np.split(side, 5, axis=1))


def test_the_dashes_of_a_target_begin_and_end_in_its_corners_on_a_whole_casing() -> None:
    prediction = Prediction("a", "no_region", reason="nothing there")
    picture = np.asarray(overlay(photo(600, 800), prediction, "Where?", targets=[Box((200, 150, 600, 450))]))[:600]
    for y, x in ((145, 195), (145, 604), (454, 195), (454, 604)):
        assert tuple(picture[y, x]) == SKY_BLUE
    casing = np.ones((316, 416), dtype=bool)
    casing[8:-8, 8:-8] = False
    assert ((picture[142:458, 192:608] != 128).any(axis=2) == casing).all()


@pytest.mark.parametrize(("height", "width"), [(600, 800), (100, 100), (3000, 4000), (60, 2000)])
def test_the_legend_shows_two_clear_dashes(height: int, width: int) -> None:
    prediction = Prediction("a", "no_region", reason="nothing there")
    picture = np.asarray(overlay(photo(height, width), prediction, "Where?", targets=[Box((0, 0, 9, 9))]))
    strip = picture[-(picture.shape[0] - height) // 2 :]
    row = max((strip == SKY_BLUE).all(axis=2), key=lambda r: int(r.sum()))
    edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(int), [0]])))
    lengths = np.diff(edges)
    assert len(lengths) == 3
    assert lengths.min() >= 7
    assert max(lengths) <= 1.5 * min(lengths)


def test_the_strip_of_a_panorama_is_no_taller_than_three_lines_of_small_text() -> None:
    picture = overlay(photo(60, 2000), predicted("a", (5, 5, 50, 50)), "Where?", targets=[Box((0, 0, 9, 9))])
    assert picture.height <= 60 * 2.5


def test_a_method_without_an_answer_says_so_as_the_terminal_does(monkeypatch: pytest.MonkeyPatch) -> None:
    written = texts(monkeypatch)
    overlay(photo(600, 800), predicted("a", (20, 20, 60, 60)), "Where\x00is\x07\u2028it\ud800?")
    assert written == ["Where is it ?", "(no answer in words) (score 0.50)"]


def test_a_text_without_spaces_is_broken_to_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    written = texts(monkeypatch)
    overlay(photo(600, 800), predicted("a", (20, 20, 60, 60)), "at " + "x" * 400)
    assert "".join(written[:-1]) == "at" + "x" * 400
    assert max(map(len, written)) < 150


def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns the list into which all that is written goes."""
    written: list[str] = []
    drawn = PIL.ImageDraw.ImageDraw.text

    def text(self: PIL.ImageDraw.ImageDraw, xy: tuple[float, float], text: str, **options: Any) -> None:
        written.append(text)
        drawn(self, xy, text, **options)

    monkeypatch.setattr(PIL.ImageDraw.ImageDraw, "text", text)
    return written


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
