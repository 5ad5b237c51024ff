from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from foveate.annotation.work import WORK
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, DraftVersion, Project, Submission, Task
from foveate.app.annotate.services import expire
from foveate.app.annotate.services.lend import lend
from foveate.app.annotate.services.send import send
from tests.app.annotate.making import (
    Api,
    all_at_once,
    annotators,
    begun,
    code_of,
    make_project,
    outline,
    places_are_counted,
)
from tests.app.conftest import signed_in

pytestmark = pytest.mark.django_db

BOX = {"stage": "box", "outcome": "box", "box": [10, 10, 30, 40]}


def run_out(number: int) -> None:
    Assignment.objects.filter(pk=number).update(leased_until=timezone.now() - timedelta(seconds=1))


def done_by(person: Api, slug: str, work: dict[str, Any]) -> Any:
    return person.send(person.lend(slug).json()["id"], work)


def test_the_same_key_twice_is_once(organiser: User) -> None:
    project = make_project(organiser)
    mine = Api(signed_in(annotators(1)[0]))
    number, key = mine.lend(project.slug).json()["id"], str(uuid.uuid4())
    first, again = mine.send(number, outline(), key), mine.send(number, outline(), key)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert Submission.objects.count() == 1
    other = mine.send(number, outline(20), str(uuid.uuid4()))
    assert (other.status_code, code_of(other)) == (409, "already_sent")
    taken = mine.send(mine.lend(project.slug).json()["id"], outline(), key)
    assert (taken.status_code, code_of(taken)) == (409, "key_taken")
    assert places_are_counted(project)


def test_what_is_sent_is_what_is_stored_and_old_drafts_go(organiser: User) -> None:
    project = make_project(organiser)
    mine = Api(signed_in(annotators(1)[0]))
    number = mine.lend(project.slug).json()["id"]
    for base in range(9):
        mine.save(number, base, begun([base, base]))
    sent = {**outline(), "seconds": 12.5, "comment": "Zwölf Boxkämpfer"}
    mine.send(number, sent)
    stored = Submission.objects.get()
    assert stored.work["polygon"] == sent["polygon"]
    assert (stored.seconds, stored.work["comment"]) == (12.5, "Zwölf Boxkämpfer")
    assert sorted(DraftVersion.objects.values_list("version", flat=True)) == [5, 6, 7, 8, 9]


def test_what_is_unfinished_is_not_sent_and_every_problem_is_told(organiser: User) -> None:
    project = make_project(organiser)
    mine = Api(signed_in(annotators(1)[0]))
    number = mine.lend(project.slug).json()["id"]
    answer = mine.send(number, begun([1, 1], [2, 2]))
    assert (answer.status_code, code_of(answer)) == (422, "not_valid")
    problems = answer.json()["error"]["details"]["problems"]
    assert problems
    assert all(set(problem) == {"field", "problem", "remedy"} for problem in problems)
    outside = {**outline(), "polygon": [[5, 5], [500, 5], [5, 50]]}
    fields = [problem["field"] for problem in mine.send(number, outside).json()["error"]["details"]["problems"]]
    assert fields == ["polygon"]
    assert code_of(mine.send(number, BOX)) == "not_valid"
    assert not Submission.objects.exists()
    assert mine.get(number).json()["state"] == "leased"


def test_a_task_is_done_when_as_many_as_wanted_have_sent(organiser: User) -> None:
    project = make_project(organiser, tasks=1, submissions=2)
    one, two = (Api(signed_in(person)) for person in annotators(2))
    done_by(one, project.slug, outline())
    assert Task.objects.get().state == "open"
    done_by(two, project.slug, outline(20))
    assert (Task.objects.get().state, Task.objects.get().taken) == ("done", 2)


def test_a_box_collection_goes_from_hand_to_hand(organiser: User) -> None:
    project = make_project(organiser, tasks=1, kind="box_collection")
    one, two, three = (Api(signed_in(person)) for person in annotators(3))
    asked = {"stage": "ask", "outcome": "asked", "question": "Which of these is a clock?", "answer": "The left one"}
    assert done_by(one, project.slug, asked).json()["next"] == "/annotate/"
    assert one.lend(project.slug).status_code == 204
    drawn = two.lend(project.slug).json()
    assert (drawn["task"]["stage"], drawn["task"]["question"]) == ("box", "Which of these is a clock?")
    assert drawn["shown"] is None
    two.send(drawn["id"], BOX)
    verified = three.lend(project.slug).json()
    assert (verified["task"]["stage"], verified["shown"]) == ("verify", {"box": [10.0, 10.0, 30.0, 40.0]})
    three.send(verified["id"], {"stage": "verify", "outcome": "right"})
    assert Task.objects.get().state == "done"
    assert two.lend(project.slug).status_code == 204


def test_a_box_found_wrong_is_drawn_again_by_another_and_the_newest_is_shown(organiser: User) -> None:
    project = make_project(organiser, tasks=1, kind="box_collection")
    people = [Api(signed_in(person)) for person in annotators(5)]
    asked = {"stage": "ask", "outcome": "asked", "question": "Which of these is a clock?", "answer": ""}
    done_by(people[0], project.slug, asked)
    done_by(people[1], project.slug, BOX)
    done_by(people[2], project.slug, {"stage": "verify", "outcome": "box_wrong"})
    done_by(people[3], project.slug, {"stage": "box", "outcome": "whole_image"})
    assert people[4].lend(project.slug).json()["shown"] == {"box": [0.0, 0.0, 80.0, 60.0]}
    assert places_are_counted(project)
    done_by(people[4], project.slug, {"stage": "verify", "outcome": "several_answers"})
    task = Task.objects.get()
    assert (task.state, task.why) == ("set_aside", "several_answers")


def test_nothing_is_taken_in_while_a_project_is_paused(organiser: User) -> None:
    project = make_project(organiser)
    mine = Api(signed_in(annotators(1)[0]))
    number = mine.lend(project.slug).json()["id"]
    Project.objects.filter(pk=project.pk).update(state="paused")
    assert code_of(mine.send(number, outline())) == "project_paused"
    Project.objects.filter(pk=project.pk).update(state="open")
    assert mine.send(number, outline()).status_code == 201


def test_a_late_submission_takes_a_free_place_and_else_is_kept_as_a_draft(organiser: User) -> None:
    project = make_project(organiser, tasks=2, submissions=1)
    mine = Api(signed_in(annotators(1)[0]))
    number = mine.lend(project.slug).json()["id"]
    run_out(number)
    expire.overdue()
    assert mine.send(number, outline()).status_code == 201
    second = mine.lend(project.slug).json()["id"]
    run_out(second)
    assert lend(annotators(1)[0], project) is not None
    late = mine.send(second, outline())
    assert (late.status_code, code_of(late)) == (409, "lease_over")
    assert DraftVersion.objects.get(assignment=second).work["polygon"] == outline()["polygon"]
    assert places_are_counted(project)


def test_fewer_wanted_than_are_at_it_loses_nobodys_work(organiser: User) -> None:
    project = make_project(organiser, tasks=1, submissions=3)
    apis = [Api(signed_in(person)) for person in annotators(3)]
    numbers = [api.lend(project.slug).json()["id"] for api in apis]
    project.settings = {**project.settings, "submissions": 1}
    project.save()
    for api, number in zip(apis, numbers, strict=True):
        assert api.send(number, outline()).status_code == 201
    assert Submission.objects.count() == 3
    assert Task.objects.get().state == "done"


def test_giving_back_after_sending_is_refused(organiser: User) -> None:
    project = make_project(organiser)
    mine = Api(signed_in(annotators(1)[0]))
    number = mine.lend(project.slug).json()["id"]
    mine.send(number, outline())
    assert code_of(mine.give_back(number)) == "already_sent"


@pytest.mark.django_db(transaction=True)
def test_a_submission_sent_many_times_at_once_is_one(organiser: User) -> None:
    project = make_project(organiser)
    one = annotators(1)[0]
    clients = [Api(signed_in(one)) for _ in range(6)]
    number, key = clients[0].lend(project.slug).json()["id"], str(uuid.uuid4())
    answers = all_at_once([partial(api.send, number, outline(), key) for api in clients])
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 200, 200, 201]
    assert Submission.objects.count() == 1
    assert places_are_counted(project)


@pytest.mark.django_db(transaction=True)
def test_the_last_submissions_of_a_task_at_once_end_it(organiser: User) -> None:
    project = make_project(organiser, tasks=1, submissions=5)
    clients = [Api(signed_in(person)) for person in annotators(5)]
    numbers = [api.lend(project.slug).json()["id"] for api in clients]
    answers = all_at_once([partial(api.send, number, outline()) for api, number in zip(clients, numbers, strict=True)])
    assert [answer.status_code for answer in answers] == [201] * 5
    assert (Task.objects.get().state, Task.objects.get().taken) == ("done", 5)


@pytest.mark.django_db(transaction=True)
def test_sending_and_the_end_of_the_lease_at_once_lose_nothing(organiser: User) -> None:
    project = make_project(organiser, tasks=6, submissions=1)
    people = annotators(6)
    numbers = [Api(signed_in(person)).lend(project.slug).json()["id"] for person in people]
    Assignment.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    work = WORK.validate_python(outline())
    sends = [partial(send, person, number, uuid.uuid4(), work) for person, number in zip(people, numbers, strict=True)]
    acts: list[Callable[[], object]] = [*sends, *[expire.overdue] * 4]
    all_at_once(acts)
    assert Submission.objects.count() == 6
    assert places_are_counted(project)
    assert set(Assignment.objects.filter(pk__in=numbers).values_list("state", flat=True)) == {"submitted"}


@pytest.mark.django_db(transaction=True)
def test_a_place_that_is_over_goes_to_one_of_sender_and_next(organiser: User) -> None:
    for _ in range(4):
        project = make_project(organiser, tasks=1, submissions=1)
        one, two = annotators(2)
        mine = Api(signed_in(one))
        number = mine.lend(project.slug).json()["id"]
        run_out(number)
        sent, other = all_at_once([partial(mine.send, number, outline()), partial(lend, two, project)])
        assert (sent.status_code == 201) != (other is not None)
        kept = DraftVersion.objects.filter(assignment=number).exists()
        assert kept == (sent.status_code == 409)
        assert places_are_counted(project)
