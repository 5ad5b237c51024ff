"""How well people do it: each person against the others, and runs relative to how far people agree.

A person is scored as a method would be, with what the others drew for the same answer as the targets (leave one out). A
run is set beside their agreement in the same way as two people are: against one person at a time. Its own mean IoU,
where the best of all targets counts, is a little more than that, and more the more people drew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from foveate.analysis.agreement import by_person
from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.regions import Mask, Region, Shape
from foveate.core.rle import merge
from foveate.core.truths import Target, Truth
from foveate.errors import InputError
from foveate.evaluation.estimates import Draws, Estimate, estimates, mean_of, ratio_of
from foveate.evaluation.results import Column, Results
from foveate.metrics import boundary_tolerant_iou
from foveate.metrics._overlaps import measure

_TOLERANT = f"tolerant@{boundary_tolerant_iou.CARD.default_parameter:g}"


@dataclass(frozen=True)
class Person:
    """A person, scored as a method.

    Attributes:
        name: Who.
        n: Samples that another person drew as well.
        value: Mean IoU against the others.
        tolerant: Boundary-tolerant IoU; not defined where photos' sizes are not known.
    """

    name: str
    n: int
    value: Estimate
    tolerant: Estimate


@dataclass(frozen=True)
class Beside:
    """A run beside people.

    Attributes:
        name: The run's.
        value: Its mean IoU, on the same samples and counted in the same way as theirs.
        relative: Its mean IoU as a share of theirs.
        each: The mean over samples of that share, where theirs is not 0.
        n_each: How many samples that is over.
        tolerant: Its boundary-tolerant IoU.
        tolerant_relative: As a share of theirs.
    """

    name: str
    value: Estimate
    relative: Estimate
    each: Estimate
    n_each: int
    tolerant: Estimate
    tolerant_relative: Estimate


@dataclass(frozen=True)
class Crowd:
    """What people drew, given as predictions, and runs beside it.

    Attributes:
        name: The file's.
        n: Samples with a target.
        value: Mean IoU of the crowd.
        tolerant: Its boundary-tolerant IoU.
        runs: Runs relative to it.
    """

    name: str
    n: int
    value: Estimate
    tolerant: Estimate
    runs: Sequence[Beside]


@dataclass(frozen=True)
class Ceiling:
    """What people reach.

    Attributes:
        n: Samples that two or more named people drew for one answer.
        n_targets: Samples with a target.
        unnamed: Samples with several targets that do not say who drew them; they could all be one person's.
        together: All people, each against the others: the mean over samples of their mean.
        people: Each alone.
        agreement: Mean IoU of two people's drawings of one sample.
        tolerant_agreement: The same, boundary-tolerant.
        runs: Relative to the agreement.
        crowd: Where predictions of people are given.
    """

    n: int
    n_targets: int
    unnamed: int
    together: Person
    people: Sequence[Person]
    agreement: Estimate
    tolerant_agreement: Estimate
    runs: Sequence[Beside]
    crowd: Crowd | None = None

    def as_dict(self) -> dict[str, Any]:
        """Returns the ceiling as plain values."""
        return asdict(self)


def ceiling(
    runs: Sequence[Results], people: Results | None = None, *, draws: Draws | None = None, tolerant: bool = True
) -> Ceiling:
    """Returns how well people do, and runs beside them.

    Args:
        runs: One or more, on the same samples in the same order (`all_results`).
        people: What people drew for the same samples, as predictions.
        draws: For the intervals.
        tolerant: Whether boundaries are forgiven as well, which takes some milliseconds a region.

    Raises:
        InputError: What one person drew in pieces cannot be put together, since the photo's size is not known.
    """
    draws = draws or Draws()
    first = runs[0]
    drawn = {row: found for row, truth in enumerate(first.truths) if (found := _drawn(truth))}
    of = np.array([row in drawn for row in range(len(first))], dtype=np.float64)
    alone = _measured(_left_out(first.truths, drawn), len(first), tolerant)
    paired = _measured(_paired(first.truths, drawn), len(first), tolerant)
    names = dict.fromkeys(name for found in drawn.values() for name, _, _ in found)
    together = _person("", alone, of, first.groups, draws)
    return Ceiling(
        n=int(of.sum()),
        n_targets=int(first.regions["grounded"].sum()),
        unnamed=sum(_is_unnamed(truth) for row, truth in enumerate(first.truths) if row not in drawn),
        together=together,
        people=[_person(name, alone, _who(drawn, name, len(first)), first.groups, draws) for name in names],
        agreement=_person("", paired, of, first.groups, draws).value,
        tolerant_agreement=_person("", paired, of, first.groups, draws).tolerant,
        runs=[_beside(run, _measured(_of_run(run, drawn), len(run), tolerant), paired, of, draws) for run in runs],
        crowd=_crowd(runs, people, draws, tolerant) if people else None,
    )


# Who drew it, the region, and the others' regions for the same answer.
_Drawing = tuple[str, Shape, Sequence[Shape]]
# A row, who, and what is compared.
_Entry = tuple[int, str, Prediction, Truth]


@dataclass(frozen=True, eq=False)
class _Found:
    """Entries measured: the mean by row, and by row of each person."""

    iou: Column
    tolerant: Column | None
    by_person: Mapping[str, tuple[Column, Column | None]]


def _drawn(truth: Truth) -> list[_Drawing]:
    found: list[_Drawing] = []
    for people in by_person(truth.targets).values():
        shapes = {name: _one(truth.id, targets, truth.size_hw) for name, targets in people.items()}
        if len(shapes) > 1:
            found += [(name, shape, [s for n, s in shapes.items() if n != name]) for name, shape in shapes.items()]
    return found


def _one(sample: str, targets: Sequence[Target], size_hw: SizeHW | None) -> Shape:
    """Returns what a person drew as one region."""
    shape = targets[0].shape
    if len(targets) == 1 and isinstance(shape, Shape):
        return shape
    if size_hw is None:
        raise InputError(
            sample,
            "one person drew several pieces, and nothing tells the photo's size",
            "Put the photos below the root.",
        )
    return Mask(merge([target.shape.rle(size_hw) for target in targets]))


def _is_unnamed(truth: Truth) -> bool:
    return len(truth.targets) > 1 and any(target.annotator is None for target in truth.targets)


def _left_out(truths: Sequence[Truth], drawn: Mapping[int, Sequence[_Drawing]]) -> Iterator[_Entry]:
    for row, found in drawn.items():
        for name, shape, others in found:
            yield row, name, _said(truths[row], shape), _asked(truths[row], others)


def _paired(truths: Sequence[Truth], drawn: Mapping[int, Sequence[_Drawing]]) -> Iterator[_Entry]:
    """Yields each two people's drawings, once each way, since the tolerance goes by the target."""
    for row, found in drawn.items():
        for name, shape, others in found:
            for other in others:
                yield row, name, _said(truths[row], shape), _asked(truths[row], [other])


def _of_run(run: Results, drawn: Mapping[int, Sequence[_Drawing]]) -> Iterator[_Entry]:
    for row, found in drawn.items():
        prediction = run.predictions[row]
        for name, shape, _ in found:
            silent = Prediction(run.truths[row].id, "no_region", reason="missing")
            yield row, name, prediction or silent, _asked(run.truths[row], [shape])


def _said(truth: Truth, shape: Shape) -> Prediction:
    return Prediction(truth.id, "ok", final=Region(shape, None), size_hw=truth.size_hw)


def _asked(truth: Truth, shapes: Sequence[Shape]) -> Truth:
    return Truth(truth.id, targets=tuple(map(Target, shapes)), match="any", size_hw=truth.size_hw)


def _measured(entries: Iterator[_Entry], count: int, tolerant: bool) -> _Found:
    listed = list(entries)
    rows = np.array([row for row, *_ in listed], dtype=np.int64)
    who = np.array([name for _, name, _, _ in listed])
    said, asked = [entry[2] for entry in listed], [entry[3] for entry in listed]
    iou = measure(said, asked)["iou"]
    forgiving = boundary_tolerant_iou.measure(said, asked)[_TOLERANT] if tolerant and _sized(asked) else None

    def means(of: Any) -> tuple[Column, Column | None]:
        return _mean_by_row(rows[of], iou[of], count), None if forgiving is None else _mean_by_row(
            rows[of], forgiving[of], count
        )

    everyone = means(np.ones(len(listed), dtype=bool))
    return _Found(*everyone, {name: means(who == name) for name in dict.fromkeys(who.tolist())})


def _mean_by_row(rows: Any, values: Column, count: int) -> Column:
    sums, times = (np.bincount(rows, weights=w, minlength=count) for w in (values, np.ones(len(values))))
    return np.asarray(sums / np.maximum(times, 1.0), dtype=np.float64)


def _sized(truths: Sequence[Truth]) -> bool:
    return all(truth.size_hw is not None for truth in truths)


def _who(drawn: Mapping[int, Sequence[_Drawing]], name: str, count: int) -> Column:
    return np.array([any(name == who for who, _, _ in drawn.get(row, ())) for row in range(count)], dtype=np.float64)


def _person(name: str, found: _Found, of: Column, groups: Sequence[str], draws: Draws) -> Person:
    iou, tolerant = found.by_person[name] if name else (found.iou, found.tolerant)
    told = estimates({"value": mean_of(iou, of), **_if_there("tolerant", tolerant, of)}, groups, draws)
    return Person(name, int(of.sum()), told["value"], told.get("tolerant", _NOTHING))


_NOTHING = Estimate(None, None, None)


def _if_there(name: str, values: Column | None, of: Column) -> dict[str, Any]:
    return {} if values is None else {name: mean_of(values, of)}


def _beside(run: Results, mine: _Found, theirs: _Found, of: Column, draws: Draws) -> Beside:
    hold = of * (theirs.iou > 0)
    share = np.divide(mine.iou, theirs.iou, out=np.zeros(len(run)), where=theirs.iou > 0)
    wanted = {"value": mean_of(mine.iou, of), "relative": ratio_of(mine.iou * of, theirs.iou * of)}
    wanted |= {"each": mean_of(share, hold), **_if_there("tolerant", mine.tolerant, of)}
    if mine.tolerant is not None and theirs.tolerant is not None:
        wanted["tolerant_relative"] = ratio_of(mine.tolerant * of, theirs.tolerant * of)
    told = estimates(wanted, run.groups, draws)
    return Beside(
        run.name,
        told["value"],
        told["relative"],
        told["each"],
        int(hold.sum()),
        told.get("tolerant", _NOTHING),
        told.get("tolerant_relative", _NOTHING),
    )


def _crowd(runs: Sequence[Results], people: Results, draws: Draws, tolerant: bool) -> Crowd:
    of = people.regions["grounded"]
    theirs = _whole(people, tolerant)
    told = _person("", theirs, of, people.groups, draws)
    beside = [_beside(run, _whole(run, tolerant), theirs, of, draws) for run in runs]
    return Crowd(people.name, told.n, told.value, told.tolerant, beside)


def _whole(run: Results, tolerant: bool) -> _Found:
    """Returns a run as its own metric measures it."""
    forgiving = None
    if tolerant and _sized([truth for truth in run.truths if truth.targets]):
        forgiving = boundary_tolerant_iou.measure(run.predictions, run.truths)[_TOLERANT]
    return _Found(run.regions["iou"], forgiving, {})
