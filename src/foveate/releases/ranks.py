"""The order of runs on two versions of a release: who stood where, and whether mended targets change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from foveate.evaluation.evaluate import Evaluation
from foveate.evaluation.metric_names import metrics_named
from foveate.releases.rescore import Rescored

# Values that differ by less are equal but for the order of their sums.
_EQUAL = 1e-12


@dataclass(frozen=True)
class Ranked:
    """One run in the order by one metric.

    Attributes:
        source: The run.
        split: Which split.
        metric: The full name of the metric.
        before: Its rank on the old version, from 1; equal values have the same; None without a value.
        after: On the new version.
    """

    source: str
    split: str
    metric: str
    before: int | None
    after: int | None

    @property
    def moved(self) -> bool:
        """Whether it stands elsewhere now."""
        return self.before != self.after

    def as_dict(self) -> dict[str, Any]:
        """Returns what `foveate release rescore --json` prints of it."""
        return asdict(self)


def ranks_of(found: Sequence[Rescored]) -> list[Ranked]:
    """Returns the ranks of runs among those of the same split, by each metric; none where a split has one run.

    Args:
        found: Runs that were scored on both versions.
    """
    by_split: dict[str, list[Rescored]] = {}
    for one in found:
        by_split.setdefault(one.split, []).append(one)
    ranked = []
    for split, runs in by_split.items():
        for metric in runs[0].before.metrics if len(runs) > 1 else ():
            before = _ranks([run.before for run in runs], metric)
            after = _ranks([run.after for run in runs], metric)
            ranked += [Ranked(run.source, split, metric, before[n], after[n]) for n, run in enumerate(runs)]
    return ranked


def order_told(ranks: Sequence[Ranked]) -> list[str]:
    """Returns a sentence for each split and metric that says whether the order of the runs is another one now."""
    told = []
    for split, metric in dict.fromkeys((one.split, one.metric) for one in ranks):
        mine = [one for one in ranks if (one.split, one.metric) == (split, metric)]
        moved = [f"{one.source} from {_place(one.before)} to {_place(one.after)}" for one in mine if one.moved]
        said = f"the order of {len(mine)} runs changes: {'; '.join(moved)}" if moved else "the order stays as it was"
        told.append(f"{split}, {metric}: {said}")
    return told


def _ranks(scores: Sequence[Evaluation], metric: str) -> list[int | None]:
    (named,) = metrics_named([metric])
    sign = 1.0 if named.card.better == "higher" else -1.0
    values = [one.metrics[metric].value for one in scores]
    known = [sign * value for value in values if value is not None]
    return [None if value is None else 1 + sum(other > sign * value + _EQUAL for other in known) for value in values]


def _place(rank: int | None) -> str:
    return "no rank" if rank is None else f"rank {rank}"
