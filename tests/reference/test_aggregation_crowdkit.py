"""Aggregates against crowd-kit, SimpleITK and plain NumPy, on random masks of people who mean the same region."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
import SimpleITK as sitk  # noqa: N813 - as everybody calls it
from crowdkit.aggregation import SegmentationEM, SegmentationMajorityVote
from numpy.typing import NDArray

from foveate.core.overlap import mask_iou
from foveate.core.regions import Mask
from foveate.core.rle import decode, encode
from foveate.quality.aggregation import aggregator
from foveate.quality.drawings import Drawing

pytestmark = pytest.mark.reference
Pixels = NDArray[np.bool_]
SIZE = (40, 50)


def people(seed: int, count: int, wrong: Sequence[float]) -> tuple[Pixels, list[Pixels]]:
    """Returns an ellipse, and masks of people who are wrong about some share of the pixels within reach of it."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[: SIZE[0], : SIZE[1]]
    far = ((x - rng.uniform(20, 30)) / rng.uniform(8, 14)) ** 2 + ((y - 20) / rng.uniform(7, 12)) ** 2
    true = far < 1
    return true, [true ^ ((rng.random(SIZE) < wrong[n % len(wrong)]) & (far < 1.6)) for n in range(count)]


def ours(name: str, masks: Sequence[Pixels], **settings: str) -> Pixels:
    drawings = [Drawing(Mask(encode(mask)), str(n)) for n, mask in enumerate(masks)]
    found = aggregator(name, settings).region(drawings, SIZE)
    return decode(found.rle(SIZE)) if found else np.zeros(SIZE, dtype=bool)


def theirs(method: SegmentationEM | SegmentationMajorityVote, masks: Sequence[Pixels]) -> Pixels:
    table = pd.DataFrame(
        [("t", str(n), mask) for n, mask in enumerate(masks)], columns=["task", "worker", "segmentation"]
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It sets a column of a copy.
        return np.asarray(method.fit_predict(table).loc["t"])


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8])
def test_the_majority_is_crowd_kits(count: int) -> None:
    for seed in range(10):
        _, masks = people(seed, count, (0.2, 0.35))
        expected = theirs(SegmentationMajorityVote(), masks)
        assert np.array_equal(ours("majority", masks, ties="in"), expected)
        # Without ties both readings are one.
        assert np.array_equal(ours("majority", masks), np.sum(masks, axis=0) * 2 > count)
        assert count % 2 == 0 or np.array_equal(ours("majority", masks), expected)


def test_staple_and_the_other_em_agree_where_most_people_are_careful() -> None:
    """They model people differently (two rates each, or one), so that they agree closely and not to the pixel."""
    for seed in range(10):
        true, masks = people(seed, 5, (0.03, 0.05, 0.08, 0.05, 0.1))
        found, expected = ours("staple", masks), theirs(SegmentationEM(), masks)
        assert mask_iou([encode(found)], [encode(expected)], empty=0).item() > 0.97
        for each in (found, expected):
            assert mask_iou([encode(each)], [encode(true)], empty=0).item() > 0.97


def test_staple_finds_whom_to_trust_where_the_majority_does_not() -> None:
    """Two careful people against three who are wrong about two pixels in five."""
    better = 0
    for seed in range(10):
        true, masks = people(seed, 5, (0.01, 0.4, 0.4, 0.01, 0.4))
        alike = [
            mask_iou([encode(ours(name, masks))], [encode(true)], empty=0).item() for name in ("staple", "majority")
        ]
        better += alike[0] > alike[1]
        assert alike[0] > 0.95
    assert better == 10


def filtered(parts: Sequence[NDArray[np.uint8]]) -> NDArray[np.float64]:
    """Returns what SimpleITK gives."""
    staple: Any = cast(Any, sitk).STAPLEImageFilter()
    staple.SetForegroundValue(1.0)
    staple.SetMaximumIterations(100)
    found = staple.Execute(*[sitk.GetImageFromArray(part) for part in parts])
    return np.asarray(sitk.GetArrayFromImage(found), dtype=np.float64)


def by_the_paper(parts: Sequence[NDArray[np.uint8]]) -> NDArray[np.float64]:
    """Returns what the equations of Warfield, Zou and Wells give, written out: sections III.B and III.C."""
    marks = np.stack(parts).astype(np.float64)
    prior, hits, rejections = marks.mean(), np.full((len(parts), 1, 1), 0.99999), np.full((len(parts), 1, 1), 0.99999)
    for _ in range(400):
        inside = prior * np.where(marks == 1, hits, 1 - hits).prod(axis=0)
        outside = (1 - prior) * np.where(marks == 0, rejections, 1 - rejections).prod(axis=0)
        chance = inside / (inside + outside)
        hits = (marks * chance).sum(axis=(1, 2), keepdims=True) / chance.sum()
        rejections = ((1 - marks) * (1 - chance)).sum(axis=(1, 2), keepdims=True) / (1 - chance).sum()
    return np.asarray(chance)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("witness", [filtered, by_the_paper])
def test_staple_is_simple_itks_and_the_papers_on_the_window(
    seed: int, witness: Callable[[Sequence[NDArray[np.uint8]]], NDArray[np.float64]]
) -> None:
    _, masks = people(seed, 4, (0.1, 0.3))
    arrays = [mask.astype(np.uint8) for mask in masks]
    assert np.array_equal(ours("staple", masks, margin="100"), witness(arrays) > 0.5)
    rows, columns = np.nonzero(np.any(masks, axis=0))
    top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    expected = np.zeros(SIZE, dtype=bool)
    expected[top:bottom, left:right] = witness([part[top:bottom, left:right] for part in arrays]) > 0.5
    assert np.array_equal(ours("staple", masks, margin="0"), expected)


def test_what_the_filter_says_of_odd_drawings_is_why_they_are_handled_apart() -> None:
    """Without background, or without a mark, it divides by zero."""
    for value in (0, 1):
        assert np.isnan(filtered([np.full(SIZE, value, dtype=np.uint8)] * 3)).all()
    true, _ = people(0, 1, (0,))
    assert np.array_equal(filtered([true.astype(np.uint8)] * 3) > 0.5, true)
    assert np.array_equal(ours("staple", [true] * 3), true)
    # Two who share nothing: no pixel is likely, whatever the rule for ties.
    apart = [np.zeros(SIZE, dtype=np.uint8) for _ in range(2)]
    apart[0][2:6, 2:6] = apart[1][20:24, 20:24] = 1
    assert filtered(apart).max() < 0.1
    assert not ours("staple", [part.astype(bool) for part in apart]).any()


def test_union_and_intersection_are_numpys() -> None:
    for seed in range(10):
        _, masks = people(seed, 3, (0.2,))
        assert np.array_equal(ours("union", masks), np.any(masks, axis=0))
        assert np.array_equal(ours("intersection", masks), np.all(masks, axis=0))
