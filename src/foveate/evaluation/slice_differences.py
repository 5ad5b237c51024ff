"""Runs compared in each slice: every slice as `foveate compare` would have it alone, adjusted for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from foveate.analysis.columns import Grouping
from foveate.analysis.groups import largest_groups
from foveate.evaluation._parts import measured_of, part_of
from foveate.evaluation._slicings import LEAST, slicings_named
from foveate.evaluation.compare import Comparison, Difference, Draws, raw_differences
from foveate.evaluation.evaluate import finite
from foveate.evaluation.measured import Measured
from foveate.evaluation.paired import holm
from foveate.evaluation.results import Results

# The more is tested, the less is found: of more slices the largest are compared.
TOP = 20


@dataclass(frozen=True)
class SliceDifference:
    """One metric on two runs in one slice.

    Attributes:
        by: The slicing.
        key: The slice.
        n: Its samples.
        difference: As if they were all; `p_holm` is adjusted for all that is told.
    """

    by: str
    key: str
    n: int
    difference: Difference


@dataclass(frozen=True)
class SlicedComparison:
    """Runs compared on all samples and in slices.

    Attributes:
        whole: On all samples, with `p_holm` adjusted for the slices too.
        slices: In each slice.
        left_out: By slicing, how many slices are not compared: those of fewer than `LEAST` samples, and all but the
            first `TOP`.
    """

    whole: Comparison
    slices: Sequence[SliceDifference]
    left_out: Mapping[str, int]

    def as_dict(self) -> dict[str, Any]:
        """Returns what `foveate compare --by --json` prints."""
        told = [{"by": d.by, "slice": d.key, "n": d.n, **asdict(d.difference)} for d in self.slices]
        return {**self.whole.as_dict(), "slices": told, "left_out": dict(self.left_out)}


def compare_slices(
    whole: Comparison, runs: Sequence[Results], by: Sequence[str], draws: Draws, *, top: int = TOP
) -> SlicedComparison:
    """Returns a comparison with the same differences in each slice.

    Args:
        whole: The runs compared on all samples; its pairs and metrics are compared in the slices.
        runs: The same runs, by the same names.
        by: Slicings (`slicings_named`).
        draws: For intervals and p-values.
        top: At most so many slices of each slicing.

    Raises:
        UsageError: There is no such slicing.
    """
    slicings = slicings_named(runs[0], by)
    pairs = list(dict.fromkeys((d.first, d.second) for d in whole.differences))
    metrics = list(dict.fromkeys(d.metric for d in whole.differences))
    found = {run.name: measured_of(run, metrics) for run in runs}
    raw = list(_raw(found, pairs, slicings, draws, top))
    adjusted = holm([np.nan if d.p is None else d.p for d in (*whole.differences, *(one.difference for one in raw))])
    split = len(whole.differences)
    differences = [replace(d, p_holm=finite(p)) for d, p in zip(whole.differences, adjusted[:split], strict=True)]
    slices = [
        replace(one, difference=replace(one.difference, p_holm=finite(p)))
        for one, p in zip(raw, adjusted[split:], strict=True)
    ]
    told = {name: len({one.key for one in slices if one.by == name}) for name in slicings}
    left_out = {name: len(grouping.groups) - told[name] for name, grouping in slicings.items()}
    return SlicedComparison(replace(whole, differences=differences), slices, left_out)


def _raw(
    found: Mapping[str, Measured],
    pairs: Sequence[tuple[str, str]],
    slicings: Mapping[str, Grouping],
    draws: Draws,
    top: int,
) -> Iterator[SliceDifference]:
    """Yields differences that are not yet adjusted."""
    for name, grouping in slicings.items():
        large = replace(grouping, groups=[group for group in grouping.groups if len(group.rows) >= LEAST])
        for group in largest_groups(large, top):
            part = {run: part_of(of, group.rows) for run, of in found.items()}
            for difference in raw_differences(part, pairs, draws):
                yield SliceDifference(name, group.key, len(group.rows), difference)
