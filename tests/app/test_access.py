"""Every page, by every sort of person: let in or not, as the table in `access.py` says."""

from __future__ import annotations

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import NoReverseMatch, reverse

from foveate.app.accounts.models import User
from tests.app import access
from tests.app.access import PAGES, PERSONS, Page
from tests.app.conftest import person, signed_in


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
@pytest.mark.parametrize("name", [name for name in access.url_names() if name.startswith(access.OWN)])
def test_djangos_admin_is_for_admins(name: str, who: str, boss: User) -> None:
    client, user = client_of(who)
    try:
        path = reverse(name)
    except NoReverseMatch:
        path = reverse(name, args=_arguments(name, boss))
    response = client.get(path)
    if who == "admin":
        # Nothing may be added, changed or deleted there.
        refused = name.endswith(("_add", "_delete"))
        assert response.status_code == (403 if refused else response.status_code)
        assert response.status_code < 400 or refused or name in {"admin:logout", "admin:autocomplete", "admin:jsi18n"}
    elif name == "admin:jsi18n":
        assert response.status_code in {200, 302}
    else:
        assert response.status_code in {302, 403, 404, 405}


def _arguments(name: str, boss: User) -> list[object]:
    if name == "admin:app_list":
        return ["accounts"]
    return [ContentTypes.of(boss), boss.pk] if name == "admin:view_on_site" else [boss.pk]


class ContentTypes:
    """The number of an object's model, as Django's admin names it."""

    @staticmethod
    def of(thing: User) -> int:
        from django.contrib.contenttypes.models import ContentType

        return ContentType.objects.get_for_model(thing).pk


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
