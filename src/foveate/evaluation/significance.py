"""How sure a ranking is: ranks under resampling, runs that are not told apart, and what could be told apart at all.

One matrix of resamples gives values, intervals, ranks and errors; one matrix of exchanges gives the p-values, which are
those of `foveate compare --all-pairs` with one metric.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.bootstrap import Statistic, percentiles, weight_chunks
from foveate.errors import UsageError
from foveate.evaluation._letters import groups_by_best, letters
from foveate.evaluation._pairs import pair_ps
from foveate.evaluation.bootstrap import one_thread
from foveate.evaluation.compare import Draws
from foveate.evaluation.estimates import Estimate
from foveate.evaluation.evaluate import check_random, finite
from foveate.evaluation.measured import Columns, columns_of, reduced
from foveate.evaluation.metric_names import Metric, metrics_named
from foveate.evaluation.paired import holm
from foveate.evaluation.results import Results

Values = NDArray[np.float64]
# Values that are equal but for the order of their sums have one rank.
_DIGITS = 12


@dataclass(frozen=True)
class Wanted:
    """What counts as told apart.

    Attributes:
        alpha: The level of the tests, two-sided.
        power: How often a difference is to be found that is there.

    Raises:
        UsageError: One is not between 0 and 1.
    """

    alpha: float = 0.05
    power: float = 0.8

    def __post_init__(self) -> None:
        for name, value in (("alpha", self.alpha), ("power", self.power)):
            if not 0 < value < 1:
                raise UsageError(f"--{name} {value:g}", "it is not between 0 and 1", "Say a share, such as 0.05.")

    def times_error(self, tests: int = 1) -> float:
        """Returns how many standard errors a difference must have to be found, by the z-approximation.

        Args:
            tests: Among how many the level is shared out (Bonferroni).

        Example:
            >>> round(Wanted().times_error(), 3)
            2.802
        """
        normal = NormalDist()
        return normal.inv_cdf(1 - self.alpha / tests / 2) + normal.inv_cdf(self.power)


@dataclass(frozen=True)
class Ranked:
    """One run in the ranking.

    Attributes:
        name: The run's.
        value: Its value and interval; of a metric that is better when lower, too.
        ranks: In what share of the resamples it has each rank; equal values share their ranks. Empty without resamples.
        group: 1 for the best run and all that are not told apart from it, 2 for the best of the rest and those, …
        letters: Runs that share a letter are not told apart.
    """

    name: str
    value: Estimate
    ranks: Sequence[float]
    group: int
    letters: str


@dataclass(frozen=True)
class Gap:
    """The difference of two runs, and what difference could be found.

    Attributes:
        better: The run that is ranked before.
        worse: The other.
        difference: The first's value minus the second's.
        p: Two-sided, by permutation; None without permutations or a difference.
        p_holm: Adjusted for all pairs.
        error: The standard error of the difference over resamples of the photos.
        detectable: The least true difference that is found in `power` of such samples, tested alone.
        detectable_among_all: The same where the level is shared out among all pairs.
        photos_needed: How many photos would make this very difference detectable; None where there is none.
    """

    better: str
    worse: str
    difference: Estimate
    p: float | None
    p_holm: float | None
    error: float | None
    detectable: float | None
    detectable_among_all: float | None
    photos_needed: int | None


@dataclass(frozen=True)
class Significance:
    """A ranking with all that says how sure it is.

    Attributes:
        dataset: What the runs were made on.
        metric: By what they are ranked.
        better: Whether `higher` or `lower` values are.
        n: Samples.
        photos: What was resampled.
        runs: Best first.
        gaps: Every pair, in that order.
        wanted: Level and power.
    """

    dataset: str
    metric: str
    better: str
    n: int
    photos: int
    runs: Sequence[Ranked]
    gaps: Sequence[Gap]
    wanted: Wanted

    def as_dict(self) -> dict[str, Any]:
        """Returns the ranking as plain values."""
        return {
            **vars(self),
            "runs": [{**vars(run), "value": vars(run.value), "ranks": list(run.ranks)} for run in self.runs],
            "gaps": [{**vars(gap), "difference": vars(gap.difference)} for gap in self.gaps],
            "wanted": vars(self.wanted),
        }


def significance(
    runs: Sequence[Results], metric: str = "mean_iou", *, draws: Draws | None = None, wanted: Wanted | None = None
) -> Significance:
    """Returns how sure the ranking of runs is.

    Args:
        runs: Two or more, on the same samples in the same order (`all_results`).
        metric: Its name, with a parameter after `@`.
        draws: 1,000 resamples and 9,999 permutations by default.
        wanted: Level and power.

    Raises:
        UsageError: There are fewer than two runs, a number cannot be, there is no such metric, or it has no value for
            one of the runs.
        InputError: The metric cannot measure these data.
    """
    draws, wanted = draws or Draws(1000, 9_999, 0), wanted or Wanted()
    check_random(draws.seed, draws.resamples, draws.permutations)
    if len(runs) < 2:
        raise UsageError("ranks", f"{len(runs)} run given", "Name two runs or more.")
    (by,) = metrics_named([metric])
    columns = {run.name: columns_of(by, run.joined, str(run.loaded.source)) for run in runs}
    values = {name: _value(by, found) for name, found in columns.items()}
    _refuse_undefined(by, values)
    sign = 1.0 if by.card.better == "higher" else -1.0
    order = sorted(values, key=lambda name: -sign * values[name])
    groups = runs[0].groups
    drawn = _drawn([_statistic(by, columns[name]) for name in order], groups, draws)
    ps = _ps(by, {name: columns[name] for name in order}, groups, draws)
    photos = len(set(groups))
    gaps = _gaps(order, values, drawn, ps, photos, wanted)
    alike = {(gap.better, gap.worse) for gap in gaps if gap.p_holm is None or gap.p_holm >= wanted.alpha}
    return Significance(
        dataset=runs[0].loaded.about.get("dataset", ""),
        metric=by.name,
        better=by.card.better,
        n=len(runs[0]),
        photos=photos,
        runs=_ranked(order, values, drawn, sign, alike),
        gaps=gaps,
        wanted=wanted,
    )


def rank_shares(values: Values) -> Values:
    """Returns in what share of the rows each column has each rank, ``(R, R)``: a row a column, from the highest value.

    Equal values share the ranks that they have together. Rows in which a value is not defined are left out.

    Args:
        values: ``(B, R)``, higher is better.

    Example:
        >>> rank_shares(np.array([[0.5, 0.4], [0.3, 0.3]])).tolist()
        [[0.75, 0.25], [0.25, 0.75]]
    """
    seen = np.round(values[np.isfinite(values).all(axis=1)], _DIGITS)
    ranks = np.arange(values.shape[1])
    shares = np.full((len(ranks), len(ranks)), np.nan)
    for run in ranks if len(seen) else ():
        before = (seen > seen[:, [run]]).sum(axis=1)[:, None]
        equal = (seen == seen[:, [run]]).sum(axis=1)[:, None]
        shares[run] = (((ranks >= before) & (ranks < before + equal)) / equal).mean(axis=0)
    return shares


def _value(metric: Metric, columns: Columns) -> float:
    ones = np.ones((1, len(next(iter(columns.values())))))
    return float(reduced(metric, columns, ones)["value"][0])


def _refuse_undefined(metric: Metric, values: Mapping[str, float]) -> None:
    without = [name for name, value in values.items() if not np.isfinite(value)]
    if without:
        raise UsageError(
            f"metric {metric.name}",
            f"it has no value for {', '.join(without)}, so that nothing can be ranked",
            "Choose another metric, or leave the run out.",
        )


def _statistic(metric: Metric, columns: Columns) -> Statistic:
    return lambda weights: reduced(metric, columns, weights)["value"]


def _drawn(statistics: Sequence[Statistic], groups: Sequence[str], draws: Draws) -> Values:
    """Returns the value of every run in every resample, ``(B, R)``."""
    with one_thread():
        found = [
            np.stack([statistic(weights) for statistic in statistics], axis=1)
            for weights in weight_chunks(groups, draws.resamples, draws.seed)
        ]
    return np.concatenate([np.empty((0, len(statistics))), *found])


def _ps(
    metric: Metric, columns: Mapping[str, Columns], groups: Sequence[str], draws: Draws
) -> dict[tuple[str, str], float | None]:
    """Returns the p-value of every pair; None without permutations."""
    pairs = list(combinations(columns, 2))
    if not draws.permutations:
        return dict.fromkeys(pairs)
    found = pair_ps(metric, columns, pairs, groups, permutations=draws.permutations, seed=draws.seed)
    return {pair: finite(p) for pair, p in found.items()}


def _gaps(
    order: Sequence[str],
    values: Mapping[str, float],
    drawn: Values,
    ps: Mapping[tuple[str, str], float | None],
    photos: int,
    wanted: Wanted,
) -> list[Gap]:
    pairs = list(combinations(range(len(order)), 2))
    adjusted = holm([np.nan if (p := ps[order[a], order[b]]) is None else p for a, b in pairs])
    alone, among_all = wanted.times_error(), wanted.times_error(len(pairs))
    gaps = []
    for (a, b), p_holm in zip(pairs, adjusted, strict=True):
        better, worse = order[a], order[b]
        spread = drawn[:, a] - drawn[:, b]
        spread = spread[np.isfinite(spread)]
        error = float(spread.std(ddof=1)) if len(spread) > 1 else None
        difference = values[better] - values[worse]
        low, high = percentiles(spread)
        needed = None
        if error is not None and abs(difference) > 10.0**-_DIGITS:
            needed = max(1, int(np.ceil(photos * (alone * error / difference) ** 2)))
        gaps.append(
            Gap(
                better,
                worse,
                Estimate(difference, finite(low), finite(high)),
                ps[better, worse],
                finite(p_holm),
                error,
                None if error is None else alone * error,
                None if error is None else among_all * error,
                needed,
            )
        )
    return gaps


def _ranked(
    order: Sequence[str], values: Mapping[str, float], drawn: Values, sign: float, alike: set[tuple[str, str]]
) -> list[Ranked]:
    shares = rank_shares(sign * drawn)
    told = letters(order, alike)
    parts = groups_by_best(order, alike)
    return [
        Ranked(
            name,
            Estimate(values[name], *map(finite, percentiles(drawn[:, n]))),
            shares[n].tolist() if np.isfinite(shares[n]).all() else (),
            parts[name],
            told[name],
        )
        for n, name in enumerate(order)
    ]
