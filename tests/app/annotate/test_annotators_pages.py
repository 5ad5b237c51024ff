from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project, Submission
from foveate.app.annotate.projects import act
from tests.app.annotate.made import polygon, project, sent, taken
from tests.app.conftest import person, signed_in


def url(name: str, *args: object) -> str:
    return reverse(f"annotate:{name}", args=args)


def body_of(answer: Any) -> bytes:
    """Returns the whole of an answer that is sent in pieces."""
    return b"".join(answer.streaming_content)


def test_with_nothing_to_do_the_page_says_so(as_annotator: Client) -> None:
    page = as_annotator.get(url("mine")).content.decode()
    assert "Nothing to do just now" in page
    assert "You have not sent anything yet" in as_annotator.get(url("my_submissions")).content.decode()


def test_my_projects_tell_what_i_did_and_what_is_left(
    tmp_path: Path, organiser: User, annotator: User, as_annotator: Client
) -> None:
    made = project(tmp_path, organiser, submissions=2)
    sent(annotator, made, polygon())
    page = as_annotator.get(url("mine")).content.decode()
    assert "You have sent 1" in page
    assert "2 are left for you" in page
    assert "Take a task" in page
    assignment = taken(annotator, made)
    page = as_annotator.get(url("mine")).content.decode()
    assert url("work", assignment.pk) in page
    assert "Take a task" not in page


def test_take_a_task_lends_the_next_and_then_the_same(
    tmp_path: Path, organiser: User, annotator: User, as_annotator: Client
) -> None:
    project(tmp_path, organiser)
    first = as_annotator.post(url("take", "cats"))
    assignment = Assignment.objects.get()
    assert (assignment.annotator, assignment.task.position, assignment.state) == (annotator, 0, "leased")
    assert first.headers["Location"] == url("work", assignment.pk)
    assert as_annotator.post(url("take", "cats")).headers["Location"] == url("work", assignment.pk)
    assert Assignment.objects.count() == 1
    assert as_annotator.get(url("take", "cats")).status_code == 405


def test_nothing_left_leads_to_a_calm_page(
    tmp_path: Path, organiser: User, annotator: User, as_annotator: Client
) -> None:
    made = project(tmp_path, organiser)
    for _ in range(3):
        sent(annotator, made, polygon())
    page = as_annotator.post(url("take", "cats"), follow=True)
    assert page.redirect_chain == [(url("mine"), 302)]
    text = page.content.decode()
    assert "There is nothing left for you in “Cats and dogs” just now" in text
    assert "Nothing is left for you just now" in text
    assert "Take a task" not in text


def test_a_lease_that_is_over_is_not_offered_as_begun(
    tmp_path: Path, organiser: User, annotator: User, as_annotator: Client
) -> None:
    assignment = taken(annotator, project(tmp_path, organiser))
    Assignment.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    page = as_annotator.get(url("mine")).content.decode()
    assert url("work", assignment.pk) not in page


@pytest.mark.parametrize("state", ["draft", "paused", "closed", "not a member"])
def test_only_open_projects_that_i_am_in_are_there_for_me(
    tmp_path: Path, organiser: User, as_annotator: Client, state: str
) -> None:
    made = project(tmp_path, organiser, opened=state != "draft")
    if state == "paused":
        act(made, "pause")
    if state == "closed":
        act(made, "close")
    if state == "not a member":
        Project.objects.update(everyone=False)
    assert "Cats and dogs" not in as_annotator.get(url("mine")).content.decode()
    assert as_annotator.post(url("take", "cats")).status_code == 404
    assert as_annotator.get(url("instructions", "cats")).status_code == 404
    assert not Assignment.objects.exists()


def test_my_submissions_are_mine_alone(tmp_path: Path, organiser: User, annotator: User, as_annotator: Client) -> None:
    made = project(tmp_path, organiser, submissions=2)
    sent(person("other", "annotator"), made, polygon(comment="of the other"))
    sent(annotator, made, polygon(seconds=61))
    page = as_annotator.get(url("my_submissions"))
    assert [one.assignment.annotator for one in page.context["page_obj"]] == [annotator]
    assert "1:01" in page.content.decode()


# The three stages of a box collection, on pages without JavaScript.


def form_of(client: Client, assignment: Assignment) -> dict[str, str]:
    """Returns the hidden fields of a page, as its form would send them."""
    page = client.get(url("work", assignment.pk))
    assert page.status_code == 200
    form = page.context["form"]
    return {name: str(form[name].value()) for name in ("base", "tab", "key", "since", "before")}


def test_a_photo_is_picked_asked_about_boxed_and_verified(
    tmp_path: Path, organiser: User, annotator: User, as_annotator: Client
) -> None:
    made = project(tmp_path, organiser, "box_collection")
    photo = made.tasks.get(image_name="photo1.png")
    gallery = as_annotator.get(url("gallery", "cats"))
    assert [task.image_name for task, _ in gallery.context["photos"]] == ["photo0.png", "photo1.png", "photo2.png"]
    thumbnail = as_annotator.get(gallery.context["photos"][0][1])
    assert thumbnail.headers["Content-Type"].startswith("image/")
    assert body_of(thumbnail)
    picked = as_annotator.post(url("gallery", "cats"), {"task": photo.pk})
    asked = Assignment.objects.get()
    assert (asked.task, asked.stage, picked.headers["Location"]) == (photo, "ask", url("work", asked.pk))

    form = form_of(as_annotator, asked)
    work = {"outcome": "asked", "question": "What barks?", "answer": "dog", "comment": ""}
    done = as_annotator.post(url("work", asked.pk), {**form, **work, "act": "send"}, follow=True)
    assert "Sent. Thank you." in done.content.decode()
    photo.refresh_from_db()
    assert (photo.stage, photo.question, photo.answer) == ("box", "What barks?", "dog")

    boxer, judge = person("boxer", "annotator"), person("judge", "annotator")
    boxing = taken(boxer, made, "box")
    assert (boxing.task, boxing.stage) == (photo, "box")
    page = signed_in(boxer).get(url("work", boxing.pk)).content.decode()
    assert "What barks?" in page
    assert "dog" not in page
    told = signed_in(boxer).get(f"/api/v1/assignments/{boxing.pk}").json()["task"]
    assert (told["question"], told["answer"]) == ("What barks?", "")
    sent(boxer, made, {"stage": "box", "outcome": "box", "box": [8, 8, 40, 40]})
    client = signed_in(judge)
    assert "1 is left for you. 2 photos can be asked about." in " ".join(
        client.get(url("mine")).content.decode().split()
    )
    client.post(url("take", "cats"))
    judged = Assignment.objects.get(annotator=judge)
    assert judged.stage == "verify"
    page = client.get(url("work", judged.pk)).content.decode()
    assert "What barks?" in page
    assert "Answer: <strong>dog</strong>" in page
    assert "boxer" not in page
    assert client.get(url("shown_picture", judged.pk)).headers["Content-Type"] == "image/png"
    assert as_annotator.get(url("shown_picture", judged.pk)).status_code == 404
    form = form_of(client, judged)
    client.post(url("work", judged.pk), {**form, "outcome": "right", "comment": "", "act": "send"})
    photo.refresh_from_db()
    assert (photo.state, photo.stage) == ("done", "verify")


@pytest.fixture
def asked(tmp_path: Path, organiser: User, annotator: User, as_annotator: Client) -> Assignment:
    """A photo that the annotator has picked."""
    made = project(tmp_path, organiser, "box_collection")
    as_annotator.post(url("gallery", "cats"), {"task": made.tasks.get(position=0).pk})
    return Assignment.objects.get()


def test_what_is_unfinished_is_said_at_its_field_and_nothing_is_lost(as_annotator: Client, asked: Assignment) -> None:
    form = form_of(as_annotator, asked)
    work = {"outcome": "asked", "question": "  ", "answer": "a dog", "comment": "c"}
    page = as_annotator.post(url("work", asked.pk), {**form, **work, "act": "send"})
    assert page.status_code == 422
    assert "The question is empty" in str(page.context["form"].errors["question"])
    assert 'value="a dog"' in page.content.decode()
    page = as_annotator.post(url("work", asked.pk), {**form, "act": "send"})
    assert "Nothing is asked" in str(page.context["form"].errors["outcome"])
    assert "Is there something to ask about? Nothing is asked." in page.content.decode()
    assert not Submission.objects.exists()


def test_a_draft_is_saved_and_there_again(as_annotator: Client, asked: Assignment) -> None:
    form = form_of(as_annotator, asked)
    as_annotator.post(url("work", asked.pk), {**form, "question": "What is", "act": "save"})
    saved = asked.versions.get()
    assert (saved.version, saved.work["question"], saved.work["outcome"]) == (1, "What is", None)
    assert 'value="What is"' in as_annotator.get(url("work", asked.pk)).content.decode()
    assert form_of(as_annotator, asked)["base"] == "1"


def test_times_are_those_of_the_persons_own_zone_and_say_so(
    as_annotator: Client, annotator: User, asked: Assignment
) -> None:
    User.objects.filter(pk=annotator.pk).update(timezone="Asia/Tokyo")
    page = as_annotator.post(
        url("work", asked.pk), {**form_of(as_annotator, asked), "question": "What", "act": "save"}, follow=True
    )
    asked.refresh_from_db()
    until = asked.leased_until.astimezone(ZoneInfo("Asia/Tokyo"))
    assert f"The task is yours until {until:%H:%M} JST." in page.content.decode()
    mine = as_annotator.get(url("mine")).content.decode()
    assert f'<time datetime="{until.isoformat(timespec="seconds")}">{until:%H:%M} JST</time>' in mine


def test_two_tabs_are_told_and_the_person_chooses(as_annotator: Client, asked: Assignment) -> None:
    first, second = form_of(as_annotator, asked), form_of(as_annotator, asked)
    as_annotator.post(url("work", asked.pk), {**first, "question": "of the first", "act": "save"})
    told = as_annotator.post(url("work", asked.pk), {**second, "question": "of the second", "act": "save"})
    assert told.status_code == 409
    page = told.content.decode()
    assert "Another tab or computer has saved" in page
    assert 'value="of the second"' in page
    assert asked.versions.count() == 1
    as_annotator.post(url("work", asked.pk), {**second, "question": "of the second", "act": "overwrite"})
    assert list(asked.versions.order_by("version").values_list("work__question", flat=True)) == [
        "of the first", "of the second",
    ]  # fmt: skip


def test_sending_twice_is_once(as_annotator: Client, asked: Assignment) -> None:
    form = form_of(as_annotator, asked)
    work = {**form, "outcome": "nothing", "act": "send"}
    assert as_annotator.post(url("work", asked.pk), work).status_code == 302
    again = as_annotator.post(url("work", asked.pk), work, follow=True)
    assert "sent already" in again.content.decode()
    assert Submission.objects.count() == 1


def test_a_task_is_given_back(as_annotator: Client, asked: Assignment) -> None:
    as_annotator.post(url("work", asked.pk), {"act": "return", "why": "too dark"})
    asked.refresh_from_db()
    assert (asked.state, asked.why, asked.task.taken) == ("returned", "too dark", 0)


def test_other_peoples_tasks_are_not_found(asked: Assignment, organiser: User) -> None:
    for other in (signed_in(person("other", "annotator")), signed_in(organiser)):
        for method in ("get", "post"):
            assert getattr(other, method)(url("work", asked.pk), {"act": "return"}).status_code == 404
        assert other.get(url("shown_picture", asked.pk)).status_code == 404
    asked.refresh_from_db()
    assert asked.state == "leased"


def test_of_two_who_pick_one_photo_one_gets_it(asked: Assignment) -> None:
    other = signed_in(person("other", "annotator"))
    page = other.post(url("gallery", "cats"), {"task": asked.task_id}, follow=True)
    assert "Somebody else has just taken that photo" in page.content.decode()
    assert other.post(url("gallery", "cats"), {"task": "x"}).status_code == 404
    assert Assignment.objects.count() == 1


def test_whoever_has_begun_a_photo_finishes_it_first(as_annotator: Client, asked: Assignment) -> None:
    another = asked.task.project.tasks.get(position=1)
    page = as_annotator.post(url("gallery", "cats"), {"task": another.pk}, follow=True)
    assert page.redirect_chain[0][0] == url("work", asked.pk)
    assert "You have begun another task" in page.content.decode()


def test_forms_that_were_tampered_with_are_refused(as_annotator: Client, asked: Assignment) -> None:
    form = form_of(as_annotator, asked)
    for name, value in [("base", "-1"), ("key", "x"), ("since", "soon"), ("before", "nan"), ("outcome", "right")]:
        page = as_annotator.post(url("work", asked.pk), {**form, "act": "save", name: value})
        assert page.status_code == 422, name
    assert not asked.versions.exists()
