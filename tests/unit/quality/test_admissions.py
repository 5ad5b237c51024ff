"""The report of an admission, and what one person did in a trial: every number by hand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from foveate.core.regions import Polygon
from foveate.quality.admissions import Course, mean_overlap, report_of, trial_facts
from foveate.quality.judgements import Judgement, Said
from foveate.quality.qualification import State, Try

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def course(state: State, upto: int, tries: str = "", *, applied: bool = True, seconds: float = 10) -> Course:
    found = [Try(one[0], one[1] == "+", NOON) for one in tries.split()]
    return Course(state, applied, upto > 0, upto > 1, upto > 2, found, [seconds] * len(found))


def test_the_funnel_and_the_hardest_questions() -> None:
    courses = [
        course("admitted", 3, "a+ b- b+"),
        course("waiting", 3, "a- a+ b- b- b+", seconds=40),
        course("failed", 1, "a- a- a-"),
        course("trial", 2, "b+ a+"),
        course("requirements", 0),
        course("requirements", 0, applied=False),
    ]
    found = report_of(courses, ["c", "a", "b"])
    assert found.funnel == {
        "applied": 5,
        "met_requirements": 4,
        "passed_qualification": 3,
        "finished_trial": 2,
        "admitted": 1,
    }
    assert found.states == {"admitted": 1, "waiting": 1, "failed": 1, "trial": 1, "requirements": 2}
    told = [
        (one.question, one.people, one.first_failed, one.attempts, one.passed, one.share) for one in found.questions
    ]
    assert told == [("b", 3, 2, 6, 3, 2 / 3), ("a", 4, 2, 7, 3, 0.5), ("c", 0, 0, 0, 0, None)]
    assert (found.attempts, found.median_seconds) == (13, 10)
    assert report_of([], []).median_seconds is None


def said(task: str, who: str, width: int | None, points: int = 4, seconds: float = 10) -> Judgement:
    shape = None if width is None else Polygon((((0, 0), (width, 0), (width, 10), (0, 10)),))
    outcome = Said(False, False, "cannot_draw" if width is None else "polygon", shape)
    return Judgement(task, who, (20, 20), outcome, 0 if width is None else points, seconds)


TRIAL = [
    *(said("1", "me", 10, 6, 20), said("1", "you", 5), said("1", "she", 10)),
    *(said("2", "me", None, seconds=40), said("2", "you", 10), said("2", "she", 10)),
    *(said("3", "me", 8, 4, 90),),
    *(said("4", "you", 10), said("4", "she", None)),
]


def test_what_one_person_did_beside_the_others() -> None:
    found = trial_facts(TRIAL, "me")
    assert (found.sent, found.median_seconds, found.mean_points) == (3, 40, 5)
    assert found.mean_overlap == pytest.approx((0.5 + 1) / 2)
    assert (found.pairs, found.alone) == (2, 1)
    nobody = trial_facts(TRIAL, "nobody")
    assert (nobody.sent, nobody.median_seconds, nobody.mean_points, nobody.mean_overlap) == (0, None, None, None)


def test_the_mean_of_all_pairs() -> None:
    # Task 1: .5, 1, .5; task 2: 1; the others have no pair of regions.
    mean, pairs = mean_overlap(TRIAL)
    assert mean == pytest.approx(3 / 4)
    assert pairs == 4
    assert mean_overlap([]) == (None, 0)
