"""Comparing what comes in: IoU of pairs, steps, and the order in which tasks are looked at."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon as Region
from typer.testing import CliRunner

from foveate.annotation.work import WORK
from foveate.app.accounts.models import User
from foveate.app.adjudicate.alike import WHY, why
from foveate.app.adjudicate.models import APART_IN_STEPS, NOTHING_TO_COMPARE, Pair, TaskAgreement
from foveate.app.adjudicate.services.compare import MOST_PEOPLE, compare_anew, not_compared, rebuild
from foveate.app.annotate.models import Adjudication, Project
from foveate.app.annotate.services.gold import mark
from foveate.app.annotate.services.lend import lend
from foveate.app.annotate.services.send import send
from foveate.app.review.services.looks import Decision as Judged
from foveate.app.review.services.looks import decide as judge
from foveate.cli._app import app
from foveate.core.regions import Box, Polygon
from foveate.quality.judgements import Said
from foveate.quality.pairs import compared
from foveate.quality.steps import first_difference
from tests.app.adjudicate.making import CANNOT, REGIONS, SEVERAL, WHOLE, drawn, project_of, ring, sent_for, square
from tests.app.annotate.making import annotators, make_project
from tests.app.review.working import golden

SIZE_HW = (60, 80)


def polygon(*sides: float) -> Polygon:
    return Polygon((tuple((x, y) for x, y in ring(*sides)),))


@pytest.mark.django_db
def test_pairs_are_compared_when_they_come_in(organiser: User) -> None:
    # Thirds: 10 × 10 shifted by half of it; then one that touches neither.
    works = [square(0, 0, 10, 10), square(5, 0, 15, 10), square(40, 40, 50, 50)]
    _project, (task,) = project_of(organiser, works)
    a, b, c = (one.pk for one in sent_for(task))
    found = {(pair.first_id, pair.second_id): pair.alike for pair in Pair.objects.all()}
    assert found == {(a, b): pytest.approx(1 / 3), (a, c): 0.0, (b, c): 0.0}
    known = task.agreement
    assert (known.people, known.drawn, known.least, known.differ, known.rank) == (3, 3, 0.0, "", 0.0)
    assert known.mean == pytest.approx(1 / 9)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("works", "differ", "drawn_by", "rank"),
    [
        ([square(0, 0, 10, 10), SEVERAL], "several_questions", 1, APART_IN_STEPS),
        ([square(0, 0, 10, 10), REGIONS], "several_regions", 1, APART_IN_STEPS),
        ([CANNOT, square(0, 0, 10, 10)], "drawn", 1, APART_IN_STEPS),
        ([SEVERAL, SEVERAL], "", 0, NOTHING_TO_COMPARE),
        ([square(0, 0, 10, 10)], "", 1, NOTHING_TO_COMPARE),
        ([WHOLE, square(0, 0, 80, 60)], "", 2, 1.0),
        # Two who drew, one who did not: apart in a step, though two are alike.
        ([square(0, 0, 10, 10), square(0, 0, 10, 10), CANNOT], "drawn", 2, APART_IN_STEPS),
    ],
)
def test_steps_count_before_regions(
    organiser: User, works: list[dict[str, object]], differ: str, drawn_by: int, rank: float
) -> None:
    _project, (task,) = project_of(organiser, works)
    known = task.agreement
    assert (known.differ, known.drawn, known.rank, known.people) == (differ, drawn_by, rank, len(works))


@pytest.mark.django_db
def test_boxes_are_compared_as_boxes_and_questions_are_not(organiser: User) -> None:
    project = make_project(organiser, tasks=1, kind="box_collection")
    asker, first, checker, second = annotators(4)
    drawn(asker, project, {"stage": "ask", "outcome": "asked", "question": "What is round?"})
    assert not TaskAgreement.objects.exists()
    drawn(first, project, {"stage": "box", "outcome": "box", "box": [0, 0, 10.5, 10]})
    drawn(checker, project, {"stage": "verify", "outcome": "box_wrong"})
    drawn(second, project, {"stage": "box", "outcome": "box", "box": [0, 0, 21, 10]})
    known = TaskAgreement.objects.get()
    # Of pixels it would be 11 / 21 or 10 / 21.
    assert (known.people, known.least) == (2, 0.5)


@pytest.mark.django_db
def test_what_was_sent_before_is_compared_later_with_the_same_result(organiser: User) -> None:
    project, tasks = project_of(
        organiser, [square(0, 0, 10, 10), square(5, 0, 15, 10)], [SEVERAL, CANNOT], [square(0, 0, 9, 9)]
    )
    fields = ("task", "people", "drawn", "least", "mean", "differ", "rank", "decided")
    before = list(TaskAgreement.objects.order_by("task").values(*fields))
    pairs = list(Pair.objects.values("first", "second", "alike"))
    assert rebuild(project, anew=True) == 3
    assert list(TaskAgreement.objects.order_by("task").values(*fields)) == before
    Pair.objects.all().delete()
    TaskAgreement.objects.exclude(task=tasks[1]).delete()
    assert [task.pk for task in not_compared(project)] == [tasks[0].pk, tasks[2].pk]
    assert (rebuild(project, anew=False, limit=1), rebuild(project, anew=False), rebuild(project, anew=False)) == (
        1,
        1,
        0,
    )
    assert list(TaskAgreement.objects.order_by("task").values(*fields)) == before
    assert list(Pair.objects.values("first", "second", "alike")) == pairs


def test_what_is_set_aside_is_compared_with_nobody(organiser: User) -> None:
    one = square(0, 0, 10, 10)
    project, (task,) = project_of(organiser, [one, one, square(20, 20, 30, 30)])
    vandal = sent_for(task)[2]
    assert TaskAgreement.objects.get().least == 0
    judge(project, Judged([vandal.pk], "aside"), organiser)
    found = TaskAgreement.objects.get()
    assert (found.least, found.people, Pair.objects.count()) == (1, 2, 1)
    judge(project, Judged([vandal.pk], "fine"), organiser)
    assert (TaskAgreement.objects.get().least, Pair.objects.count()) == (0, 3)


def test_of_gold_nothing_is_compared_until_it_is_none_again(organiser: User) -> None:
    """Hundreds do each gold question: what each sending cost would grow, and tell that it is gold."""
    one = square(0, 0, 10, 10)
    project, (task,) = project_of(organiser, [one, one])
    golden(project, organiser, task.key)
    for person in annotators(3):
        drawn(person, project, square(5, 0, 15, 10))
    assert (Pair.objects.count(), TaskAgreement.objects.get().people) == (1, 2)
    assert rebuild(project, anew=True) == 0
    mark(task, False, actor=organiser)
    found = TaskAgreement.objects.get()
    assert (found.people, Pair.objects.count()) == (5, 10)
    assert found.least == pytest.approx(1 / 3)


@pytest.mark.django_db
def test_whoever_writes_a_decision_the_queue_knows(organiser: User) -> None:
    from django.utils import timezone

    _project, (task,) = project_of(organiser, [square(0, 0, 10, 10)])
    values = {"task": task, "work": {}, "decided_by": organiser, "decided_at": timezone.now()}
    for how, stands in (("given", True), ("undone", False), ("mended", True)):
        Adjudication.objects.create(how=how, **values)
        assert TaskAgreement.objects.get().decided == stands
    rebuild(Project.objects.get(), anew=True)
    assert TaskAgreement.objects.get().decided


@pytest.mark.django_db
def test_the_command_compares_and_tells(organiser: User) -> None:
    project, _tasks = project_of(organiser, [square(0, 0, 10, 10), square(0, 0, 10, 5)], [square(0, 0, 10, 10), CANNOT])
    TaskAgreement.objects.all().delete()
    Pair.objects.all().delete()
    done = CliRunner().invoke(app, ["annotate", "agreement", project.slug])
    assert done.exit_code == 0, done.output
    assert "mean IoU 0.5000 over 1 pair" in done.output
    assert "1 of 2 tasks" in done.output
    assert "compared now: 2 tasks" in done.output
    again = CliRunner().invoke(app, ["annotate", "agreement", project.slug, "--anew", "--json"])
    assert '"compared": 2' in again.output
    assert '"differ": {"drawn": 1}' in again.output


sides = st.tuples(st.integers(0, 30), st.integers(0, 20), st.integers(1, 40), st.integers(1, 30))


@given(sides, sides)
def test_likeness_is_that_of_shapely_on_whole_pixels(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    boxes = [(x, y, x + w, y + h) for x, y, w, h in (one, other)]
    first, second = (Region(ring(*box)) for box in boxes)
    wanted = first.intersection(second).area / first.union(second).area
    assert compared(polygon(*boxes[0]), polygon(*boxes[1]), SIZE_HW)[0] == pytest.approx(wanted)
    assert compared(Box(boxes[0]), Box(boxes[1]), SIZE_HW)[0] == pytest.approx(wanted)
    # A box beside a polygon: pixels of both.
    assert compared(Box(boxes[0]), polygon(*boxes[1]), SIZE_HW)[0] == pytest.approx(wanted)


def said(*sides: float, outcome: str = "polygon") -> Said:
    return Said(False, False, outcome, polygon(*sides))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "word"),
    [
        (Said(True), said(0, 0, 9, 9), "several_questions"),
        (Said(False, True), said(0, 0, 9, 9), "several_regions"),
        (Said(False, False, "cannot_draw"), said(0, 0, 9, 9), "drawn"),
        (Said(True), Said(True), "neither"),
        (said(0, 0, 9, 9), said(0, 0, 9, 9), "same"),
        (said(0, 0, 80, 60, outcome="whole_image"), said(0, 0, 9, 9), "whole_image"),
        (said(0, 0, 9, 9), said(9, 0, 18, 9), "disjoint"),
        (said(0, 0, 10, 10), said(0, 0, 40, 40), "inside"),
        (said(0, 0, 10, 10), said(5, 0, 15, 10), "partial"),
        (said(0, 0, 10, 10), said(0, 0, 10, 9), "same"),
        # Four fifths are not more than 0.8.
        (said(0, 0, 10, 10), said(0, 0, 10, 8), "contains"),
    ],
)
def test_why_two_differ(one: Said, other: Said, word: str) -> None:
    assert why(one, other, SIZE_HW) == word
    turned = {"inside": "contains", "contains": "inside"}.get(word, word)
    assert why(other, one, SIZE_HW) == turned
    assert {word, turned} <= set(WHY)


def test_who_was_not_asked_does_not_differ() -> None:
    assert first_difference([]) == ""
    assert first_difference([Said(outcome="box"), Said(outcome="whole_image")]) == ""


@pytest.mark.django_db
@pytest.mark.parametrize(("wanted", "is_compared"), [(MOST_PEOPLE, True), (MOST_PEOPLE + 1, False), (1000, False)])
def test_tasks_for_many_people_are_not_compared_and_that_is_told(
    organiser: User, client: Client, wanted: int, is_compared: bool
) -> None:
    project = make_project(organiser, tasks=1, submissions=wanted)
    for person in annotators(3):
        drawn(person, project, square(0, 0, 10, 10))
    task = project.tasks.get()
    pairs = 3 if is_compared else 0
    assert (Pair.objects.count(), TaskAgreement.objects.count()) == (pairs, int(is_compared))
    # Nor later, whoever asks.
    assert rebuild(project, anew=True) == int(is_compared)
    compare_anew(task)
    assert Pair.objects.count() == pairs
    assert not not_compared(project).exists()
    client.force_login(organiser)
    for page in ("agreement", "queue"):
        told = client.get(reverse(f"adjudicate:{page}", args=[project.slug])).content.decode()
        assert ("1 task is not compared: it is for more than 50 people." in told) is not is_compared
    said = CliRunner().invoke(app, ["annotate", "agreement", project.slug]).output
    assert ("not compared, as each is for more than 50 people: 1 task" in said) is not is_compared


@pytest.mark.django_db
def test_sending_to_a_trial_asks_the_database_as_much_for_the_last_as_for_the_first(organiser: User) -> None:
    project = make_project(organiser, tasks=1, submissions=1000)
    asked = []
    for person in annotators(12):
        lent = lend(person, project)
        assert lent is not None
        with CaptureQueriesContext(connection) as queries:
            send(person, lent.assignment.pk, uuid.uuid4(), WORK.validate_python(square(0, 0, 10, 10)))
        asked.append(len(queries))
    assert len(set(asked[1:])) == 1
