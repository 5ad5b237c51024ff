"""Every page, by every sort of person: let in or not, as the table in `access.py` says."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from foveate.app.accounts import tokens
from foveate.app.accounts.models import ApiToken, AuditEvent, Invitation, User
from tests.app import access
from tests.app.access import PAGES, PERSONS, Page
from tests.app.conftest import PASSWORD, person, signed_in


@pytest.fixture
def boss(db: None) -> User:
    """Somebody so that there is an admin, whoever asks."""
    return person("boss", "admin")


def client_of(who: str) -> tuple[Client, User | None]:
    """Returns a client as some person, and their account where it is one that counts."""
    if who == "anonymous":
        return Client(), None
    user = person(who, "organiser" if who == "deactivated" else who)
    client = signed_in(user)
    if who == "deactivated":
        # Shut out in the middle of a session.
        User.objects.filter(pk=user.pk).update(is_active=False)
        return client, None
    return client, user


def ask(client: Client, path: str, page: Page) -> HttpResponseBase:
    response = client.get(path) if page.post is None else client.post(path, page.post)
    assert isinstance(response, HttpResponseBase)
    return response


def test_the_table_has_every_page_and_no_other() -> None:
    names = {name for name in access.url_names() if not name.startswith(access.OWN)}
    # Our own door before Django's admin, which has no name.
    names -= {"admin/login/"}
    assert set(access.JUDGED_BY) <= names, "pages that are gone: take them out of tests/app/access.py"
    assert all((Path(__file__).parent / file).exists() for file in access.JUDGED_BY.values())
    names -= set(access.JUDGED_BY)
    assert names - set(PAGES) == set(), "new pages: say in tests/app/access.py who may open them"
    assert set(PAGES) - names == set(), "pages that are gone: take them out of tests/app/access.py"


@pytest.mark.parametrize("who", PERSONS)
@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_lets_in_whom_it_is_for(name: str, who: str, boss: User) -> None:
    client, user = client_of(who)
    page = PAGES[name]
    response = ask(client, reverse(name, kwargs=page.arguments(user)), page)
    sent_to_sign_in = response.headers.get("Location", "").startswith(reverse("login"))
    if who in page.who:
        assert response.status_code in page.answers
        assert not sent_to_sign_in
    elif user is None:
        assert response.status_code == page.asked
        assert sent_to_sign_in == (page.asked == 302)
    else:
        assert response.status_code == page.refused


@pytest.mark.parametrize("who", PERSONS)
@pytest.mark.parametrize("place", ["index", "changelist", "add", "change", "delete", "history"])
def test_djangos_admin_is_for_admins_and_only_to_look_at(place: str, who: str, boss: User) -> None:
    client, _user = client_of(who)
    for model in (User, Invitation, ApiToken, AuditEvent):
        AuditEvent.objects.get_or_create(action="test.done")
        row = model.objects.first()
        path = "admin:index" if place == "index" else f"admin:accounts_{model._meta.model_name}_{place}"
        arguments = [row.pk if row else 1] if place in {"change", "delete", "history"} else []
        response = client.get(reverse(path, args=arguments))
        if who != "admin":
            assert response.status_code == 302
            assert response.headers["Location"].startswith("/admin/login/")
        elif place in {"add", "delete"}:
            assert response.status_code == 403
        else:
            # A row that is not there sends back to the list.
            assert response.status_code == (200 if row or place in {"index", "changelist"} else 302)


def test_no_hash_of_a_secret_is_seen_there(boss: User) -> None:
    token, _secret = tokens.make(boss, "a program", None)
    client = signed_in(boss)
    page = client.get(reverse("admin:accounts_apitoken_change", args=[token.pk])).content.decode()
    assert token.digest not in page
    page = client.get(reverse("admin:accounts_user_change", args=[boss.pk])).content.decode()
    assert boss.password not in page


def test_djangos_own_door_leads_to_ours(boss: User) -> None:
    assert Client().get("/admin/login/?next=/admin/").headers["Location"] == "/accounts/login/?next=/admin/"
    assert Client().post("/admin/login/", {"username": "boss", "password": PASSWORD}).status_code == 302
    assert "_auth_user_id" not in Client().session
    # Somebody who is signed in and no admin is not sent round in a circle.
    assert signed_in(person("anna", "annotator")).get("/admin/login/").headers["Location"] == "/"


@pytest.mark.parametrize("name", sorted(name for name, page in PAGES.items() if page.post is not None))
def test_nothing_is_done_without_the_token_of_the_page(name: str, boss: User) -> None:
    client = signed_in(boss, csrf=True)
    page = PAGES[name]
    response = client.post(reverse(name, kwargs=page.arguments(boss)), page.post)
    assert response.status_code == 403


@pytest.mark.parametrize("name", ["login", "change_password", "profile", "leave", "tokens", "invitations", "join"])
def test_nor_on_pages_that_show_and_take_a_form(name: str, boss: User) -> None:
    assert signed_in(boss, csrf=True).post(reverse(name), {}).status_code == 403


@pytest.mark.parametrize("name", sorted(name for name, page in PAGES.items() if page.post is not None))
def test_what_changes_something_is_not_done_by_a_link(name: str, boss: User) -> None:
    response = signed_in(boss).get(reverse(name, kwargs=PAGES[name].arguments(boss)))
    assert response.status_code == 405
