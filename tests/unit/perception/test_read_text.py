from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest
from numpy.typing import NDArray

from foveate.perception import _pp_ocr
from foveate.perception.read_text import read_text
from foveate.perception.text_lines import TextLine, text_line

BLANK: NDArray[np.uint8] = np.zeros((9, 9, 3), dtype=np.uint8)
Drawn = list[tuple[tuple[int, int], str, int]]


def page(size_hw: tuple[int, int], drawn: Drawn) -> NDArray[np.uint8]:
    """Returns a white page with texts at ``(x, y)`` in a letter size."""
    sheet = PIL.Image.new("RGB", (size_hw[1], size_hw[0]), "white")
    pen = PIL.ImageDraw.Draw(sheet)
    for place, text, size in drawn:
        pen.text(place, text, fill="black", font=PIL.ImageFont.load_default(size=size))
    return np.asarray(sheet)


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


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_page_that_is_turned_is_read_in_its_own_order(turns: int) -> None:
    upright = page((420, 700), [((40, 40), "Region of interest", 60), ((40, 180), "Let us first mark the coins", 44)])
    first, second = read_text(np.ascontiguousarray(np.rot90(upright, -turns)))
    assert [first.text, second.text] == ["Region of interest", "Let us first mark the coins"]
    for found in (first, second):
        assert (found.orientation - 90 * turns + 180) % 360 - 180 == pytest.approx(0, abs=5)
    assert first.height > second.height


def test_two_columns_are_not_read_across() -> None:
    left = [
        ((40, 40 + 60 * row), text, 36) for row, text in enumerate(("One morning", "the small cat", "went outside"))
    ]
    right = [
        ((500, 40 + 60 * row), text, 36) for row, text in enumerate(("and found the", "garden full", "of sparrows"))
    ]
    said = [found.text for found in read_text(page((260, 800), left + right))]
    assert said == ["One morning", "the small cat", "went outside", "and found the", "garden full", "of sparrows"]


def test_small_letters_of_a_small_photo_are_read() -> None:
    assert [found.text for found in read_text(page((60, 200), [((20, 20), "ground coffee", 13)]))] == ["ground coffee"]


def test_a_page_full_of_text_is_read_from_the_top_as_far_as_time_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_pp_ocr, "_MOST_STRIP", 700.0)
    drawn = [((40, 260), "BREAD", 60), ((40, 40), "flour and water", 30), ((40, 140), "salt and yeast", 30)]
    assert [found.text for found in read_text(page((400, 400), drawn))] == ["flour and water", "BREAD"]
    monkeypatch.setattr(_pp_ocr, "_MOST_STRIP", 1.0)
    assert [found.text for found in read_text(page((400, 400), drawn))] == ["BREAD"]


def made(text: str, score: float) -> TextLine:
    found = text_line(text, score, np.array([[0.0, 0.0], [9.0, 0.0], [9.0, 3.0], [0.0, 3.0]]), (9, 9))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "score", "kept"),
    [
        ("coffee", 0.86, True),
        ("coffee", 0.85, False),
        ("NO", 0.97, True),
        ("NO", 0.96, False),
        ("***", 1.0, False),
        ("X", 1.0, False),
    ],
)
def test_which_lines_are_text(text: str, score: float, kept: bool) -> None:
    assert bool(read_text(BLANK, reader=lambda image: [made(text, score)])) is kept


def test_another_reader_may_give_lines_in_any_order_and_accept_less() -> None:
    lines = [made("b", 0.2)]
    assert read_text(BLANK, reader=lambda image: lines, least_score=0.1, least_length=1) == tuple(lines)
    assert read_text(BLANK, reader=lambda image: []) == ()


def test_a_fork_reads_with_networks_of_its_own() -> None:
    photo = page((100, 300), [((10, 10), "hello there", 40)])
    said = read_text(photo)
    mine = _pp_ocr._parts()
    _pp_ocr._after_fork()
    assert read_text(photo) == said
    assert _pp_ocr._parts() is not mine


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
