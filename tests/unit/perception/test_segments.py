from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.soft_maps import SoftMap
from foveate.perception.embed_image import ImageTokens
from foveate.perception.segments import MOST_SEGMENTS, Segments, salient_thing, segment_boxes, segments

SIZE = (80, 160)


def pretended(tokens: NDArray[np.float64], saliency: NDArray[np.float64], size_hw: SizeHW = SIZE) -> ImageTokens:
    """Returns tokens whose saliency, given for each of them, needs no network."""
    found = ImageTokens(tokens.astype(np.float32), size_hw)
    found.__dict__["saliency"] = SoftMap.over(np.kron(saliency, np.ones((8, 8))), size_hw)
    return found


def quarters() -> ImageTokens:
    """Four sorts of tokens in the photo's quarters, the lower right one salient."""
    tokens = np.zeros((8, 16, 4))
    for at, (row, column) in enumerate(((0, 0), (0, 8), (4, 0), (4, 8))):
        tokens[row : row + 4, column : column + 8, at] = 1
    saliency = np.full((8, 16), 0.1)
    saliency[4:, 8:] = 0.9
    return pretended(tokens, saliency)


def drawn(seed: int, rows: int, columns: int) -> ImageTokens:
    source = np.random.default_rng(seed)
    return pretended(source.normal(size=(rows, columns, 6)), source.random((rows, columns)))


def test_four_quarters_are_four_segments_the_salient_one_first() -> None:
    found = segments(quarters())
    assert found.xyxy[0].tolist() == [80, 40, 160, 80]
    # A quarter of the photo of saliency 0.9: 0.9 / sqrt 2.
    assert found.score[0] == pytest.approx(0.9 / 2**0.5)
    boxes = {tuple(box) for box in found.xyxy.tolist()}
    assert {(0, 0, 80, 40), (80, 0, 160, 40), (0, 40, 80, 80), (80, 40, 160, 80)} <= boxes


def test_boxes_alone_are_those_of_the_segments_largest_first() -> None:
    found = segment_boxes(quarters())
    assert {tuple(box) for box in found.tolist()} == {tuple(box) for box in segments(quarters()).xyxy.tolist()}
    areas = (found[:, 2] - found[:, 0]) * (found[:, 3] - found[:, 1])
    assert areas[0] == areas.max()


def test_a_segments_pixels_are_its_cells_enlarged() -> None:
    mask = segments(quarters()).mask(0)
    assert mask.shape == SIZE
    assert mask[40:, 80:].mean() > 0.99
    assert mask.mean() == pytest.approx(0.25, abs=0.005)


@given(st.integers(0, 99), st.integers(1, 12), st.integers(1, 12))
def test_segments_of_anything_are_few_whole_and_inside(seed: int, rows: int, columns: int) -> None:
    found = segments(drawn(seed, rows, columns))
    assert isinstance(found, Segments)
    assert len(found) <= MOST_SEGMENTS
    assert found.masks.shape == (len(found), rows, columns)
    assert (found.masks.sum(axis=(1, 2)) >= 3).all()
    assert (found.xyxy[:, :2] >= 0).all()
    assert (found.xyxy[:, 2:] <= [160, 80]).all()
    assert (np.diff(found.score) <= 0).all()
    assert ((found.score >= 0) & (found.score <= 1)).all()


def test_boxes_are_those_of_the_masks() -> None:
    found = segments(drawn(5, 8, 16))
    assert len(found) > 5
    for mask, box in zip(found.masks, found.xyxy, strict=True):
        rows, columns = np.nonzero(mask)
        assert box.tolist() == [
            columns.min() * 10, rows.min() * 10, (columns.max() + 1) * 10, (rows.max() + 1) * 10
        ]  # fmt: skip


def test_the_same_photo_gives_the_same_segments() -> None:
    first, second = segments(drawn(5, 20, 30)), segments(drawn(5, 20, 30))
    assert (first.masks == second.masks).all()
    assert (first.score == second.score).all()


def test_a_photo_of_two_tokens_has_no_segments() -> None:
    found = segments(drawn(5, 1, 2))
    assert len(found) == 0
    assert found.xyxy.shape == (0, 4)


def test_the_largest_of_what_stands_out_is_the_salient_thing() -> None:
    saliency = np.full((8, 16), 0.1)
    saliency[2:5, 3:9] = 0.8
    saliency[6, 12] = 1.0
    found = salient_thing(pretended(np.ones((8, 16, 4)), saliency))
    assert found is not None
    assert found.xyxy == pytest.approx((30, 20, 90, 50), abs=3)
    truth = np.zeros(SIZE, dtype=bool)
    truth[20:50, 30:90] = True
    assert (found.mask & truth).sum() / (found.mask | truth).sum() > 0.9


def test_where_nothing_stands_out_there_is_no_salient_thing() -> None:
    assert salient_thing(pretended(np.ones((8, 16, 4)), np.full((8, 16), 0.45))) is None


def test_where_everything_stands_out_it_is_the_whole_photo() -> None:
    found = salient_thing(pretended(np.ones((8, 16, 4)), np.full((8, 16), 0.9)))
    assert found is not None
    assert found.xyxy == pytest.approx((0, 0, 160, 80))
    assert found.mask.all()
