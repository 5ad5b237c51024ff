"""`foveate compare`: runs against the first of them, paired by sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from foveate.errors import InputError, UsageError, some
from foveate.evaluation.bootstrap import Statistic, intervals
from foveate.evaluation.evaluate import DEFAULT_METRICS, check_random, finite
from foveate.evaluation.load import DataPlace, Loaded, load
from foveate.evaluation.measured import Columns, Measured, measured
from foveate.evaluation.metric_names import Metric
from foveate.evaluation.paired import Values, holm, permutation_p


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
        p: Two-sided, by permutation: how often chance would give a difference at least as large.
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
    """

    dataset: str
    n: int
    differences: Sequence[Difference]
    notes: Sequence[str] = ()
    sources: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Returns what `foveate compare --json` prints."""
        return {
            "dataset": self.dataset,
            "n": self.n,
            "sources": dict(self.sources),
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
    metrics: Sequence[str] = DEFAULT_METRICS,
    resamples: int = 1000,
    permutations: int = 9_999,
    seed: int = 0,
    all_pairs: bool = False,
) -> Comparison:
    """Returns the differences of runs or files of predictions on the same samples.

    Args:
        sources: Two or more, as `score` takes them.
        dataset: As for `score`; runs know their own.
        root: The folder of the data set.
        questions: The table of questions, for the data set `folder`.
        images: For COCO results, as for `score`.
        metrics: Names, with a parameter after `@`.
        resamples: Bootstrap resamples for the intervals; 0 for none.
        permutations: Exchanges for the p-values; all of them are made where there are no more.
        seed: Of both.
        all_pairs: Compare each with each, not only with the first.

    Raises:
        UsageError: There are fewer than two, or a name is unknown.
        InputError: They are not about the same samples, or one of them is broken.
    """
    check_random(seed, resamples, permutations)
    place = DataPlace(dataset, root, questions, images)
    loaded = load_all(sources, place)
    names = list(loaded)
    found = {
        name: measured(one.predictions, one.truths, metrics=metrics, groups=one.groups, where=str(one.source))
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
    )


@dataclass(frozen=True)
class Draws:
    """How much is drawn, and by which seed."""

    resamples: int
    permutations: int
    seed: int


def load_all(sources: Sequence[Path | str], place: DataPlace) -> dict[str, Loaded]:
    """Returns runs by a short name each, all about the same samples.

    Raises:
        UsageError: There are fewer than two.
        InputError: They are not about the same samples, or one of them is broken.
    """
    if len(sources) < 2:
        raise UsageError("compare", f"{len(sources)} given", "Name two runs or more.")
    loaded = dict(zip(short_names(sources), (load(source, place) for source in sources), strict=True))
    first, *others = loaded.values()
    for other in others:
        check_same(first, other)
    return loaded


def short_names(sources: Sequence[Path | str]) -> list[str]:
    """Returns a name for each source: its last part where these differ, else the whole path.

    Raises:
        UsageError: One is named twice.
    """
    paths = [Path(source) for source in sources]
    twice = sorted({str(path) for path in paths if paths.count(path) > 1})
    if twice:
        raise UsageError(some(twice), "it is named twice", "Name each run once.")
    last = [path.name or str(path) for path in paths]
    return last if len(set(last)) == len(last) else [str(path) for path in paths]


def check_same(first: Loaded, other: Loaded) -> None:
    """Refuses two sources that are not about the same samples.

    Raises:
        InputError: Their data sets or the questions asked differ.
    """
    if first.data.name != other.data.name:
        raise InputError(
            str(other.source),
            f"it is about {other.data.name}, {first.source} about {first.data.name}",
            "Compare what was made on the same data set.",
        )
    mine, theirs = {t.id for t in first.truths}, {t.id for t in other.truths}
    if mine != theirs:
        raise InputError(
            str(other.source),
            f"it was asked other questions than {first.source}: {len(theirs - mine):,} only here, "
            f"{len(mine - theirs):,} only there (such as {some(sorted(mine ^ theirs), 1)})",
            "Make both with the same --limit and --only-with-images.",
        )


def differences(found: Mapping[str, Measured], pairs: Sequence[tuple[str, str]], draws: Draws) -> list[Difference]:
    """Returns the differences of runs that were measured on the same samples, adjusted for their number.

    Args:
        found: By the run's name; all by the metrics of the first.
        pairs: Which to compare: the run that is compared with, and the run that is compared.
        draws: For the intervals and p-values.
    """
    metrics = next(iter(found.values())).metrics
    raw = [_difference(metric, pair, found, draws) for pair in pairs for metric in metrics]
    adjusted = holm([np.nan if d.p is None else d.p for d in raw])
    return [replace(d, p_holm=finite(p)) for d, p in zip(raw, adjusted, strict=True)]


def _difference(metric: Metric, pair: tuple[str, str], found: Mapping[str, Measured], draws: Draws) -> Difference:
    first, second = (found[name] for name in pair)
    ones = np.ones((1, len(first.groups)))
    values = [float(one.reduce(metric, ones)["value"][0]) for one in (first, second)]

    def difference(weights: Values) -> Values:
        return second.reduce(metric, weights)["value"] - first.reduce(metric, weights)["value"]

    bounds = intervals({"d": difference}, first.groups, resamples=draws.resamples, seed=draws.seed)["d"]
    both = _laid_end_to_end(metric, first, second)
    p = permutation_p(both, first.groups, permutations=draws.permutations, seed=draws.seed)
    return Difference(
        metric.name,
        *pair,
        finite(values[0]),
        finite(values[1]),
        finite(values[1] - values[0]),
        finite(bounds[0]),
        finite(bounds[1]),
        finite(p),
        None,
    )


def _laid_end_to_end(metric: Metric, first: Measured, second: Measured) -> Statistic:
    ours, theirs = first.columns[metric.name], second.columns[metric.name]
    columns: Columns = {name: np.concatenate([ours[name], theirs[name]]) for name in ours}

    def values(weights: Values) -> Values:
        reduced: Values = metric.module.reduce(columns, weights, metric.parameter)["value"]
        return reduced

    return values
