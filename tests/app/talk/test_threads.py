from __future__ import annotations

import json
import re
import uuid
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from foveate.app.accounts import own_data
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Project, Task
from foveate.app.refused import RefusedError
from foveate.app.talk.models import Case, Message, Thread
from foveate.app.talk.threads import LONGEST, answer, begin, unseen_by_annotator, unseen_by_organisers
from tests.app.annotate.made import polygon, project, sent, taken
from tests.app.annotate.making import all_at_once
from tests.app.conftest import person, signed_in
from tests.app.talk.told import a_thread, said


def url(name: str, *args: object) -> str:
    return reverse(f"talk:{name}", args=args)


@pytest.fixture
def cats(tmp_path: Path, organiser: User) -> Project:
    return project(tmp_path, organiser)


def message(text: str, **more: object) -> dict[str, object]:
    return {"text": text, "key": str(uuid.uuid4()), **more}


def test_a_question_is_asked_about_the_task_in_hand_and_answered(
    cats: Project, annotator: User, as_organiser: Client
) -> None:
    lent = taken(annotator, cats)
    client = signed_in(annotator)
    assert "What is red?" in client.get(url("ask", "cats")).content.decode()
    sent_page = client.post(url("ask", "cats"), message("Is <b>this</b> red?", about=lent.pk), follow=True)
    thread = Thread.objects.get()
    assert sent_page.redirect_chain == [(url("thread", thread.pk), 302)]
    assert (thread.assignment, thread.annotator) == (lent, annotator)
    assert "Is &lt;b&gt;this&lt;/b&gt; red?" in sent_page.content.decode()
    # The task is where it was.
    lent.refresh_from_db()
    assert lent.state == "leased"
    assert "Questions (1 new)" in as_organiser.get(reverse("annotate:project", args=["cats"])).content.decode()
    shown = as_organiser.get(url("thread", thread.pk)).content.decode()
    assert reverse("annotate:task", args=["cats", lent.task_id]) in shown
    assert "Questions (1 new)" not in as_organiser.get(reverse("annotate:project", args=["cats"])).content.decode()
    as_organiser.post(url("thread", thread.pk), message("It is red."))
    assert "Questions (1 new)" in client.get(reverse("annotate:mine")).content.decode()
    assert 'class="badge info">New' in client.get(url("questions")).content.decode()
    assert "It is red." in client.get(url("thread", thread.pk)).content.decode()
    assert unseen_by_annotator(annotator, cats) == 0


def test_without_a_task_it_is_about_the_project(cats: Project, annotator: User) -> None:
    client = signed_in(annotator)
    assert "you are doing no task of it" in client.get(url("ask", "cats")).content.decode()
    client.post(url("ask", "cats"), message("When is it over?"))
    assert Thread.objects.get().assignment is None


def test_sending_twice_is_sending_once(cats: Project, annotator: User, organiser: User) -> None:
    form = message("Once?")
    client = signed_in(annotator)
    first = client.post(url("ask", "cats"), form)
    again = client.post(url("ask", "cats"), form)
    assert first.headers["Location"] == again.headers["Location"]
    thread = Thread.objects.get()
    reply = said("Once.")
    answer(thread, organiser, reply)
    answer(thread, organiser, reply)
    assert [one.text for one in thread.messages.order_by("pk")] == ["Once?", "Once."]
    # The key of another's message is of no use to anybody.
    begin(cats, organiser, organiser, said("Mine"))
    assert Thread.objects.count() == 2


def test_annotators_see_their_own_threads_only(cats: Project, annotator: User, organiser: User) -> None:
    thread = a_thread(cats, annotator, "my own question")
    other = signed_in(person("other", "annotator"))
    assert other.get(url("thread", thread.pk)).status_code == 404
    assert other.post(url("thread", thread.pk), message("x")).status_code == 404
    assert other.post(url("thread", thread.pk), {"act": "close"}).status_code == 404
    for address in (url("questions"), url("project_questions", "cats")):
        assert "my own question" not in other.get(address).content.decode()
        assert "my own question" in signed_in(annotator).get(address).content.decode()
        assert "my own question" in signed_in(organiser).get(address).content.decode()
    assert Message.objects.count() == 1


def test_nor_can_they_ask_about_what_is_not_theirs(cats: Project, annotator: User) -> None:
    lent = taken(person("other", "annotator"), cats)
    client = signed_in(annotator)
    for about in (lent.pk, "x", "9" * 30):
        assert client.post(url("ask", "cats"), message("x", about=about)).status_code == 404
    cats.everyone = False
    cats.save()
    assert client.get(url("ask", "cats")).status_code == 404
    assert client.get(url("project_questions", "cats")).status_code == 404
    assert not Thread.objects.exists()


def test_who_was_let_out_of_a_project_reads_the_answer_still(cats: Project, annotator: User) -> None:
    thread = a_thread(cats, annotator)
    cats.everyone = False
    cats.save()
    assert signed_in(annotator).get(url("thread", thread.pk)).status_code == 200
    assert signed_in(annotator).get(url("project_questions", "cats")).status_code == 200


def test_an_organiser_writes_about_what_was_sent(cats: Project, annotator: User, as_organiser: Client) -> None:
    submission = sent(annotator, cats, polygon())
    task = reverse("annotate:task", args=["cats", submission.assignment.task_id])
    address = url("write_about", submission.assignment_id)
    assert address in as_organiser.get(task).content.decode()
    as_organiser.post(address, message("The tail is missing."))
    thread = Thread.objects.get()
    assert (thread.annotator, thread.assignment) == (annotator, submission.assignment)
    assert unseen_by_annotator(annotator, cats) == 1
    as_organiser.post(url("write_to", "cats", annotator.pseudonym), message("Thank you for all of it."))
    assert Thread.objects.filter(assignment=None, annotator=annotator).count() == 1
    outside = person("outside", "participant")
    assert as_organiser.get(url("write_to", "cats", outside.pseudonym)).status_code == 404


def test_gold_looks_like_any_other_task_to_its_annotator(
    cats: Project, annotator: User, organiser: User, as_organiser: Client
) -> None:
    lent = taken(annotator, cats)
    client = signed_in(annotator)
    thread = a_thread(cats, annotator, about=lent)
    pages = [url("ask", "cats"), url("thread", thread.pk), url("questions")]

    def seen() -> list[str]:
        texts = [client.get(address).content.decode() for address in pages]
        return [re.sub(r'value="[\w-]{30,}"', "", text) for text in texts]

    before = seen()
    Task.objects.filter(pk=lent.task_id).update(gold=True)
    assert seen() == before
    assert "Gold question" in as_organiser.get(url("thread", thread.pk)).content.decode()


def test_a_thread_is_closed_and_a_message_opens_it(cats: Project, annotator: User, as_organiser: Client) -> None:
    thread = a_thread(cats, annotator)
    as_organiser.post(url("thread", thread.pk), {"act": "close"})
    assert Thread.objects.get().state == "closed"
    assert "Is it so?" not in as_organiser.get(url("questions"), {"state": "open"}).content.decode()
    assert "Is it so?" in as_organiser.get(url("questions"), {"state": "closed"}).content.decode()
    signed_in(annotator).post(url("thread", thread.pk), message("And so?"))
    assert Thread.objects.get().state == "open"
    as_organiser.post(url("thread", thread.pk), {"act": "close"})
    as_organiser.post(url("thread", thread.pk), {"act": "open"})
    assert Thread.objects.get().state == "open"


def test_what_is_new_is_what_came_after_the_look(cats: Project, annotator: User, organiser: User) -> None:
    thread = a_thread(cats, annotator)
    assert (unseen_by_annotator(annotator, cats), unseen_by_organisers(organiser, cats)) == (0, 1)
    signed_in(organiser).get(url("thread", thread.pk))
    assert unseen_by_organisers(organiser, cats) == 0
    # Organisers are one side: what one has read, another need not.
    assert unseen_by_organisers(person("second", "organiser"), cats) == 0
    answer(thread, annotator, said("More."))
    assert (unseen_by_annotator(annotator, cats), unseen_by_organisers(organiser, cats)) == (0, 1)
    # Looking at the list is not reading.
    signed_in(organiser).get(url("questions"))
    signed_in(organiser).head(url("thread", thread.pk))
    assert unseen_by_organisers(organiser, cats) == 1


def test_messages_have_a_length_and_a_rate(cats: Project, annotator: User) -> None:
    client = signed_in(annotator)
    assert client.post(url("ask", "cats"), message("x" * (LONGEST + 1))).status_code == 422
    assert client.post(url("ask", "cats"), message("  ")).status_code == 422
    assert client.post(url("ask", "cats"), {"text": "x", "key": "none"}).status_code == 422
    statuses = [client.post(url("ask", "cats"), message(f"{n}")).status_code for n in range(31)]
    assert statuses == [302] * 30 + [429]
    thread = Thread.objects.order_by("pk")[0]
    assert client.post(url("thread", thread.pk), message("x")).status_code == 429
    assert thread.messages.count() == 1


def test_a_tricky_case_is_made_of_it(cats: Project, annotator: User, organiser: User, as_organiser: Client) -> None:
    thread = a_thread(cats, annotator, "Is the tail part?\nIt is long.", sent(annotator, cats, polygon()).assignment)
    answer(thread, organiser, said("The tail is part of it."))
    page = as_organiser.get(url("write_case", "cats"), {"thread": thread.pk})
    begins = page.context["form"].initial
    assert begins["title"] == "Is the tail part?"
    assert begins["text"] == "> Is the tail part?\n> It is long.\n\nThe tail is part of it."
    assert thread.assignment is not None
    assert begins["task"] == thread.assignment.task.key
    Task.objects.update(gold=True)
    assert as_organiser.get(url("write_case", "cats"), {"thread": thread.pk}).context["form"].initial["task"] == ""
    for wrong in ("x", "9" * 30, str(thread.pk + 1)):
        assert as_organiser.get(url("write_case", "cats"), {"thread": wrong}).context["form"].initial == {}
    assert not Case.objects.exists()


def test_letters_are_a_persons_own_and_go_with_them(cats: Project, annotator: User, organiser: User) -> None:
    thread = a_thread(cats, annotator, "a letter")
    answer(thread, organiser, said("an answer"))
    mine = json.loads("".join(own_data.export(annotator)))
    assert [one["text"] for one in mine["messages"]] == ["a letter", "an answer"]
    assert len(mine["threads"]) == 1
    # An organiser's own data has what they wrote, not what was written to them.
    theirs = json.loads("".join(own_data.export(organiser)))
    assert [one["text"] for one in theirs["messages"]] == ["an answer"]
    own_data.leave(None, organiser)
    assert Thread.objects.count() == 1
    own_data.leave(None, annotator)
    assert (Thread.objects.count(), Message.objects.count()) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_a_message_that_is_sent_twice_at_once_is_one(tmp_path: Path) -> None:
    boss, anna = person("boss", "organiser"), person("anna", "annotator")
    cats = project(tmp_path, boss)
    one = said("Once?")
    threads = all_at_once([lambda: begin(cats, anna, anna, one).pk] * 3)
    assert len(set(threads)) == 1
    reply = said("Once.")
    thread = Thread.objects.get()
    all_at_once([lambda: answer(thread, boss, reply)] * 3)
    assert thread.messages.count() == 2


def test_nobody_writes_to_somebody_who_has_left(cats: Project, annotator: User, as_organiser: Client) -> None:
    work = sent(annotator, cats, polygon((2, 2), (40, 2), (40, 40)))
    thread = a_thread(cats, annotator)
    own_data.leave(None, annotator)
    told = as_organiser.post(url("write_about", work.assignment_id), message("Well done"))
    assert (told.status_code, "has left" in told.content.decode()) == (409, True)
    with pytest.raises(RefusedError) as refused:
        answer(thread, annotator, said("late"))
    assert refused.value.status == 404
    assert not Thread.objects.exists()
