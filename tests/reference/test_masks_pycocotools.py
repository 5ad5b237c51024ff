"""10,000 random and adversarial masks: runs, area, box and IoU against pycocotools' own, and against counted pixels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pycocotools import mask as coco

from foveate.core.overlap import mask_iou, mask_overlap
from foveate.core.rle import Rle, area, areas, decode, distance, encode, from_runs, merge, parse, tight_box, to_runs

pytestmark = pytest.mark.reference
Plane = NDArray[np.bool_]
Size = tuple[int, int]
PAIRS = 5_000


def noise(rng: np.random.Generator, size: Size) -> Plane:
    return np.asarray(rng.random(size) < rng.random())


def blobs(rng: np.random.Generator, size: Size) -> Plane:
    y, x = np.ogrid[: size[0], : size[1]]
    mask = np.zeros(size, dtype=bool)
    for _ in range(rng.integers(1, 5)):
        centre = rng.uniform((0, 0), size)
        mask |= (y - centre[0]) ** 2 + (x - centre[1]) ** 2 < rng.uniform(0, max(size)) ** 2 / 4
    return mask


def ring(rng: np.random.Generator, size: Size) -> Plane:
    outside, inside = blobs(rng, size), noise(rng, size)
    return outside & ~(blobs(rng, size) & inside)


def strips(rng: np.random.Generator, size: Size) -> Plane:
    step = int(rng.integers(2, 5))
    lines = np.arange(size[rng.integers(2)]) % step == 0
    shape = (len(lines), 1) if len(lines) == size[0] else (1, len(lines))
    return np.broadcast_to(lines.reshape(shape), size).copy()


def checkers(rng: np.random.Generator, size: Size) -> Plane:
    return np.asarray(np.indices(size).sum(axis=0) % 2 == rng.integers(2))


def pixel(rng: np.random.Generator, size: Size) -> Plane:
    mask = np.zeros(size, dtype=bool)
    mask[rng.integers(size[0]), rng.integers(size[1])] = True
    return mask


def corners(rng: np.random.Generator, size: Size) -> Plane:
    mask = np.zeros(size, dtype=bool)
    mask[np.ix_([0, -1], [0, -1])] = rng.random((2, 2)) < 0.7
    return mask


def frame(rng: np.random.Generator, size: Size) -> Plane:
    mask = np.ones(size, dtype=bool)
    mask[1:-1, 1:-1] = rng.random() < 0.1
    return mask


def full(_: np.random.Generator, size: Size) -> Plane:
    return np.ones(size, dtype=bool)


def empty(_: np.random.Generator, size: Size) -> Plane:
    return np.zeros(size, dtype=bool)


KINDS: tuple[Callable[[np.random.Generator, Size], Plane], ...] = (
    *(noise, blobs, ring, strips, checkers, pixel, corners, frame, full, empty),
)
# Runs longer than the code's groups of 5 bits, single rows and columns, and sizes that are no power of anything.
SIZES: tuple[Size, ...] = ((1, 1), (1, 37), (41, 1), (2, 2), (7, 5), (32, 32), (33, 31), (64, 50), (3, 200), (120, 90))


def theirs(mask: Plane) -> dict[str, Any]:
    raw: dict[str, Any] = coco.encode(np.asfortranarray(mask.astype(np.uint8)))
    return raw


def check_one(mask: Plane, rle: Rle) -> None:
    raw = theirs(mask)
    assert rle.counts == raw["counts"]
    assert parse(raw["counts"].decode(), rle.size_hw) == rle
    runs = to_runs(rle)
    assert from_runs(runs, rle.size_hw) == rle
    assert sum(runs[1::2]) == area(rle) == int(coco.area(raw)) == np.count_nonzero(mask)
    assert (decode(rle) == mask).all()
    box = tight_box(rle)
    x, y, width, height = coco.toBbox(raw).tolist()
    assert box == ((x, y, x + width, y + height) if mask.any() else None)


@pytest.mark.parametrize("seed", range(10))
def test_masks_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(PAIRS // 10):
        size = SIZES[rng.integers(len(SIZES))]
        first, second = (KINDS[rng.integers(len(KINDS))](rng, size) for _ in range(2))
        a, b = encode(first), encode(second)
        check_one(first, a)
        check_one(second, b)
        shared, union = np.count_nonzero(first & second), np.count_nonzero(first | second)
        assert [values.tolist() for values in mask_overlap([a], [b])] == [[shared], [union]]
        ours = mask_iou([a], [b], empty=0.0).item()
        assert ours == coco.iou([theirs(first)], [theirs(second)], [0])[0, 0] == (shared / union if union else 0.0)
        assert (decode(merge([a, b])) == first | second).all()
        assert (decode(merge([a, b], intersect=True)) == first & second).all()
        x, y = rng.uniform(-3, max(size) + 3, 2)
        inside = 0 <= x < size[1] and 0 <= y < size[0] and first[int(y), int(x)]
        assert (distance(a, x, y) == 0) == inside


def test_codes_from_elsewhere_are_read_as_theirs() -> None:
    """Their C code is asked to decode what ours parsed, for masks far larger than one group of bits can count."""
    rng = np.random.default_rng(99)
    for size in ((1, 1_000_000), (2_000, 3_000), (100_000, 3)):
        mask = np.zeros(size, dtype=bool)
        for start in rng.integers(0, mask.size, 40):
            mask.reshape(-1)[start : start + rng.integers(1, 200_000)] = True
        rle = parse(theirs(mask)["counts"], size)
        assert (decode(rle) == mask).all()
        assert from_runs(to_runs(rle), size) == rle


@pytest.mark.parametrize("count", [0, 1, 255, 256, 600])
def test_areas_of_any_number_of_masks(count: int) -> None:
    """In pycocotools 2.0.11 `area` of more than 255 masks raises OverflowError: it writes their number into 8 bits."""
    rng = np.random.default_rng(count)
    planes = [blobs(rng, (9, 7)) for _ in range(count)]
    assert areas([encode(plane) for plane in planes]).tolist() == [plane.sum() for plane in planes]
