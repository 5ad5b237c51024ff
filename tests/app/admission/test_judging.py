"""Sending for a gold question: what is taken, what is refused, how often, and that nothing is told."""

from __future__ import annotations

import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from foveate.annotation.work import WORK
from foveate.app.accounts.models import User
from foveate.app.admission.models import Admission, Attempt, Candidate
from foveate.app.admission.services import people
from foveate.app.admission.services.making import change
from foveate.app.admission.services.standings import settings_of
from foveate.app.annotate.models import Adjudication, Assignment, DraftVersion, Submission
from foveate.app.annotate.services import hooks
from foveate.app.annotate.services.lend import lend
from foveate.app.annotate.services.send import give_back, send
from foveate.app.refused import RefusedError
from tests.app.admission.making import (
    CANNOT,
    GOLD_REGION,
    REGIONS,
    RIGHT,
    SEVERAL,
    WRONG,
    an_admission,
    applied,
    finished,
    qualified,
    sent,
)
from tests.app.annotate.making import Api, all_at_once, annotators, code_of, outline
from tests.app.conftest import signed_in


@pytest.fixture
def admission(tmp_path: Path, organiser: User) -> Admission:
    return an_admission(tmp_path, organiser)


def refused(person: User, admission: Admission, work: dict[str, Any]) -> RefusedError:
    with pytest.raises(RefusedError) as error:
        sent(person, admission.qualification, work)
    return error.value


def state_of(person: User) -> str:
    return Candidate.objects.get(person=person).state


@pytest.mark.django_db
def test_the_whole_way(admission: Admission, organiser: User) -> None:
    (person,) = annotators(1)
    candidate = applied(person, admission)
    assert candidate.state == "qualification"
    assert lend(person, admission.qualification) is not None
    assert refused(person, admission, WRONG).code == "not_accepted"
    # Blocked until it is right: the same question again.
    for number, work in enumerate(RIGHT):
        one = sent(person, admission.qualification, work)
        assert one.assignment.task.key == f"{number}.png"
    assert state_of(person) == "trial"
    assert admission.trial is not None
    assert admission.trial.members.filter(pk=person.pk).exists()
    sent(person, admission.trial, outline())
    assert state_of(person) == "trial"
    sent(person, admission.trial, outline())
    candidate.refresh_from_db()
    assert candidate.state == "waiting"
    assert candidate.met_at <= candidate.qualified_at <= candidate.finished_at  # type: ignore[operator]
    people.decide(candidate, True, "Welcome", organiser)
    assert admission.project.members.filter(pk=person.pk).exists()
    assert not admission.qualification.members.exists()
    assert not admission.trial.members.exists()
    log = [(one.task.key, one.faults, one.iou is None) for one in Attempt.objects.order_by("pk")]
    assert log == [
        ("0.png", ["region"], False),
        ("0.png", [], False),
        ("1.png", [], True),
        ("2.png", [], True),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("work", "codes"),
    [
        (WRONG, ["region"]),
        (SEVERAL, ["several_questions", "several_regions", "outcome"]),
        (REGIONS, ["several_regions", "outcome"]),
        (CANNOT, ["outcome"]),
        ({**GOLD_REGION, "outcome": "whole_image", "polygon": [], "closed": False}, ["region"]),
    ],
)
def test_what_differs_is_logged_and_what_is_told_is_always_the_same(
    admission: Admission, work: dict[str, Any], codes: list[str]
) -> None:
    (person,) = annotators(1)
    applied(person, admission)
    told = refused(person, admission, work)
    attempt = Attempt.objects.get()
    assert attempt.faults == codes
    assert attempt.gold == Adjudication.objects.filter(task=attempt.task).latest()
    assert (told.status, told.code, told.message) == (422, "not_accepted", "This does not follow the instructions yet.")
    assert told.remedy.endswith("You have 2 more attempts at it.")
    assert told.details == {
        "problems": [{"field": "work", "problem": told.message.rstrip("."), "remedy": told.remedy}],
        "attempts_left": 2,
    }
    assert not Submission.objects.exists()


@pytest.mark.django_db
def test_three_attempts_and_it_is_over(admission: Admission, organiser: User) -> None:
    (person,) = annotators(1)
    applied(person, admission)
    api = Api(signed_in(person))
    number = api.lend(admission.qualification.slug).json()["id"]
    codes = [
        (answer.status_code, code_of(answer))
        for answer in (api.send(number, work) for work in (WRONG, SEVERAL, CANNOT))
    ]
    assert codes == [(422, "not_accepted"), (422, "not_accepted"), (409, "attempts_over")]
    assert state_of(person) == "failed"
    # Out of it: nothing is lent, saved or sent any more.
    assert api.lend(admission.qualification.slug).status_code == 404
    assert api.save(number, 0, RIGHT[0]).status_code == 404
    assert api.send(number, RIGHT[0]).status_code == 404
    assert Attempt.objects.count() == 3
    candidate = people.second_chance(Candidate.objects.get(person=person), organiser)
    assert candidate.state == "qualification"
    assert api.send(number, RIGHT[0]).status_code == 201


@pytest.mark.django_db
def test_in_all_so_many_may_fail(tmp_path: Path, organiser: User) -> None:
    admission = an_admission(tmp_path, organiser, attempts=3, failed_in_all=2)
    (person,) = annotators(1)
    applied(person, admission)
    refused(person, admission, WRONG)
    sent(person, admission.qualification, RIGHT[0])
    assert refused(person, admission, WRONG).details["attempts_left"] == 1
    assert refused(person, admission, CANNOT).code == "attempts_over"
    assert state_of(person) == "failed"


@pytest.mark.django_db
def test_between_two_attempts_one_waits(tmp_path: Path, organiser: User) -> None:
    admission = an_admission(tmp_path, organiser, wait_minutes=10)
    (person,) = annotators(1)
    applied(person, admission)
    assert "The next one can be sent from" in refused(person, admission, WRONG).remedy
    early = refused(person, admission, RIGHT[0])
    assert (early.status, early.code) == (429, "wait")
    assert early.wait == pytest.approx(600, abs=5)
    assert Attempt.objects.count() == 1
    Attempt.objects.update(at=timezone.now() - timedelta(minutes=10))
    sent(person, admission.qualification, RIGHT[0])


@pytest.mark.django_db
def test_the_same_once_more_is_no_second_attempt_unless_gold_was_mended(admission: Admission) -> None:
    (person,) = annotators(1)
    applied(person, admission)
    first = refused(person, admission, WRONG)
    again = refused(person, admission, {**WRONG, "seconds": 99, "comment": "what is wrong?"})
    assert (again.code, again.remedy) == (first.code, first.remedy)
    assert Attempt.objects.count() == 1
    task = Attempt.objects.get().task
    Adjudication.objects.create(
        task=task,
        work=WORK.dump_python(WORK.validate_python(WRONG), mode="json"),
        how="mended",
        decided_by=admission.made_by,
        decided_at=timezone.now(),
    )
    sent(person, admission.qualification, WRONG)
    assert [one.faults for one in Attempt.objects.order_by("pk")] == [["region"], []]


@pytest.mark.django_db
def test_without_an_answer_nothing_is_taken_in_and_with_one_again_it_is_compared(admission: Admission) -> None:
    """Who answers while the organiser has taken the answer back is neither let through nor judged."""
    (person,) = annotators(1)
    applied(person, admission)
    task = admission.qualification.tasks.get(position=0)

    def decided(how: str, work: dict[str, Any]) -> None:
        stored = WORK.dump_python(WORK.validate_python(work), mode="json")
        Adjudication.objects.create(
            task=task, work=stored, how=how, decided_by=admission.made_by, decided_at=timezone.now()
        )

    decided("undone", GOLD_REGION)
    for work in (WRONG, RIGHT[0]):
        told = refused(person, admission, work)
        assert (told.status, told.code) == (409, "question_changing")
    assert not Attempt.objects.exists()
    assert not Submission.objects.exists()
    decided("mended", GOLD_REGION)
    assert refused(person, admission, WRONG).code == "not_accepted"
    decided("undone", GOLD_REGION)
    assert refused(person, admission, WRONG).code == "question_changing"
    decided("mended", WRONG)
    assert refused(person, admission, RIGHT[0]).code == "not_accepted"
    sent(person, admission.qualification, WRONG)
    assert [one.faults for one in Attempt.objects.order_by("pk")] == [["region"], ["region"], []]


@pytest.mark.django_db
def test_what_was_accepted_once_is_compared_anew_where_other_work_is_sent(
    admission: Admission, monkeypatch: pytest.MonkeyPatch
) -> None:
    (person,) = annotators(1)
    applied(person, admission)
    away = RefusedError(409, "away", "Not now.", "Later.")
    monkeypatch.setattr(hooks, "BEFORE_TAKING", [*hooks.BEFORE_TAKING, lambda _assignment, _work: away])
    assert refused(person, admission, RIGHT[0]).code == "away"
    assert refused(person, admission, RIGHT[0]).code == "away"
    assert Attempt.objects.count() == 1, "the same is not compared twice"
    monkeypatch.undo()
    assert refused(person, admission, WRONG).code == "not_accepted"
    assert not Submission.objects.exists()
    sent(person, admission.qualification, RIGHT[0])


@pytest.mark.django_db
def test_a_draft_tells_nothing_and_is_kept_by_a_refusal(admission: Admission) -> None:
    (person,) = annotators(1)
    applied(person, admission)
    api = Api(signed_in(person))
    number = api.lend(admission.qualification.slug).json()["id"]
    right, wrong = api.save(number, 0, RIGHT[0]), api.save(number, 1, WRONG)
    assert right.json().keys() == wrong.json().keys() == {"version", "saved_at", "leased_until"}
    assert not Attempt.objects.exists()
    assert api.send(number, WRONG).status_code == 422
    assert DraftVersion.objects.filter(assignment=number).count() == 2
    assert api.get(number).json()["draft"]["work"]["polygon"] == WRONG["polygon"]
    assert Assignment.objects.get(pk=number).state == "leased"


@pytest.mark.django_db
def test_what_was_given_back_comes_back(admission: Admission) -> None:
    (person,) = annotators(1)
    applied(person, admission)
    lent = lend(person, admission.qualification)
    assert lent is not None
    give_back(person, lent.assignment.pk, "too hard")
    for work in RIGHT[1:]:
        sent(person, admission.qualification, work)
    assert lend(person, admission.qualification) is None
    assert state_of(person) == "qualification"
    page = signed_in(person).post(f"/annotate/projects/{admission.project.slug}/admission/go-on/")
    assert page.headers["Location"] == f"/annotate/work/{lent.assignment.pk}/"
    sent(person, admission.qualification, RIGHT[0])
    assert state_of(person) == "trial"


@pytest.mark.django_db
def test_without_a_trial_one_waits_at_once(tmp_path: Path, organiser: User) -> None:
    admission = an_admission(tmp_path, organiser, trial=0)
    (person,) = annotators(1)
    assert qualified(person, admission).state == "waiting"


@pytest.mark.django_db
def test_other_projects_are_sent_for_as_before_and_an_organiser_who_looks_in_is_no_candidate(
    admission: Admission,
) -> None:
    (person,) = annotators(1)
    admission.project.members.add(person)
    sent(person, admission.project, WRONG)
    assert not Attempt.objects.exists()
    admission.qualification.members.add(person)
    assert refused(person, admission, RIGHT[0]).code == "attempts_over"
    assert not Attempt.objects.exists()


@pytest.mark.django_db
def test_after_the_last_task_the_next_page_is_that_of_the_admission(admission: Admission) -> None:
    (person,) = annotators(1)
    applied(person, admission)
    api = Api(signed_in(person))
    page = f"/annotate/projects/{admission.project.slug}/admission/"
    nexts = []
    for work in RIGHT:
        number = api.lend(admission.qualification.slug).json()["id"]
        nexts.append(api.send(number, work).json()["next"])
    assert nexts[2] == page
    assert all(one.startswith("/annotate/work/") for one in nexts[:2])


@pytest.mark.django_db(transaction=True)
def test_two_tabs_at_the_last_attempt_count_twice_and_no_third_gets_through(tmp_path: Path, organiser: User) -> None:
    admission = an_admission(tmp_path, organiser, attempts=3)
    (person,) = annotators(1)
    applied(person, admission)
    lent = lend(person, admission.qualification)
    assert lent is not None
    number = lent.assignment.pk
    tabs = [{**WRONG, "polygon": [[40, 30], [50 + n, 30], [50, 40]]} for n in range(5)]

    def tab(work: dict[str, Any]) -> str:
        try:
            send(person, number, uuid.uuid4(), WORK.validate_python(work))
        except RefusedError as error:
            return error.code
        return "taken"

    codes = all_at_once([lambda work=work: tab(work) for work in tabs])  # type: ignore[misc]
    assert sorted(codes) == ["attempts_over", "not_accepted", "not_accepted", "not_found", "not_found"]
    assert Attempt.objects.count() == 3
    assert state_of(person) == "failed"


def test_fewer_attempts_than_have_failed_end_the_qualification(admission: Admission, organiser: User) -> None:
    (person,) = annotators(1)
    candidate = applied(person, admission)
    for side in (50, 51):
        refused(person, admission, {**WRONG, "polygon": [[40, 30], [side, 30], [50, 40]]})
    change(admission, settings_of(admission).model_copy(update={"attempts": 2}), "")
    assert refused(person, admission, RIGHT[0]).code == "attempts_over"
    # Not a page that leads to a task which nobody takes back.
    assert state_of(person) == "failed"
    assert not admission.qualification.members.exists()
    User.objects.filter(pk=person.pk).update(deleted_at=admission.made_at)
    with pytest.raises(RefusedError) as told:
        people.second_chance(candidate, organiser)
    assert told.value.code == "account_deleted"


@pytest.mark.django_db(transaction=True)
def test_admitted_twice_is_once(tmp_path: Path, organiser: User, admin: User) -> None:
    admission = an_admission(tmp_path, organiser)
    (person,) = annotators(1)
    candidate = finished(person, admission)

    def decide(by: User, admit: bool) -> str:
        try:
            people.decide(candidate, admit, by.username, by)
        except RefusedError as error:
            return error.code
        return "done"

    told = all_at_once([lambda: decide(organiser, True), lambda: decide(admin, True)])
    assert sorted(told) == ["decided_already", "done"]
    assert list(admission.project.members.all()) == [person]
    # What was decided may be decided otherwise later.
    assert decide(admin, False) == "done"
    assert not admission.project.members.exists()


@pytest.mark.django_db(transaction=True)
def test_applied_twice_at_once_is_once(tmp_path: Path, organiser: User) -> None:
    admission = an_admission(tmp_path, organiser)
    (person,) = annotators(1)

    def apply() -> str:
        try:
            return applied(person, admission).state
        except RefusedError as error:
            return error.code

    assert sorted(all_at_once([apply, apply])) == ["applied_already", "qualification"]
    assert Candidate.objects.count() == 1
