"""How well masks fit COCO's on real photos; the figures themselves come from `python benchmarks/masks.py`."""

from __future__ import annotations

import runpy
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.helpers import REPOSITORY, needs_shared

pytestmark = [pytest.mark.reference, needs_shared]
# Six photos of the held-out half are enough against breaking; the benchmark takes all.
MOST = 6


@pytest.fixture(scope="module")
def bench() -> dict[str, Any]:
    return runpy.run_path(str(REPOSITORY / "benchmarks" / "masks.py"))


@pytest.fixture(scope="module")
def found(bench: dict[str, Any]) -> list[Any]:
    large = [one for one in bench["instances"]() if not one.dev and one.share >= bench["LARGE"]]
    photos = sorted({one.photo for one in large})[:MOST]
    return [one for one in large if one.photo in photos]


def means(bench: dict[str, Any], found: list[Any], step: str) -> NDArray[np.float64]:
    """Returns the mean mask IoU in true and in jittered boxes."""
    return np.array([bench["fit"](found, bench["STEPS"][step], jittered=jittered).mean() for jittered in (False, True)])


def test_each_step_from_the_filled_box_to_the_mask_helps(bench: dict[str, Any], found: list[Any]) -> None:
    filled, plain, ours, edges = (
        means(bench, found, step)
        for step in ("box filled", "plain rule", "+ covariance (mask_in_box)", "+ edges of the photo")
    )
    assert (ours > plain).all()
    assert (edges > filled + 0.03).all()


def test_segments_add_places_that_the_detector_lacks(bench: dict[str, Any], found: list[Any]) -> None:
    boxes = {one.photo: bench["things"](one.photo).xyxy[:100] for one in found}
    more = {photo: np.concatenate([of, segments_of(bench, photo)]) for photo, of in boxes.items()}
    assert bench["_best"](found, more).mean() > bench["_best"](found, boxes).mean()


def segments_of(bench: dict[str, Any], photo: str) -> NDArray[np.float64]:
    found: NDArray[np.float64] = bench["segments"](bench["tokens"](photo)).xyxy
    return found
