"""How a run does on parts of the samples: by their targets, questions, answers, and what the data set knows of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from foveate.analysis.columns import Grouping
from foveate.analysis.groups import largest_groups
from foveate.analysis.summaries import Summary, share, summary
from foveate.evaluation._parts import Drawn, Rows, Values, bounded, drawn_parts, drawn_rests, measured_of, tells
from foveate.evaluation._slicings import LEAST, slicings, slicings_named
from foveate.evaluation.compare import Draws
from foveate.evaluation.evaluate import finite
from foveate.evaluation.measured import Measured
from foveate.evaluation.results import Results

__all__ = ["LEAST", "Slice", "SliceValue", "Sliced", "sliced", "slicings", "slicings_named"]

# Of more slices than this the largest are told.
TOP = 50


@dataclass(frozen=True)
class SliceValue:
    """One metric on one slice.

    Attributes:
        value: None where it is not defined.
        low: Lower end of its 95 % interval (photos of the whole set are resampled); None of fewer than `LEAST` samples
            or photos.
        high: Upper end.
        n: Over how many samples `value` is.
        rest: The value on all samples outside the slice.
        difference: `value` minus `rest`.
        difference_low: Lower end of its 95 % interval; None where the slice, or the rest, is of too few for one.
        difference_high: Upper end.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    rest: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None


@dataclass(frozen=True)
class Slice:
    """The samples that have something in common.

    Attributes:
        key: What they have in common.
        n: How many they are.
        n_grounded: How many of them have a target.
        without_region: The share of those with a target for which there is no region, whatever the reason.
        iou: How IoU is distributed over those with a target; 0 without a region.
        values: By metric.
    """

    key: str
    n: int
    n_grounded: int
    without_region: float | None
    iou: Summary
    values: Mapping[str, SliceValue]


@dataclass(frozen=True)
class Sliced:
    """One way to part the samples; a sample may be in several slices, or in none.

    Attributes:
        name: By what: `quality`.
        known: Of how many samples it is known.
        note: The rule behind it, where there is one.
        slices: In the order of the slicing.
        more: How many further slices are not told.
    """

    name: str
    known: int
    note: str
    slices: Sequence[Slice]
    more: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Returns what `foveate score --by --json` prints."""
        return asdict(self)


def sliced(
    results: Results, slicings: Mapping[str, Grouping], metrics: Sequence[str], draws: Draws, *, top: int = TOP
) -> dict[str, Sliced]:
    """Returns a run by slices, each with its difference from the rest; one bootstrap serves all of them.

    Args:
        results: The run.
        slicings: What `slicings` or `slicings_named` gives.
        metrics: Names, with a parameter after `@`.
        draws: Resamples and seed; nothing is permuted.
        top: At most so many slices of each slicing, the first in its order.

    Raises:
        UsageError: There is no such metric.
        InputError: A metric cannot measure these data.
    """
    found = measured_of(results, metrics)
    told = {name: largest_groups(grouping, top) for name, grouping in slicings.items()}
    parts = [group.rows for groups in told.values() for group in groups]
    drawn = drawn_parts(found, parts, draws)
    rests = drawn_rests(found, parts, drawn, draws)
    made: dict[str, Sliced] = {}
    number = 0
    for name, groups in told.items():
        slices = []
        for group in groups:
            outside = _tell_rests(found, results, group.rows)
            at = slice(number, number + 1)
            values = {m: _value(results, group.rows, drawn[m].of(at), rests[m][:, number], outside[m]) for m in drawn}
            slices.append(_slice(results, group.key, group.rows, values))
            number += 1
        grouping = slicings[name]
        made[name] = Sliced(name, grouping.known, grouping.note, slices, len(grouping.groups) - len(groups))
    return made


def _slice(results: Results, key: str, rows: Rows, values: Mapping[str, SliceValue]) -> Slice:
    regions = results.regions
    grounded = rows[regions["grounded"][rows] > 0]
    without = share(regions["shown"][grounded] == 0)
    return Slice(key, len(rows), len(grounded), without, summary(regions["iou"][grounded]), values)


def _tell_rests(found: Measured, results: Results, rows: Rows) -> dict[str, bool]:
    """Returns by metric whether the samples outside a slice are enough for an interval."""
    inside = np.zeros((1, len(results)))
    inside[0, rows] = 1.0
    outside = np.flatnonzero(inside[0] == 0)
    counted = {m.name: float(found.reduce(m, 1.0 - inside)["n"][0]) for m in found.metrics}
    return {name: tells(results, outside, round(float(np.nan_to_num(n))), LEAST) for name, n in counted.items()}


def _value(results: Results, rows: Rows, drawn: Drawn, rest: Values, rest_tells: bool) -> SliceValue:
    here, n = drawn.values[:, 0], round(float(np.nan_to_num(drawn.n[0, 0])))
    told = tells(results, rows, n, LEAST)
    own, difference = bounded(here, told=told), bounded(here - rest, told=told and rest_tells)
    return SliceValue(
        own.value,
        own.low,
        own.high,
        n,
        finite(float(rest[0])),
        difference.value,
        difference.low,
        difference.high,
    )
