from __future__ import annotations

import numpy as np
import pytest

from foveate.perception.text_lines import TextLine, letters, text_line, turned
from tests.unit.perception.lines import line

QUAD = np.array([[-10.0, 5.0], [20.0, 5.0], [20.0, 15.0], [-10.0, 15.0]])


def test_a_line_outside_the_photo_is_dropped_and_a_part_of_one_clipped() -> None:
    inside = text_line("abc", 1.5, QUAD, (100, 100))
    assert inside is not None
    assert (inside.xyxy, inside.score) == ((0.0, 5.0, 20.0, 15.0), 1.0)
    assert text_line("abc", 1.0, QUAD - [[50.0, 0.0]], (100, 100)) is None


def test_the_height_of_a_turned_line_is_that_of_its_letters() -> None:
    downwards = TextLine("abc", 0.9, ((20.0, 0.0), (20.0, 100.0), (0.0, 100.0), (0.0, 0.0)), (0.0, 0.0, 20.0, 100.0))
    assert downwards.height == 20
    assert downwards.orientation == 90


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_line_on_a_turned_page_has_turned_with_it(turns: int) -> None:
    found = line("coffee", (0, 0, 60, 20), turns=turns)
    assert found.orientation == pytest.approx(90 * turns)
    assert found.height == pytest.approx(20)
    begins, ends, down = found.span(found.orientation)
    again = line("coffee", (100, 30, 160, 50), turns=turns).span(found.orientation)
    assert (ends - begins, again[0] - begins, again[2] - down) == pytest.approx((60, 100, 30))


def test_a_tilted_line_tells_by_how_much() -> None:
    quad = turned(np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 20.0], [0.0, 20.0]]), -30.0) + 200.0
    found = text_line("coffee", 1.0, quad, (900, 900))
    assert found is not None
    assert found.orientation == pytest.approx(30.0)
    assert found.height == pytest.approx(20.0)


def test_the_size_of_letters_is_told_by_their_height_and_width() -> None:
    # 6 letters in 60 pixels are 10 wide: as large as 20 high.
    assert line("coffee", (0, 0, 60, 20)).letter_size == pytest.approx(20)
    assert line("coffee", (0, 0, 240, 20)).letter_size == pytest.approx(40)


def test_letters_of_any_script_and_digits_count() -> None:
    assert [letters(text) for text in ("*** -", "42 g", "кофе", "咖啡")] == [0, 3, 4, 2]
