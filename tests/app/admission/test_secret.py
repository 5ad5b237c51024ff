"""Gold never leaves the server: it stands in nothing that an annotator can get, while attempts fail and succeed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from foveate.app.accounts.models import User
from foveate.app.admission.models import Admission, Attempt, Candidate
from foveate.app.admission.services import people
from foveate.app.annotate.models import Adjudication
from foveate.quality.requirements import Record
from tests.app.admission.making import CANNOT, RIGHT, SECRETS, SEVERAL, WRONG, an_admission, finished, qualified
from tests.app.annotate.making import Api, annotators, content_of
from tests.app.conftest import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def admission(tmp_path: Path, organiser: User) -> Admission:
    return an_admission(tmp_path, organiser)


def everything(client: Client, admission: Admission, numbers: list[int]) -> Iterator[tuple[str, bytes]]:
    """Yields all that an annotator can ask for."""
    slugs = [one.slug for one in (admission.project, admission.qualification, admission.trial) if one]
    tasks = list(admission.qualification.tasks.values_list("pk", flat=True))
    api = [f"/api/v1/assignments/{number}{part}" for number in numbers for part in ("", "/submission")]
    pages = [
        f"/annotate/projects/{slug}/{part}"
        for slug in slugs
        for part in ("admission/", "instructions/", "photos/", "", "tasks/", "export/", "admission/people/")
    ]
    pages += [f"/annotate/projects/{slug}/tasks/{pk}/" for slug in slugs for pk in tasks]
    pages += [f"/annotate/projects/{slugs[0]}/admission/people/{pk}/" for pk in (1, 2)]
    pages += [f"/annotate/work/{number}/" for number in numbers] + [
        f"/annotate/submissions/{n}/picture.png" for n in range(9)
    ]
    for path in ["/", "/annotate/", "/annotate/submissions/", "/accounts/profile/", *api, *pages]:
        yield path, content_of(client.get(path))
    for number in numbers:
        answer = client.get(f"/api/v1/assignments/{number}")
        if answer.status_code == 200:
            photo = client.get(answer.json()["task"]["photo"]["url"])
            yield "the photo", content_of(photo)
    yield "own data", content_of(client.post("/accounts/profile/data/"))


def own_words(answer: bytes) -> str:
    return answer.decode(errors="replace")


def test_no_canary_is_in_any_answer(admission: Admission) -> None:
    (person,) = annotators(1)
    client = signed_in(person)
    api = Api(client)
    home = f"/annotate/projects/{admission.project.slug}/admission/"
    said: list[tuple[str, bytes]] = [
        (
            "apply",
            content_of(client.post(home + "apply/", {"tasks": 600, "accepted": 599, "region": "us", "true": "on"})),
        )
    ]
    numbers: list[int] = []
    for right, wrong in zip(RIGHT, (WRONG, {**CANNOT, "comment": ""}, SEVERAL), strict=True):
        lent = api.lend(admission.qualification.slug)
        number = lent.json()["id"]
        numbers.append(number)
        said += [("lend", content_of(lent)), ("save", content_of(api.save(number, 0, wrong)))]
        said += [
            ("conflict", content_of(api.save(number, 0, wrong, "tab-2"))),
            ("broken", content_of(api.send(number, {"stage": "grounding"}))),
        ]
        failed = api.send(number, wrong)
        assert failed.status_code == 422
        said.append(("failed", content_of(failed)))
        if wrong is WRONG:
            said += everything(client, admission, numbers)
        passed = api.send(number, right)
        assert passed.status_code == 201
        said += [("passed", content_of(passed)), ("once more", content_of(api.send(number, right)))]
    said += everything(client, admission, numbers)
    assert Candidate.objects.get().state == "trial"
    assert len(said) > 100
    for what, answer in said:
        for secret in SECRETS:
            assert secret not in own_words(answer), what
    # It is there, for those who may see it.
    gold = json.dumps(list(Adjudication.objects.values_list("work", flat=True)))
    assert all(secret in gold for secret in SECRETS)


def test_what_of_an_attempt_was_wrong_is_in_nothing_either(admission: Admission) -> None:
    (person,) = annotators(1)
    people.apply(person, admission, Record(tasks=600, accepted=599, region="US"))
    client = signed_in(person)
    api = Api(client)
    number = api.lend(admission.qualification.slug).json()["id"]
    answers = [api.send(number, work).json()["error"] for work in (WRONG, SEVERAL)]
    assert Attempt.objects.filter(iou__isnull=False).count() == 1
    # Two attempts that fail in other ways are told alike, but for their number.
    for answer in answers:
        answer["request_id"] = answer["remedy"] = answer["details"] = ""
    assert answers[0] == answers[1]
    held = json.loads(content_of(client.post("/accounts/profile/data/")))
    assert [one["accepted"] for one in held["qualification_attempts"]] == [False, False]
    assert {"faults", "iou", "gold"}.isdisjoint(held["qualification_attempts"][0])
    texts = [own_words(answer) for _what, answer in everything(client, admission, [number])]
    assert not any('"faults"' in text or "differs from gold" in text for text in texts)


def test_own_data_tells_what_was_declared_imported_and_decided_and_leaving_takes_it_away(
    admission: Admission, organiser: User, tmp_path: Path
) -> None:
    (person,) = annotators(1)
    candidate = finished(person, admission)
    table = tmp_path / "known.csv"
    table.write_text(f"person,tasks,accepted,region,source\n{person.username},700,699,US,the market\n")
    assert people.import_records(admission, table) == (1, [])
    people.decide(candidate, True, "Well drawn", organiser)
    client = signed_in(person)
    held: dict[str, Any] = json.loads(content_of(client.post("/accounts/profile/data/")))
    (one,) = held["admissions"]
    assert (one["state"], one["reason"], one["declared"]["tasks"]) == ("admitted", "Well drawn", 600)
    assert (one["imported"]["tasks"], one["imported"]["source"]) == (700, "the market")
    assert len(held["qualification_attempts"]) == 3
    from foveate.app.accounts.own_data import leave

    leave(None, person)
    candidate.refresh_from_db()
    assert (candidate.declared, candidate.imported, candidate.reason) == (None, None, "")
    assert candidate.state == "admitted"
    assert not admission.project.members.exists()


def test_an_attempt_at_a_question_whose_answer_was_taken_back_stays_the_persons_own(
    admission: Admission, organiser: User
) -> None:
    from django.utils import timezone

    from foveate.app.accounts.own_data import export, leave

    (person,) = annotators(1)
    qualified(person, admission)
    gold = Adjudication.objects.filter(task=admission.qualification.tasks.get(position=0)).latest()
    before = "".join(export(person))
    Adjudication.objects.create(
        task=gold.task, work=gold.work, how="undone", decided_by=organiser, decided_at=timezone.now()
    )
    assert "".join(export(person)) == before, "that it was taken back is told to nobody"
    assert [one["accepted"] for one in json.loads(before)["qualification_attempts"]] == [True] * 3
    assert Candidate.objects.get().state == "trial", "what was passed is passed"
    leave(None, person)
    leave(None, organiser)
    assert Attempt.objects.filter(gold=gold).count() == 1
    assert json.loads("".join(export(organiser)))["adjudications"][-1]["how"] == "undone"
