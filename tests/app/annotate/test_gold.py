"""Lending gold questions: to everybody, beside the order of tasks, without places."""

from __future__ import annotations

import uuid

import pytest

from foveate.annotation.work import WORK
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project
from foveate.app.annotate.progress import progress_of
from foveate.app.annotate.services.lend import lend
from foveate.app.annotate.services.send import give_back, send
from tests.app.annotate.making import annotators, make_project, outline

pytestmark = pytest.mark.django_db


def do_all(person: User, project: Project) -> list[str]:
    """Does whatever a person gets, and returns the keys of it."""
    keys = []
    while (lent := lend(person, project)) is not None:
        send(person, lent.assignment.pk, uuid.uuid4(), WORK.validate_python(outline()))
        keys.append(lent.assignment.task.key)
    return keys


def test_where_all_is_gold_everybody_gets_it_all_in_order(organiser: User) -> None:
    project = make_project(organiser, tasks=4, submissions=1)
    project.tasks.update(gold=True)
    one, two = annotators(2)
    assert do_all(one, project) == do_all(two, project) == ["0.png", "1.png", "2.png", "3.png"]


def test_in_the_flow_each_person_gets_one_gold_of_so_many(organiser: User) -> None:
    project = make_project(organiser, tasks=30, submissions=2, gold_every=4)
    gold = {"27.png", "28.png", "29.png"}
    project.tasks.filter(key__in=gold).update(gold=True)
    orders = [do_all(person, project) for person in annotators(2)]
    for keys in orders:
        assert [sum(key in gold for key in keys[4 * block : 4 * block + 4]) for block in range(3)] == [1, 1, 1]
        assert sorted(keys) == sorted(f"{n}.png" for n in range(30))
    assert [key for key in orders[0] if key in gold] != [key for key in orders[1] if key in gold] or (
        [orders[0].index(key) for key in gold] != [orders[1].index(key) for key in gold]
    )
    assert all(task.taken == 2 and task.state == "done" for task in project.tasks.filter(gold=False))
    assert all(task.taken == 0 and task.state == "open" for task in project.tasks.filter(gold=True))
    assert progress_of(project).tasks == 27


@pytest.mark.parametrize("end", ["returned", "expired"])
def test_gold_that_is_given_up_takes_no_place_with_it(organiser: User, end: str) -> None:
    project = make_project(organiser, tasks=2, submissions=1)
    project.tasks.update(gold=True)
    (person,) = annotators(1)
    lent = lend(person, project)
    assert lent is not None
    if end == "returned":
        give_back(person, lent.assignment.pk, "")
        again = lend(person, project)
        assert again is not None
        assert again.assignment.task.key == "1.png"
        return
    Assignment.objects.update(state="expired")
    again = lend(person, project)
    assert again is not None
    assert (again.assignment.pk, again.assignment.task.taken) == (lent.assignment.pk, 0)
