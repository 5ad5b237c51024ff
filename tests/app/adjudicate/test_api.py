"""The API of adjudication: who may, what it tells, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from foveate.app.accounts import tokens
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Adjudication, Task
from tests.app.adjudicate.making import CANNOT, SEVERAL, STEPS, project_of, ring, sent_for, square
from tests.app.annotate.making import code_of
from tests.app.conftest import person, signed_in

pytestmark = pytest.mark.django_db
JSON = "application/json"


@pytest.fixture
def tasks(organiser: User) -> list[Task]:
    """Three tasks: alike, apart in a step, a third alike."""
    return project_of(
        organiser,
        [square(0, 0, 10, 10, comment="I am A"), square(0, 0, 10, 10)],
        [square(0, 0, 10, 10), SEVERAL],
        [square(0, 0, 10, 10), square(5, 0, 15, 10)],
    )[1]


def everything(client: Client, task: Task, base: int = 10**9) -> dict[str, Any]:
    at = f"/api/v1/tasks/{task.pk}/adjudication"
    body = {"how": "picked", "base": 0, "picked": sent_for(task)[0].pk}
    return {
        "next": client.get(f"/api/v1/projects/{task.project.slug}/adjudications/next"),
        "get": client.get(at),
        "decide": client.post(at, body, content_type=JSON),
        "undo": client.post(f"{at}/undo", {"base": base}, content_type=JSON),
        "gold": client.post(f"{at}/gold", {"gold": True}, content_type=JSON),
    }


@pytest.mark.parametrize("role", ["annotator", "participant"])
def test_for_others_than_organisers_there_is_nothing(tasks: list[Task], role: str) -> None:
    for act, answer in everything(signed_in(person("other", role)), tasks[0]).items():
        assert (answer.status_code, code_of(answer)) == (404, "not_found"), act
        assert b"I am A" not in answer.content
    own = sent_for(tasks[0])[0].assignment.annotator
    assert {answer.status_code for answer in everything(signed_in(own), tasks[0]).values()} == {404}
    assert {answer.status_code for answer in everything(Client(), tasks[0]).values()} == {401}
    assert not Adjudication.objects.exists()


@pytest.mark.parametrize("role", ["organiser", "admin"])
def test_organisers_do_all_of_it(tasks: list[Task], role: str, organiser: User) -> None:
    client = signed_in(organiser if role == "organiser" else person("boss", role))
    answers = everything(client, tasks[0])
    # Taken back what nobody has seen: no; gold: yes, there is an answer.
    assert [answer.status_code for answer in answers.values()] == [200, 200, 201, 409, 200]
    client.post(f"/api/v1/tasks/{tasks[0].pk}/adjudication/gold", {"gold": False}, content_type=JSON)
    done = answers["decide"].json()
    assert done["next"] == tasks[1].pk
    undone = client.post(f"/api/v1/tasks/{tasks[0].pk}/adjudication/undo", {"base": done["base"]}, content_type=JSON)
    assert undone.status_code == 201
    assert client.get(f"/api/v1/tasks/{tasks[0].pk}/adjudication").json()["standing"] is None


def test_a_session_needs_the_csrf_token_and_a_token_of_an_organiser_is_enough(
    tasks: list[Task], organiser: User
) -> None:
    answers = everything(signed_in(organiser, csrf=True), tasks[0])
    assert {act: answer.status_code for act, answer in answers.items() if act not in ("next", "get")} == {
        "decide": 403,
        "undo": 403,
        "gold": 403,
    }
    _, secret = tokens.make(organiser, "a program")
    program = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {secret}"})
    assert everything(program, tasks[0])["decide"].status_code == 201


def test_a_task_is_told_with_all_that_can_be_chosen(tasks: list[Task], as_organiser: Client) -> None:
    told = as_organiser.get(f"/api/v1/tasks/{tasks[2].pk}/adjudication").json()
    assert (told["id"], told["base"], told["standing"], told["gold"]) == (tasks[2].pk, 0, None, False)
    assert (told["task"]["stage"], told["task"]["size_hw"]) == ("grounding", [60, 80])
    assert [one["letter"] for one in told["candidates"]] == ["A", "B", "C", "D"]
    drawn_by, by_rules = told["candidates"][:2], told["candidates"][2:]
    assert {one["number"] for one in drawn_by} == {one.pk for one in sent_for(tasks[2])}
    assert sorted(one["rings"] for one in drawn_by) == [[ring(0, 0, 10, 10)], [ring(5, 0, 15, 10)]]
    assert {one["share"] for one in drawn_by} == {100 / 4800}
    assert {one["rule"]: one["share"] for one in by_rules} == {"intersection": 50 / 4800, "union": 150 / 4800}
    (pair,) = told["between"]
    assert (pair["first"], pair["second"], pair["why"]) == ("A", "B", "partial")
    assert pair["alike"] == pytest.approx(1 / 3)
    other = as_organiser.get(f"/api/v1/tasks/{tasks[1].pk}/adjudication").json()
    assert [pair["alike"] for pair in other["between"]] == [None]
    assert sorted(len(one["rings"]) for one in other["candidates"]) == [0, 1]


def test_letters_tell_not_who_was_first(organiser: User, as_organiser: Client) -> None:
    _project, tasks = project_of(organiser, *([square(0, 0, 10, 10), square(5, 0, 15, 10)] for _ in range(12)))
    first = []
    for task in tasks:
        told = as_organiser.get(f"/api/v1/tasks/{task.pk}/adjudication").json()
        assert told == as_organiser.get(f"/api/v1/tasks/{task.pk}/adjudication").json()
        first.append(told["candidates"][0]["number"] == sent_for(task)[0].pk)
    assert len(set(first)) == 2


def test_next_goes_by_least_agreement_and_round(tasks: list[Task], as_organiser: Client) -> None:
    alike, apart, third = (task.pk for task in tasks)
    at = f"/api/v1/projects/{tasks[0].project.slug}/adjudications/next"

    def following(**values: Any) -> Any:
        answer = as_organiser.get(at, values)
        return answer.json()["task"] if answer.status_code == 200 else answer.status_code

    assert [following(), following(after=apart), following(after=third), following(after=alike)] == [
        apart,
        third,
        alike,
        apart,
    ]
    assert [following(which="steps"), following(which="below"), following(low=0.9)] == [apart, third, alike]
    assert following(which="steps", after=apart) == 204
    assert [following(which="below", below=0.3), following(low=0.2, high=0.4), following(high=0.2)] == [204, third, 204]
    # What makes no sense is left at what is usual.
    assert following(which="x", below="nan", low="-1", high="y", decided="z") == apart
    as_organiser.post(
        f"/api/v1/tasks/{apart}/adjudication", {"how": "rejected", "base": 0, "work": SEVERAL}, content_type=JSON
    )
    assert [following(), following(decided="yes"), following(decided="any")] == [third, apart, apart]
    for wrong in (0, -1, 10**9, 2**63):
        assert following(after=wrong) == 404
    assert following(after="x") == 422
    assert as_organiser.get("/api/v1/projects/nothing/adjudications/next").status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"how": "given", "base": 0},
        {"how": "undone", "base": 0},
        {"how": "picked", "base": -1},
        {"how": "picked", "base": 0, "picked": 2**63},
        {"how": "mended", "base": 0, "work": {**STEPS, "polygon": [["nan", 1]]}},
        {"how": "mended", "base": 0, "work": {**STEPS, "outcome": "polygon"}},
        {"how": "rejected", "base": 0, "work": CANNOT, "note": "a\0b"},
        {"how": "rejected", "base": 0, "work": CANNOT, "extra": 1},
    ],
)
def test_what_is_no_decision_is_refused(tasks: list[Task], as_organiser: Client, body: dict[str, Any]) -> None:
    answer = as_organiser.post(f"/api/v1/tasks/{tasks[0].pk}/adjudication", body, content_type=JSON)
    assert answer.status_code == 422
    assert not Adjudication.objects.exists()


def test_two_reviewers_are_told_of_each_other(tasks: list[Task], organiser: User) -> None:
    at = f"/api/v1/tasks/{tasks[0].pk}/adjudication"
    one, two = signed_in(organiser), signed_in(person("second", "organiser"))
    body = {"how": "picked", "base": 0, "picked": sent_for(tasks[0])[0].pk, "note": "first"}
    assert one.post(at, body, content_type=JSON).status_code == 201
    answer = two.post(at, {"how": "rejected", "base": 0, "work": SEVERAL}, content_type=JSON)
    assert (answer.status_code, code_of(answer)) == (409, "decided_meanwhile")
    newest = answer.json()["error"]["details"]["newest"]
    assert (newest["decided_by"], newest["note"]) == ("organiser", "first")
    again = {"how": "rejected", "base": newest["id"], "work": SEVERAL}
    assert two.post(at, again, content_type=JSON).status_code == 201


def test_the_description_tells_of_it(client: Client) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    told = paths["/api/v1/tasks/{number}/adjudication"]["post"]
    assert "Decides on the answer" in told["description"]
    assert "DecisionIn" in str(told["requestBody"])
