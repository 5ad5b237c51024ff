from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project, Reach, Task
from foveate.app.annotate.services import expire
from foveate.app.annotate.services.lend import Wish, lend
from foveate.app.annotate.services.send import give_back
from tests.app.annotate.making import Api, all_at_once, annotators, code_of, make_project, outline, places_are_counted
from tests.app.conftest import signed_in

pytestmark = pytest.mark.django_db


def lent_key(person: User, project: Project) -> str | None:
    lent = lend(person, project)
    return lent.assignment.task.key if lent else None


def run_out(project: Project) -> None:
    Assignment.objects.filter(task__project=project, state="leased").update(
        leased_until=timezone.now() - timedelta(seconds=1)
    )


def test_the_first_task_is_lent_first_and_the_same_until_it_is_sent(organiser: User) -> None:
    project = make_project(organiser)
    mine = Api(signed_in(annotators(1)[0]))
    first, again = mine.lend(project.slug), mine.lend(project.slug)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["task"]["key"] == "0.png"
    assert again.json()["id"] == first.json()["id"]
    assert mine.send(first.json()["id"], outline()).status_code == 201
    # What is next was lent with the sending.
    assert mine.lend(project.slug).json()["task"]["key"] == "1.png"


def test_an_assignment_tells_what_the_contract_says(organiser: User) -> None:
    project = make_project(organiser)
    told = Api(signed_in(annotators(1)[0])).lend(project.slug).json()
    assert set(told) == {"id", "state", "leased_until", "now", "task", "draft", "shown"}
    assert told["state"] == "leased"
    assert told["draft"] is None
    assert told["shown"] is None
    task = told["task"]
    assert set(task) == {"key", "project", "stage", "question", "answer", "image_name", "size_hw", "photo"}
    assert (task["project"], task["stage"], task["size_hw"]) == (project.slug, "grounding", [60, 80])
    assert task["photo"]["tiles"] is None


def test_nobody_gets_a_task_twice_and_at_the_end_nothing_is_left(organiser: User) -> None:
    project = make_project(organiser, tasks=2, submissions=2)
    one, two, three = annotators(3)
    for person in (one, two):
        api = Api(signed_in(person))
        for _ in range(2):
            assert api.send(api.lend(project.slug).json()["id"], outline()).status_code == 201
        assert api.lend(project.slug).status_code == 204
    assert set(project.tasks.values_list("state", flat=True)) == {"done"}
    assert lend(three, project) is None


def test_a_lease_that_ran_out_goes_to_the_next_and_its_draft_stays(organiser: User) -> None:
    project = make_project(organiser, tasks=1, submissions=1)
    one, two = annotators(2)
    mine = Api(signed_in(one))
    number = mine.lend(project.slug).json()["id"]
    mine.save(number, 0, outline())
    assert lend(two, project) is None
    run_out(project)
    assert lent_key(two, project) == "0.png"
    late = mine.get(number).json()
    assert (late["state"], late["draft"]["version"]) == ("expired", 1)
    assert mine.lend(project.slug).status_code == 204
    assert places_are_counted(project)


def test_whose_lease_ran_out_gets_the_task_back_while_a_place_is_free(organiser: User) -> None:
    project = make_project(organiser, tasks=3, submissions=2)
    (one,) = annotators(1)
    first = lend(one, project)
    assert first is not None
    run_out(project)
    assert expire.overdue() == 1
    assert expire.overdue() == 0
    again = lend(one, project)
    assert again is not None
    assert (again.assignment.pk, again.new, again.assignment.state) == (first.assignment.pk, True, "leased")
    assert places_are_counted(project)


def test_what_was_given_back_goes_to_those_who_have_passed_it_but_not_to_who_had_it(organiser: User) -> None:
    project = make_project(organiser, tasks=5, submissions=1)
    one, two = annotators(2)
    held = lend(one, project)
    api = Api(signed_in(two))
    for _ in range(2):
        api.send(api.lend(project.slug).json()["id"], outline())
    assert held is not None
    give_back(one, held.assignment.pk, "The photo is too dark.")
    give_back(one, held.assignment.pk, "twice is once")
    assert Assignment.objects.get(pk=held.assignment.pk).why == "The photo is too dark."
    assert lent_key(one, project) == "4.png"
    # Two holds the fourth; having sent it, the first task comes before all others.
    api.send(api.lend(project.slug).json()["id"], outline())
    assert api.lend(project.slug).json()["task"]["key"] == "0.png"
    assert places_are_counted(project)


def test_a_hint_that_is_too_far_loses_no_task(organiser: User) -> None:
    project = make_project(organiser, tasks=2, submissions=1)
    (one,) = annotators(1)
    Reach.objects.create(project=project, annotator=one, position=1_000)
    assert lent_key(one, project) == "0.png"


def test_a_wish_is_heeded(organiser: User) -> None:
    project = make_project(organiser, tasks=3, kind="box_collection")
    one, two = annotators(2)
    picked = project.tasks.get(key="2.png")
    lent = lend(one, project, Wish(stage="ask", task=picked.pk))
    assert lent is not None
    assert lent.assignment.task.key == "2.png"
    assert lend(two, project, Wish(stage="ask", task=picked.pk)) is None
    assert lend(two, project, Wish(stage="box")) is None
    told = Api(signed_in(two)).lend(project.slug, stage="ask", task=project.tasks.get(key="1.png").pk)
    assert told.json()["task"]["key"] == "1.png"


def test_a_paused_or_closed_project_lends_nothing_and_a_draft_is_not_there(organiser: User) -> None:
    project = make_project(organiser)
    mine = Api(signed_in(annotators(1)[0]))
    for state, status, code in (
        ("paused", 409, "project_paused"),
        ("closed", 409, "project_closed"),
        ("draft", 404, "not_found"),
    ):
        Project.objects.filter(pk=project.pk).update(state=state)
        refused = mine.lend(project.slug)
        assert (refused.status_code, code_of(refused)) == (status, code)


def test_only_members_are_lent_something_where_not_everyone_may(organiser: User) -> None:
    project = make_project(organiser)
    Project.objects.filter(pk=project.pk).update(everyone=False)
    one, two = annotators(2)
    project.members.add(one)
    assert Api(signed_in(one)).lend(project.slug).status_code == 201
    assert Api(signed_in(two)).lend(project.slug).status_code == 404


def test_organisers_and_participants_are_lent_nothing(
    organiser: User, as_organiser: Client, as_participant: Client, client: Client
) -> None:
    project = make_project(organiser)
    assert Api(as_organiser).lend(project.slug).status_code == 404
    assert Api(as_participant).lend(project.slug).status_code == 404
    assert Api(client).lend(project.slug).status_code == 401


@pytest.mark.django_db(transaction=True)
def test_of_twenty_who_want_the_last_places_as_many_get_one_as_are_wanted(organiser: User) -> None:
    project = make_project(organiser, tasks=1, submissions=3)
    people = annotators(20)
    lent = all_at_once([partial(lend, person, project) for person in people])
    assert sum(one is not None for one in lent) == 3
    assert places_are_counted(project)
    assert project.tasks.get().taken == 3


@pytest.mark.django_db(transaction=True)
def test_two_tabs_of_one_person_get_one_task(organiser: User) -> None:
    project = make_project(organiser, tasks=10, submissions=3)
    (one,) = annotators(1)
    lent = all_at_once([partial(lend, one, project) for _ in range(8)])
    assert len({found.assignment.pk for found in lent if found}) == 1
    assert Assignment.objects.filter(annotator=one).count() == 1
    assert places_are_counted(project)


@pytest.mark.django_db(transaction=True)
def test_leases_that_end_while_many_ask_are_counted_once(organiser: User) -> None:
    project = make_project(organiser, tasks=4, submissions=1)
    people = annotators(12)
    for person in people[:4]:
        lend(person, project)
    run_out(project)
    lent = all_at_once([partial(lend, person, project) for person in people[4:]])
    assert sum(found is not None for found in lent) == 4
    assert places_are_counted(project)


def test_lending_reads_few_rows_however_many_were_done_before(organiser: User) -> None:
    project = make_project(organiser, tasks=3_000, submissions=3)
    (one,) = annotators(1)
    now = timezone.now()
    done = list(project.tasks.order_by("position")[:2_500])
    Assignment.objects.bulk_create(
        Assignment(task=task, annotator=one, stage=task.stage, state="submitted", leased_at=now, leased_until=now)
        for task in done
    )
    Task.objects.filter(pk__in=[task.pk for task in done]).update(taken=1)
    Reach.objects.create(project=project, annotator=one, position=2_500)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as asked:
        assert lent_key(one, project) == "2500.png"
    search = next(query["sql"] for query in asked if "EXISTS" in query["sql"])
    plan = plan_of(search)
    assert "next_tasks" in plan, plan
    assert "TEMP B-TREE" not in plan, plan
    assert "Seq Scan" not in plan, plan
    assert "SCAN" not in plan, plan
    assert Reach.objects.get(annotator=one).position == 2_500


def plan_of(sql: str) -> str:
    explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
    with connection.cursor() as cursor:
        cursor.execute(f"{explain} {sql}")
        return "\n".join(" ".join(map(str, row)) for row in cursor.fetchall())
