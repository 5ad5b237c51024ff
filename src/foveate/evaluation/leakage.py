"""Scores with and without the samples that a method may have seen in training, or whose photo is elsewhere too.

Which samples are touched is told by a table (`touched_by`): ids, photos, or what `foveate analyze --near-duplicates`
writes into its report.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from foveate.core.bootstrap import Statistic
from foveate.evaluation.estimates import Draws, Estimate, estimates
from foveate.evaluation.measured import Columns, columns_of, reduced
from foveate.evaluation.metric_names import Metric, Weights, metrics_named
from foveate.evaluation.results import Column, Results

METRICS = ("mean_iou", "accuracy@0.5")
# Of fewer photos no interval is given: resamples of one photo are all alike, and would look sure.
FEW_PHOTOS = 10


@dataclass(frozen=True)
class Leaked:
    """One metric with and without the touched samples.

    Attributes:
        metric: Its full name.
        every: Over all samples.
        untouched: Without the touched ones: the value to report.
        touched: Over the touched ones alone.
        gain: What the touched ones add to the value: `every` minus `untouched`.
        apart: `touched` minus `untouched`; an interval above 0 is what leakage looks like, though touched samples may
            also just be easier. Values of fewer than `FEW_PHOTOS` photos have no interval.
    """

    metric: str
    every: Estimate
    untouched: Estimate
    touched: Estimate
    gain: Estimate
    apart: Estimate


@dataclass(frozen=True)
class Leakage:
    """A run with and without the touched samples.

    Attributes:
        name: The run's.
        n: Samples.
        n_touched: Those that are touched.
        photos_touched: The photos of these.
        photos_untouched: The photos of the others.
        source: What says which these are.
        trained_on: What the method was trained on, by its card; None where the run's card does not say.
        metrics: In the order asked for.
    """

    name: str
    n: int
    n_touched: int
    photos_touched: int
    photos_untouched: int
    source: str
    trained_on: Sequence[str] | None
    metrics: Sequence[Leaked]

    def as_dict(self) -> dict[str, Any]:
        """Returns what `foveate score --touched --json` has as `leakage`."""
        return asdict(self)


def leakage(
    results: Results,
    touched: Collection[str],
    *,
    metrics: Sequence[str] = METRICS,
    source: str = "",
    draws: Draws | None = None,
) -> Leakage:
    """Returns a run's values with and without samples; all from the same resamples of photos.

    Args:
        results: The run.
        touched: The ids of the samples; those that the run was not asked are passed over.
        metrics: Names, with a parameter after `@` where the metric has one.
        source: What says which samples are touched.
        draws: For the intervals.

    Raises:
        UsageError: There is no such metric.
        InputError: A metric cannot measure these data.
    """
    hit = np.array([truth.id in touched for truth in results.truths], dtype=np.float64)
    found = [
        _leaked(metric, columns, hit, results.groups, draws or Draws())
        for metric, columns in _measured(results, metrics)
    ]
    photos, others = (_photos(results.groups, of) for of in (hit, 1.0 - hit))
    return Leakage(results.name, len(results), int(hit.sum()), photos, others, source, trained_on(results), found)


def trained_on(results: Results) -> Sequence[str] | None:
    """Returns what a run's method was trained on, as its card said then; None for a file, or where it did not say."""
    header = results.loaded.header
    told = None if header is None else header.card.get("trained_on")
    return None if told is None else tuple(map(str, told))


def _measured(results: Results, metrics: Sequence[str]) -> list[tuple[Metric, Columns]]:
    by_function: dict[object, Columns] = {}
    chosen = metrics_named(metrics)
    for metric in chosen:
        if metric.module.measure not in by_function:
            by_function[metric.module.measure] = columns_of(metric, results.joined, str(results.loaded.source))
    return [(metric, by_function[metric.module.measure]) for metric in chosen]


def _leaked(metric: Metric, columns: Columns, hit: Column, groups: Sequence[str], draws: Draws) -> Leaked:
    def over(of: Column) -> Statistic:
        return lambda weights: reduced(metric, columns, weights * of)["value"]

    every, untouched, touched = over(np.ones(len(hit))), over(1.0 - hit), over(hit)
    wanted: Mapping[str, Statistic] = {
        "every": every,
        "untouched": untouched,
        "touched": touched,
        "gain": _minus(every, untouched),
        "apart": _minus(touched, untouched),
    }
    found = estimates(wanted, groups, draws)
    few = {name for name, of in (("touched", hit), ("untouched", 1.0 - hit)) if 0 < _photos(groups, of) < FEW_PHOTOS}
    without = {*few, *(("apart", "gain") if few else ())}
    return Leaked(
        metric.name,
        **{name: Estimate(one.value, None, None) if name in without else one for name, one in found.items()},
    )


def _photos(groups: Sequence[str], of: Column) -> int:
    return len({name for name, there in zip(groups, of, strict=True) if there})


def _minus(first: Statistic, second: Statistic) -> Statistic:
    def values(weights: Weights) -> Weights:
        return first(weights) - second(weights)

    return values
