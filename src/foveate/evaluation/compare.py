"""`foveate compare`: runs against the first of them, paired by sample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from foveate.core.bootstrap import Statistic
from foveate.errors import UsageError
from foveate.evaluation._pairs import pair_ps
from foveate.evaluation.bootstrap import intervals
from foveate.evaluation.evaluate import check_random, finite, states, usual_metrics
from foveate.evaluation.load import DataPlace
from foveate.evaluation.load_same import load_same
from foveate.evaluation.measured import Measured, measured
from foveate.evaluation.metric_names import Metric
from foveate.evaluation.paired import Values, holm


@dataclass(frozen=True)
class Difference:
    """One metric on two runs.

    Attributes:
        metric: Its full name.
        first: The run that is compared with.
        second: The run that is compared.
        value_first: The value of the first; None where it is not defined.
        value_second: The value of the second.
        difference: Second minus first.
        low: Lower end of the 95 % interval of the difference (photos resampled, both runs alike).
        high: Upper end.
        p: Two-sided, by permutation: how often chance would give a difference at least as large. None without
            permutations, or where there is no difference.
        p_holm: `p` adjusted for all the differences of the comparison (Holm).
    """

    metric: str
    first: str
    second: str
    value_first: float | None
    value_second: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None


@dataclass(frozen=True)
class Comparison:
    """Runs compared on the same samples.

    Attributes:
        dataset: What they were made on.
        n: Samples.
        differences: Metric by metric within each pair of runs.
        notes: What a reader must know, each with its run.
        sources: Where each run lies, by the name it has here.
        counts: The predictions of each run by status, with `missing`; anything but `ok` counts as the metric says.
    """

    dataset: str
    n: int
    differences: Sequence[Difference]
    notes: Sequence[str] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Returns what `foveate compare --json` prints."""
        return {
            "dataset": self.dataset,
            "n": self.n,
            "sources": dict(self.sources),
            "counts": {name: dict(counts) for name, counts in self.counts.items()},
            "differences": [vars(difference) for difference in self.differences],
            "notes": list(self.notes),
        }


def compare(
    sources: Sequence[Path | str],
    dataset: str | None = None,
    root: Path | str | None = None,
    *,
    questions: Path | str | None = None,
    images: Path | str | None = None,
    settings: Mapping[str, str] | None = None,
    metrics: Sequence[str] | None = None,
    resamples: int = 1000,
    permutations: int = 9_999,
    seed: int = 0,
    all_pairs: bool = False,
    common: bool = False,
) -> Comparison:
    """Returns the differences of runs or files of predictions on the same samples.

    Args:
        sources: Two or more, as `score` takes them.
        dataset: As for `score`; runs know their own.
        root: The folder of the data set.
        questions: The table of questions, for the data set `folder`.
        images: For COCO results, as for `score`.
        settings: Options of the data set; a run knows its own.
        metrics: Names, with a parameter after `@`; those of regions by default, of answers where there is nothing else.
        resamples: Bootstrap resamples for the intervals; 0 for none.
        permutations: Exchanges for the p-values; all of them are made where there are no more.
        seed: Of both.
        all_pairs: Compare each with each, not only with the first.
        common: Only the samples that all were asked; each source notes how many were left out.

    Raises:
        UsageError: There are fewer than two, or a name is unknown.
        InputError: They are not about the same samples, or one of them is broken.
    """
    check_random(seed, resamples, permutations)
    place = DataPlace(dataset, root, questions, images, settings=settings, common=common)
    if len(sources) < 2:
        raise UsageError("compare", f"{len(sources)} given", "Name two runs or more.")
    loaded = load_same(sources, place)
    names = list(loaded)
    wanted = metrics or usual_metrics(loaded[names[0]].data.card)
    found = {
        name: measured(one.predictions, one.truths, metrics=wanted, groups=one.groups, where=str(one.source))
        for name, one in loaded.items()
    }
    pairs = list(combinations(names, 2)) if all_pairs else [(names[0], name) for name in names[1:]]
    first = loaded[names[0]]
    return Comparison(
        dataset=first.data.name,
        n=len(first.truths),
        differences=differences(found, pairs, Draws(resamples, permutations, seed)),
        notes=[f"{name}: {note}" for name, one in loaded.items() for note in one.notes],
        sources={name: str(one.source) for name, one in loaded.items()},
        counts={name: states(one.joined) for name, one in found.items()},
    )


@dataclass(frozen=True)
class Draws:
    """How much is drawn, and by which seed."""

    resamples: int
    permutations: int
    seed: int


def differences(found: Mapping[str, Measured], pairs: Sequence[tuple[str, str]], draws: Draws) -> list[Difference]:
    """Returns the differences of runs that were measured on the same samples, adjusted for their number.

    Args:
        found: By the run's name; all by the metrics of the first.
        pairs: Which to compare: the run that is compared with, and the run that is compared.
        draws: For the intervals and p-values.
    """
    raw = raw_differences(found, pairs, draws)
    adjusted = holm([np.nan if d.p is None else d.p for d in raw])
    return [replace(d, p_holm=finite(p)) for d, p in zip(raw, adjusted, strict=True)]


def raw_differences(found: Mapping[str, Measured], pairs: Sequence[tuple[str, str]], draws: Draws) -> list[Difference]:
    """Returns the differences of pairs, not adjusted for their number; arguments as for `differences`."""
    one = next(iter(found.values()))
    ps = {
        metric.name: pair_ps(
            metric,
            {name: found[name].columns[metric.name] for pair in pairs for name in pair},
            pairs,
            one.groups,
            permutations=draws.permutations,
            seed=draws.seed,
        )
        for metric in one.metrics
    }
    return [
        difference
        for pair in pairs
        for difference in _pair(pair, found, {name: of[pair] for name, of in ps.items()}, draws)
    ]


def _pair(
    pair: tuple[str, str], found: Mapping[str, Measured], ps: Mapping[str, float], draws: Draws
) -> Iterator[Difference]:
    metrics = next(iter(found.values())).metrics
    first, second = (found[name] for name in pair)
    bounds = intervals(
        {metric.name: _difference(metric, first, second) for metric in metrics},
        first.groups,
        resamples=draws.resamples,
        seed=draws.seed,
    )
    ones = np.ones((1, len(first.groups)))
    for metric in metrics:
        here, there = (float(one.reduce(metric, ones)["value"][0]) for one in (first, second))
        low, high = bounds[metric.name]
        # Without a difference nothing is tested; without exchanges 1 would come out, and read as a result.
        tested = draws.permutations > 0 and np.isfinite(there - here)
        yield Difference(
            metric=metric.name,
            first=pair[0],
            second=pair[1],
            value_first=finite(here),
            value_second=finite(there),
            difference=finite(there - here),
            low=finite(low),
            high=finite(high),
            p=finite(ps[metric.name]) if tested else None,
            p_holm=None,
        )


def _difference(metric: Metric, first: Measured, second: Measured) -> Statistic:
    def values(weights: Values) -> Values:
        return second.reduce(metric, weights)["value"] - first.reduce(metric, weights)["value"]

    return values
