from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest
from numpy.typing import NDArray

from foveate.perception.read_text import read_text
from foveate.perception.text_lines import TextLine, text_line

Drawn = list[tuple[tuple[int, int], str, int]]


def page(size_hw: tuple[int, int], drawn: Drawn) -> NDArray[np.uint8]:
    """Returns a white page with texts at ``(x, y)`` in a letter size."""
    sheet = PIL.Image.new("RGB", (size_hw[1], size_hw[0]), "white")
    pen = PIL.ImageDraw.Draw(sheet)
    for place, text, size in drawn:
        pen.text(place, text, fill="black", font=PIL.ImageFont.load_default(size=size))
    return np.asarray(sheet)


def line(text: str, xyxy: tuple[float, float, float, float]) -> TextLine:
    x0, y0, x1, y1 = xyxy
    return TextLine(text, 0.9, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), xyxy)


def test_two_lines_are_read_where_they_stand() -> None:
    first, second = read_text(page((300, 640), [((40, 40), "Ground coffee", 48), ((40, 180), "Best before 2027", 40)]))
    assert (first.text, second.text) == ("Ground coffee", "Best before 2027")
    assert first.xyxy == pytest.approx((40, 50, 355, 98), abs=20)
    assert first.height > second.height > 25
    assert first.score > 0.85


def test_coordinates_of_a_large_photo_are_its_own_pixels() -> None:
    (found,) = read_text(page((4000, 5000), [((400, 1000), "GROUND COFFEE", 500)]))
    assert found.text == "GROUND COFFEE"
    # Pillow says that the letters fill 400..4470 x 1133..1492; the reader keeps a margin around them.
    assert found.xyxy == pytest.approx((400, 1133, 4470, 1492), abs=200)


def test_text_on_a_long_narrow_strip_is_read_at_its_place() -> None:
    (found,) = read_text(page((40, 900), [((600, 2), "Platform 12", 30)]))
    assert found.text == "Platform 12"
    assert found.xyxy[0] == pytest.approx(600, abs=15)
    assert found.xyxy[3] <= 40


@pytest.mark.parametrize("size_hw", [(1, 1), (1, 700), (700, 1), (8, 8), (3, 9000), (64, 64), (4000, 5000)])
def test_a_blank_photo_of_any_size_has_no_text(size_hw: tuple[int, int]) -> None:
    assert read_text(np.full((*size_hw, 3), 127, dtype=np.uint8)) == ()


def test_noise_does_not_crash_and_stays_inside() -> None:
    photo = np.random.default_rng(3).integers(0, 256, (200, 333, 3), dtype=np.uint8)
    for found in read_text(photo, least_score=0.0, least_length=1):
        assert 0 <= found.xyxy[0] < found.xyxy[2] <= 333
        assert 0 <= found.xyxy[1] < found.xyxy[3] <= 200


def test_short_lines_are_accepted_only_when_asked_for() -> None:
    photo = page((120, 200), [((60, 20), "42", 64)])
    assert read_text(photo) == ()
    assert [found.text for found in read_text(photo, least_length=2)] == ["42"]


def test_nothing_is_logged_printed_or_written(
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    root = logging.getLogger()
    before = root.level, list(root.handlers)
    read_text(page((100, 300), [((10, 10), "hello there", 40)]))
    read_text(np.zeros((10, 10, 3), dtype=np.uint8))
    written = capfd.readouterr()
    assert written.out + written.err == ""
    assert not caplog.records
    assert (root.level, list(root.handlers)) == before
    assert list(tmp_path.iterdir()) == []


def test_rows_are_read_from_left_to_right_even_when_they_slope() -> None:
    lines = [line("c", (0, 60, 40, 80)), line("b", (50, 5, 90, 25)), line("a", (0, 10, 40, 30))]
    assert [found.text for found in _reading_order(lines)] == ["a", "b", "c"]


def test_a_line_outside_the_photo_is_dropped_and_a_part_of_one_clipped() -> None:
    quad = np.array([[-10.0, 5.0], [20.0, 5.0], [20.0, 15.0], [-10.0, 15.0]])
    inside = text_line("abc", 1.0, quad, (100, 100))
    assert inside is not None
    assert inside.xyxy == (0.0, 5.0, 20.0, 15.0)
    assert text_line("abc", 1.0, quad - [[50.0, 0.0]], (100, 100)) is None


def test_the_height_of_a_turned_line_is_that_of_its_letters() -> None:
    turned = TextLine("abc", 0.9, ((20.0, 0.0), (20.0, 100.0), (0.0, 100.0), (0.0, 0.0)), (0.0, 0.0, 20.0, 100.0))
    assert turned.height == 20
