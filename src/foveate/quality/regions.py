"""The regions of judgements as columns: whose, of which task, where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, box_area, size_difference
from foveate.core.regions import Box, Shape
from foveate.core.rle import Rle
from foveate.errors import InputError
from foveate.quality.judgements import Judgement

Whole = NDArray[np.int64]
Frame = Literal["unit", "pixels"]


@dataclass(frozen=True, eq=False)
class Regions:
    """Regions, those of one task behind one another; tasks in the order of their first judgement.

    Attributes:
        tasks: The keys of all tasks that were judged.
        annotators: The names of all who judged.
        task: ``int64 (N,)``, the number of each region's task.
        annotator: ``int64 (N,)``, the number of each region's annotator.
        size_hw: ``int64 (N, 2)``, height and width of each region's photo.
        shapes: ``N`` shapes.
        silent: ``int64 (T,)``, how many people judged each task without drawing.
    """

    tasks: tuple[str, ...]
    annotators: tuple[str, ...]
    task: Whole
    annotator: Whole
    size_hw: Whole
    shapes: tuple[Shape, ...]
    silent: Whole

    @property
    def boxes(self) -> bool:
        """Whether all are boxes, which are compared without pixels."""
        return all(isinstance(shape, Box) for shape in self.shapes)

    @cached_property
    def drawn(self) -> Whole:
        """How many regions each task has ``(T,)``."""
        return np.bincount(self.task, minlength=len(self.tasks)).astype(np.int64)

    @cached_property
    def pairable(self) -> Whole:
        """The places of the regions whose task has at least two."""
        return np.flatnonzero(self.drawn[self.task] >= 2) if self.shapes else np.zeros(0, dtype=np.int64)

    @cached_property
    def masks(self) -> tuple[Rle, ...]:
        """The regions as pixels of their photos, made once, when they are asked for."""
        sizes = [(height, width) for height, width in self.size_hw.tolist()]
        return tuple(shape.rle(size) for shape, size in zip(self.shapes, sizes, strict=True))

    def xyxy(self, frame: Frame = "pixels") -> Boxes:
        """Returns the boxes around the regions ``(N, 4)``: in pixels, or as shares of the photo's sides."""
        found = np.array([shape.xyxy for shape in self.shapes]).reshape(-1, 4)
        return found / self.size_hw[:, [1, 0, 1, 0]] if frame == "unit" else found


def regions_of(judgements: Iterable[Judgement]) -> Regions:
    """Returns the regions that people drew.

    Raises:
        InputError: A person judged a task twice, two judgements of a task are of photos of different sizes, or a box is
            so small that it has no area.
    """
    by_task: dict[str, dict[str, Judgement]] = {}
    for judgement in judgements:
        others = by_task.setdefault(judgement.task, {})
        _check(judgement, others)
        others[judgement.annotator] = judgement
    people = {name: n for n, name in enumerate(dict.fromkeys(name for said in by_task.values() for name in said))}
    rows = [(n, judgement) for n, said in enumerate(by_task.values()) for judgement in said.values()]
    drawn = [(n, one, one.said.shape) for n, one in rows if one.said.shape is not None]
    silent = [n for n, one in rows if one.said.shape is None]
    return Regions(
        tuple(by_task),
        tuple(people),
        np.array([n for n, _, _ in drawn], dtype=np.int64),
        np.array([people[one.annotator] for _, one, _ in drawn], dtype=np.int64),
        np.array([one.size_hw for _, one, _ in drawn], dtype=np.int64).reshape(-1, 2),
        tuple(shape for _, _, shape in drawn),
        np.bincount(np.array(silent, dtype=np.int64), minlength=len(by_task)).astype(np.int64),
    )


def _check(judgement: Judgement, others: dict[str, Judgement]) -> None:
    task, shape = judgement.task, judgement.said.shape
    if judgement.annotator in others:
        problem = f"{judgement.annotator} judged it twice"
        raise InputError(task, problem, "Keep one judgement of each person.")
    for other in list(others.values())[:1]:
        difference = size_difference(judgement.size_hw, other.size_hw)
        if difference:
            raise InputError(task, f"for one judgement the photo is {difference}", "One task has one photo.")
    if isinstance(shape, Box) and not box_area(shape.xyxy):
        raise InputError(task, f"the box of {judgement.annotator} is too small to have an area", "Look at the file.")
