"""THE scorer: command line, server, archives and tests call this one function and get the same digits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate import plugins
from foveate.core.cards import MetricCard
from foveate.core.predictions import STATUSES, Prediction
from foveate.core.truths import Truth
from foveate.errors import InputError, UsageError
from foveate.evaluation.bootstrap import intervals
from foveate.evaluation.join import Joined, join

DEFAULT_METRICS = ("mean_iou", "accuracy@0.5")
Reducer = Callable[[NDArray[np.float64]], dict[str, NDArray[np.float64]]]


@dataclass(frozen=True)
class Value:
    """One metric on one set of predictions.

    Attributes:
        value: Over all truths with a target; anything but `ok` counts as the metric's card says. None without any.
        low: Lower end of the 95 % bootstrap interval of `value`.
        high: Upper end.
        value_scored: Over the truths with a target whose prediction is `ok`. None if there are none.
        n: How many samples `value` is the mean of.
    """

    value: float | None
    low: float | None
    high: float | None
    value_scored: float | None
    n: int


@dataclass(frozen=True)
class Evaluation:
    """The scores of one set of predictions, with all that is needed to read them rightly.

    Attributes:
        n: Truths.
        n_grounded: Truths with a target.
        n_scored: Truths with a target whose prediction is `ok`.
        counts: Predictions by status, with `missing`; they add up to `n`.
        metrics: By name.
        missing: Ids of the truths without a prediction.
        notes: What a reader must know: parts left out, rows skipped.
        about: What was scored: `source`, `dataset` and, for a run, `grounder`.
    """

    n: int
    n_grounded: int
    n_scored: int
    counts: Mapping[str, int]
    metrics: Mapping[str, Value]
    missing: Sequence[str] = ()
    notes: Sequence[str] = ()
    about: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Returns what `foveate score --json` prints."""
        return {
            **self.about,
            "n": self.n,
            "n_grounded": self.n_grounded,
            "n_scored": self.n_scored,
            "counts": dict(self.counts),
            "metrics": {
                name: {"value": v.value, "low": v.low, "high": v.high, "value_scored": v.value_scored, "n": v.n}
                for name, v in self.metrics.items()
            },
            "missing": list(self.missing),
            "notes": list(self.notes),
        }


def evaluate(
    predictions: Iterable[Prediction],
    truths: Iterable[Truth],
    *,
    metrics: Sequence[str] = DEFAULT_METRICS,
    groups: Mapping[str, str] | None = None,
    resamples: int = 1000,
    seed: int = 0,
    where: str = "predictions",
    notes: Sequence[str] = (),
    about: Mapping[str, str] | None = None,
) -> Evaluation:
    """Returns the scores of predictions against truths.

    Args:
        predictions: At most one a truth, in any order.
        truths: All that are to be scored; a truth without a prediction counts as `missing`.
        metrics: Names, with a parameter after `@` where the metric has one.
        groups: For each id what it is drawn together with in the bootstrap (the photo's name); itself by default.
        resamples: Bootstrap resamples for the intervals; 0 for none.
        seed: Of the bootstrap.
        where: What the predictions come from, for messages.
        notes: Passed on to the evaluation.
        about: Passed on to the evaluation.

    Raises:
        UsageError: There is no such metric, or the bootstrap's numbers are negative.
        InputError: There are no truths, or predictions do not fit them (`join`).
    """
    if seed < 0 or resamples < 0:
        raise UsageError("the bootstrap", f"seed {seed} and resamples {resamples}: neither is below 0", "Change it.")
    chosen = dict(_metric(name) for name in ([metrics] if isinstance(metrics, str) else metrics))
    joined = join(predictions, truths, where=where)
    if not joined.truths:
        raise InputError(where, "there is no truth to score against", "Look at the data set and its split.")
    # Metrics that share their measuring function share its columns, which are the costly part.
    measured = {m.module.measure: m.module.measure(joined.predictions, joined.truths) for m in chosen.values()}
    reducers = {name: m.reducer(measured[m.module.measure]) for name, m in chosen.items()}
    names = [groups.get(t.id, t.id) if groups else t.id for t in joined.truths]
    bounds = intervals(
        {name: partial(_only_value, reducer) for name, reducer in reducers.items()},
        names,
        resamples=resamples,
        seed=seed,
    )
    n_grounded = sum(bool(t.targets) for t in joined.truths)
    return Evaluation(
        n=len(joined.truths),
        n_grounded=n_grounded,
        n_scored=sum(
            bool(t.targets) and p is not None and p.status == "ok"
            for t, p in zip(joined.truths, joined.predictions, strict=True)
        ),
        counts=_counts(joined),
        metrics={name: _value(reducer, len(names), bounds[name], n_grounded) for name, reducer in reducers.items()},
        missing=joined.missing,
        notes=notes,
        about=dict(about or {}),
    )


@dataclass(frozen=True)
class _Metric:
    module: ModuleType
    parameter: float | None

    def reducer(self, columns: Any) -> Reducer:
        return partial(self.module.reduce, columns, parameter=self.parameter)


def _metric(name: str) -> tuple[str, _Metric]:
    """Returns a metric by the name that a person gives, with its full name (`accuracy` is `accuracy@0.5`)."""
    base, at, text = name.partition("@")
    module = plugins.load("metrics", base)
    card: MetricCard = module.CARD
    if at and card.parameter is None:
        raise UsageError(f"metric {name}", f"{base} takes no value after @", f"Call it {base}.")
    try:
        parameter = float(text) if at else card.default_parameter
        module.reduce(module.measure([], []), np.zeros((1, 0)), parameter)
    except ValueError as error:
        raise UsageError(f"metric {name}", str(error), f"After @ comes {card.parameter}.") from error
    return base if parameter is None else f"{base}@{parameter!r}", _Metric(module, parameter)


def _only_value(reducer: Reducer, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return reducer(weights)["value"]


def _value(reducer: Reducer, n: int, bounds: tuple[float, float], n_grounded: int) -> Value:
    exact = reducer(np.ones((1, n)))
    value, scored = float(exact["value"][0]), float(exact["value_scored"][0])
    return Value(_or_none(value), _or_none(bounds[0]), _or_none(bounds[1]), _or_none(scored), n_grounded)


def _or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _counts(joined: Joined) -> dict[str, int]:
    found = Counter("missing" if p is None else p.status for p in joined.predictions)
    return {state: found[state] for state in (*STATUSES, "missing") if found[state]}
