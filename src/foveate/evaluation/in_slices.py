"""What `foveate score --by … --cross …` tells beside the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foveate.errors import UsageError
from foveate.evaluation._slicings import ALL
from foveate.evaluation.compare import Draws
from foveate.evaluation.crossed import CrossTable, crossed
from foveate.evaluation.load import Loaded
from foveate.evaluation.results import Results, results_of
from foveate.evaluation.slices import Sliced, sliced, slicings_named


@dataclass(frozen=True)
class InSlices:
    """A run in slices.

    Attributes:
        slices: By slicing, where slices were asked for.
        cross: By metric, where two slicings were crossed.
    """

    slices: Mapping[str, Sliced] = field(default_factory=dict)
    cross: Mapping[str, CrossTable] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Returns `slices` and `cross` as plain values, each only where it was asked for."""
        told: dict[str, Any] = {}
        if self.slices:
            told["slices"] = {name: one.as_dict() for name, one in self.slices.items()}
        if self.cross:
            told["cross"] = {metric: table.as_dict() for metric, table in self.cross.items()}
        return told


def in_slices(
    run: Loaded | Results,
    by: Sequence[str],
    cross: tuple[str, str] | None,
    metrics: Sequence[str],
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> InSlices:
    """Returns a run by slices, and by two slicings crossed.

    Args:
        run: As it was read, or measured.
        by: Slicings; `all` for each that the data set has.
        cross: What is compared, and whose mix is held equal.
        metrics: Names.
        resamples: For the intervals.
        seed: Of the bootstrap.

    Raises:
        UsageError: A name is unknown.
        InputError: Regions of these data cannot be measured.
    """
    two = cross or ()
    _check(two)
    if not by and not two:
        return InSlices()
    results = run if isinstance(run, Results) else results_of(str(run.source), run)
    draws = Draws(resamples, 0, seed)
    there = slicings_named(results, [*by, *two])
    chosen = {name: grouping for name, grouping in there.items() if name in by or ALL in by}
    tables = {}
    if cross:
        tables = {name: crossed(results, there[cross[0]], there[cross[1]], name, draws) for name in metrics}
    return InSlices(sliced(results, chosen, metrics, draws) if chosen else {}, tables)


def _check(cross: Sequence[str]) -> None:
    if ALL in cross or len(set(cross)) < len(cross):
        where = f"--cross {' '.join(cross)}"
        raise UsageError(where, "it takes two different slicings", "Name two, such as quality coverage.")
