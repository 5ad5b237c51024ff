"""Samples as the report's pictures and tables need them: the question, the target, and what each run said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foveate.core.boxes import SizeHW, box_area
from foveate.core.predictions import STATUSES, Prediction
from foveate.core.regions import Box
from foveate.core.rle import area
from foveate.core.truths import Truth
from foveate.evaluation.measured import Columns
from foveate.metrics._overlaps import accepted
from foveate.reports.study import RunStudy, Study

STATES = (*STATUSES, "missing")


@dataclass(frozen=True, slots=True)
class Said:
    """What one run said about one sample.

    Attributes:
        prediction: None where it is missing.
        iou: 0 where there is no region; None where the truth has no target, or it cannot be measured.
        correct: Whether the answer is the expected one; None where nothing tells, or none was given.
    """

    prediction: Prediction | None
    iou: float | None
    correct: bool | None

    @property
    def state(self) -> str:
        """The status, or `missing`."""
        return "missing" if self.prediction is None else self.prediction.status

    @property
    def score(self) -> float | None:
        """How sure the method is of its region."""
        return self.prediction.final.score if self.prediction and self.prediction.final else None

    @property
    def answer(self) -> str | None:
        """The answer in words; None where it is blank."""
        answer = self.prediction.answer if self.prediction else None
        return answer if answer and answer.strip() else None

    @property
    def ok(self) -> bool:
        """Whether there is a region."""
        return self.prediction is not None and self.prediction.status == "ok"


@dataclass(frozen=True, slots=True)
class Row:
    """One sample.

    Attributes:
        truth: Its answers and targets.
        question: As it was asked.
        photo: The photo's file name.
        size_hw: Of the upright photo, where anything tells it.
        coverage: The share of the photo that the target covers; of several accepted ones the smallest.
        said: One a run.
    """

    truth: Truth
    question: str
    photo: str
    size_hw: SizeHW | None
    coverage: float | None
    said: tuple[Said, ...]

    @property
    def answers(self) -> list[tuple[str, int]]:
        """The accepted answers with how many people gave each, the most common first."""
        given = self.truth.answers or tuple(t.answer for t in self.truth.targets if t.answer)
        return Counter(given).most_common()

    @property
    def grounded(self) -> bool:
        """Whether there is a target."""
        return bool(self.truth.targets)

    @property
    def least(self) -> float:
        """The least IoU of any run; above all others where there is none."""
        return min((said.iou for said in self.said if said.iou is not None), default=2.0)

    def gain(self, run: int) -> float | None:
        """Returns by how much a run's IoU is above the first's."""
        first, this = self.said[0].iou, self.said[run].iou
        return None if first is None or this is None else this - first


def rows_of(study: Study) -> list[Row]:
    """Returns all samples, in the order of the data set."""
    queries = {query.id: query for query in study.runs[0].loaded.queries}
    said = [_said(run) for run in study.runs]
    rows = []
    for n, truth in enumerate(study.truths):
        of_runs = tuple(column[n] for column in said)
        query = queries.get(truth.id)
        sizes = (truth.size_hw, *(s.prediction.size_hw for s in of_runs if s.prediction), query and query.size_hw)
        size_hw = next((size for size in sizes if size), None)
        question, photo = (query.question, query.image_name) if query else ("", truth.id)
        rows.append(Row(truth, question, photo, size_hw, _coverage(truth, size_hw), of_runs))
    return rows


def _said(run: RunStudy) -> list[Said]:
    predictions = run.found.joined.predictions
    iou = _of_regions(run.regions, len(predictions))
    correct = _correct(run.answers, len(predictions))
    return [Said(*one) for one in zip(predictions, iou, correct, strict=True)]


def _of_regions(columns: Columns | None, count: int) -> Sequence[float | None]:
    if columns is None:
        return [None] * count
    return [
        iou if grounded else None
        for iou, grounded in zip(columns["iou"].tolist(), columns["grounded"].tolist(), strict=True)
    ]


def _correct(columns: Columns | None, count: int) -> Sequence[bool | None]:
    if columns is None:
        return [None] * count
    known = np.logical_and(columns["keyed"] > 0, columns["answered"] > 0).tolist()
    return [bool(exact) if told else None for exact, told in zip(columns["exact"].tolist(), known, strict=True)]


def _coverage(truth: Truth, size_hw: SizeHW | None) -> float | None:
    if size_hw is None or not truth.targets:
        return None
    try:
        shapes = accepted(truth)
    except ValueError:
        return None
    areas = [
        float(box_area(shape.xyxy)) if isinstance(shape, Box) else float(area(shape.rle(size_hw))) for shape in shapes
    ]
    return min(areas) / (size_hw[0] * size_hw[1])
