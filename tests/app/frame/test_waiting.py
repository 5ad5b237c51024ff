"""What waits for an organiser on the first page, parts of projects, and what comes next on a project's page."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from foveate.app.accounts.models import User
from foveate.app.admission.models import Admission
from foveate.app.admission.services import people
from foveate.app.annotate.models import Assignment, Project
from foveate.app.annotate.parts import nested, part_of
from foveate.app.annotate.services.lend import lend
from foveate.app.annotate.waiting import what_waits
from foveate.app.refused import RefusedError
from foveate.app.review.services import measure, waiting
from foveate.app.talk import threads
from foveate.quality.requirements import Record
from tests.app.adjudicate.making import SEVERAL, project_of, square
from tests.app.admission.making import WRONG, an_admission, applied, finished, qualified, sent
from tests.app.annotate.making import annotators, make_project
from tests.app.conftest import signed_in
from tests.app.review.working import answer, do, said
from tests.app.talk.told import a_thread

pytestmark = pytest.mark.django_db
APART = [square(0, 0, 10, 10), square(0, 0, 10, 5)]


@pytest.fixture
def admission(tmp_path: Path, organiser: User) -> Admission:
    return an_admission(tmp_path, organiser)


def text_of(client: Client, path: str) -> str:
    answered = client.get(path)
    assert answered.status_code == 200
    return answered.content.decode()


def page_of(client: Client, project: Project) -> str:
    return text_of(client, f"/annotate/projects/{project.slug}/")


def waits() -> list[tuple[str, str]]:
    return [(one.project.slug, one.said) for one in what_waits()]


def primary(page: str) -> list[str]:
    """Returns what the main buttons at the top of a page say."""
    top = page.partition("<h1>")[2].partition('aria-label="Pages of this project"')[0]
    return re.findall(r'class="button primary"[^>]*>([^<]+)', top)


def test_nothing_waits_where_nothing_was_done(as_organiser: Client, organiser: User) -> None:
    make_project(organiser)
    assert what_waits() == []
    assert "What waits for you" not in text_of(as_organiser, "/")


def test_candidates_wait_until_they_are_decided_on(admission: Admission, organiser: User) -> None:
    (one, two) = annotators(2)
    first, _ = finished(one, admission), finished(two, admission)
    assert (admission.project.slug, "2 candidates to decide on") in waits()
    address = reverse("admission:people", args=[admission.project.slug])
    assert f'<a href="{address}">2 candidates to decide on' in text_of(signed_in(organiser), "/")
    people.decide(first, True, "", organiser)
    assert (admission.project.slug, "1 candidate to decide on") in waits()
    assert "What waits for you" not in text_of(signed_in(two), "/")


def test_questions_wait_until_an_organiser_has_read_them_also_in_closed_projects(organiser: User) -> None:
    project = make_project(organiser)
    one, two = annotators(2)
    a_thread(project, one)
    thread = a_thread(project, two)
    assert waits() == [(project.slug, "2 unread questions")]
    Project.objects.update(state="closed")
    threads.see(thread, organiser)
    assert waits() == [(project.slug, "1 unread question")]


def test_tasks_wait_until_they_are_adjudicated_and_not_those_of_one_person(organiser: User) -> None:
    project, tasks = project_of(organiser, APART, [SEVERAL, SEVERAL])
    project_of(organiser, [SEVERAL])
    assert waits() == [(project.slug, "2 tasks to adjudicate")]
    answer(tasks[0], organiser)
    assert waits() == [(project.slug, "1 task to adjudicate")]
    Project.objects.update(state="closed")
    assert waits() == []


def test_flags_wait_as_far_as_they_were_measured(organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project(organiser, tasks=6)
    (one,) = annotators(1)
    do(one, project, *[said(seconds=0.1) for _ in range(5)])  # A whole batch in half a second.
    assert waits() == []
    measure.bring_up(project, None)
    assert waits() == [(project.slug, "1 batch with flags")]
    monkeypatch.setattr(waiting, "MOST_MEASURED", 4)
    assert waits() == []
    monkeypatch.undo()
    Project.objects.update(state="closed")
    assert waits() == []


def test_what_waits_is_asked_in_as_many_queries_however_many_projects_there_are(organiser: User) -> None:
    (one,) = annotators(1)
    counts = []
    for _ in range(3):
        project, _tasks = project_of(organiser, APART)
        a_thread(project, one)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert what_waits()
        counts.append(len(queries))
    assert counts[0] == counts[1] == counts[2]
    assert len(what_waits()) == 6


def test_a_qualification_and_a_trial_are_told_with_their_project_and_in_its_card(
    admission: Admission, organiser: User
) -> None:
    assert admission.trial is not None
    rows = nested(list(Project.objects.order_by("-pk")))
    assert admission.qualification not in [one for one, _ in rows]
    parts = dict(rows)[admission.project]
    assert [(one, part.name) for one, part in parts] == [
        (admission.qualification, "qualification"),
        (admission.trial, "trial"),
    ]
    # A trial to which one is admitted: what belongs to it is with the project that it belongs to.
    inner = make_project(organiser)
    Admission.objects.create(project=admission.trial, qualification=inner, made_by=organiser)
    assert inner in [one for one, _ in dict(nested(list(Project.objects.all())))[admission.project]]
    # Without its project a part is no project that runs.
    assert nested([admission.qualification]) == []
    client = signed_in(organiser)
    for address in ("/", "/annotate/projects/"):
        page = text_of(client, address)
        assert page.count(f'href="/annotate/projects/{admission.trial.slug}/"') == 1
        assert page.index(admission.project.slug) < page.index(f"/{admission.trial.slug}/")
        assert "0 of 0 tasks over" not in page


def test_a_qualification_says_what_it_is_and_has_figures_and_links_of_its_own(
    admission: Admission, organiser: User
) -> None:
    one, two = annotators(2)
    qualified(one, admission)
    applied(two, admission)
    assert part_of(admission.project) is None
    client = signed_in(organiser)
    page = page_of(client, admission.qualification)
    assert "This is the qualification of:" in page
    assert f'href="/annotate/projects/{admission.project.slug}/"' in page
    assert re.search(r"Tasks for each candidate</dt><dd>3<", page)
    assert re.search(r"People in it now</dt><dd>1<", page)
    assert re.search(r"People who did all of it</dt><dd>1<", page)
    for absurd in ("tasks over", "Places taken", " of 2,000", ">Admission<", ">Adjudicate<", ">Checks<", ">Agreement<"):
        assert absurd not in page, absurd
    assert ">Tricky cases<" in page
    assert primary(page) == []


def test_a_trial_says_what_it_is_and_keeps_the_links_that_tell_how_people_work(
    admission: Admission, organiser: User
) -> None:
    assert admission.trial is not None
    (one,) = annotators(1)
    finished(one, admission)
    page = page_of(signed_in(organiser), admission.trial)
    assert "This is the trial of:" in page
    assert ">Checks<" in page
    assert ">Agreement<" in page
    assert "2,000" not in page
    for absurd in (">Admission<", ">Adjudicate<", ">Gold questions<"):
        assert absurd not in page, absurd
    page = page_of(signed_in(organiser), admission.project)
    assert ">Admission<" in page
    assert ">Adjudicate<" in page


def test_the_main_button_is_what_comes_next(organiser: User) -> None:
    client = signed_in(organiser)
    project, tasks = project_of(organiser, APART)
    assert primary(page_of(client, project)) == ["Adjudicate"]
    answer(tasks[0], organiser)
    assert primary(page_of(client, project)) == ["Export"]
    new = make_project(organiser)
    assert primary(page_of(client, new)) == []  # It runs: annotators are next.
    for state, button in (("draft", ["Open"]), ("paused", ["Open"]), ("closed", ["Open"])):
        Project.objects.filter(pk=new.pk).update(state=state)
        assert primary(page_of(client, new)) == button, state
    Project.objects.filter(pk=project.pk).update(state="closed")
    assert primary(page_of(client, project)) == ["Export"]


def test_who_failed_or_was_refused_is_not_told_to_apply(admission: Admission, organiser: User) -> None:
    one, two = annotators(2)
    client = signed_in(one)
    assert "Projects to apply for" in text_of(client, "/")
    candidate = applied(one, admission)
    for address in ("/", "/annotate/"):
        page = text_of(client, address)
        assert "Projects you have applied for" in page
        assert "Projects to apply for" not in page
    people.decide(candidate, False, "", organiser)
    Project.objects.exclude(pk=admission.project_id).update(state="closed")
    for address in ("/", "/annotate/"):
        page = text_of(client, address)
        assert "Projects you were not admitted to" in page
        assert "apply for" not in page
    assert "Nothing to do just now" in text_of(client, "/")
    Project.objects.update(state="open")
    applied(two, admission)
    for n in range(3):
        with pytest.raises(RefusedError):
            sent(two, admission.qualification, {**WRONG, "polygon": [[40 + n, 30], [50, 30], [50, 40], [40, 40]]})
    assert "Projects you were not admitted to" in text_of(signed_in(two), "/annotate/")


def test_the_drawing_page_of_a_qualification_says_that_submit_is_an_attempt(
    admission: Admission, organiser: User
) -> None:
    (one,) = annotators(1)
    applied(one, admission, Record(tasks=600, accepted=599, region="US"))
    client = signed_in(one)
    lent = lend(one, admission.qualification)
    assert lent is not None
    address = f"/annotate/work/{lent.assignment.pk}/"
    page = text_of(client, address)
    assert "Submit is an attempt, saving is none." in page
    assert "you had 3 attempts at this task" in page
    with pytest.raises(RefusedError):
        sent(one, admission.qualification, WRONG)
    assert "you had 2 attempts at this task" in text_of(client, address)


def test_a_gold_question_in_the_flow_has_no_such_sentence(organiser: User) -> None:
    project = make_project(organiser)
    task = project.tasks.get(position=0)
    answer(task, organiser)
    project.tasks.filter(pk=task.pk).update(gold=True)
    (one,) = annotators(1)
    now = timezone.now()
    for each in project.tasks.all():
        later = now + timedelta(hours=1)
        held = Assignment.objects.create(task=each, annotator=one, stage=each.stage, leased_at=now, leased_until=later)
        assert "is an attempt" not in text_of(signed_in(one), f"/annotate/work/{held.pk}/")
