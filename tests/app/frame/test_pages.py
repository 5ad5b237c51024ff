"""The frame by requests: the first page by role, links by role, themes, error pages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Group
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.template import Context, Template
from django.test import Client, override_settings
from django.urls import path

from foveate.app.accounts.models import User
from foveate.app.frame.themes import COOKIE
from foveate.app.refused import RefusedError
from foveate.app.urls import handler400, handler403, handler404, handler500, urlpatterns
from foveate.errors import InputError

pytestmark = pytest.mark.django_db


def boom(request: HttpRequest) -> HttpResponse:
    raise ValueError("a secret word")


def suspicious(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation("odd")


def refused(request: HttpRequest) -> HttpResponse:
    raise RefusedError(409, "taken", "Somebody was quicker.", "Take another one.")


def ours(request: HttpRequest) -> HttpResponse:
    raise InputError("photos.csv, row 3", "there is no photo", "Add it.")


class Faulty:
    """The site's addresses, and some where something goes wrong."""

    urlpatterns = [
        *urlpatterns,
        path("boom/", boom),
        path("suspicious/", suspicious),
        path("refused/", refused),
        path("ours/", ours),
    ]
    handler400, handler403, handler404, handler500 = handler400, handler403, handler404, handler500


def page_of(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status
    return response.content.decode()


def test_somebody_who_is_not_signed_in_is_told_what_this_is(client: Client) -> None:
    page = page_of(client, "/")
    assert "Show where the answer is" in page
    assert 'href="/accounts/login/"' in page
    assert "Sign out" not in page


def test_each_role_has_its_links_and_its_sections(
    as_annotator: Client, as_organiser: Client, as_participant: Client, as_admin: Client
) -> None:
    pages = {
        "annotator": page_of(as_annotator, "/"),
        "organiser": page_of(as_organiser, "/"),
        "participant": page_of(as_participant, "/"),
        "admin": page_of(as_admin, "/"),
    }
    who_sees = {
        'href="/annotate/"': {"annotator", "admin"},
        'href="/annotate/projects/"': {"organiser", "admin"},
        'href="/accounts/people/"': {"admin"},
        'href="/accounts/log/"': {"admin"},
        "Nothing to do just now": {"annotator", "admin"},
        "Projects that run": {"organiser", "admin"},
        "There is no challenge yet": {"participant"},
        "Sign out": {"annotator", "organiser", "participant", "admin"},
    }
    for words, roles in who_sees.items():
        assert {role for role, page in pages.items() if words in page} == roles, words


def test_an_account_without_a_role_is_told_whom_to_ask(client: Client) -> None:
    client.force_login(User.objects.create_user("new"))
    assert "has no role yet" in page_of(client, "/")


def test_an_admin_who_is_alone_is_told_how_to_begin(as_admin: Client) -> None:
    assert "You are the first one here." in page_of(as_admin, "/")
    User.objects.create_user("second").groups.add(Group.objects.get_or_create(name="annotator")[0])
    assert "You are the first one here." not in page_of(as_admin, "/")


def test_one_link_is_marked_as_where_one_is(as_admin: Client) -> None:
    for address, url, kind in [
        ("/", "/", "page"),
        ("/annotate/projects/", "/annotate/projects/", "page"),
        ("/annotate/new/", "/annotate/projects/", "true"),
        ("/annotate/submissions/", "/annotate/", "true"),
        ("/accounts/people/", "/accounts/people/", "page"),
    ]:
        top = page_of(as_admin, address).partition("</nav>")[0]
        assert top.count("aria-current") == 1
        assert f'href="{url}" aria-current="{kind}"' in top


def test_a_theme_is_kept_in_the_account_and_in_the_browser(client: Client, annotator: User) -> None:
    client.force_login(annotator)
    response = client.post("/theme/", {"theme": "contrast", "next": "/accounts/profile/"})
    assert response.headers["Location"] == "/accounts/profile/"
    annotator.refresh_from_db()
    assert annotator.theme == "contrast"
    client.post("/accounts/logout/")
    assert 'data-theme="contrast"' in page_of(client, "/")
    User.objects.update(theme="light")
    client.force_login(annotator)
    assert 'data-theme="light"' in page_of(client, "/")


def test_a_theme_that_is_none_is_the_device_own(client: Client) -> None:
    client.cookies[COOKIE] = '"><script>'
    assert 'data-theme="auto"' in page_of(client, "/")
    client.post("/theme/", {"theme": "pink"})
    assert client.cookies[COOKIE].value == "auto"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", ""])
def test_after_choosing_a_theme_nobody_is_led_elsewhere(client: Client, elsewhere: str) -> None:
    assert client.post("/theme/", {"theme": "dark", "next": elsewhere}).headers["Location"] == "/"


def test_a_page_that_is_not_there_is_told_with_the_number_of_the_request(client: Client) -> None:
    response = client.get("/no-such-page/")
    page = response.content.decode()
    assert response.status_code == 404
    assert "There is no such page" in page
    assert response.headers["X-Request-ID"] in page


def test_a_page_that_only_a_button_may_ask_is_told(client: Client) -> None:
    response = client.get("/theme/")
    assert response.status_code == 405
    assert response.headers["Allow"] == "POST"
    assert "This page cannot be used that way" in response.content.decode()


def test_a_form_without_its_key_is_told_in_the_frame(annotator: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(annotator)
    response = client.post("/theme/", {"theme": "dark"})
    page = response.content.decode()
    assert response.status_code == 403
    assert "The form was not accepted" in page
    assert "<header" in page


@override_settings(ROOT_URLCONF=Faulty)
def test_a_fault_is_told_without_asking_who_is_here_and_without_its_words(client: Client) -> None:
    client.raise_request_exception = False
    client.cookies[COOKIE] = "contrast"
    page = page_of(client, "/boom/", 500)
    assert "Something went wrong on our side" in page
    assert "a secret word" not in page
    assert 'data-theme="contrast"' in page
    assert "Sign in" not in page


@override_settings(ROOT_URLCONF=Faulty)
def test_what_is_refused_says_what_happened_and_what_to_do(client: Client) -> None:
    assert "This could not be understood" in page_of(client, "/suspicious/", 400)
    page = page_of(client, "/refused/", 409)
    assert "<h1>Somebody was quicker.</h1>" in page
    assert "Take another one." in page
    page = page_of(client, "/ours/", 422)
    assert "there is no photo" in page
    assert "Add it." in page


def test_a_host_that_is_not_ours_is_told(client: Client) -> None:
    response = client.get("/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert "This could not be understood" in response.content.decode()


def test_more_than_may_be_sent_is_told(client: Client) -> None:
    response = client.post("/theme/", {"theme": "x" * 3_000_000})
    assert response.status_code == 413
    assert "That is too large" in response.content.decode()


def test_components_are_shown_to_admins_only(as_admin: Client, as_organiser: Client, client: Client) -> None:
    assert "What pages are made of" in page_of(as_admin, "/style/")
    page_of(as_organiser, "/style/", 404)
    page_of(client, "/style/500/", 404)
    page_of(as_admin, "/style/418/", 404)


def test_moments_are_shown_in_one_way_that_no_line_breaks() -> None:
    at = datetime(2026, 5, 4, 9, 15, 2, tzinfo=UTC)
    page = Template("{% load times %}{{ at|when }} {{ at|when:'H:i' }} {{ never|when }}").render(Context({"at": at}))
    assert page == (
        '<time datetime="2026-05-04T09:15:02+00:00">2026-05-04 09:15</time> '
        '<time datetime="2026-05-04T09:15:02+00:00">09:15</time> '
    )
