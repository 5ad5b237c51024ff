"""Panels seen from one side: made by a known homography, and made straight again."""

from __future__ import annotations

import cv2
import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from foveate.assist import Photo, straighten
from foveate.assist._fonts import font_for
from foveate.assist.panels import panel_of_lines, panel_of_mask
from foveate.assist.straightening import find_panel, to_front
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import encode
from foveate.perception.read_text import read_text
from foveate.perception.text_lines import TextLine

Points = NDArray[np.float64]
# Six justified lines on a page of 400 x 300.
ROWS = [(40.0, 30.0 + 42 * row, 360.0, 54.0 + 42 * row) for row in range(6)]
WORDS = ["STORE IN A COOL PLACE", "SHAKE WELL BEFORE USE", "KEEP AWAY FROM LIGHT"]


def moved(matrix: Points, points: Points) -> Points:
    return np.asarray(cv2.perspectiveTransform(points.reshape(1, -1, 2), matrix), dtype=np.float64).reshape(-1, 2)


def quad(row: tuple[float, float, float, float]) -> Points:
    x0, y0, x1, y1 = row
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def seen(matrix: Points, rows: list[tuple[float, float, float, float]]) -> list[TextLine]:
    """Returns lines as a reader marks them: a turned rectangle around each, its start kept."""
    lines = []
    for row in rows:
        corners = moved(matrix, quad(row))
        middle, angle = corners.mean(axis=0), np.arctan2(*(corners[1] + corners[2] - corners[0] - corners[3])[::-1])
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        low, high = ((corners - middle) @ turn).min(axis=0), ((corners - middle) @ turn).max(axis=0)
        box = quad((low[0], low[1], high[0], high[1])) @ turn.T + middle
        a, b, c, d = ((float(x), float(y)) for x, y in box)
        (x0, y0), (x1, y1) = box.min(axis=0).tolist(), box.max(axis=0).tolist()
        lines.append(TextLine("WORDS ON A LINE", 0.9, (a, b, c, d), (x0, y0, x1, y1)))
    return lines


def homography(corners: list[tuple[float, float]]) -> Points:
    """Returns what moves the page's corners to these."""
    page = np.array([(0, 0), (400, 0), (400, 300), (0, 300)], dtype=np.float32)
    return np.asarray(cv2.getPerspectiveTransform(page, np.array(corners, dtype=np.float32)), dtype=np.float64)


def off(matrix: Points, lines: list[TextLine]) -> tuple[float, float]:
    """Returns how far level and upright edges of the page are from that at the end, in degrees."""
    panel = panel_of_lines(lines)
    assert panel is not None
    page = quad((40.0, 30.0, 360.0, 264.0))
    back = moved(to_front(panel), moved(matrix, page))
    along = np.roll(back, -1, axis=0) - back
    turn = np.degrees(np.arctan2(along[:, 1], along[:, 0])) - [0, 90, 180, -90]
    turn = np.abs((turn + 180) % 360 - 180)
    return float(turn[[0, 2]].max()), float(turn[[1, 3]].max())


@pytest.mark.parametrize(
    "corners",
    [
        [(100, 100), (500, 160), (480, 420), (80, 420)],  # From the left.
        [(160, 100), (440, 100), (540, 400), (60, 400)],  # From below.
        [(100, 160), (480, 80), (520, 420), (110, 350)],  # From the right, turned.
    ],
)
def test_perspective_is_undone(corners: list[tuple[float, float]]) -> None:
    matrix = homography(corners)
    before = moved(matrix, quad((40.0, 30.0, 360.0, 264.0)))
    along = np.roll(before, -1, axis=0) - before
    assert np.abs(np.degrees(np.arctan2(along[:, 1], along[:, 0])) - [0, 90, 180, -90]).max() > 5
    level, upright = off(matrix, seen(matrix, ROWS))
    assert level < 1.5
    assert upright < 3


@example(angle=0.0, ends=[0.3125, 0.375, 0.5], scale=1.0)  # Stairs: as if the panel widened, but for the letters.
@given(st.floats(0, 360), st.lists(st.floats(0.3, 1), min_size=1, max_size=6), st.floats(0.5, 3))
def test_lines_of_any_length_turned_by_any_angle_stand_level(angle: float, ends: list[float], scale: float) -> None:
    """Ragged lines tell no perspective, so that none is made up: what comes out is a turned rectangle."""
    a, b = scale * np.cos(np.radians(angle)), scale * np.sin(np.radians(angle))
    matrix = np.array([[a, -b, 2000.0], [b, a, 2000.0], [0, 0, 1]])
    rows = [(x0, y0, x0 + end * (x1 - x0), y1) for end, (x0, y0, x1, y1) in zip(ends, ROWS, strict=False)]
    level, upright = off(matrix, seen(matrix, rows))
    assert level < 0.1
    assert upright < 2  # Widths that differ by half a per cent may be either.
    panel = panel_of_lines(seen(matrix, rows))
    assert panel is not None
    # In between that half per cent decides.
    assert panel.tilted or not 2 <= angle <= 358


def test_a_panel_of_pixels_and_what_is_none() -> None:
    mask = np.zeros((300, 400), dtype=np.uint8)
    corners = np.array([(60, 60), (330, 100), (310, 240), (80, 250)])
    cv2.fillPoly(mask, [corners], 1)
    panel = panel_of_mask(mask.astype(bool))
    assert panel is not None
    assert panel.tilted
    assert np.abs(panel.corners - corners).max() < 2
    disc = cv2.circle(np.zeros((300, 400), dtype=np.uint8), (200, 150), 90, 1, -1)
    assert panel_of_mask(disc.astype(bool)) is None
    assert panel_of_mask(np.eye(1, dtype=bool)) is None
    assert panel_of_lines([]) is None
    # A needle is no panel that anyone could read.
    assert (
        panel_of_mask(cv2.fillPoly(np.zeros((99, 99), dtype=np.uint8), [np.array([(0, 0), (98, 3), (98, 5)])], 1) > 0)
        is None
    )
    photo = Photo("a", np.full((300, 400, 3), 99, dtype=np.uint8))
    assert find_panel(photo, Box((60, 60, 330, 250)), []) is None
    as_polygon = Polygon((tuple((float(x), float(y)) for x, y in corners.tolist()),))
    for region in (Mask(encode(mask)), as_polygon):
        assert straighten(photo, region, lines=[]).notes[0] == "It was tilted, and is made straight."
    assert "No panel" in straighten(photo, Mask(encode(disc)), lines=[]).notes[0]
    # What lies outside the photo is grey.
    beyond = straighten(photo, Polygon((((200, 0), (400, 100), (330, 300), (130, 200)),)), lines=[])
    assert {tuple(pixel) for pixel in beyond.pixels.reshape(-1, 3).tolist()} >= {(99, 99, 99)}


def test_a_page_seen_from_one_side_is_read_and_made_straight() -> None:
    """With the real reader, on a page drawn and moved by a known homography."""
    page = PIL.Image.new("RGB", (800, 360), "white")
    draw = PIL.ImageDraw.Draw(page)
    for row, words in enumerate(WORDS):
        draw.text((40, 40 + 100 * row), words, fill="black", font=font_for(words, 54))
    corners = np.array([(120, 60), (700, 170), (690, 420), (90, 470)], dtype=np.float32)
    start = np.array([(0, 0), (800, 0), (800, 360), (0, 360)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(start, corners)
    shot = np.asarray(
        cv2.warpPerspective(np.array(page), matrix, (800, 560), borderValue=(120, 90, 60)), dtype=np.uint8
    )
    photo = Photo("a", shot)
    box = Box((80.0, 50.0, 710.0, 480.0))
    lines = read_text(shot)
    assert [line.text for line in lines] == WORDS
    panel = find_panel(photo, box, lines)
    assert panel is not None
    assert panel.tilted
    rows = np.array([(40, 70), (700, 70), (40, 270), (700, 270)], dtype=np.float64)
    back = moved(to_front(panel), moved(np.asarray(matrix, dtype=np.float64), rows))
    for first, second in ((0, 1), (2, 3)):
        across, down = back[second] - back[first]
        assert abs(np.degrees(np.arctan2(down, across))) < 2
    # It reads by itself where nobody has, a part of the photo; and finds what was made straight to be so.
    picture = straighten(photo, box, contrast=True)
    assert picture.notes[0] == "It was tilted, and is made straight."
    assert max(picture.size_hw) <= 2048
    again = straighten(Photo("b", picture.pixels), Box((0, 0, picture.size_hw[1], picture.size_hw[0])))
    assert again.notes[0] == "It is straight already."


def test_some_words_on_a_large_thing_are_not_its_panel() -> None:
    photo = Photo("television.png", np.zeros((600, 800, 3), dtype=np.uint8))
    lines = seen(homography([(300, 250), (340, 254), (339, 284), (299, 280)]), ROWS)
    close = find_panel(photo, Box((280, 240, 360, 300)), lines)
    assert close is not None
    assert close.tilted
    assert find_panel(photo, Box((50, 50, 750, 550)), lines) is None
    picture = straighten(photo, Box((50, 50, 750, 550)), lines=lines)
    assert picture.notes[0] == "No panel was found that could be made straight."
    assert picture.pixels.shape[1] > picture.pixels.shape[0] > 400
