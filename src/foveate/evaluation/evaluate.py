"""THE scorer: command line, server, archives and tests call this one function and get the same digits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.bootstrap import Statistic
from foveate.core.cards import DatasetCard
from foveate.core.predictions import STATUSES, Prediction
from foveate.core.truths import Truth
from foveate.errors import UsageError
from foveate.evaluation.bootstrap import intervals
from foveate.evaluation.join import Joined
from foveate.evaluation.measured import Measured, measured
from foveate.evaluation.metric_names import Metric, Weights, at_work

DEFAULT_METRICS = ("mean_iou", "accuracy@0.5")
# Of data sets that have answers and no targets.
ANSWER_METRICS = ("vqa_accuracy", "exact_match")


def usual_metrics(card: DatasetCard) -> Sequence[str]:
    """Returns the metrics that are measured where none is asked for."""
    return ANSWER_METRICS if card.evaluate_as == "answer" else DEFAULT_METRICS


@dataclass(frozen=True)
class Value:
    """One metric on one set of predictions.

    Attributes:
        value: Over the samples that the metric counts; anything but `ok` counts as its card says. None without any.
        low: Lower end of the 95 % bootstrap interval of `value`.
        high: Upper end.
        value_scored: Over those of them whose prediction is `ok`. None where there are none, or it has no meaning.
        n: How many samples `value` is over.
        undefined: Why there is no value; None where there is one.
    """

    value: float | None
    low: float | None
    high: float | None
    value_scored: float | None
    n: int
    undefined: str | None = None


@dataclass(frozen=True)
class Evaluation:
    """The scores of one set of predictions, with all that is needed to read them rightly.

    Attributes:
        n: Truths.
        n_grounded: Truths with a target.
        n_scored: Truths with a target whose prediction is `ok`.
        counts: Predictions by status, with `missing`; they add up to `n`.
        abstention: `right`: `no_region` where the truth has no target; `missed`: anything else there; `needless`:
            `no_region` where there is a target.
        metrics: By name.
        missing: Ids of the truths without a prediction.
        notes: What a reader must know: parts left out, rows skipped.
        about: What was scored: `source`, `dataset` and, for a run, `grounder`.
    """

    n: int
    n_grounded: int
    n_scored: int
    counts: Mapping[str, int]
    abstention: Mapping[str, int]
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
            "abstention": dict(self.abstention),
            "metrics": {name: vars(v) for name, v in self.metrics.items()},
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
        InputError: There are no truths, predictions do not fit them (`join`), or a metric cannot measure them.
    """
    check_random(seed, resamples)
    found = measured(predictions, truths, metrics=metrics, groups=groups, where=where)
    return summarise(found, resamples=resamples, seed=seed, notes=notes, about=about)


def summarise(
    found: Measured,
    *,
    resamples: int,
    seed: int,
    notes: Sequence[str] = (),
    about: Mapping[str, str] | None = None,
) -> Evaluation:
    """Returns the scores of what was measured."""
    bounds = intervals(
        {metric.name: _statistic(found, metric) for metric in found.metrics},
        found.groups,
        resamples=resamples,
        seed=seed,
    )
    joined = found.joined
    pairs = list(zip(joined.truths, joined.predictions, strict=True))
    return Evaluation(
        n=len(pairs),
        n_grounded=sum(bool(t.targets) for t, _ in pairs),
        n_scored=sum(bool(t.targets) and p is not None and p.status == "ok" for t, p in pairs),
        counts=states(joined),
        abstention=_abstention(pairs),
        metrics={metric.name: _value(found, metric, bounds[metric.name]) for metric in found.metrics},
        missing=joined.missing,
        notes=[*notes, *_remarks(found)],
        about=dict(about or {}),
    )


def _remarks(found: Measured) -> list[str]:
    """Returns what metrics say of their values, if their modules have `remark`, once for those that say the same."""
    said: dict[str, list[str]] = {}
    for metric in found.metrics:
        remark = getattr(metric.module, "remark", None)
        told = at_work(metric.name, partial(remark, found.columns[metric.name])) if remark else None
        if told:
            said.setdefault(told, []).append(metric.name)
    return [f"{', '.join(names)}: {told}" for told, names in said.items()]


def check_random(seed: int, *draws: int) -> None:
    """Refuses numbers that nothing can be drawn by.

    Raises:
        UsageError: One is negative.
    """
    if min(seed, *draws) < 0:
        raise UsageError(
            "the bootstrap", f"seed {seed} and {', '.join(map(str, draws))} draws: none is below 0", "Change it."
        )


def _statistic(found: Measured, metric: Metric) -> Statistic:
    def values(weights: Weights) -> NDArray[np.float64]:
        return found.reduce(metric, weights)["value"]

    return values


def _value(found: Measured, metric: Metric, bounds: tuple[float, float]) -> Value:
    exact = found.reduce(metric, np.ones((1, len(found.groups))))
    value, scored, n = (float(exact[name][0]) for name in ("value", "value_scored", "n"))
    return Value(
        finite(value),
        finite(bounds[0]) if math.isfinite(value) else None,
        finite(bounds[1]) if math.isfinite(value) else None,
        finite(scored),
        round(n) if math.isfinite(n) else 0,
        None if math.isfinite(value) else _why_not(found, metric),
    )


def _why_not(found: Measured, metric: Metric) -> str:
    """Returns why a metric has no value: in its own words, if its module has `why_not`."""
    why_not = getattr(metric.module, "why_not", None)
    said: str | None = at_work(metric.name, lambda: why_not(found.columns[metric.name])) if why_not else None
    grounded = any(truth.targets for truth in found.joined.truths)
    return said or ("there is no sample that it counts" if grounded else "no truth has a target")


def finite(value: float) -> float | None:
    """Returns a value, or None where it is not defined."""
    return value if math.isfinite(value) else None


def states(joined: Joined) -> dict[str, int]:
    """Returns how many predictions there are of each status, with `missing`; those that there are not are left out."""
    found = Counter("missing" if p is None else p.status for p in joined.predictions)
    return {state: found[state] for state in (*STATUSES, "missing") if found[state]}


def _abstention(pairs: Sequence[tuple[Truth, Prediction | None]]) -> dict[str, int]:
    found = Counter((bool(t.targets), p is not None and p.status == "no_region") for t, p in pairs)
    return {"right": found[False, True], "missed": found[False, False], "needless": found[True, True]}
