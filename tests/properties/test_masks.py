from __future__ import annotations

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from pycocotools import mask as coco

from foveate.core.masks import box_to_rle, outlines, signed_area
from foveate.core.overlap import box_iou, mask_iou
from foveate.core.polygons import rasterise
from foveate.core.rle import area, decode, encode, from_runs, merge, parse, tight_box, to_runs

Plane = NDArray[np.bool_]
masks = st.tuples(st.integers(1, 12), st.integers(1, 12)).flatmap(lambda size: arrays(np.bool_, size))
pairs = st.tuples(st.integers(1, 12), st.integers(1, 12)).flatmap(
    lambda size: st.tuples(arrays(np.bool_, size), arrays(np.bool_, size))
)


@given(masks)
def test_every_form_of_a_mask_is_the_same_mask(mask: Plane) -> None:
    rle = encode(mask)
    assert (decode(rle) == mask).all()
    assert parse(rle.counts, rle.size_hw) == rle
    assert from_runs(to_runs(rle), rle.size_hw) == rle
    raw = coco.encode(np.asfortranarray(mask.astype(np.uint8)))
    assert rle.counts == raw["counts"]


@given(st.integers(0, 10**6), st.lists(st.integers(1, 10**6), max_size=30))
def test_runs_of_any_length_come_back(first: int, others: list[int]) -> None:
    runs = [first, *others]
    if sum(runs):
        assert to_runs(from_runs(runs, (1, sum(runs)))) == runs


@given(masks)
def test_area_and_box_are_those_of_the_pixels(mask: Plane) -> None:
    rle = encode(mask)
    assert area(rle) == mask.sum()
    if mask.any():
        rows, columns = np.where(mask)
        assert tight_box(rle) == (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)


@given(pairs)
def test_mask_iou_counts_pixels(pair: tuple[Plane, Plane]) -> None:
    a, b = pair
    union = (a | b).sum()
    expected = (a & b).sum() / union if union else 1.0
    assert mask_iou([encode(a)], [encode(b)], empty=1.0).item() == expected
    assert area(merge([encode(a), encode(b)])) == union


@given(masks)
def test_outlines_lose_no_pixel(mask: Plane) -> None:
    rle = encode(mask)
    found = outlines(rle)
    again = np.zeros_like(mask)
    for corners in found:
        again ^= decode(rasterise([corners], rle.size_hw))
    assert (again == mask).all()
    assert sum(signed_area(corners) for corners in found) == mask.sum()


@given(masks)
def test_an_outline_turns_at_each_corner_and_the_outlines_come_from_the_top_down(mask: Plane) -> None:
    found = outlines(encode(mask))
    for corners in found:
        level, upright = (np.roll(corners, -1, axis=0) - corners).T != 0
        assert (level[0::2] & ~upright[0::2]).all()
        assert (upright[1::2] & ~level[1::2]).all()
        assert len(level) % 2 == 0
        assert corners[0, 1] == corners[:, 1].min()
    tops = [corners[0, 1] for corners in found]
    assert tops == sorted(tops)


@given(masks)
def test_there_is_one_outer_outline_a_part_and_one_a_hole(mask: Plane) -> None:
    """Pixels that touch in a corner only are two parts; two holes that do so are one. OpenCV counts them."""
    areas = [signed_area(corners) for corners in outlines(encode(mask))]
    parts, _ = cv2.connectedComponents(mask.astype(np.uint8), connectivity=4)
    around, _ = cv2.connectedComponents(1 - np.pad(mask, 1).astype(np.uint8), connectivity=8)
    assert sum(area > 0 for area in areas) == parts - 1
    assert sum(area < 0 for area in areas) == around - 2


@st.composite
def pixel_boxes(draw: st.DrawFn) -> tuple[int, int, int, int]:
    x0, y0 = draw(st.integers(0, 28)), draw(st.integers(0, 28))
    return x0, y0, draw(st.integers(x0 + 1, 30)), draw(st.integers(y0 + 1, 30))


@given(pixel_boxes(), pixel_boxes())
def test_boxes_of_whole_pixels_have_one_iou_as_boxes_and_as_masks(
    a: tuple[int, int, int, int], b: tuple[int, int, int, int]
) -> None:
    as_masks = mask_iou([box_to_rle(a, (30, 30))], [box_to_rle(b, (30, 30))], empty=0.0).item()
    assert as_masks == box_iou(a, b, empty=0.0).item()
    assert tight_box(box_to_rle(a, (30, 30))) == a
