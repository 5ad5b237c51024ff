"""What an organiser has done again or sets aside is in no agreement, no queue and no choice."""

from __future__ import annotations

from typing import Any

import pytest

from foveate.app.accounts.models import User
from foveate.app.adjudicate.models import Pair, TaskAgreement
from foveate.app.adjudicate.services.candidates import between, candidates
from foveate.app.adjudicate.services.compare import rebuild
from foveate.app.annotate.models import Task
from foveate.app.review.services.looks import Decision, decide
from tests.app.adjudicate.making import CANNOT, drawn, project_of, sent_for, square
from tests.app.annotate.making import annotators

pytestmark = pytest.mark.django_db


def known(task: Task) -> tuple[Any, ...]:
    """Returns people, drawings, least IoU, first difference and pairs."""
    found = TaskAgreement.objects.get(task=task)
    return found.people, found.drawn, found.least, found.differ, Pair.objects.filter(task=task).count()


@pytest.mark.parametrize("verdict", ["redo", "aside"])
def test_what_does_not_count_is_not_compared_until_it_counts_again(organiser: User, verdict: Any) -> None:
    works = [square(0, 0, 10, 10), square(5, 0, 15, 10), CANNOT]
    project, (task,) = project_of(organiser, works)
    all_three = known(task)
    assert all_three == (3, 2, pytest.approx(1 / 3), "drawn", 1)
    first, second, third = (one.pk for one in sent_for(task))
    decide(project, Decision([third], verdict), organiser)
    assert known(task) == (2, 2, pytest.approx(1 / 3), "", 1)
    assert {one.number for one in candidates(task)[0] if one.how == "picked"} == {first, second}
    assert len(between(task)) == 1
    # Counting all anew comes to the same.
    rebuild(project, anew=True)
    assert known(task) == (2, 2, pytest.approx(1 / 3), "", 1)
    decide(project, Decision([first], verdict), organiser)
    assert known(task) == (1, 1, None, "", 0)
    decide(project, Decision([first, third], "fine"), organiser)
    assert known(task) == all_three


def test_what_is_sent_instead_is_compared_with_what_counts(organiser: User) -> None:
    project, (task,) = project_of(organiser, [square(0, 0, 10, 10), square(40, 40, 50, 50)])
    first, bad = (one.pk for one in sent_for(task))
    decide(project, Decision([bad], "redo"), organiser)
    new = drawn(annotators(1)[0], project, square(0, 0, 10, 20)).pk
    assert known(task) == (2, 2, pytest.approx(1 / 2), "", 1)
    assert list(Pair.objects.values_list("first", "second")) == [(first, new)]
