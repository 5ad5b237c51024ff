"""Metrics on parts of the samples: every part in every resample of the whole, by the metric's own `reduce`.

A part is its rows. A resample of the photos weighs each row, so that one bootstrap of the whole is a bootstrap of each
part, and of what lies outside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from foveate.core.bootstrap import percentiles, weight_chunks
from foveate.evaluation.bootstrap import one_thread
from foveate.evaluation.compare import Draws
from foveate.evaluation.evaluate import finite
from foveate.evaluation.join import Joined
from foveate.evaluation.measured import Columns, Measured, columns_of, reduced
from foveate.evaluation.metric_names import metrics_named
from foveate.evaluation.results import OF_ANSWERS, OF_REGIONS, Results

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
# In so many resamples of so many parts, what is left of the whole is compared with what the metric says of the rest.
_CHECKED_RESAMPLES, _CHECKED_PARTS = 8, 50
# So many rests are held at a time; each is nearly as large as all samples.
_AT_ONCE = 50
_EQUAL = 1e-9


@dataclass(frozen=True)
class Drawn:
    """One metric on ``S`` parts.

    Attributes:
        values: ``(1 + R, S)``; the first row is the samples as they are, the others are resamples. NaN: not defined.
        n: ``(1 + R, S)``, over how many samples each value is.
    """

    values: Values
    n: Values

    def of(self, parts: slice) -> Drawn:
        """Returns some of the parts."""
        return Drawn(self.values[:, parts], self.n[:, parts])


@dataclass(frozen=True)
class Bounded:
    """A value with its 95 % interval; None where it is not defined, or where too few samples tell an interval."""

    value: float | None
    low: float | None
    high: float | None


def bounded(drawn: Values, *, told: bool = True) -> Bounded:
    """Returns a value with its interval.

    Args:
        drawn: ``(1 + R,)``: as it is, then in resamples.
        told: Whether an interval is worth telling.
    """
    value = finite(float(drawn[0]))
    low, high = percentiles(drawn[1:]) if told and value is not None else (np.nan, np.nan)
    return Bounded(value, finite(low), finite(high))


def tells(results: Results, rows: Rows, n: int, least: int) -> bool:
    """Returns whether a value over `n` of these samples tells an interval: it needs enough samples, and enough photos.

    Samples of one photo are drawn together, so that a few photos give a handful of resamples however many samples.
    """
    return n >= least and len({results.groups[row] for row in rows}) >= least


def measured_of(results: Results, metrics: Sequence[str]) -> Measured:
    """Returns a run measured by metrics; what the run's own columns hold is not measured again.

    Raises:
        UsageError: There is no such metric.
        InputError: One cannot measure these data.
    """
    chosen = metrics_named(metrics)
    own = zip(metrics_named([OF_REGIONS, OF_ANSWERS]), (results.regions, results.answers), strict=True)
    columns: dict[object, Columns] = {metric.module.measure: found for metric, found in own}
    for metric in chosen:
        if metric.module.measure not in columns:
            columns[metric.module.measure] = columns_of(metric, results.joined, str(results.loaded.source))
    by_name = {metric.name: columns[metric.module.measure] for metric in chosen}
    return Measured(results.joined, results.groups, chosen, by_name)


def part_of(found: Measured, rows: Rows) -> Measured:
    """Returns some samples of what was measured, as if they were all."""
    truths, predictions = ([values[row] for row in rows] for values in (found.joined.truths, found.joined.predictions))
    columns = {id(of): _of_rows(of, rows) for of in found.columns.values()}
    return Measured(
        Joined(truths, predictions),
        [found.groups[row] for row in rows],
        found.metrics,
        {name: columns[id(of)] for name, of in found.columns.items()},
    )


def drawn_parts(found: Measured, parts: Sequence[Rows], draws: Draws) -> dict[str, Drawn]:
    """Returns each metric on each part, as it is and in every resample.

    Args:
        found: All samples, measured.
        parts: ``S`` lists of rows; one may be empty.
        draws: How many resamples, and by which seed.
    """
    shape = (1 + draws.resamples, len(parts))
    drawn = {metric.name: Drawn(np.full(shape, np.nan), np.zeros(shape)) for metric in found.metrics}
    pieces = {id(of): [_of_rows(of, rows) for rows in parts] for of in found.columns.values()}
    start = 0
    with one_thread():
        for weights in _weights(found, draws):
            here = slice(start, start + len(weights))
            # A sample's weights side by side: picking samples is then copying stretches, many times as fast.
            by_sample = np.ascontiguousarray(weights.T)
            for number, rows in enumerate(parts):
                part = by_sample[rows].T
                for metric in found.metrics:
                    values = reduced(metric, pieces[id(found.columns[metric.name])][number], part)
                    drawn[metric.name].values[here, number] = values["value"]
                    drawn[metric.name].n[here, number] = values["n"]
            start = here.stop
    return drawn


def drawn_rests(found: Measured, parts: Sequence[Rows], drawn: dict[str, Drawn], draws: Draws) -> dict[str, Values]:
    """Returns each metric on what lies outside each part, ``(1 + R, S)``.

    Of a metric that is a mean of samples, the sum of the rest is that of the whole without that of the part. Whether a
    metric is one is seen by what it says itself of every rest in the samples as they are, and of some in some
    resamples; any other metric is reduced on every rest.

    Args:
        found: All samples, measured.
        parts: The parts.
        drawn: What `drawn_parts` gave of them.
        draws: The same as there.
    """
    everything = np.arange(len(found.groups))
    whole = drawn_parts(found, [everything], draws)
    rests = {name: _without(whole[name], part) for name, part in drawn.items()}
    some = np.arange(len(parts))[:: max(1, -(-len(parts) // _CHECKED_PARTS))]
    few = replace(draws, resamples=min(draws.resamples, _CHECKED_RESAMPLES))
    resampled = _outside(found, [parts[part] for part in some], few)
    as_it_is = _outside(found, parts, replace(draws, resamples=0))
    for metric in found.metrics:
        mine, said = rests[metric.name], resampled[metric.name]
        if not (_equal(mine[: len(said), some], said) and _equal(mine[:1], as_it_is[metric.name])):
            rests |= _outside(replace(found, metrics=[metric]), parts, draws)
    return rests


def _equal(values: Values, others: Values) -> bool:
    return bool(np.allclose(values, others, rtol=0, atol=_EQUAL, equal_nan=True))


def _outside(found: Measured, parts: Sequence[Rows], draws: Draws) -> dict[str, Values]:
    """Returns each metric on what lies outside each part ``(1 + R, S)``, as the metric itself says it."""
    everything = np.arange(len(found.groups))
    values: dict[str, list[Values]] = {metric.name: [] for metric in found.metrics}
    for start in range(0, len(parts), _AT_ONCE):
        outside = [np.setdiff1d(everything, rows, assume_unique=True) for rows in parts[start : start + _AT_ONCE]]
        for name, drawn in drawn_parts(found, outside, draws).items():
            values[name].append(drawn.values)
    return {name: np.hstack(of) if of else np.empty((1 + draws.resamples, 0)) for name, of in values.items()}


def _without(whole: Drawn, part: Drawn) -> Values:
    left = whole.n - part.n
    total = np.nan_to_num(whole.values) * whole.n - np.nan_to_num(part.values) * part.n
    return np.asarray(np.divide(total, left, out=np.full(left.shape, np.nan), where=left > 0))


def _weights(found: Measured, draws: Draws) -> Iterator[Values]:
    ones = np.ones((1, len(found.groups)))
    return chain([ones], weight_chunks(found.groups, draws.resamples, draws.seed))


def _of_rows(columns: Columns, rows: Rows) -> Columns:
    return {name: values[rows] for name, values in columns.items()}
