"""What came of an admission: how many got how far, which gold questions are hard, how the trial went."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median

from foveate.core.overlap import mask_iou
from foveate.core.rle import Rle
from foveate.quality.judgements import Judgement
from foveate.quality.qualification import State, Try

# Of the first paper's annotators so many finished the trial, and so many were hired; it tells no other number.
PAPER = {"finished_trial": 27, "admitted": 9}


@dataclass(frozen=True, slots=True)
class Course:
    """How far one person has come.

    Attributes:
        state: Where they are.
        applied: Whether they applied; not, where an organiser only imported what is known of them.
        met: Whether they met the requirements.
        passed: Whether they passed the qualification.
        finished: Whether they finished the trial.
        tries: Their attempts, in order.
        seconds: How long each attempt had their attention, likewise.
    """

    state: State
    applied: bool
    met: bool
    passed: bool
    finished: bool
    tries: Sequence[Try] = ()
    seconds: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Hardness:
    """How hard a gold question is.

    Attributes:
        question: Its key.
        people: How many tried it.
        first_failed: How many of them failed at the first attempt.
        attempts: Attempts in all.
        passed: How many people passed it in the end.
    """

    question: str
    people: int
    first_failed: int
    attempts: int
    passed: int

    @property
    def share(self) -> float | None:
        """The share of first attempts that failed; None where nobody has tried it."""
        return self.first_failed / self.people if self.people else None


@dataclass(frozen=True, slots=True)
class Report:
    """What came of an admission.

    Attributes:
        funnel: How many applied, met the requirements, passed, finished the trial, were admitted.
        states: How many are in each state now.
        questions: The gold questions, the hardest first; of equals in the order of the qualification.
        attempts: Attempts in all.
        median_seconds: The median time of an attempt; None where there is none.
    """

    funnel: Mapping[str, int]
    states: Mapping[str, int]
    questions: tuple[Hardness, ...]
    attempts: int
    median_seconds: float | None


@dataclass(frozen=True, slots=True)
class TrialFacts:
    """What one person did in the trial.

    Attributes:
        sent: Tasks.
        median_seconds: The median time of a task; None where nothing was sent.
        mean_points: Corners of an outline in the mean; None where none was drawn.
        mean_overlap: The mean IoU with others who drew the same tasks; None where nobody did.
        pairs: How many pairs that mean is of.
        alone: Tasks for which this person alone drew, or alone did not, of those that at least two others have done.
    """

    sent: int
    median_seconds: float | None
    mean_points: float | None
    mean_overlap: float | None
    pairs: int
    alone: int


def report_of(courses: Sequence[Course], questions: Sequence[str]) -> Report:
    """Returns what came of an admission.

    Args:
        courses: Of all people.
        questions: The keys of the gold questions, in their order.
    """
    applied = [one for one in courses if one.applied]
    funnel = {
        "applied": len(applied),
        "met_requirements": sum(one.met for one in applied),
        "passed_qualification": sum(one.passed for one in applied),
        "finished_trial": sum(one.finished for one in applied),
        "admitted": sum(one.state == "admitted" for one in courses),
    }
    states: dict[str, int] = {}
    for one in courses:
        states[one.state] = states.get(one.state, 0) + 1
    hard = [_hardness(key, courses) for key in questions]
    hard.sort(key=lambda one: -(one.share or 0.0))
    seconds = [value for one in courses for value in one.seconds]
    return Report(funnel, states, tuple(hard), len(seconds), median(seconds) if seconds else None)


def trial_facts(judgements: Iterable[Judgement], annotator: str) -> TrialFacts:
    """Returns what one person did in the trial, beside the others.

    Regions are compared as masks on the photo, boxes too, since some choose the whole photo where others draw.

    Args:
        judgements: Of all people in the trial.
        annotator: The person's pseudonym.
    """
    tasks: dict[str, list[Judgement]] = {}
    for one in judgements:
        tasks.setdefault(one.task, []).append(one)
    overlaps: list[float] = []
    mine, alone = [], 0
    for done in tasks.values():
        own = [one for one in done if one.annotator == annotator]
        if not own:
            continue
        mine.append(own[0])
        others = [one for one in done if one.annotator != annotator]
        overlaps += _overlaps(own[0], others)
        drew = [one.said.shape is not None for one in others]
        alone += len(drew) > 1 and len(set(drew)) == 1 and drew[0] != (own[0].said.shape is not None)
    points = [one.points for one in mine if one.points]
    return TrialFacts(
        len(mine),
        median([one.seconds for one in mine]) if mine else None,
        fmean(points) if points else None,
        fmean(overlaps) if overlaps else None,
        len(overlaps),
        alone,
    )


def mean_overlap(judgements: Iterable[Judgement]) -> tuple[float | None, int]:
    """Returns the mean IoU of all pairs of people who drew the same tasks, and how many pairs there are."""
    tasks: dict[str, list[tuple[Rle, str]]] = {}
    for one in judgements:
        if one.said.shape is not None:
            tasks.setdefault(one.task, []).append((one.said.shape.rle(one.size_hw), one.annotator))
    pairs = [(a[0], b[0]) for drawn in tasks.values() for a, b in combinations(drawn, 2)]
    if not pairs:
        return None, 0
    found = mask_iou([a for a, _ in pairs], [b for _, b in pairs], empty=0.0)
    return float(found.mean()), len(pairs)


def _overlaps(own: Judgement, others: Sequence[Judgement]) -> list[float]:
    shapes = [one.said.shape for one in others if one.said.shape is not None]
    if own.said.shape is None or not shapes:
        return []
    mask = own.said.shape.rle(own.size_hw)
    found = mask_iou([mask] * len(shapes), [shape.rle(own.size_hw) for shape in shapes], empty=0.0)
    return [float(value) for value in found]


def _hardness(question: str, courses: Sequence[Course]) -> Hardness:
    people = first_failed = attempts = passed = 0
    for one in courses:
        tries = [found for found in one.tries if found.question == question]
        people += bool(tries)
        first_failed += bool(tries) and not tries[0].passed
        attempts += len(tries)
        passed += any(found.passed for found in tries)
    return Hardness(question, people, first_failed, attempts, passed)
