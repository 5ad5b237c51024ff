"""How much each choice on the way from attention to region matters, from the maps that a run kept.

One choice is changed at a time; the rest stays as the run had it. What is decided before there is a map (heads, tokens,
step, painting of boxes) needs the method again: run it with the other option and compare the runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast, get_args

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.regions import Shape
from foveate.core.soft_maps import READINGS, SoftMap
from foveate.errors import InputError, UsageError
from foveate.evaluation.estimates import Draws, Estimate, estimates, mean_of
from foveate.evaluation.grid_oracle import best_cells
from foveate.evaluation.results import Column, Results
from foveate.evaluation.what_if import mapped, what_if
from foveate.metrics._overlaps import accepted
from foveate.perception.attention import AttentionRule, Cut, grid_map, region_of

THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7)
_OPTIONS = ("reading", "normalise", "threshold", "region")
# What was decided before boxes were painted, or has no meaning then.
_BEFORE_PAINTING = ("reading", "normalise")


@dataclass(frozen=True)
class Choice:
    """One choice changed.

    Attributes:
        option: Which.
        value: To what.
        used: Whether the run had it so.
        mean_iou: Mean IoU with it.
        gain: Over the run's own choice, paired.
        no_region: How many samples have no region then.
    """

    option: str
    value: str
    used: bool
    mean_iou: Estimate
    gain: Estimate
    no_region: int


@dataclass(frozen=True)
class Choices:
    """All choices of a run.

    Attributes:
        name: The run's.
        n: Samples with a target and a map.
        rule: The run's own choices.
        choices: One a row, by option.
        painted: Whether maps are painted boxes, of which only threshold and region can be changed afterwards.
        best_cells: Mean IoU of the best choice of cells of the grid, the targets known: no attention on it can do more
            without reading between cells. None of painted boxes.
        unsized: Samples whose map was left out, since the size of their photo is not known.
    """

    name: str
    n: int
    rule: AttentionRule
    choices: Sequence[Choice]
    painted: bool
    best_cells: Estimate | None
    unsized: int

    def as_dict(self) -> dict[str, Any]:
        """Returns plain values."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class _Maps:
    """The maps of samples with targets, their rows and the sizes of their photos, and how many were left out."""

    rows: Sequence[int]
    maps: Sequence[SoftMap]
    sizes: Sequence[SizeHW]
    unsized: int


def attention_choices(results: Results, draws: Draws | None = None) -> Choices:
    """Returns what each choice on the way from attention to region is worth.

    Raises:
        InputError: The run kept no map of a sample that has a target.
    """
    rule, found = rule_of(results), _maps(results)
    if not found.rows:
        raise InputError(
            results.name, "no sample with a target has a map", "Take a run of a method that attends, such as mac."
        )
    if "reading" not in _config(results):
        rule = replace(rule, reading=found.maps[0].reading)
    painted = rule.reading != "cells" and any(soft.reading == "cells" for soft in found.maps)
    there = np.zeros(len(results))
    there[list(found.rows)] = 1.0
    own, _ = _measured(results, found, rule, painted=painted)
    tried = [(option, other) for option, other in _others(rule) if not (painted and option in _BEFORE_PAINTING)]
    measured = [_measured(results, found, other, painted=painted) for _, other in tried]
    statistics = {}
    for number, (iou, _) in enumerate(measured):
        statistics[f"value {number}"] = mean_of(iou, there)
        statistics[f"gain {number}"] = mean_of(iou - own, there)
    if not painted:
        statistics["cells"] = mean_of(_best_cells(results, found), there)
    told = estimates(statistics, results.groups, draws or Draws())
    rows = [
        Choice(option, str(getattr(other, option)), other == rule, told[f"value {n}"], told[f"gain {n}"], nowhere)
        for n, ((option, other), (_, nowhere)) in enumerate(zip(tried, measured, strict=True))
    ]
    return Choices(results.name, len(found.rows), rule, rows, painted, told.get("cells"), found.unsized)


def rule_of(results: Results) -> AttentionRule:
    """Returns how a run's attention became regions: its options where it has them, else the usual ones."""
    config = _config(results)
    try:
        return AttentionRule(**{name: config[name] for name in _OPTIONS if name in config})
    except (UsageError, TypeError) as error:
        raise InputError(results.name, f"its options are none of attention ({error})", "Take another run.") from error


def _config(results: Results) -> Mapping[str, Any]:
    header = results.loaded.header
    return header.config if header else {}


def _others(rule: AttentionRule) -> Iterator[tuple[str, AttentionRule]]:
    for reading in READINGS:
        yield "reading", replace(rule, reading=reading)
    # Without the attention itself, only what comes of the normalised map can be tried.
    for normalise in ("max", "range") if rule.normalise != "range" else ("range",):
        yield "normalise", replace(rule, normalise=normalise)
    for threshold in sorted({*THRESHOLDS, rule.threshold}):
        yield "threshold", replace(rule, threshold=threshold)
    for region in get_args(Cut):
        yield "region", replace(rule, region=cast("Cut", region))


def _maps(results: Results) -> _Maps:
    rows, maps, sizes, unsized = [], [], [], 0
    for row, reference, size_hw in mapped(results):
        if size_hw is None:
            unsized += 1
            continue
        rows.append(row)
        maps.append(reference.load())
        sizes.append(size_hw)
    return _Maps(rows, maps, sizes, unsized)


def _measured(results: Results, found: _Maps, rule: AttentionRule, *, painted: bool) -> tuple[Column, int]:
    """Returns each sample's IoU by a rule, 0 where it gives no region, and how many have none."""
    regions: list[tuple[int, Shape]] = []
    for row, soft, size_hw in zip(found.rows, found.maps, found.sizes, strict=True):
        region = region_of(_again(soft, rule, painted=painted), size_hw, rule)
        if region:
            regions.append((row, region.shape))
    iou = what_if(results, regions).best(len(results)) if regions else np.zeros(len(results))
    return iou, len(found.rows) - len(regions)


def _best_cells(results: Results, found: _Maps) -> Column:
    regions: list[tuple[int, Shape]] = []
    for row, soft, size_hw in zip(found.rows, found.maps, found.sizes, strict=True):
        tried = (best_cells(soft, shape, size_hw) for shape in accepted(results.truths[row]))
        regions.extend((row, mask) for mask in tried if mask is not None)
    return what_if(results, regions).best(len(results)) if regions else np.zeros(len(results))


def _again(soft: SoftMap, rule: AttentionRule, *, painted: bool) -> SoftMap | None:
    """Returns a kept map as another rule would have made it; painted boxes stay as they are painted."""
    made = grid_map(soft.values, (1, 1), rule)
    return None if made is None else SoftMap(made.values, soft.affine, soft.reading if painted else rule.reading)
