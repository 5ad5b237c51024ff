"""What hostile people and bad luck bring: huge bodies, odd numbers, clocks that go back, photos that change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client
from django.utils import timezone
from pydantic import ValidationError

from foveate.annotation.work import WORK
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project
from foveate.app.annotate.services import expire
from foveate.app.annotate.texts import as_html
from tests.app.annotate import made
from tests.app.annotate.making import Api, annotators, code_of, make_project, outline, places_are_counted
from tests.app.conftest import signed_in
from tests.helpers import save_photo


@contextmanager
def clock(now: datetime) -> Iterator[None]:
    """Lets the server's clock stand at a time."""
    with patch("django.utils.timezone.now", return_value=now):
        yield


def test_of_far_too_many_points_none_is_looked_at(db: None, organiser: User, annotator: User) -> None:
    """Half a million faults took half a minute to write down, in which nobody else was answered."""
    broken: dict[str, Any] = {"stage": "grounding", "polygon": [1] * 5_001}
    with pytest.raises(ValidationError) as refused:
        WORK.validate_python(broken)
    assert [one["msg"] for one in refused.value.errors()] == [
        "Value error, a polygon has at most 5,000 points, not 5,001"
    ]
    api = Api(signed_in(annotator))
    number = api.lend(make_project(organiser).slug).json()["id"]
    answer = api.save(number, 0, {**broken, "polygon": [1] * 5_000})
    assert (answer.status_code, code_of(answer)) == (422, "not_valid")
    assert len(answer.json()["error"]["details"]["problems"]) == 50


def test_a_clock_that_goes_back_loses_nothing_of_a_collection(db: None, organiser: User) -> None:
    project, now = make_project(organiser, 1, "box_collection"), timezone.now()
    apis = [Api(signed_in(user)) for user in annotators(3)]
    works: list[dict[str, Any]] = [
        {"stage": "ask", "outcome": "asked", "question": "What is red?"},
        {"stage": "box", "outcome": "box", "box": [1, 1, 20, 20]},
        {"stage": "verify", "outcome": "right"},
    ]
    for step, (api, work) in enumerate(zip(apis, works, strict=True)):
        with clock(now - step * timedelta(minutes=5)):
            number = api.lend(project.slug, stage=work["stage"]).json()["id"]
            assert api.send(number, work).status_code == 201
    assert project.tasks.get().state == "done"


def test_the_newest_box_is_verified_whatever_the_clock_said(db: None, organiser: User) -> None:
    project, now = make_project(organiser, 1, "box_collection"), timezone.now()
    apis = [Api(signed_in(user)) for user in annotators(5)]
    works: list[dict[str, Any]] = [
        {"stage": "ask", "outcome": "asked", "question": "What is red?"},
        {"stage": "box", "outcome": "box", "box": [1, 1, 20, 20]},
        {"stage": "verify", "outcome": "box_wrong"},
        {"stage": "box", "outcome": "box", "box": [2, 2, 30, 30]},
    ]
    for step, (api, work) in enumerate(zip(apis, works, strict=False)):
        with clock(now - step * timedelta(minutes=5)):
            api.send(api.lend(project.slug, stage=work["stage"]).json()["id"], work)
    assert apis[4].lend(project.slug).json()["shown"] == {"box": [2, 2, 30, 30]}


def test_a_lease_of_a_clock_that_was_ahead_ends(db: None, organiser: User) -> None:
    project, now = make_project(organiser, 1, submissions=1), timezone.now()
    first, second = annotators(2)
    with clock(now + timedelta(days=400)):
        assignment = made.taken(first, project)
    assert made.taken(second, project).task == assignment.task
    assert Assignment.objects.get(pk=assignment.pk).state == "expired"
    assert places_are_counted(project)
    # The longest lease that an organiser may set is none of these.
    Assignment.objects.filter(state="leased").update(leased_until=now + timedelta(days=1))
    assert expire.overdue() == 0


def test_nobody_waits_for_a_long_nights_leases(db: None, organiser: User) -> None:
    """Two hundred of them, each on the disk before the next, kept the first person of the morning ten seconds."""
    project = make_project(organiser, 3, submissions=1)
    for user in annotators(3):
        made.taken(user, project)
    Assignment.objects.update(leased_until=timezone.now() - timedelta(minutes=1))
    assert [expire.overdue(patience=-1) for _ in range(2)] == [1, 1]
    assert expire.overdue() == 1


def test_numbers_that_python_refuses_to_read_are_not_found(db: None, organiser: User, tmp_path: Path) -> None:
    project = made.project(tmp_path, organiser, "box_collection")
    client = signed_in(annotators(1)[0])
    for number in ("9" * 5000, "9" * 30, "no"):
        answer = client.post(f"/annotate/projects/{project.slug}/photos/", {"task": number})
        assert answer.status_code in (302, 404)


def test_why_a_task_is_given_back_may_hold_anything(db: None, organiser: User, tmp_path: Path) -> None:
    project = made.project(tmp_path, organiser, "box_collection")
    user = annotators(1)[0]
    assignment = made.taken(user, project, "ask")
    client = signed_in(user)
    assert client.post(f"/annotate/work/{assignment.pk}/", {"act": "return", "why": "a\0b"}).status_code == 302
    assert Assignment.objects.get(pk=assignment.pk).why == "ab"


def test_many_headings_are_read_in_one_pass() -> None:
    """Each was looked for from the beginning: 50,000 letters of an organiser kept every page busy for minutes."""
    compared = 0

    def counted(one: object, other: object) -> bool:
        nonlocal compared
        compared += 1
        return one is other

    with patch("markdown_it.token.Token.__eq__", counted):
        html = as_html("# a\n\n### b\n\n" * 50)
    assert compared == 0
    assert html.count("<h2>a</h2>") == html.count("<h3>b</h3>") == 50


@pytest.mark.parametrize("how", ["gone", "garbage", "other size"])
def test_a_photo_that_changes_tells_no_folder_of_the_server(
    db: None, organiser: User, tmp_path: Path, how: str
) -> None:
    project = made.project(tmp_path, organiser, "box_collection", submissions=1)
    people = annotators(3)
    made.sent(people[0], project, {"stage": "ask", "outcome": "asked", "question": "What is red?"})
    submission = made.sent(people[1], project, {"stage": "box", "outcome": "box", "box": [1, 1, 20, 20]})
    assignment = made.taken(people[2], project, "verify")
    photo = tmp_path / assignment.task.image_name
    if how == "gone":
        photo.unlink()
    elif how == "garbage":
        photo.write_bytes(b"no photo")
    else:
        save_photo(photo, (10, 10), (1, 2, 3))
    seen = (
        (signed_in(people[2]), f"/annotate/work/{assignment.pk}/picture.png"),
        (signed_in(organiser), f"/annotate/submissions/{submission.pk}/picture.png"),
    )
    for client, path in seen:
        answer = client.get(path)
        assert answer.status_code in (404, 409, 422)
        assert str(tmp_path) not in answer.content.decode()
        assert f"the photo {assignment.task.image_name}" in answer.content.decode().replace("\n", " ")


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_while_the_database_is_away_it_is_tried_again(annotator: User, error: type[Exception]) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(annotator)
    with patch("foveate.app.annotate.views.work.projects_for", side_effect=error("the disk is full")):
        page = client.get("/annotate/")
    assert (page.status_code, b"The server is not ready" in page.content) == (503, True)
    with patch("foveate.app.annotate.services.access.own_assignment", side_effect=error("locked")):
        said = client.get("/api/v1/assignments/1")
    assert (said.status_code, code_of(said)) == (503, "unavailable")
    with patch("foveate.app.annotate.views.work.projects_for", side_effect=RuntimeError("a fault")):
        assert client.get("/annotate/").status_code == 500


def test_a_submission_is_acknowledged_though_the_database_goes_away_after_it(db: None, organiser: User) -> None:
    project, api = make_project(organiser), Api(signed_in(annotators(1)[0]))
    number = api.lend(project.slug).json()["id"]
    with patch("foveate.app.annotate.services.going_on.lend", side_effect=OperationalError("gone")):
        answer = api.send(number, outline())
    assert (answer.status_code, answer.json()["next"]) == (201, "/annotate/")


@pytest.mark.parametrize("page", ["settings", "instructions/write"])
def test_what_cannot_be_noted_is_not_done(
    db: None, organiser: User, tmp_path: Path, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = made.project(tmp_path, organiser)
    client = Client(raise_request_exception=False)
    client.force_login(organiser)
    monkeypatch.setattr("foveate.app.annotate.views.settings.note", _no_note)
    given = {"title": "Changed", "submissions": 1, "lease_minutes": 30, "shape": "box", "most_redraws": 2}
    answer = client.post(f"/annotate/projects/{project.slug}/{page}/", {**given, "instructions": "Changed"})
    assert answer.status_code == 500
    now = Project.objects.get(pk=project.pk)
    assert (now.title, now.instructions, now.everyone) == (project.title, "", True)


def _no_note(*args: object, **details: object) -> None:
    raise RuntimeError("it cannot be noted")
