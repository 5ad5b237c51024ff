from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.perception.text_blocks import belong_together, in_reading_order, text_blocks
from foveate.perception.text_lines import TextLine
from tests.unit.perception.lines import line


@st.composite
def pages(draw: st.DrawFn, turns: int | None = None) -> list[TextLine]:
    """Returns lines anywhere on a page, in sizes and directions of all sorts unless one direction is given."""
    return [
        line(
            draw(st.text("abc 1", min_size=1, max_size=20)),
            (x, y, x + draw(st.integers(5, 300)), y + draw(st.integers(5, 60))),
            draw(st.sampled_from([0.5, 0.9, 1.0])),
            draw(st.integers(0, 3)) if turns is None else turns,
        )
        for x, y in draw(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 500)), max_size=12))
    ]


@given(pages())
def test_every_line_is_in_one_block(lines: list[TextLine]) -> None:
    blocks = text_blocks(lines)
    assert sorted((found for block in blocks for found in block.lines), key=repr) == sorted(lines, key=repr)
    assert all(block.lines for block in blocks)


@given(pages(), st.randoms())
def test_the_order_of_the_lines_makes_no_difference(lines: list[TextLine], dice: random.Random) -> None:
    mixed = list(lines)
    dice.shuffle(mixed)
    assert text_blocks(mixed) == text_blocks(lines)


@given(pages())
def test_lines_of_different_blocks_are_no_neighbours(lines: list[TextLine]) -> None:
    blocks = text_blocks(lines)
    for block in blocks:
        others = [found for other in blocks if other is not block for found in other.lines]
        assert not any(belong_together(a, b) or belong_together(b, a) for a in block.lines for b in others)


COLUMNS = [
    ("News of the day", (0, 0, 700, 60)),
    ("One morning the", (0, 100, 300, 130)),
    ("small cat went", (0, 130, 290, 160)),
    ("and found the", (400, 95, 700, 125)),
    ("garden full of", (400, 125, 690, 155)),
    ("page 3 of many", (200, 300, 480, 330)),
]
ORDER = [text for text, _ in COLUMNS]


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_columns_are_read_one_after_the_other_whichever_way_the_page_lies(turns: int) -> None:
    lines = [line(text, xyxy, turns=turns) for text, xyxy in reversed(COLUMNS)]
    assert [found.text for found in in_reading_order(lines)] == ORDER
    assert [len(block.lines) for block in text_blocks(lines)] == [1, 2, 2, 1]


def test_rows_are_read_from_left_to_right_even_when_they_slope() -> None:
    lines = [line("third", (0, 40, 50, 60)), line("second", (55, 5, 110, 25)), line("first", (0, 10, 50, 30))]
    (block,) = text_blocks(lines)
    assert block.text == "first second third"


def test_a_title_is_apart_from_its_paragraph_and_a_distant_line_too() -> None:
    title = line("Region-based segmentation", (3, 9, 296, 36))
    body = [
        line("Let us first determine markers of the coins and the", (2, 45, 379, 68)),
        line("background. These markers are pixels that we can", (2, 62, 380, 86)),
    ]
    code = line("markers = np.zeros_like(coins)", (37, 167, 243, 190))
    found = [list(block.lines) for block in text_blocks([title, *body, code])]
    assert found == [[title], body, [code]]


def test_words_of_one_row_belong_together_unless_far_apart() -> None:
    first = line("STOP", (0, 0, 80, 20))
    assert belong_together(first, line("HERE", (100, 2, 180, 22)))
    assert not belong_together(first, line("HERE", (110, 2, 190, 22)))
    assert not belong_together(first, line("HERE", (100, 2, 180, 22), turns=1))
    assert not belong_together(first, line("HERE", (100, 0, 260, 40)))


def test_sideways_text_comes_after_the_text_that_most_letters_belong_to() -> None:
    lines = [line("side", (0, 0, 80, 20), turns=1), line("a long line of text", (0, 100, 300, 120))]
    assert [found.text for found in in_reading_order(lines)] == ["a long line of text", "side"]


def test_a_block_tells_its_reading_place_and_certainty() -> None:
    (block,) = text_blocks([line("ground", (0, 0, 60, 20), 0.8), line("coffee beans", (0, 20, 120, 40), 1.0)])
    assert (block.text, block.letters) == ("ground coffee beans", 17)
    assert block.score == pytest.approx((6 * 0.8 + 12 * 1.0) / 18)
    assert list(block.xyxy) == [1000, 1000, 1120, 1040]
    assert block.size == pytest.approx(20)
    assert len(block.quads) == 2


def test_no_lines_make_no_blocks() -> None:
    assert text_blocks([]) == ()
