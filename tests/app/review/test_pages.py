"""The organiser's pages: the queue, a batch and what is said of it, inspection, limits, gold, and one annotator's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from foveate.annotation.kinds import ProjectSettings
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.accounts.own_data import export, leave
from foveate.app.annotate.links import PersonLink
from foveate.app.annotate.models import Assignment, Project, Submission
from foveate.app.annotate.progress import people_of
from foveate.app.annotate.services.lend import lend
from foveate.app.annotate.services.send import give_back
from foveate.app.review import words
from foveate.app.review.models import Checks, Look, Pause
from foveate.app.review.services import flagged, measure, pauses
from foveate.app.review.services.looks import Decision, decide
from foveate.quality.checks import Flag
from tests.app.admission.making import RIGHT, an_admission, applied
from tests.app.annotate import made
from tests.app.annotate.making import Api, all_at_once, annotators, begun, code_of, make_project, outline
from tests.app.conftest import signed_in
from tests.app.review.working import answer, do, golden, no_drawing, said

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "PATIENCE", None)


@pytest.fixture
def person(organiser: User) -> User:
    return annotators(1)[0]


@pytest.fixture
def project(organiser: User, person: User) -> Project:
    """A project with two batches of somebody: one with four "cannot draw", one in half a minute, and two beginnings."""
    made_one = make_project(organiser, tasks=14, submissions=1)
    do(person, made_one, *[no_drawing()] * 4, said(), *[said(seconds=5.0)] * 5, *[said()] * 2)
    return made_one


def page(client: Client, project: Project, path: str = "checks/", status: int = 200) -> str:
    answer = client.get(f"/annotate/projects/{project.slug}/{path}")
    assert answer.status_code == status
    return re.sub(r"\s+", " ", answer.content.decode())


def batch(person: User, number: int) -> str:
    return f"checks/{person.pseudonym}/{number}/"


def test_the_queue_has_the_newest_first_and_its_filters(as_organiser: Client, project: Project, person: User) -> None:
    text = page(as_organiser, project)
    assert "2 batches" in text
    assert text.index(batch(person, 2)) < text.index(batch(person, 1))
    assert "4 of 5; up to 3 are usual." in text
    assert "All of it took 25.0 seconds; at least 30.0 are usual." in text
    assert "1 batch<" in page(as_organiser, project, "checks/?rule=too_quick")
    assert "Nothing stands out." in page(as_organiser, project, "checks/?rule=gold_missed")
    assert "2 batches" in page(as_organiser, project, f"checks/?who={person.pseudonym}")
    assert "Nothing stands out." in page(as_organiser, project, f"checks/?who={User.objects.first().pseudonym}")  # type: ignore[union-attr]
    assert "2 batches" in page(as_organiser, project, "checks/?who=nobody&page=x")
    assert "Nobody has looked" in page(as_organiser, project, "checks/?looked=yes")


def test_a_batch_is_looked_at(as_organiser: Client, organiser: User, project: Project, person: User) -> None:
    text = page(as_organiser, project, batch(person, 1) + "?rule=cannot_draw")
    assert "Photos may be bad" in text
    assert text.count('name="submissions"') == text.count("checked>") == 5
    numbers = [int(number) for number in re.findall(r'name="submissions" value="(\d+)"', text)]
    rules = re.findall(r'name="rules" value="(\w+)"', text)
    assert rules == ["cannot_draw"]
    address = f"/annotate/projects/{project.slug}/{batch(person, 1)}"
    sent = {"submissions": numbers[:3], "rules": rules, "verdict": "redo", "word": "Blurred, but seen."}
    answered = as_organiser.post(address + "?rule=cannot_draw", sent)
    assert answered.headers["Location"].endswith("/checks/?rule=cannot_draw")
    # Two of the batch are still to be decided about.
    text = page(as_organiser, project, batch(person, 1))
    assert text.count("checked>") == 2
    assert text.count("Blurred, but seen.") == 3
    as_organiser.post(address, {**sent, "submissions": numbers[3:], "verdict": "fine"})
    assert "1 batch<" in page(as_organiser, project)
    assert "1 batch<" in page(as_organiser, project, "checks/?looked=yes")
    assert "Looked at" in page(as_organiser, project, batch(person, 1))
    assert Look.objects.filter(verdict="redo", decided_by=organiser).count() == 3
    assert project.tasks.filter(state="open").count() == 2 + 3


def test_what_cannot_be_is_said_and_changes_nothing(as_organiser: Client, project: Project, person: User) -> None:
    address = f"/annotate/projects/{project.slug}/{batch(person, 1)}"
    other = Submission.objects.order_by("-pk")[0].pk
    for sent in ({"verdict": "redo"}, {"verdict": "redo", "submissions": [other]}, {"verdict": "?", "submissions": []}):
        assert "Choose at least one submission" in as_organiser.post(address, sent).content.decode()
    assert not Look.objects.exists()
    for path in (batch(person, 0), batch(person, 4), batch(User.objects.get(username="organiser"), 1)):
        page(as_organiser, project, path, 404)


def test_a_refusal_of_what_came_between_is_said(
    as_organiser: Client, project: Project, person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from foveate.app.review.services import looks

    monkeypatch.setattr(looks, "_MOST", 1)
    page(as_organiser, project)
    numbers = list(Submission.objects.order_by("pk").values_list("pk", flat=True)[:2])
    address = f"/annotate/projects/{project.slug}/{batch(person, 1)}"
    told = as_organiser.post(address, {"verdict": "fine", "submissions": numbers})
    assert "Too many are chosen" in told.content.decode()


def test_what_is_not_measured_yet_is_said(
    as_organiser: Client, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "PATIENCE", 0)
    assert "12 submissions are still to be measured" in page(as_organiser, project)


def test_a_batch_that_is_not_full_says_so(as_organiser: Client, project: Project, person: User) -> None:
    text = page(as_organiser, project, batch(person, 3))
    assert "not full yet" in text
    assert "It does not." in text


def test_what_was_drawn_is_inspected_once(as_organiser: Client, project: Project, person: User) -> None:
    address = f"/annotate/projects/{project.slug}/checks/inspection/"
    text = page(as_organiser, project, "checks/inspection/")
    numbers = re.findall(r'name="submissions" value="(\d+)"', text)
    assert len(numbers) == 2
    assert person.username in text
    as_organiser.post(address, {"submissions": numbers, "verdict": "fine", "word": ""})
    assert "All that was drawn was looked at" in page(as_organiser, project, "checks/inspection/")
    Checks.objects.create(project=project, settings={"inspect_number": 0})
    assert flagged.to_inspect(project, flagged.work_of(project), {}) == []


def test_limits_are_set_and_noted(as_organiser: Client, project: Project) -> None:
    address = f"/annotate/projects/{project.slug}/checks/limits/"
    text = page(as_organiser, project, "checks/limits/")
    values = dict(re.findall(r'name="(\w+)" value="([^"]*)"', text))
    values.pop("csrfmiddlewaretoken", None)
    assert as_organiser.post(address, {**values, "batch": "0"}).status_code == 422
    assert as_organiser.post(address, {**values, "least_seconds": "20", "most_cannot_draw": "4"}).status_code == 302
    assert "Nothing stands out." in page(as_organiser, project)
    assert flagged.settings_of(project).least_seconds == 20
    (event,) = AuditEvent.objects.filter(action="project.checks_set")
    assert event.details == {
        "least_seconds": {"was": 30.0, "now": 20.0},
        "most_cannot_draw": {"was": 3, "now": 4},
    }


def test_gold_is_listed_with_how_it_went(as_organiser: Client, organiser: User) -> None:
    project = make_project(organiser, tasks=4, submissions=1, gold_every=2)
    address = f"/annotate/projects/{project.slug}/gold/"
    assert "There is none yet." in page(as_organiser, project, "gold/")
    golden(project, organiser, "0.png")
    answer(project.tasks.get(key="1.png"), organiser)
    for one, work in zip(annotators(3), (outline(), no_drawing(), outline(30)), strict=True):
        while lent := lend(one, project):
            do(one, project, work if lent.assignment.task.gold else outline())
    text = page(as_organiser, project, "gold/")
    assert re.search(
        r'0\.png</a> <span class="under">[^<]*</span></th><td class="number">3</td><td class="number">2</td>', text
    )
    first, zero = project.tasks.get(key="1.png"), project.tasks.get(key="0.png")
    assert (
        "is a gold question now"
        in as_organiser.post(address, {"task": first.pk, "gold": "yes"}, follow=True).content.decode()
    )
    as_organiser.post(address, {"task": zero.pk, "gold": "no"})
    assert list(project.tasks.filter(gold=True)) == [first]
    assert (
        "nobody has decided"
        in as_organiser.post(
            address, {"task": project.tasks.get(key="2.png").pk, "gold": "yes"}, follow=True
        ).content.decode()
    )
    for wrong in ("", "x", "9" * 30, str(10**9)):
        assert as_organiser.post(address, {"task": wrong, "gold": "yes"}).status_code == 404


def test_an_annotators_page(
    as_organiser: Client, project: Project, person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foveate.app.annotate.links.PERSON", [PersonLink("review:annotator", "Ask them twice")])
    assert f"annotators/{person.pseudonym}/" in page(as_organiser, project, "")
    text = page(as_organiser, project, f"annotators/{person.pseudonym}/")
    assert "Ask them twice" in text
    assert "Write to them" not in text, "what the other apps put there is not there now"
    for figure in ("<dt>Sent</dt><dd>12</dd>", "<dd>2 of 3</dd>", "<dt>Median points</dt><dd>5</dd>"):
        assert figure in text
    assert text.count('class="chart"') == 2, "nothing was compared, so there are no charts of that"
    assert "Too few yet to say" in text
    page(as_organiser, project, f"annotators/{User.objects.get(username='organiser').pseudonym}/", 404)


@pytest.mark.parametrize(("found", "read"), [(0.31, "0.310"), (0.49996, "0.49996")])
def test_a_mean_that_is_too_low_reads_so(found: float, read: str) -> None:
    said_of = words.told(Flag("peers", found, 0.5, (0,)), 5).found
    assert f"a mean IoU of {read} with the others; at least 0.5 is" in said_of


def test_drift_is_said_in_words(as_organiser: Client, organiser: User, person: User) -> None:
    project = make_project(organiser, tasks=60, submissions=1)
    do(
        person,
        project,
        *(said(seconds=40.0 + n % 7) for n in range(40)),
        *(said(seconds=5.0 + n % 3) for n in range(20)),
    )
    text = page(as_organiser, project, f"annotators/{person.pseudonym}/")
    assert "It changes: 5.9 in the latest 20, 42.8 in the 40 before; 0.14 times as much" in text
    assert "No change that chance would not make: 5.0 in the latest 20, 5.0 in 40 before." in text


def test_who_is_paused_gets_no_more_tasks_and_finishes_what_they_have(
    as_organiser: Client, organiser: User, project: Project, person: User
) -> None:
    lent = lend(person, project)
    assert lent is not None
    assert Api(signed_in(person)).save(lent.assignment.pk, 0, begun([5, 5])).status_code == 200
    address = f"/annotate/projects/{project.slug}/annotators/{person.pseudonym}/"
    assert as_organiser.post(address + "pause/", {"word": "x" * 501}, follow=True).status_code == 200
    assert not Pause.objects.exists()
    as_organiser.post(address + "pause/", {"word": "Too quick."})
    as_organiser.post(address + "pause/", {"word": "Twice."})
    assert Pause.objects.get().word == "Too quick."
    client = signed_in(person)
    mine = client.get("/annotate/").content.decode()
    assert "has paused you here" in mine
    assert "Too quick" not in mine
    assert Api(client).send(lent.assignment.pk, outline()).status_code == 201
    assert Api(client).lend(project.slug).status_code == 204
    assert "Too quick." in "".join(export(person))
    other = make_project(organiser, submissions=1)
    assert lend(person, other) is not None, "of other projects they do"
    as_organiser.post(address + "resume/")
    as_organiser.post(address + "resume/")
    assert Api(client).lend(project.slug).status_code == 201
    actions = AuditEvent.objects.filter(action__startswith="annotator.").order_by("pk")
    assert [event.action for event in actions] == ["annotator.paused", "annotator.resumed"]
    leave(None, person)
    assert not Pause.objects.exists()


def test_a_task_that_was_not_begun_is_taken_back_at_a_pause(organiser: User, person: User) -> None:
    """The next is lent with the answer to the last, so that a pause would else come one task too late."""
    project = make_project(organiser, tasks=2, submissions=1)
    (other,) = annotators(1)
    do(person, project, said())
    lent = lend(person, project)
    assert lent is not None
    pauses.pause(project, person, "", organiser)
    number, client = lent.assignment.pk, signed_in(person)
    task = lent.assignment.task
    task.refresh_from_db()
    assert task.taken == 0
    assert AuditEvent.objects.get(action="annotator.paused").details["taken_back"] == 1
    assert [one.returned for one in people_of(project)] == [0], "they have given nothing back"
    # A page that is still open: what is drawn there is kept, and not taken in, however often it is tried.
    api = Api(client)
    assert [code_of(api.save(number, n, begun([n, 1]))) for n in range(2)] == ["lease_over"] * 2
    assert code_of(api.send(number, outline())) == "lease_over"
    assert Assignment.objects.get(pk=number).state == "returned"
    page = client.get(f"/annotate/work/{number}/", follow=True).content.decode()
    assert "which you had not begun, was taken back" in page
    theirs = lend(other, project)
    assert theirs is not None
    assert theirs.assignment.task == task, "somebody else gets it"
    # Once they go on they get it again, with what was kept, if it is free.
    give_back(other, theirs.assignment.pk, "")
    pauses.resume(project, person, organiser)
    again = lend(person, project)
    assert again is not None
    assert (again.assignment.pk, again.assignment.why) == (number, "")
    assert again.assignment.versions.count() == 3


def test_a_candidate_who_is_paused_does_not_take_it_up_themselves(organiser: User, tmp_path: Path) -> None:
    admission = an_admission(tmp_path, organiser)
    (candidate,) = annotators(1)
    applied(candidate, admission)
    lent = lend(candidate, admission.qualification)
    assert lent is not None
    pauses.pause(admission.qualification, candidate, "", organiser)
    signed_in(candidate).post(f"/annotate/projects/{admission.project.slug}/admission/go-on/")
    assert code_of(Api(signed_in(candidate)).send(lent.assignment.pk, RIGHT[0])) == "lease_over"
    pauses.resume(admission.qualification, candidate, organiser)
    assert Api(signed_in(candidate)).send(lent.assignment.pk, RIGHT[0]).status_code == 201


def test_photos_to_ask_about_are_not_shown_to_who_is_paused(organiser: User, person: User, tmp_path: Path) -> None:
    project = made.project(tmp_path, organiser, "box_collection")
    client = signed_in(person)
    assert "photo0.png" in client.get(f"/annotate/projects/{project.slug}/photos/").content.decode()
    pauses.pause(project, person, "", organiser)
    assert "photo0.png" not in client.get(f"/annotate/projects/{project.slug}/photos/").content.decode()
    assert code_of(Api(client).get(10**6)) == "not_found"


@pytest.mark.django_db(transaction=True)
def test_nobody_gets_a_task_after_they_were_paused(organiser: User) -> None:
    project = make_project(organiser, tasks=3, submissions=5)
    people = annotators(4)
    acts: list[Any] = [lambda one=one: lend(one, project) for one in people]
    acts += [lambda one=one: pauses.pause(project, one, "", organiser) for one in people]
    all_at_once(acts)
    for one in people:
        before = lend(one, project)
        assert before is None or not before.new
    assert Pause.objects.count() == 4


def test_own_data_tells_what_was_said_and_not_why_it_was_looked_at(
    organiser: User, project: Project, person: User
) -> None:
    sent = list(Submission.objects.values_list("pk", flat=True)[:2])
    decide(project, Decision(sent, "redo", "Mind the edge.", ("gold_missed",)), organiser)
    told = "".join(export(person))
    assert told.count("Mind the edge.") == 2
    assert "gold" not in told
    assert "Mind the edge." in "".join(export(organiser))


def test_what_the_admin_sees(as_admin: Client, organiser: User, project: Project, person: User) -> None:
    decide(project, Decision([Submission.objects.order_by("pk")[0].pk], "aside", "Mind the edge."), organiser)
    pauses.pause(project, person, "", organiser)
    assert "Mind the edge." in as_admin.get("/admin/review/look/").content.decode()
    assert (
        project.slug in str(as_admin.get("/admin/review/pause/").content)
        or as_admin.get("/admin/review/pause/").status_code == 200
    )
    assert ProjectSettings.model_validate(project.settings).gold_every == 0
    assert timezone.now() >= Pause.objects.get().paused_at
