"""Who may do what through the API of work, and what it never tells."""

from __future__ import annotations

import itertools
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from foveate.app.accounts import tokens
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, DraftVersion, Project, Submission, Task
from tests.app.annotate.making import Api, annotators, begun, content_of, make_project, outline
from tests.app.conftest import person, signed_in
from tests.helpers import save_photo

pytestmark = pytest.mark.django_db


@pytest.fixture
def theirs(organiser: User) -> Assignment:
    """Another person's assignment, with a draft."""
    project = make_project(organiser)
    api = Api(signed_in(annotators(1)[0]))
    number = api.lend(project.slug).json()["id"]
    api.save(number, 0, begun([7, 7]))
    return Assignment.objects.get(pk=number)


def asked(api: Api, number: int) -> dict[str, Any]:
    return {
        "read": api.get(number),
        "save": api.save(number, 1, begun([1, 1])),
        "overwrite": api.save(number, 1, begun([1, 1]), overwrite=True),
        "send": api.send(number, outline()),
        "give back": api.give_back(number),
        "submission": api.client.get(f"/api/v1/assignments/{number}/submission"),
    }


@pytest.mark.parametrize("role", ["annotator", "organiser", "admin", "participant"])
def test_anothers_assignment_is_not_there_for_anybody(theirs: Assignment, role: str) -> None:
    other = Api(signed_in(person("other", role)))
    for act, answer in asked(other, theirs.pk).items():
        assert answer.status_code == 404, act
        assert b"[7" not in answer.content, act
    # The same words as of one that never was, so that nobody learns which there are.
    never = {act: answer.json()["error"] for act, answer in asked(other, 10**9).items()}
    there = {act: answer.json()["error"] for act, answer in asked(other, theirs.pk).items()}
    for act in never:
        assert {**never[act], "request_id": ""} == {**there[act], "request_id": ""}
    theirs.refresh_from_db()
    assert theirs.state == "leased"
    assert DraftVersion.objects.count() == 1
    assert not Submission.objects.exists()


def test_nobody_who_is_not_signed_in_gets_anything(theirs: Assignment, client: Client) -> None:
    for act, answer in asked(Api(client), theirs.pk).items():
        assert answer.status_code == 401, act


def test_who_has_left_the_project_or_was_deactivated_is_out(theirs: Assignment) -> None:
    client = Api(signed_in(theirs.annotator))
    Project.objects.update(everyone=False)
    assert client.get(theirs.pk).status_code == 404
    Project.objects.update(everyone=True)
    assert client.get(theirs.pk).status_code == 200
    theirs.annotator.groups.clear()
    assert client.save(theirs.pk, 1, begun()).status_code == 404
    User.objects.filter(pk=theirs.annotator_id).update(is_active=False)
    assert client.get(theirs.pk).status_code == 401


def test_a_session_needs_the_csrf_token_and_a_token_needs_none(theirs: Assignment) -> None:
    browser = Api(signed_in(theirs.annotator, csrf=True))
    for act, answer in asked(browser, theirs.pk).items():
        assert answer.status_code == (200 if act == "read" else 404 if act == "submission" else 403), act
    assert browser.lend(theirs.task.project.slug).status_code == 403
    assert DraftVersion.objects.count() == 1
    _, secret = tokens.make(theirs.annotator, "a program")
    program = Api(Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {secret}"}))
    assert program.save(theirs.pk, 1, begun([1, 1])).status_code == 200
    wrong = Api(Client(headers={"Authorization": f"Bearer {secret[:-1]}x"}))
    assert wrong.get(theirs.pk).status_code == 401


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *itertools.product(("post", "patch", "delete"), ("/api/v1/assignments/{n}", "/api/v1/assignments/{n}/draft")),
        *itertools.product(("put", "patch", "delete"), ("/api/v1/assignments/{n}/submission",)),
        *itertools.product(("get", "put", "delete"), ("/api/v1/assignments/{n}/return",)),
        *itertools.product(("get", "put", "delete"), ("/api/v1/projects/{slug}/assignments",)),
    ],
)
def test_other_methods_do_nothing(theirs: Assignment, method: str, path: str) -> None:
    client = signed_in(theirs.annotator)
    address = path.format(n=theirs.pk, slug=theirs.task.project.slug)
    for extra in ({}, {"headers": {"X-HTTP-Method-Override": "PUT"}}):
        answer = getattr(client, method)(address, **extra)
        assert answer.status_code == 405
    theirs.refresh_from_db()
    assert theirs.state == "leased"


@pytest.mark.parametrize("number", ["0", "-1", "abc", "1%20or%201=1", "9" * 30, "../1"])
def test_odd_numbers_are_refused_without_a_fault(organiser: User, number: str) -> None:
    api = Api(signed_in(annotators(1)[0]))
    assert api.client.get(f"/api/v1/assignments/{number}").status_code in (404, 422)
    for slug in ("nothing", "%00", "a" * 500, "../x"):
        assert api.lend(slug).status_code == 404


def test_an_organiser_reads_what_was_sent_but_no_drafts(theirs: Assignment, as_organiser: Client) -> None:
    owner = Api(signed_in(theirs.annotator))
    path = f"/api/v1/assignments/{theirs.pk}/submission"
    assert owner.client.get(path).status_code == 404
    owner.send(theirs.pk, outline())
    assert owner.client.get(path).json()["work"]["polygon"][0] == [5.0, 5.0]
    read = as_organiser.get(path)
    assert (read.status_code, read.json()["assignment"]) == (200, theirs.pk)
    assert as_organiser.get(f"/api/v1/assignments/{theirs.pk}").status_code == 404
    assert signed_in(annotators(1)[0]).get(path).status_code == 404


def test_no_answer_tells_a_target_or_anybody_elses_work(organiser: User, tmp_path: Path) -> None:
    # Words that stand in the data set beside the question, and in what another person did.
    canaries = ("canary-answer", "canary-comment", "canary-draft", "3.14159")
    save_photo(tmp_path / "0.png", (60, 80))
    columns = "image,question,answer,left,top,right,bottom"
    (tmp_path / "questions.csv").write_text(f"{columns}\n0.png,What is this?,canary-answer,3.14159,3.14159,40,40\n")
    project = make_project(organiser, tasks=1, kind="reannotation", submissions=3, shape="box")
    Project.objects.filter(pk=project.pk).update(dataset="folder", root=str(tmp_path))
    one, two, three = (Api(signed_in(one)) for one in annotators(3))
    box = {"stage": "box", "outcome": "box", "box": [3.14159, 1, 30, 30], "comment": "canary-comment"}
    one.send(one.lend(project.slug).json()["id"], box)
    two.save(two.lend(project.slug).json()["id"], 0, {**box, "comment": "canary-draft"})
    told = three.lend(project.slug)
    number = told.json()["id"]
    answers = [told, *asked(three, number).values(), three.lend(project.slug)]
    answers.append(three.client.get(told.json()["task"]["photo"]["url"]))
    for answer in answers:
        for canary in canaries:
            assert canary.encode() not in content_of(answer)
    names = User.objects.exclude(pk=three.client.session["_auth_user_id"]).values_list("username", flat=True)
    assert not any(name in told.content.decode() for name in names if name != "organiser")


def test_two_people_cannot_share_a_key_to_read_each_others_work(theirs: Assignment) -> None:
    owner = Api(signed_in(theirs.annotator))
    key = str(uuid.uuid4())
    owner.send(theirs.pk, outline(), key)
    other = Api(signed_in(annotators(1)[0]))
    number = other.lend(theirs.task.project.slug).json()["id"]
    answer = other.send(number, outline(), key)
    assert answer.status_code == 409
    assert answer.json()["error"]["details"] == {}
    for bad in ("", "1", "x" * 36):
        assert other.send(number, outline(), bad or "-").status_code == 422


def test_photos_are_for_the_people_of_the_project(theirs: Assignment, tmp_path: Path, client: Client) -> None:
    save_photo(tmp_path / "0.png", (60, 80))
    (tmp_path / "questions.csv").write_text("image,question\n0.png,What is this?\n")
    Project.objects.update(dataset="folder", root=str(tmp_path))
    owner = Api(signed_in(theirs.annotator))
    url = owner.get(theirs.pk).json()["task"]["photo"]["url"]
    assert content_of(owner.client.get(url)).startswith(b"\x89PNG")
    assert content_of(signed_in(person("somebody", "organiser")).get(url)).startswith(b"\x89PNG")
    assert signed_in(person("curious", "participant")).get(url).status_code == 404
    assert client.get(url).status_code == 302
    assert owner.client.post(url).status_code == 405
    Project.objects.update(everyone=False)
    assert owner.client.get(url).status_code == 404


@pytest.mark.parametrize(
    "rendering", ["..", "%2e%2e%2fsecret.key", "tiles", "full%00", "0_0", "etc/passwd", "tiles/0/0_0"]
)
def test_no_address_of_a_photo_leads_elsewhere(theirs: Assignment, rendering: str) -> None:
    client = signed_in(theirs.annotator)
    url = Api(client).get(theirs.pk).json()["task"]["photo"]["url"]
    assert client.get(url.removesuffix("full") + rendering).status_code == 404
    wrong = reverse("annotate:photo", args=(theirs.task_id, "0" * 12, "full"))
    assert client.get(wrong).status_code == 404


def test_a_task_that_names_a_file_outside_its_folder_gets_no_photo(theirs: Assignment, tmp_path: Path) -> None:
    secret = save_photo(tmp_path / "secret.png", (60, 80))
    root = tmp_path / "photos"
    save_photo(root / "0.png", (60, 80))
    Project.objects.update(dataset="folder", root=str(root))
    client = signed_in(theirs.annotator)
    for name in ("../secret.png", str(secret), "a/../../secret.png"):
        Task.objects.filter(pk=theirs.task_id).update(image_name=name)
        url = Api(client).get(theirs.pk).json()["task"]["photo"]["url"]
        assert client.get(url).status_code == 404


def test_a_title_or_work_with_markup_is_data(theirs: Assignment) -> None:
    client = signed_in(theirs.annotator)
    script = "<script>alert(1)</script>"
    Api(client).save(theirs.pk, 1, {**begun(), "comment": script})
    answer = client.get(f"/api/v1/assignments/{theirs.pk}")
    assert answer.headers["Content-Type"].startswith("application/json")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert json.loads(answer.content)["draft"]["work"]["comment"] == script
