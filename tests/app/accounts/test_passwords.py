"""Changing a password, and setting one by a one-time link."""

from __future__ import annotations

from datetime import timedelta
from unittest import mock

import pytest
from django.test import Client
from django.utils import timezone

from foveate.app.accounts import passwords, people
from foveate.app.accounts.forms import JoinForm
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.accounts.setup import SetupForm
from foveate.errors import UsageError
from tests.app.conftest import PASSWORD, signed_in

NEW = "another-Horse-8-battery"
CHOSEN = {"new_password1": NEW, "new_password2": NEW}
PAGE = "/accounts/password/new/"


def follow(link: str) -> tuple[Client, int]:
    client = Client()
    first = client.get(link)
    # The code is taken out of the address at once.
    assert first.headers["Location"] == PAGE
    return client, client.get(PAGE).status_code


def test_a_changed_password_ends_what_is_signed_in_elsewhere(annotator: User) -> None:
    here, elsewhere = signed_in(annotator), signed_in(annotator)
    response = here.post("/accounts/password/", {"old_password": PASSWORD, **CHOSEN})
    assert response.headers["Location"] == "/accounts/profile/"
    assert here.get("/accounts/profile/").status_code == 200
    assert elsewhere.get("/accounts/profile/").status_code == 302
    annotator.refresh_from_db()
    assert annotator.check_password(NEW)
    assert AuditEvent.objects.get().action == "account.password_changed"


@pytest.mark.parametrize(
    "sent",
    [
        {"old_password": "wrong", **CHOSEN},
        {"old_password": PASSWORD, "new_password1": NEW, "new_password2": "different"},
        {"old_password": PASSWORD, "new_password1": "12345678", "new_password2": "12345678"},
        {"old_password": PASSWORD, "new_password1": "annotator1", "new_password2": "annotator1"},
    ],
)
def test_a_password_that_cannot_be_taken_changes_nothing(annotator: User, sent: dict[str, str]) -> None:
    assert signed_in(annotator).post("/accounts/password/", sent).status_code == 200
    annotator.refresh_from_db()
    assert annotator.check_password(PASSWORD)
    assert not AuditEvent.objects.exists()


def test_a_weak_password_is_told_where_it_is_typed_first(annotator: User) -> None:
    weak = {"new_password1": "12345678", "new_password2": "12345678"}
    changed = signed_in(annotator).post("/accounts/password/", {"old_password": PASSWORD, **weak}).context["form"]
    client, _ = follow(passwords.make_link(None, annotator))
    chosen = client.post(PAGE, weak).context["form"]
    joined = JoinForm({"username": "new", "password1": "12345678", "password2": "12345678"})
    made = SetupForm({"username": "new", "password1": "12345678", "password2": "12345678"})
    for form in (changed, chosen, joined, made):
        assert [name.removeprefix("new_") for name in form.errors] == ["password1"]


def test_two_passwords_that_differ_are_told_at_the_second(annotator: User) -> None:
    form = JoinForm({"username": "new", "password1": NEW, "password2": "different"})
    assert list(form.errors) == ["password2"]


def test_a_stolen_session_cannot_try_passwords_for_long(annotator: User) -> None:
    client = signed_in(annotator)
    wrong = {"old_password": "wrong", **CHOSEN}
    statuses = [client.post("/accounts/password/", wrong).status_code for _ in range(11)]
    assert statuses == [200] * 10 + [429]


def test_the_link_sets_a_password_once(annotator: User) -> None:
    link = passwords.make_link(None, annotator)
    client, status = follow(link)
    assert status == 200
    assert client.post(PAGE, CHOSEN).headers["Location"] == "/accounts/login/"
    annotator.refresh_from_db()
    assert annotator.check_password(NEW)
    assert follow(link)[1] == 410
    assert client.post(PAGE, {"new_password1": PASSWORD, "new_password2": PASSWORD}).status_code == 410
    done = list(AuditEvent.objects.order_by("pk").values_list("action", "actor"))
    assert done == [("account.password_link_made", None), ("account.password_set_by_link", annotator.pk)]


def test_the_link_works_for_an_account_that_never_had_a_password(db: None) -> None:
    user = people.make(None, "anna", ["annotator"])
    client, status = follow(passwords.make_link(None, user))
    assert status == 200
    client.post(PAGE, CHOSEN)
    assert Client().login(username="anna", password=NEW)


def test_a_weak_password_is_told_and_the_link_stays(annotator: User) -> None:
    client, _ = follow(passwords.make_link(None, annotator))
    page = client.post(PAGE, {"new_password1": "short", "new_password2": "short"})
    assert page.status_code == 200
    assert "too short" in page.content.decode()
    assert client.post(PAGE, CHOSEN).status_code == 302


def test_the_link_ends_when_its_owner_signs_in(annotator: User) -> None:
    link = passwords.make_link(None, annotator)
    Client().post("/accounts/login/", {"username": "annotator", "password": PASSWORD})
    assert follow(link)[1] == 410


def test_the_link_ends_after_a_day(annotator: User) -> None:
    link = passwords.make_link(None, annotator)
    assert follow(link)[1] == 200
    later = timezone.now().replace(tzinfo=None) + timedelta(days=1, seconds=2)
    with mock.patch("django.contrib.auth.tokens.PasswordResetTokenGenerator._now", return_value=later):
        assert follow(link)[1] == 410


def test_a_deactivated_account_gets_no_link_and_its_link_is_over(annotator: User, admin: User) -> None:
    link = passwords.make_link(None, annotator)
    people.deactivate(None, annotator, "left")
    assert follow(link)[1] == 410
    with pytest.raises(UsageError, match="deactivated"):
        passwords.make_link(None, annotator)


@pytest.mark.parametrize(
    "code", ["", "-", "1", "x-y", "1-x", "999999-abc-def", "²-abc", f"{'9' * 40}-abc", "-1-abc", "\x00", "1-\x00"]
)
def test_codes_of_nobody_are_over(annotator: User, code: str) -> None:
    client = Client()
    client.get(PAGE, {"code": code})
    assert client.get(PAGE).status_code == 410
    assert client.post(PAGE, CHOSEN).status_code == 410
    assert passwords.use(None, code, NEW) is None


def test_a_link_is_of_its_account_only(annotator: User, admin: User) -> None:
    token = passwords.make_link(None, annotator).partition("code=")[2].partition("-")[2]
    assert follow(f"{PAGE}?code={admin.pk}-{token}")[1] == 410


def test_no_code_is_in_the_log(annotator: User) -> None:
    link = passwords.make_link(None, annotator)
    code = link.partition("code=")[2]
    for row in AuditEvent.objects.all():
        assert code not in f"{row.about} {row.details}"
