"""The bootstrap of `foveate.core.bootstrap`, kept on one core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

from threadpoolctl import threadpool_limits

from foveate.core import bootstrap
from foveate.core.bootstrap import Statistic


def one_thread() -> AbstractContextManager[object]:
    """Keeps products of weights on one core.

    Memory is what they wait for; on a busy machine threads that wait for each other made them ten times as slow.
    """
    limits: AbstractContextManager[object] = threadpool_limits(limits=1, user_api="blas")
    return limits


def intervals(
    statistics: Mapping[str, Statistic], groups: Sequence[str], *, resamples: int, seed: int, confidence: float = 0.95
) -> dict[str, tuple[float, float]]:
    """Returns the intervals of `foveate.core.bootstrap.intervals`, with the products of weights on one core."""
    with one_thread():
        return bootstrap.intervals(statistics, groups, resamples=resamples, seed=seed, confidence=confidence)
