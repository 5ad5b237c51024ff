"""Data sets side by side: how much their targets differ, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.analysis.columns import Analysis, Columns
from foveate.analysis.rules import whole
from foveate.core.bootstrap import group_numbers

Values = NDArray[np.float64]
MEASURES = ("coverage", "x", "y", "points", "complexity", "parts", "whole_image")


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure of two data sets.

    Attributes:
        measure: One of `MEASURES`.
        first: The name of the first data set.
        other: That of the other.
        mean_first: Its mean.
        mean_other: Its mean.
        difference: The other's mean less the first's.
        low: Where the 95 % bootstrap interval of the difference begins; photos are drawn, in each set for itself. NaN
            without resamples, and where either set has one photo only, which says nothing of how photos differ.
        high: Where it ends.
        cliff: Cliff's delta: how much more often a value of the other is greater than one of the first than smaller,
            -1 to 1.
        cohen: Cohen's d: the difference in pooled standard deviations; None where nothing varies.
    """

    measure: str
    first: str
    other: str
    mean_first: float
    mean_other: float
    difference: float
    low: float
    high: float
    cliff: float
    cohen: float | None


def values_of(columns: Columns, measure: str) -> Values:
    """Returns a measure of each sample, ``(N,)``; NaN where it is not known."""
    known = {
        "coverage": columns.coverage,
        "x": columns.centre[:, 0],
        "y": columns.centre[:, 1],
        "points": columns.points,
        "complexity": columns.complexity,
        "parts": columns.parts,
        "whole_image": whole(columns),
    }
    return np.asarray(known[measure], dtype=np.float64)


def compare(analyses: Sequence[Analysis], resamples: int = 1000, seed: int = 0) -> list[Difference]:
    """Returns how each further data set differs from the first, measure by measure; none where one has no value.

    Args:
        analyses: Two or more.
        resamples: Bootstrap resamples of each data set; 0 for no intervals.
        seed: Of what is drawn.

    References:
        Cliff: Dominance statistics, 1993; Cohen: Statistical Power Analysis, 1988, chapter 2.
    """
    first, *others = analyses
    found = []
    for other in others:
        for measure in MEASURES:
            difference = _difference(measure, first, other, resamples, seed)
            if difference:
                found.append(difference)
    return found


def cliff(first: Values, other: Values) -> float:
    """Returns Cliff's delta of the other against the first, without comparing every pair.

    Example:
        >>> cliff(np.array([1.0, 2.0]), np.array([2.0, 3.0]))
        0.75
    """
    ordered = np.sort(first)
    smaller = np.searchsorted(ordered, other, side="left").sum()
    greater = (len(ordered) - np.searchsorted(ordered, other, side="right")).sum()
    return float((int(smaller) - int(greater)) / (len(first) * len(other)))


def _difference(measure: str, first: Analysis, other: Analysis, resamples: int, seed: int) -> Difference | None:
    a, photos_a = _known(first.columns, measure)
    b, photos_b = _known(other.columns, measure)
    if not len(a) or not len(b):
        return None
    low, high = np.nan, np.nan
    if resamples and min(len(set(photos_a)), len(set(photos_b))) > 1:
        drawn = _drawn_means(b, photos_b, resamples, seed + 1) - _drawn_means(a, photos_a, resamples, seed)
        low, high = np.quantile(drawn, [0.025, 0.975])
    mean_a, mean_b = float(a.mean()), float(b.mean())
    return Difference(
        measure,
        first.name,
        other.name,
        mean_a,
        mean_b,
        mean_b - mean_a,
        float(low),
        float(high),
        cliff(a, b),
        _cohen(a, b),
    )


def _known(columns: Columns, measure: str) -> tuple[Values, list[str]]:
    values = values_of(columns, measure)
    there = ~np.isnan(values)
    return values[there], [photo for photo, known in zip(columns.photos, there, strict=True) if known]


def _drawn_means(values: Values, photos: Sequence[str], resamples: int, seed: int) -> Values:
    """Returns the mean of each resample, ``(resamples,)``; photos are drawn, with all their samples.

    Summed by photo first, so that a resample of a million samples is one draw and two sums.
    """
    group_of, count = group_numbers(photos)
    sums, sizes = np.bincount(group_of, values, count), np.bincount(group_of, minlength=count)
    rng = np.random.default_rng(seed)
    means = np.empty(resamples)
    for n in range(resamples):
        drawn = rng.integers(count, size=count)
        means[n] = sums[drawn].sum() / sizes[drawn].sum()
    return means


def _cohen(a: Values, b: Values) -> float | None:
    free = len(a) + len(b) - 2
    # The variance of equal values is not always 0 in doubles, and would make any difference enormous.
    if free < 1 or (np.ptp(a) == 0 and np.ptp(b) == 0):
        return None
    pooled = np.sqrt((a.var() * len(a) + b.var() * len(b)) / free)
    return float((b.mean() - a.mean()) / pooled) if pooled > 0 else None
