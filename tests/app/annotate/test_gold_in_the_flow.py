"""Gold among other tasks: marked and unmarked with places put right, and told apart by nothing."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import Client

from foveate.annotation.kinds import ProjectSettings
from foveate.annotation.origin import Origin
from foveate.annotation.work import WORK
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.accounts.own_data import export
from foveate.app.annotate.models import Assignment, Project, Task
from foveate.app.annotate.progress import left_of
from foveate.app.annotate.projects import Plan, create, set_settings
from foveate.app.annotate.services.gold import mark
from foveate.app.annotate.services.lend import Wish, lend
from foveate.app.annotate.services.send import give_back, send
from foveate.errors import InputError, UsageError
from tests.app.annotate.made import photo_folder
from tests.app.annotate.making import (
    Api,
    all_at_once,
    annotators,
    make_project,
    outline,
    places_are_counted,
)
from tests.app.conftest import signed_in
from tests.app.review.working import answer, do, golden

pytestmark = pytest.mark.django_db


def a_flow(organiser: User, tasks: int = 24, every: int = 4, golds: int = 6) -> Project:
    project = make_project(organiser, tasks=tasks, submissions=2, gold_every=every, seed=1)
    golden(project, organiser, *(f"{n}.png" for n in range(tasks - golds, tasks)))
    return project


def test_a_task_needs_an_answer_to_be_gold(organiser: User) -> None:
    project = make_project(organiser, tasks=1)
    with pytest.raises(InputError, match="nobody has decided"):
        mark(project.tasks.get(), True)
    boxes = make_project(organiser, tasks=1, kind="box_collection")
    with pytest.raises(UsageError, match="box collection"):
        mark(boxes.tasks.get(), True)


def test_gold_goes_out_of_the_places_and_comes_back_into_them(organiser: User) -> None:
    project = make_project(organiser, tasks=2, submissions=2)
    one, two, three = annotators(3)
    do(one, project, outline())
    lent = lend(two, project)
    assert lent is not None
    task = lent.assignment.task
    answer(task, organiser)
    marked = mark(task, True, actor=organiser)
    assert (marked.gold, marked.taken, marked.state) == (True, 0, "open")
    send(two, lent.assignment.pk, uuid.uuid4(), WORK.validate_python(outline()))
    assert Task.objects.get(pk=task.pk).taken == 0
    assert mark(task, True).gold, "twice is once"
    back = mark(task, False, actor=organiser)
    assert (back.gold, back.taken, back.wanted, back.state) == (False, 2, 2, "done")
    assert places_are_counted(project)
    assert [event.action for event in AuditEvent.objects.filter(action__startswith="task.").order_by("pk")] == [
        "task.gold",
        "task.ordinary",
    ]
    # Who sent for it while it was gold counts once it is not, more than are wanted too.
    mark(task, True)
    lent = lend(three, project)
    assert lent is not None
    Assignment.objects.filter(pk=lent.assignment.pk).update(task=task)
    mark(task, False)
    assert Task.objects.get(pk=task.pk).taken == Task.objects.get(pk=task.pk).wanted == 3


def test_an_ordinary_task_is_found_again_by_those_who_have_passed_it(organiser: User) -> None:
    project = make_project(organiser, tasks=3, submissions=1)
    golden(project, organiser, "0.png")
    (one,) = annotators(1)
    do(one, project, outline(), outline())
    assert lend(one, project) is None
    mark(project.tasks.get(key="0.png"), False)
    lent = lend(one, project)
    assert lent is not None
    assert lent.assignment.task.key == "0.png"


@pytest.mark.django_db(transaction=True)
def test_places_stay_right_while_tasks_are_marked_and_lent_at_once(organiser: User) -> None:
    project = make_project(organiser, tasks=6, submissions=2, gold_every=3)
    for task in project.tasks.all():
        answer(task, organiser)
    golds = list(project.tasks.order_by("position"))

    def turn_over() -> None:
        for turn in range(6):
            mark(golds[turn % 3], turn < 3)

    people = annotators(3)
    acts: list[Callable[[], None]] = [partial(_take_and_leave, person, project) for person in people]
    all_at_once([*acts, turn_over])
    assert not project.tasks.filter(gold=True).exists()
    assert places_are_counted(project)


def _take_and_leave(person: User, project: Project) -> None:
    for turn in range(4):
        lent = lend(person, project)
        if lent is not None and turn % 2:
            give_back(person, lent.assignment.pk, "")
        elif lent is not None:
            send(person, lent.assignment.pk, uuid.uuid4(), WORK.validate_python(outline()))


def test_the_number_left_falls_by_one_whatever_was_sent(organiser: User) -> None:
    project = a_flow(organiser)
    one, two = annotators(2)
    do(two, project, outline(), outline())
    client = signed_in(one)
    lefts, kinds = [left_of(one, project)], []
    while lent := lend(one, project):
        do(one, project, outline())
        kinds.append(lent.assignment.task.gold)
        lefts.append(left_of(one, project))
    assert lefts == list(range(lefts[0], -1, -1))
    assert 4 <= sum(kinds) <= 6
    page = client.get("/annotate/").content.decode()
    assert "Nothing is left for you" in page


def test_no_gold_is_told_to_come_where_none_is_lent(organiser: User) -> None:
    project = a_flow(organiser, every=0)
    (one,) = annotators(1)
    assert left_of(one, project) == 18
    every = make_project(organiser, tasks=3)
    golden(every, organiser, "0.png", "1.png", "2.png")
    assert left_of(one, every) == 3


def test_all_that_an_annotator_is_answered_is_alike_for_gold_and_for_others(organiser: User) -> None:
    project = a_flow(organiser)
    (one,) = annotators(1)
    client = signed_in(one)
    Api(client).lend(project.slug)  # After each that is sent, the next is lent already.
    shapes: dict[bool, list[Any]] = {True: [], False: []}
    for _ in range(24):
        said = _do_one(client, project)
        gold = Task.objects.get(key=said["task"], project=project).gold
        shapes[gold].append(said["shape"])
    assert len(shapes[True]) >= 4
    assert len({json.dumps(shape) for kind in shapes.values() for shape in kind}) == 1
    told = json.loads("".join(export(one)))
    text = json.dumps(told)
    assert "gold" not in text
    assert all(set(row) == set(told["assignments"][0]) for row in told["assignments"])


def _do_one(client: Client, project: Project) -> dict[str, Any]:
    """Takes a task, saves, sends and reads it, and returns its key and the form of all that was answered."""
    api = Api(client)
    lent = api.lend(project.slug)
    number = lent.json()["id"]
    saved = api.save(number, 0, outline())
    sent = api.send(number, outline())
    read = client.get(f"/api/v1/assignments/{number}/submission")
    again = api.get(number)
    answers = (lent, saved, sent, read, again)
    return {
        "task": lent.json()["task"]["key"],
        "shape": [(answer.status_code, sorted(answer.headers), _form(answer.json())) for answer in answers],
    }


def _form(value: Any, name: str = "") -> Any:
    """Returns the form of an answer: its fields, and their values where those are no number, time or name of a task."""
    if isinstance(value, dict):
        return {key: _form(one, key) for key, one in sorted(value.items())}
    if isinstance(value, list):
        return [_form(one) for one in value]
    if name in ("key", "image_name", "url", "full", "thumb", "question", "tab", "saved_at", "sent_at", "next", "now"):
        return type(value).__name__
    return type(value).__name__ if isinstance(value, int | float) or name == "leased_until" else value


def test_nobody_goes_around_gold_by_wishing_a_stage_or_picking_tasks(organiser: User) -> None:
    project = a_flow(organiser)
    (one,) = annotators(1)
    met = 0
    while lent := lend(one, project, Wish(stage="grounding")):
        met += lent.assignment.task.gold
        send(one, lent.assignment.pk, uuid.uuid4(), WORK.validate_python(outline()))
    assert met >= 4
    (two,) = annotators(1)
    for task in project.tasks.all():
        assert lend(two, project, Wish(task=task.pk)) is None, "a task that can be picked would be no gold"


def test_numbers_of_tasks_say_nothing_of_their_order(organiser: User, tmp_path: Any) -> None:
    rows = [f"photo{n % 3}.png,What is thing {n}?,thing" for n in range(40)]
    photo_folder(tmp_path)
    (tmp_path / "questions.csv").write_text("\n".join(["image,question,answer", *rows]) + "\n")
    settings = ProjectSettings(gold_every=5, seed=1)
    project, _ = create(Plan("many", "grounding", Origin("folder", tmp_path), settings=settings), organiser)
    order = [task.position for task in project.tasks.order_by("pk")]
    assert sorted(order) == list(range(40))
    rises = sum(after > before for before, after in zip(order, order[1:], strict=False))
    assert 10 <= rises <= 30, "of a random order about half rise"


def test_gold_needs_an_order_in_which_it_does_not_stand_out(organiser: User, tmp_path: Any) -> None:
    photo_folder(tmp_path)
    plan = Plan("cats", "grounding", Origin("folder", tmp_path), settings=ProjectSettings(gold_every=5))
    with pytest.raises(UsageError, match="would stand out"):
        create(plan, organiser)
    project = make_project(organiser)
    with pytest.raises(UsageError, match="would stand out"):
        set_settings(project, ProjectSettings(gold_every=5))
    seeded = make_project(organiser, seed=3)
    set_settings(seeded, ProjectSettings(gold_every=5, seed=3))
    assert Project.objects.get(pk=seeded.pk).settings["gold_every"] == 5


def test_how_often_gold_comes_is_set_on_the_project_s_page(as_organiser: Client, organiser: User) -> None:
    project = make_project(organiser, seed=1)
    given = {"submissions": 2, "lease_minutes": 30, "shape": "box", "most_redraws": 2, "title": "t", "everyone": "on"}
    address = f"/annotate/projects/{project.slug}/settings/"
    assert as_organiser.post(address, {**given, "gold_every": "1"}).status_code == 422
    assert as_organiser.post(address, {**given, "gold_every": "10"}).status_code == 302
    assert Project.objects.get(pk=project.pk).settings["gold_every"] == 10
