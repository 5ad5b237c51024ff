"""A prediction: all that a grounder says about one query."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

from foveate.core.boxes import SizeHW, size_problem
from foveate.core.regions import Region
from foveate.core.soft_maps import ScoreMap

Status = Literal["ok", "no_region", "invalid_output", "error", "timeout"]
STATUSES: tuple[Status, ...] = get_args(Status)


def order_problem(scores: Sequence[float | None]) -> str | None:
    """Returns what is wrong with the order of candidates by their scores, None where nothing is."""
    known = [score for score in scores if score is not None]
    disordered = any(left < right for left, right in pairwise(known))
    return "candidates come in the order of their score, best first" if disordered else None


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a grounder says about one query; failure is a state, never a box of zeros.

    Attributes:
        id: The query's id; empty while a grounder hands it to the runner, which knows the id.
        status: `ok` has a `final` region; `no_region` says that the photo shows no evidence; `invalid_output`,
            `error` and `timeout` are failures of the method.
        answer: The answer in words, or None where the method gives none.
        answer_score: How sure the method is of the answer, 0 to 1, or None.
        final: The region that is scored; there is one exactly when the status is `ok`.
        candidates: Regions considered, best first; `final` is usually the first of them.
        size_hw: Height and width of the upright photo; None in entries that do not tell it.
        seconds: Time spent on this query, a photo's preparation included for the first question about it.
        reason: Why there is no region, in a sentence; required whenever the status is not `ok`.
        map: How strongly each place counted for the method (its attention, say), where it tells; of any status.
    """

    id: str
    status: Status
    answer: str | None = None
    answer_score: float | None = None
    final: Region | None = None
    candidates: tuple[Region, ...] = ()
    size_hw: SizeHW | None = None
    seconds: float = 0.0
    reason: str | None = None
    map: ScoreMap | None = None

    def __post_init__(self) -> None:
        self._check_kinds()
        if not isinstance(self.status, str) or self.status not in STATUSES:
            raise ValueError(f"status is one of {', '.join(STATUSES)}, not {self.status}")
        if (self.final is not None) != (self.status == "ok"):
            raise ValueError(f"a prediction has a final region exactly when it is ok; here status is {self.status}")
        if self.status != "ok" and not self.reason:
            raise ValueError(f"a prediction with status {self.status} needs a reason")
        if self.answer_score is not None:
            object.__setattr__(self, "answer_score", float(self.answer_score))
        if self.answer_score is not None and not 0.0 <= self.answer_score <= 1.0:
            raise ValueError(f"answer_score is a number from 0 to 1, not {self.answer_score}")
        if not (math.isfinite(self.seconds) and self.seconds >= 0.0):
            raise ValueError(f"seconds is a number of at least 0, not {self.seconds}")
        self._check_regions()

    def _check_kinds(self) -> None:
        if not (self.final is None or isinstance(self.final, Region)):
            raise ValueError(f"final is a Region, not {type(self.final).__name__}")
        if not all(isinstance(region, Region) for region in self.candidates):
            raise ValueError("candidates are Regions")
        if not (self.map is None or isinstance(self.map, ScoreMap)):
            raise ValueError(f"map is a SoftMap, not {type(self.map).__name__}")
        if not all(text is None or isinstance(text, str) for text in (self.id, self.answer, self.reason)):
            raise ValueError("id, answer and reason are texts")

    def _check_regions(self) -> None:
        problem = size_problem(self.size_hw) if self.size_hw else None
        if problem:
            raise ValueError(problem)
        problem = order_problem([region.score for region in self.candidates])
        if problem:
            raise ValueError(problem)
        for region in self.groundings:
            # The shape has judged itself; here it meets the photo.
            problem = region.shape.problem(self.size_hw) if self.size_hw else None
            if problem:
                raise ValueError(problem)

    @property
    def groundings(self) -> tuple[Region, ...]:
        """The regions as callers read them: the final one first, then the other candidates."""
        if self.final is None or self.candidates[:1] == (self.final,):
            return self.candidates
        return (self.final, *(c for c in self.candidates if c != self.final))
