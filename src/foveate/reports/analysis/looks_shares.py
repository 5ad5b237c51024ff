"""Shares and means with their intervals, as the tables of an analysis show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.evaluation.bootstrap import intervals
from foveate.evaluation.wording import counted

RESAMPLES = 1_000


@dataclass(frozen=True)
class Share:
    """A mean over samples; of ones and zeros it is a share.

    Attributes:
        n: How many samples it is made of.
        value: The mean; None without samples.
        low: Where its 95 % interval begins, photos drawn anew; None where resamples say nothing, since all values are
            equal or of one photo.
        high: Where it ends.
    """

    n: int
    value: float | None
    low: float | None
    high: float | None

    @property
    def percent(self) -> list[float | None]:
        """Value, low and high as percent."""
        return [None if value is None else 100.0 * value for value in (self.value, self.low, self.high)]


def mean_of(
    values: NDArray[np.floating] | NDArray[np.bool_], of: NDArray[np.bool_], photos: Sequence[str], seed: int = 0
) -> Share:
    """Returns the mean of values where `of` is true, with its bootstrap interval by photo.

    Args:
        values: ``(M,)``.
        of: ``bool (M,)``.
        photos: ``M`` names; samples of one photo are drawn together.
        seed: Of the resamples.
    """
    kept = np.flatnonzero(of)
    if not kept.size:
        return Share(0, None, None, None)
    numbers = np.asarray(values, dtype=np.float64)[kept]

    def mean(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((weights @ numbers) / weights.sum(axis=1))

    drawn = [photos[row] for row in kept.tolist()]
    if len(set(drawn)) == 1 or bool((numbers == numbers[0]).all()):
        return Share(len(kept), float(numbers.mean()), None, None)
    low, high = intervals({"mean": mean}, drawn, resamples=RESAMPLES, seed=seed)["mean"]
    return Share(len(kept), float(numbers.mean()), low, high)


def between(share: Share) -> str:
    """Returns an interval of percent in prose, with a blank before; empty where there is none."""
    if share.low is None or share.high is None:
        return ""
    return f" (95 % interval {100.0 * share.low:.1f} to {100.0 * share.high:.1f})"


def unread(problems: Sequence[str]) -> str:
    """Returns a sentence about photos that could not be used, with a blank before; empty where there is none."""
    if not problems:
        return ""
    return f" {counted(len(problems), 'photo')} could not be used, the first: {problems[0]}"
