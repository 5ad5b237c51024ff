from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from foveate.app.accounts.models import AuditEvent, User
from foveate.app.accounts.own_data import export, leave
from foveate.app.annotate.models import Adjudication, Project, Task
from foveate.app.annotate.services.gold import mark
from foveate.app.refused import RefusedError
from foveate.app.review.services.looks import Decision as Judged
from foveate.app.review.services.looks import decide as judge
from foveate.app.talk.cases import Words, cases_of, move, new_cases, shape_to_show, why_not_shown, write
from foveate.app.talk.models import Case, CaseVersion
from foveate.errors import UsageError
from tests.app.annotate.made import polygon, project, sent, taken
from tests.app.annotate.making import all_at_once
from tests.app.conftest import person, signed_in


def url(name: str, *args: object) -> str:
    return reverse(f"talk:{name}", args=args)


@pytest.fixture
def cats(tmp_path: Path, organiser: User) -> Project:
    return project(tmp_path, organiser)


def done(cats: Project, annotator: User) -> Task:
    """Returns a task for which a square was drawn."""
    square = polygon((4, 4), (24, 4), (24, 24), (4, 24))
    return Task.objects.get(pk=sent(annotator, cats, square).assignment.task_id)


def test_a_case_is_written_read_and_changed(cats: Project, annotator: User, as_organiser: Client) -> None:
    form = {"title": "Tails", "text": "A *tail* is part of it.<script>alert(1)</script>"}
    assert as_organiser.post(url("write_case", "cats"), {**form, "preview": "1"}).status_code == 200
    assert not Case.objects.exists()
    as_organiser.post(url("write_case", "cats"), form)
    client = signed_in(annotator)
    first = client.get(url("cases", "cats")).content.decode()
    assert "A <em>tail</em> is part of it." in first
    assert "<script>alert" not in first
    assert 'class="badge info">New' in first
    again = client.get(url("cases", "cats")).content.decode()
    assert 'class="badge info">New' not in again
    assert "What it said before" not in again
    case = Case.objects.get()
    as_organiser.post(url("change_case", "cats", case.pk), {"title": "Tails", "text": "A tail is **not** part of it."})
    third = client.get(url("cases", "cats")).content.decode()
    assert "<strong>not</strong>" in third
    assert 'class="badge info">New' in third
    history = client.get(url("case", "cats", case.pk)).content.decode()
    assert history.index("<strong>not</strong>") < history.index("A <em>tail</em> is part of it.")
    assert "organiser" in history
    assert [event.details["version"] for event in AuditEvent.objects.filter(action="case.written")] == [1, 2]


def test_what_is_new_is_said_on_the_card_and_beside_a_task(cats: Project, annotator: User, organiser: User) -> None:
    client = signed_in(annotator)
    assert "Tricky cases<" in client.get(reverse("annotate:mine")).content.decode()
    for title in ("One", "Two"):
        write(cats, Words(title, "text"), organiser)
    assert "Tricky cases (2 new)" in client.get(reverse("annotate:mine")).content.decode()
    drawn = client.get(reverse("annotate:work", args=[taken(annotator, cats).pk])).content.decode()
    assert "Tricky cases (2 new)" in drawn
    assert "Ask the organiser" in drawn
    client.get(url("cases", "cats"))
    assert new_cases(annotator, cats) == 0
    assert new_cases(organiser, cats) == 2


def test_an_example_shows_what_was_drawn(cats: Project, annotator: User, organiser: User) -> None:
    task = done(cats, annotator)
    case = write(cats, Words("Tails", "text", task), organiser)
    answer = signed_in(annotator).get(url("case_picture", "cats", case.pk, 1))
    picture = np.asarray(PIL.Image.open(io.BytesIO(answer.content)).convert("RGB"))
    assert picture.shape == (48, 64, 3)

    def yellow(first: int, last: int) -> bool:
        red, green, blue = picture[first:last, 14].T
        return bool(((red > 180) & (green > 150) & (blue < 120)).any())

    # Yellow lies on the upper side of the square and nowhere in its middle.
    assert (yellow(2, 7), yellow(11, 16)) == (True, False)
    assert "no-store" in answer.headers["Cache-Control"]
    page = signed_in(annotator).get(url("cases", "cats")).content.decode()
    assert url("case_picture", "cats", case.pk, 1) in page


@pytest.mark.parametrize(("change", "why"), [({"gold": True}, "gold question"), ({"state": "open"}, "not done yet")])
def test_what_would_be_given_away_is_no_example(
    cats: Project, annotator: User, organiser: User, change: dict[str, Any], why: str
) -> None:
    task = done(cats, annotator)
    case = write(cats, Words("Tails", "text", task), organiser)
    Task.objects.filter(pk=task.pk).update(**change)
    task.refresh_from_db()
    assert why in why_not_shown(task)
    with pytest.raises(RefusedError) as refused:
        write(cats, Words("More", "text", task), organiser)
    assert refused.value.status == 422
    page = signed_in(organiser).post(url("write_case", "cats"), {"title": "x", "text": "y", "task": task.key})
    assert (page.status_code, why in page.content.decode()) == (422, True)
    # One that was shown before is not shown any more, whoever asks.
    for who in (annotator, organiser):
        assert signed_in(who).get(url("case_picture", "cats", case.pk, 1)).status_code == 404
    assert "<figure" not in signed_in(annotator).get(url("cases", "cats")).content.decode()


def test_what_everybody_was_shown_becomes_no_gold_question(cats: Project, annotator: User, organiser: User) -> None:
    task = done(cats, annotator)
    now = timezone.now()
    work = polygon((4, 4), (24, 4), (24, 24))
    Adjudication.objects.create(task=task, work=work, how="mended", decided_by=organiser, decided_at=now)
    case = write(cats, Words("Tails", "text", task), organiser)
    # Withdrawn, or with another example since: whoever looked before knows the answer.
    move(case, "withdraw")
    write(cats, Words("Tails", "text", None), organiser, case)
    with pytest.raises(UsageError, match="tricky case"):
        mark(task, True)
    assert not Task.objects.get(pk=task.pk).gold
    # One that was gold before may become none.
    Task.objects.filter(pk=task.pk).update(gold=True)
    assert not mark(task, False).gold


def test_what_was_adjudicated_is_what_is_shown(cats: Project, annotator: User, organiser: User) -> None:
    task = done(cats, annotator)
    first = shape_to_show(task)
    assert first is not None
    mended = polygon((2, 2), (40, 2), (40, 40))
    now = timezone.now()
    Adjudication.objects.create(task=task, work=mended, how="mended", decided_by=organiser, decided_at=now)
    second = shape_to_show(task)
    assert second is not None
    assert second != first
    nothing = {"stage": "grounding", "several_questions": True}
    Adjudication.objects.create(task=task, work=nothing, how="rejected", decided_by=organiser, decided_at=now)
    assert shape_to_show(task) is None
    assert "Nothing was drawn" in why_not_shown(task)
    # Taken back, it is as if nobody had decided.
    Adjudication.objects.create(task=task, work=nothing, how="undone", decided_by=organiser, decided_at=now)
    assert shape_to_show(task) == first
    drawn = task.assignments.get().submission
    judge(cats, Judged([drawn.pk], "aside"), organiser)
    assert shape_to_show(task) is None


def test_a_number_that_no_database_has_is_no_case(cats: Project, as_organiser: Client) -> None:
    for number in (2**63, 10**30):
        assert as_organiser.get(url("case_picture", "cats", number, 1)).status_code == 404


def test_the_form_says_what_is_wrong(cats: Project, as_organiser: Client) -> None:
    page = as_organiser.post(url("write_case", "cats"), {"title": "x", "text": "  ", "task": "photo9.png"})
    errors = page.context["form"].errors
    assert "Write what is right" in str(errors["text"])
    assert "no task of this name" in str(errors["task"])


def test_cases_are_ordered_withdrawn_and_put_back(cats: Project, organiser: User, as_organiser: Client) -> None:
    made = [write(cats, Words(title, "text"), organiser) for title in "abc"]

    def order() -> str:
        return "".join(shown.now.title for shown in cases_of(cats))

    move(made[2], "up")
    assert order() == "acb"
    move(made[0], "up")
    move(made[1], "down")
    assert order() == "acb"
    move(made[0], "down")
    assert order() == "cab"
    as_organiser.post(url("move_case", "cats", made[0].pk), {"act": "withdraw"})
    move(made[0], "up")
    assert order() == "cb"
    assert "Put back" in as_organiser.get(url("cases", "cats")).content.decode()
    assert as_organiser.get(url("case", "cats", made[0].pk)).status_code == 200
    as_organiser.post(url("move_case", "cats", made[0].pk), {"act": "restore"})
    assert order() == "cba"
    assert as_organiser.post(url("move_case", "cats", made[0].pk), {"act": "burn"}).status_code == 404


def test_who_does_not_work_on_the_project_reads_nothing(cats: Project, annotator: User, organiser: User) -> None:
    case = write(cats, Words("Tails", "text"), organiser)
    gone = write(cats, Words("Old", "text"), organiser)
    move(gone, "withdraw")
    client = signed_in(annotator)
    assert client.get(url("case", "cats", gone.pk)).status_code == 404
    assert "Old" not in client.get(url("cases", "cats")).content.decode()
    cats.everyone = False
    cats.save()
    assert client.get(url("cases", "cats")).status_code == 404
    assert client.get(url("case", "cats", case.pk)).status_code == 404
    cats.members.add(annotator)
    assert client.get(url("cases", "cats")).status_code == 200
    assert client.get(url("cases", "dogs")).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_two_who_change_a_case_at_once_are_both_kept(tmp_path: Path) -> None:
    boss = person("boss", "organiser")
    cats = project(tmp_path, boss)
    case = write(cats, Words("a", "text"), boss)
    acts = [lambda n=n: write(cats, Words(f"version {n}", "text"), boss, case) for n in range(3)]
    all_at_once(acts)
    assert sorted(CaseVersion.objects.filter(case=case).values_list("number", flat=True)) == [1, 2, 3, 4]


def test_an_example_whose_decision_was_taken_back_stays_when_its_author_leaves(
    cats: Project, annotator: User, organiser: User
) -> None:
    task = done(cats, annotator)
    drawn = shape_to_show(task)
    Task.objects.filter(pk=task.pk).update(state="done")
    task.refresh_from_db()
    case = write(cats, Words("Tails", "Part of it.", task), organiser)
    nothing = {"stage": "grounding", "several_questions": True}
    for how, shown in (("rejected", None), ("undone", drawn)):
        Adjudication.objects.create(task=task, work=nothing, how=how, decided_by=organiser, decided_at=timezone.now())
        assert shape_to_show(task) == shown
        told = signed_in(annotator).get(url("case_picture", "cats", case.pk, 1)).status_code
        assert told == (404 if shown is None else 200)
    held = json.loads("".join(export(organiser)))
    assert [one["how"] for one in held["adjudications"]] == ["rejected", "undone"]
    assert [one["title"] for one in held["tricky_cases"]] == ["Tails"]
    assert json.loads("".join(export(annotator)))["adjudications"] == []
    leave(None, organiser)
    # What was decided, and taken back, stays under their pseudonym, and so does the case.
    assert shape_to_show(task) == drawn
    assert [one.now.made_by.username for one in cases_of(cats)] == [organiser.username]
    assert organiser.username.endswith(str(organiser.pseudonym))
