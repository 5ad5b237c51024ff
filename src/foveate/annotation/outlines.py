"""Outlines as people draw them: made plain, and whether their sides meet where they must not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foveate.core.boxes import SizeHW
from foveate.core.polygons import Corners, clip_corners

# A pointer lies between pixels, and browsers round: so far outside the photo a point is moved onto its edge.
TOLERANCE = 0.5
# So many pairs of sides are compared at once: a few megabytes.
_AT_ONCE = 250_000
# Of the product of two differences of doubles, twice what it may be wrong by.
_ROUNDING = 8 * float(np.finfo(np.float64).eps)
# Smaller numbers lose digits.
_TINY = float(np.finfo(np.float64).tiny)

Numbers = NDArray[np.float64]
Pairs = NDArray[np.int64]


@dataclass(frozen=True)
class Meeting:
    """Two sides of an outline that meet, counted from 1: side n goes from point n to the next, the last to point 1.

    Attributes:
        first: The one with the lower number.
        second: The other.
        crosses: Whether they cross; else they touch, or lie on each other.
    """

    first: int
    second: int
    crosses: bool


def plain(points: ArrayLike, size_hw: SizeHW) -> Corners:
    """Returns an outline as it is stored, ``float64 (N, 2)``: on the photo, open, no point equal to the one before it.

    The order and direction stay. It may have fewer than three points.
    """
    corners = clip_corners(np.asarray(points, dtype=np.float64).reshape(-1, 2), size_hw) + 0.0  # No -0.0.
    kept = np.ones(len(corners), dtype=bool)
    kept[1:] = (corners[1:] != corners[:-1]).any(axis=1)
    corners = corners[kept]
    while len(corners) > 1 and (corners[0] == corners[-1]).all():
        corners = corners[:-1]
    return corners


def first_meeting(corners: Corners) -> Meeting | None:
    """Returns two sides of an outline that meet elsewhere than neighbours do, or None where it is simple.

    Decided exactly: where doubles cannot tell on which side of a line a point lies, fractions do.

    Args:
        corners: As `plain` gives them, at least three.
    """
    spike = _spike(corners)
    if spike is not None:
        return spike
    ends = np.roll(corners, -1, axis=0)
    pairs = _near(np.minimum(corners, ends), np.maximum(corners, ends))
    return next((found for some in pairs if (found := _met(corners, ends, some)) is not None), None)


def _spike(corners: Corners) -> Meeting | None:
    """Returns two neighbours of which the second goes back on the first."""
    before = np.roll(corners, 1, axis=0)
    after = np.roll(corners, -1, axis=0)
    back = ((corners - before) * (after - corners)).sum(axis=1) < 0
    for at in np.flatnonzero(back & (_turns(before, corners, after) == 0)).tolist():
        first, second = sorted(((at - 1) % len(corners) + 1, at + 1))
        return Meeting(first, second, crosses=False)
    return None


def _near(low: Corners, high: Corners) -> Iterator[Pairs]:
    """Yields the pairs of sides ``(N, 2)`` that are no neighbours and whose boxes meet, many at once."""
    order = np.argsort(low[:, 0], kind="stable")
    # From left to right, each side with those behind it that begin before it ends.
    counts = np.searchsorted(low[order, 0], high[order, 0], side="right") - np.arange(len(low)) - 1
    before = np.concatenate([[0], np.cumsum(counts)])
    cuts = np.searchsorted(before, np.arange(0, before[-1] + _AT_ONCE, _AT_ONCE))
    for start, stop in pairwise(np.minimum(cuts, len(low)).tolist()):
        first = np.repeat(np.arange(start, stop), counts[start:stop])
        second = first + 1 + np.arange(len(first)) - (before[first] - before[start])
        pairs = np.sort(np.stack([order[first], order[second]], axis=1), axis=1)
        left, right = pairs.T
        level = (low[left, 1] <= high[right, 1]) & (low[right, 1] <= high[left, 1])
        apart = (right > left + 1) & ~((left == 0) & (right == len(low) - 1))
        yield pairs[level & apart]


def _met(starts: Corners, ends: Corners, pairs: Pairs) -> Meeting | None:
    a, b = starts[pairs[:, 0]], ends[pairs[:, 0]]
    c, d = starts[pairs[:, 1]], ends[pairs[:, 1]]
    of_c, of_d = _turns(a, b, c), _turns(a, b, d)
    of_a, of_b = _turns(c, d, a), _turns(c, d, b)
    # Their boxes meet: so do sides of which neither has both ends of the other on one side of it.
    met = (of_c * of_d <= 0) & (of_a * of_b <= 0)
    if not met.any():
        return None
    found = np.flatnonzero(met)
    # The lowest numbers, so that the same pair is told whichever way the sides were sorted.
    at = found[np.lexsort((pairs[found, 1], pairs[found, 0]))[0]]
    crosses = bool(of_c[at] * of_d[at] < 0 and of_a[at] * of_b[at] < 0)
    return Meeting(int(pairs[at, 0]) + 1, int(pairs[at, 1]) + 1, crosses)


def _turns(a: Corners, b: Corners, c: Corners) -> NDArray[np.int64]:
    """Returns on which side of the line from a to b each c lies: 1, -1, or 0 on it; exactly."""
    left: Numbers = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1])
    right: Numbers = (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    turns = np.sign(left - right).astype(np.int64)
    doubtful = np.abs(left - right) <= _ROUNDING * (np.abs(left) + np.abs(right)) + _TINY
    for at in np.flatnonzero(doubtful).tolist():
        turns[at] = _exact_turn(*(tuple(map(Fraction, point[at].tolist())) for point in (a, b, c)))
    return turns


def _exact_turn(a: tuple[Fraction, ...], b: tuple[Fraction, ...], c: tuple[Fraction, ...]) -> int:
    value = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (value > 0) - (value < 0)
