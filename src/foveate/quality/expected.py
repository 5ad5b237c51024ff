"""What regions of all tasks have in common with one another: what chance alone would give.

All pairs of boxes are looked at, however many there are: blocks of boxes that lie near one another are compared, as
tables that stay in the processor's cache, with those boxes that touch the block at all. Of masks a seeded sample of
pairs is looked at, on a common grid, unless all of them are no more than that.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes
from foveate.core.overlap import BoxTable, box_columns, box_iou, over_union, packed_overlap
from foveate.quality.regions import Whole

Values = NDArray[np.float64]
# Three tables of so many numbers fit into the cache of one core.
_ROWS, _TABLE = 64, 2**15
# Work is dealt in so many strips, whatever the threads, so that sums have the same digits on every machine.
_STRIPS = 32
_BITS = 10
# Pairs of a sample are looked at so many at once.
_AT_ONCE = 8192


class Comparable(Protocol):
    """Regions of all tasks in one frame."""

    count: int

    def alike(self, first: Whole, second: Whole) -> Values:
        """Returns the intersection over union of pairs ``(P,)``."""

    def sums(self, workers: int) -> Values:
        """Returns for each region ``(N,)`` the sum of its intersections over unions with all others."""


@dataclass(frozen=True, eq=False)
class Expected:
    """How far regions are from one another, whatever their task.

    Attributes:
        mean: The mean distance, 1 − IoU, of two regions.
        sums: ``float64 (N,)``, of each region the sum of its distances to all others; of a sample an estimate.
        pairs: How many pairs were looked at.
        error: The standard error of the mean that comes of sampling; None where all pairs were looked at.
    """

    mean: float
    sums: Values
    pairs: int
    error: float | None


def expected(regions: Comparable, most: int | None, seed: int, workers: int) -> Expected:
    """Returns the expected distance of at least two regions.

    Args:
        regions: In one frame.
        most: A sample of so many pairs is drawn where there are more; None: all pairs, however many.
        seed: Of the sample.
        workers: How many threads look at all pairs.
    """
    count = regions.count
    every = count * (count - 1) // 2
    if most is None or every <= most:
        sums = (count - 1) - regions.sums(workers)
        return Expected(float(sums.sum()) / (2 * every), sums, every, None)
    return _sampled(regions, most, seed)


def _sampled(regions: Comparable, most: int, seed: int) -> Expected:
    rng = np.random.default_rng(seed)
    first = rng.integers(regions.count, size=most)
    second = rng.integers(regions.count - 1, size=most)
    second += second >= first
    distances = np.empty(most)
    # Sorted, so that neighbouring pairs look at the same masks.
    order = np.argsort(first, kind="stable")
    for start in range(0, most, _AT_ONCE):
        chosen = order[start : start + _AT_ONCE]
        distances[chosen] = 1.0 - regions.alike(first[chosen], second[chosen])
    mean = float(distances.mean())
    return Expected(mean, _own(first, second, distances, regions.count), most, float(distances.std() / np.sqrt(most)))


def _own(first: Whole, second: Whole, distances: Values, count: int) -> Values:
    """Returns each region's sum of distances as its pairs in the sample tell it, so that all sums fit the mean."""
    both = np.concatenate([first, second])
    met = np.bincount(both, minlength=count)
    total = np.bincount(both, weights=np.tile(distances, 2), minlength=count)
    mean = float(distances.mean())
    own = np.divide(total, met, out=np.full(count, mean), where=met > 0)
    return np.asarray((own - own.mean() + mean) * (count - 1))


class NearBoxes:
    """Boxes of all tasks, compared as they are; each has an area."""

    def __init__(self, xyxy: Boxes) -> None:
        self.count = len(xyxy)
        self._xyxy = xyxy
        self._order = _near(xyxy)
        self._columns = box_columns(xyxy[self._order])

    def alike(self, first: Whole, second: Whole) -> Values:
        """Returns the intersection over union of pairs ``(P,)``."""
        return box_iou(self._xyxy[first], self._xyxy[second], empty=1.0)

    def sums(self, workers: int) -> Values:
        """Returns for each box the sum of its intersections over unions with all others."""
        found = np.zeros(self.count)
        with ThreadPoolExecutor(workers) as threads:
            for strip in threads.map(self._strip, range(_STRIPS)):
                found += strip
        sums = np.empty(self.count)
        sums[self._order] = found
        return sums

    def _strip(self, number: int) -> Values:
        """Returns the sums over the pairs of every so many-th block with itself and with all behind it."""
        table, found = BoxTable(_TABLE), np.zeros(self.count)
        for start in range(number * _ROWS, self.count, _ROWS * _STRIPS):
            end = min(start + _ROWS, self.count)
            rows = self._columns[:, start:end]
            # With itself a box has the IoU 1.
            found[start:end] += table(rows, rows).sum(axis=1) - 1.0
            others = end + self._touched(rows, self._columns[:, end:])
            for part in np.split(others, range(_TABLE // _ROWS, len(others), _TABLE // _ROWS)):
                shared = table(rows, self._columns[:, part])
                found[start:end] += shared.sum(axis=1)
                found[part] += shared.sum(axis=0)
        return found

    @staticmethod
    def _touched(rows: Values, others: Values) -> Whole:
        """Returns the places of those boxes that touch the box around a block; all others share nothing with it."""
        left, top = rows[:2].min(axis=1)
        right, bottom = rows[2:4].max(axis=1)
        across = (others[0] < right) & (others[2] > left)
        return np.flatnonzero(across & (others[1] < bottom) & (others[3] > top))


def _near(xyxy: Boxes) -> Whole:
    """Returns an order in which neighbours are about as large and lie about in one place: by size, then on Z curves.

    References:
        Morton: A computer oriented geodetic data base and a new technique in file sequencing, 1966.
    """
    low, high = xyxy[:, :2].min(axis=0), xyxy[:, 2:].max(axis=0)
    shares = (xyxy.reshape(-1, 2, 2) - low) / (high - low)
    size = np.floor(np.log2((shares[:, 1] - shares[:, 0]).max(axis=1)))
    places = (shares.mean(axis=1) * (2**_BITS - 1)).astype(np.int64)
    curve = np.zeros(len(xyxy), dtype=np.int64)
    for bit in range(_BITS):
        for axis in range(2):
            curve |= ((places[:, axis] >> bit) & 1) << (2 * bit + axis)
    return np.lexsort((curve, size)).astype(np.int64)


class PackedMasks:
    """Masks of all tasks on one grid, a bit a cell.

    Attributes:
        count: How many.
    """

    def __init__(self, packed: NDArray[np.uint64]) -> None:
        self.count = len(packed)
        self._packed = packed

    def alike(self, first: Whole, second: Whole) -> Values:
        """Returns the intersection over union of pairs ``(P,)`` on the grid; 1 where neither has a cell."""
        return over_union(*packed_overlap(self._packed[first], self._packed[second]), empty=1.0)

    def sums(self, workers: int) -> Values:
        """Returns for each mask the sum of its intersections over unions with all others, by so many threads."""
        found = np.zeros(self.count)
        with ThreadPoolExecutor(workers) as threads:
            for row, alike in enumerate(threads.map(self._behind, range(self.count - 1))):
                found[row] += alike.sum()
                found[row + 1 :] += alike
        return found

    def _behind(self, row: int) -> Values:
        return over_union(*packed_overlap(self._packed[row], self._packed[row + 1 :]), empty=1.0)
