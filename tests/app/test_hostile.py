"""Markup in all that people write, on every page; and what is left of a session and a token when a role ends."""

from __future__ import annotations

from html import escape

import pytest
from django.test import Client
from django.urls import reverse

from foveate.app.accounts import people, tokens
from foveate.app.accounts.models import User
from foveate.app.annotate.models import DraftVersion, Project, Submission, Task
from tests.app.access import PAGES, a_project
from tests.app.annotate import made
from tests.app.annotate.making import Api, content_of, make_project, outline
from tests.app.conftest import signed_in

pytestmark = pytest.mark.django_db

MARKUP = "<img src=x onerror=alert(1)>\"'{{ 7 }}</script>"
LOOKED_AT = [name for name, page in PAGES.items() if page.post is None and "picture" not in name and name != "setup"]


def write_markup_everywhere(annotator: User) -> None:
    """Puts it into a project, its tasks, what was sent, and the names of all people."""
    a_project(None)
    work = {"stage": "ask", "outcome": "asked", "question": MARKUP, "answer": MARKUP, "comment": MARKUP}
    made.sent(annotator, Project.objects.get(), work)
    Project.objects.update(title=MARKUP, dataset=MARKUP, root=MARKUP, questions=MARKUP, instructions=MARKUP)
    # The number keeps keys apart.
    for task in Task.objects.all():
        said = MARKUP + str(task.pk)
        Task.objects.filter(pk=task.pk).update(key=said, image_name=said, question=said, answer=said)
    User.objects.update(display_name=MARKUP[:60], deactivated_why=MARKUP)


@pytest.mark.parametrize("name", LOOKED_AT)
def test_what_people_write_is_never_markup(admin: User, annotator: User, name: str) -> None:
    write_markup_everywhere(annotator)
    admin.refresh_from_db()
    answer = signed_in(admin).get(reverse(name, kwargs=PAGES[name].arguments(admin)))
    said = content_of(answer)
    if answer.headers["Content-Type"].startswith("text/html"):
        assert b"<img src=x" not in said
        assert b"{{ 7 }}</script>" not in said


def test_the_markup_is_there_to_be_seen(admin: User, annotator: User) -> None:
    """Else the test above would look at nothing."""
    write_markup_everywhere(annotator)
    for name in ["annotate:project", "annotate:task", "annotate:tasks", "annotate:projects", "annotate:mine", "home"]:
        page = signed_in(admin).get(reverse(name, kwargs=PAGES[name].arguments(admin))).content.decode()
        assert escape(MARKUP[:28]) in page, name


def test_a_role_that_ends_ends_in_open_sessions_and_tokens(annotator: User, organiser: User) -> None:
    project = make_project(organiser)
    session, token = Api(signed_in(annotator)), tokens.make(annotator, "a program")[1]
    program = Api(Client(headers={"Authorization": f"Bearer {token}"}))
    number = session.lend(project.slug).json()["id"]
    assert program.get(number).status_code == 200
    people.set_roles(None, annotator, ["participant"])
    for api in (session, program):
        for answer in (api.get(number), api.save(number, 0, outline()), api.send(number, outline())):
            assert answer.status_code in (403, 404)
        assert api.lend(project.slug).status_code in (403, 404)
    assert session.client.get(f"/annotate/work/{number}/").status_code in (403, 404)
    assert not Submission.objects.exists()
    assert not DraftVersion.objects.exists()


@pytest.mark.parametrize("name", ["annotate:projects", "annotate:new", "invitations", "audit_log", "admin:index"])
def test_an_admin_who_is_no_more_one_is_let_in_nowhere(admin: User, name: str) -> None:
    people.make(None, "other", ["admin"])
    client = signed_in(admin)
    assert client.get(reverse(name)).status_code == 200
    people.set_roles(None, admin, ["annotator"])
    assert client.get(reverse(name)).status_code in (302, 403)
