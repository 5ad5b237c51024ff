from __future__ import annotations

import numpy as np
import pytest
from pycocotools import mask as coco

from foveate.core import rle as rle_module
from foveate.core.masks import box_to_rle
from foveate.core.overlap import mask_iou
from foveate.core.rle import Rle, area, check_sizes, decode, encode, from_runs, merge, parse, tight_box, to_runs

MASK = np.array([[0, 1, 1], [0, 1, 0]], dtype=bool)


def test_by_hand() -> None:
    """Column by column: 0 0 | 1 1 | 1 0, so 2 zeros, 3 ones, 1 zero."""
    rle = encode(MASK)
    assert to_runs(rle) == [2, 3, 1]
    assert area(rle) == 3
    assert tight_box(rle) == (1, 0, 3, 2)
    assert (decode(rle) == MASK).all()
    assert from_runs([2, 3, 1], (2, 3)) == rle
    assert parse(rle.counts, (2, 3)) == rle
    assert parse(rle.counts.decode(), (2, 3)) == rle


def test_any_number_but_0_is_inside() -> None:
    assert encode(np.array([[0, 255, 1]])) == encode(np.array([[False, True, True]]))


def test_an_empty_mask_has_no_box() -> None:
    assert tight_box(encode(np.zeros((3, 4), dtype=bool))) is None


@pytest.mark.parametrize("shape", [(3,), (0, 4), (2, 2, 2)])
def test_a_mask_is_a_plane(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="has the shape"):
        encode(np.zeros(shape))


@pytest.mark.parametrize(
    ("runs", "said"),
    [([2, 3], "cover 5 pixels, a mask of 3 x 2 has 6"), ([-1, 7], "at least 0"), ([2.0, 4], "whole numbers")],
)
def test_runs_that_are_none(runs: list[int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        from_runs(runs, (2, 3))


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (b"", "cover 0 pixels"),
        (b"2", "cover 2 pixels"),
        (b"R", "ends in the middle of a run"),
        (b"2\xff", "a byte that it cannot have"),
        ("2é", "a letter that it cannot have"),
        (b"o" * 3_000_000 + b"0", "a run that is longer than any mask"),
        (b"N", "negative length"),
    ],
)
def test_counts_from_outside_are_checked_before_c_code_reads_them(counts: bytes | str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse(counts, (2, 3))


def test_long_codes_are_read_as_short_ones_are() -> None:
    """The same runs come of both ways, and the same sentences."""
    random = np.random.default_rng(7)
    for most in (3, 40, 5_000):
        runs = [int(run) for run in random.integers(1, most, 400)]
        size = (1, sum(runs))
        rle = from_runs(runs, size)
        assert len(rle.counts) > rle_module._LONG
        assert rle_module._unpacked_at_once(rle.counts) == runs
        assert to_runs(parse(rle.counts, size)) == runs
        with pytest.raises(ValueError, match="the runs cover"):
            parse(rle.counts, (1, sum(runs) + 1))


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (b"R", "in the middle of a run"),
        (b"\xff", "a byte that it cannot have .255"),
        (b"!", "a byte that it cannot have .33"),
        (b"oooooooo0", "longer than any mask"),
        (b"@", "negative length"),
    ],
)
def test_what_is_wrong_with_a_long_code_is_told_as_of_a_short_one(end: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse(b"0" * 200 + end, (1, 1))


def test_a_size_that_is_none() -> None:
    with pytest.raises(ValueError, match="at least 1 x 1"):
        parse(b"0", (0, 3))


def test_union_and_intersection() -> None:
    other = encode(np.array([[1, 1, 0], [0, 0, 0]], dtype=bool))
    assert area(merge([encode(MASK), other])) == 4
    assert area(merge([encode(MASK), other], intersect=True)) == 1
    with pytest.raises(ValueError, match="no mask to merge"):
        merge([])


def test_sizes_are_compared_and_a_transposed_one_is_called_so() -> None:
    with pytest.raises(ValueError, match="3 wide and 2 high, not 2 wide and 3 high; it looks transposed"):
        check_sizes(encode(MASK), encode(MASK.T))
    with pytest.raises(ValueError, match=r"one is 3 wide and 2 high, not 4 wide and 2 high$"):
        merge([encode(MASK), Rle((2, 4), b"8")])


def test_masks_beyond_what_the_c_code_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 4,294,967,295 pixels, not 65536 x 65536"):
        from_runs([2**32], (65536, 65536))
    with pytest.raises(ValueError, match="at most 4,294,967,295 pixels"):
        parse(b"0", (65536, 65537))
    with pytest.raises(ValueError, match="at most 4,294,967,295 pixels"):
        box_to_rle((0, 0, 9, 9), (70_000, 70_000))


def test_a_mask_larger_than_any_photo_is_measured_but_not_unfolded() -> None:
    half = from_runs([1_800_000_000, 1_800_000_000], (60_000, 60_000))
    assert area(half) == 1_800_000_000
    assert tight_box(half) == (30_000, 0, 60_000, 60_000)
    with pytest.raises(ValueError, match="60000 x 60000 is too large to be unfolded"):
        decode(half)


@pytest.mark.parametrize(
    ("runs", "plain"),
    [([5, 0, 3, 8, 84], [8, 8, 84]), ([0, 2, 0, 0, 3, 95], [0, 2, 3, 95]), ([4, 96, 0], [4, 96])],
)
def test_empty_runs_are_left_out(runs: list[int], plain: list[int]) -> None:
    """Pycocotools stops a union where both masks have an empty run; the IoU of a mask with itself was 0."""
    rle = from_runs(runs, (10, 10))
    assert to_runs(rle) == plain
    raw = coco.frPyObjects({"counts": runs, "size": [10, 10]}, 10, 10)["counts"]
    assert parse(raw, (10, 10)) == rle
    assert mask_iou([rle], [parse(raw, (10, 10))], empty=0.0).tolist() == [1.0]
