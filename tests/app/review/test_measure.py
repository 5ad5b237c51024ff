"""What checks know of submissions: the same as a file of them tells, however it came about."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from foveate.annotation.checked import done_by_person
from foveate.annotation.submissions import Submission as Record
from foveate.annotation.work import WORK
from foveate.app.accounts.models import User
from foveate.app.accounts.own_data import export, leave
from foveate.app.annotate.models import Adjudication, Project
from foveate.app.annotate.records import all_records
from foveate.app.annotate.services.gold import mark
from foveate.app.review.models import Measured
from foveate.app.review.services import flagged, measure
from foveate.app.review.services.looks import Decision, decide
from foveate.quality.done import Done
from tests.app.annotate.making import annotators, make_project, outline
from tests.app.review.working import answer, do, golden, no_drawing, said

pytestmark = pytest.mark.django_db


def by_file(project: Project) -> dict[str, list[Done]]:
    """Returns what a file with all submissions and answers tells."""
    records = all_records(project, everything=True)
    shape = {record.task: record for record in records}
    lines = [*records]
    for one in Adjudication.objects.filter(task__project=project).order_by("pk").select_related("task"):
        if one.task.key in shape:
            more: dict[str, Any] = {"work": WORK.validate_python(one.work), "adjudicated": True}
            lines.append(Record.model_validate({**shape[one.task.key].model_dump(), **more, "set_aside": False}))
    return done_by_person(lines)


def by_tables(project: Project) -> dict[str, list[Done]]:
    names = {user.pk: str(user.pseudonym) for user in User.objects.all()}
    keys = {str(pk): key for pk, key in project.tasks.values_list("pk", "key")}
    found = {}
    for number, work in flagged.work_of(project).items():
        found[names[number]] = [Done(keys[d.task], *_rest(d)) for d in work.done]
    return found


def _rest(done: Done) -> tuple[Any, ...]:
    return tuple(getattr(done, name) for name in Done.__slots__ if name != "task")


def some_work(chance: random.Random) -> dict[str, Any]:
    """Returns one of all kinds of answers."""
    kinds: list[Callable[[], dict[str, Any]]] = [
        lambda: {**outline(chance.uniform(5, 40)), "seconds": chance.uniform(1, 90)},
        said,
        no_drawing,
        lambda: {"stage": "grounding", "several_questions": True, "seconds": 3.0},
        lambda: {"stage": "grounding", "several_questions": False, "several_regions": True, "seconds": 4.0},
        lambda: {"stage": "grounding", "several_questions": False, "several_regions": False, "outcome": "whole_image"},
    ]
    return chance.choice([kinds[0], *kinds])()


def test_tables_and_files_tell_the_same_whatever_happened_meanwhile(organiser: User) -> None:
    chance = random.Random(7)
    project = make_project(organiser, tasks=12, submissions=3, gold_every=4)
    golden(project, organiser, "10.png", "11.png")
    people = annotators(3)
    for person in people[:2]:
        do(person, project, *(some_work(chance) for _ in range(12)))
    assert measure.bring_up(project, None) == 0
    assert by_tables(project) == by_file(project)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert measure.bring_up(project, None) == 0
    assert len(asked) < 10, "nothing is done twice"
    sent = [number for work in flagged.work_of(project).values() for number in work.submissions]
    acts: list[Callable[[], Any]] = [
        lambda: do(people[2], project, *(some_work(chance) for _ in range(12))),
        lambda: decide(project, Decision(chance.sample(sent, 4), "redo"), organiser),
        lambda: decide(project, Decision(chance.sample(sent, 4), "fine"), organiser),
        lambda: answer(project.tasks.get(key="10.png"), organiser, outline(30)),
        lambda: golden(project, organiser, "3.png"),
        lambda: mark(project.tasks.get(key="11.png"), False),
    ]
    for act in acts:
        act()
        assert measure.bring_up(project, None) == 0
        assert by_tables(project) == by_file(project)
    golds = [one for done in by_file(project).values() for one in done if one.gold_same is not None]
    assert {one.gold_same for one in golds} == {True, False}
    assert any(one.peers is not None for done in by_file(project).values() for one in done)


def test_a_page_waits_so_long_and_no_longer(organiser: User) -> None:
    project = make_project(organiser, tasks=3, submissions=2)
    for person in annotators(2):
        do(person, project, said(), said(), said())
    assert measure.bring_up(project, 0) == 6
    assert not Measured.objects.exists()
    assert measure.bring_up(project, None) == 0
    assert Measured.objects.count() == 6


def test_what_came_while_it_was_compared_has_it_compared_again(
    organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(organiser, tasks=1, submissions=3)
    one, two, three = annotators(3)
    for person in (one, two):
        do(person, project, said())
    real, late = measure._with_peers, [three]

    def slow(*words: Any) -> None:
        real(*words)
        for person in late[:]:
            late.remove(person)
            do(person, project, outline(3))
            measure._take_in(project, measure._new(project))

    monkeypatch.setattr(measure, "_with_peers", slow)
    assert measure.bring_up(project, None) == 0
    assert by_tables(project) == by_file(project)
    assert not late


def test_gold_whose_answer_was_taken_back_judges_nobody(organiser: User) -> None:
    project = make_project(organiser, tasks=1, submissions=1)
    golden(project, organiser, "0.png")
    (one,) = annotators(1)
    do(one, project, said())
    task = project.tasks.get()

    def measured() -> tuple[bool, bool]:
        measure.bring_up(project, None)
        row = Measured.objects.get()
        return row.answer is not None, row.gold_same is not None

    assert measured() == (True, True)
    before = "".join(export(one))
    for how, compared in (("undone", False), ("mended", True), ("undone", False)):
        Adjudication.objects.create(task=task, work=outline(), how=how, decided_by=organiser, decided_at=timezone.now())
        assert measured() == (compared, compared)
        assert "".join(export(one)) == before, "nothing of it is told to whom it is about"
    leave(None, one)
    leave(None, organiser)
    assert measured() == (False, False)
    assert json.loads("".join(export(organiser)))["adjudications"][-1]["how"] == "undone"
