"""Signing in: what is let in, what an attacker learns (nothing), and how often it may be tried."""

from __future__ import annotations

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client

from foveate.app.accounts.models import AuditEvent, User
from tests.app.conftest import PASSWORD, signed_in

LOGIN = "/accounts/login/"


def attempt(client: Client, name: str, password: str, **more: str) -> tuple[int, str]:
    response = client.post(LOGIN, {"username": name, "password": password, **more})
    return response.status_code, response.headers.get("Location", "") or response.content.decode()


def test_a_person_is_let_in_and_out_and_both_are_noted(annotator: User, client: Client) -> None:
    assert attempt(client, "annotator", PASSWORD) == (302, "/")
    assert client.get("/accounts/profile/").status_code == 200
    assert client.post("/accounts/logout/").headers["Location"] == "/"
    assert client.get("/accounts/profile/").status_code == 302
    rows = AuditEvent.objects.order_by("pk").values_list("action", "actor", "about", "address")
    about = str(annotator.pseudonym)
    assert list(rows) == [
        ("account.signed_in", annotator.pk, about, "127.0.0.1"),
        ("account.signed_out", annotator.pk, about, "127.0.0.1"),
    ]


def test_wrong_names_wrong_passwords_and_deactivated_accounts_are_answered_alike(
    annotator: User, organiser: User, client: Client
) -> None:
    User.objects.filter(pk=organiser.pk).update(is_active=False)
    tries = {"annotator": "wrong", "nobody": "wrong", "organiser": PASSWORD}
    answers = {name: attempt(Client(), name, password) for name, password in tries.items()}
    # The page repeats the name as it was typed; nothing else may differ but the token of the form.
    plain = {_without_tokens(text).replace(f'"{name}"', '"…"') for name, (_status, text) in answers.items()}
    assert {status for status, _ in answers.values()} == {200}
    assert len(plain) == 1


def _without_tokens(page: str) -> str:
    return "\n".join(line for line in page.splitlines() if "csrfmiddlewaretoken" not in line)


def test_a_name_that_there_is_not_costs_as_much_work_as_one_that_there_is(
    annotator: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not timed, but counted: each way passes one hash, which is what takes the time."""
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    User.objects.create_user("unset")
    for name in ("annotator", "nobody", "unset"):
        hashed.clear()
        attempt(client, name, "wrong")
        assert len(hashed) == 1, name


def test_a_failed_attempt_is_noted_without_what_was_typed(annotator: User, client: Client) -> None:
    attempt(client, "annotator", "a secret that is wrong")
    attempt(client, "my password typed as a name", "x")
    rows = list(AuditEvent.objects.order_by("pk").values_list("action", "about", "details"))
    assert rows == [
        ("account.sign_in_failed", str(annotator.pseudonym), {}),
        ("account.sign_in_failed", "", {}),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["\0", "x" * 100_000, "", "ａdmin", "' OR 1=1 --"])
def test_names_that_nobody_can_have_are_refused_like_any(client: Client, name: str) -> None:
    assert attempt(client, name, "wrong")[0] == 200
    assert AuditEvent.objects.get().about == ""


def test_the_session_gets_a_new_key_so_that_one_put_there_by_another_is_worth_nothing(
    annotator: User, client: Client
) -> None:
    session = client.session  # of somebody who is not signed in
    session["planted"] = True
    session.save()
    planted = client.cookies["sessionid"].value
    attempt(client, "annotator", PASSWORD)
    assert client.cookies["sessionid"].value != planted
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert thief.get("/accounts/profile/").status_code == 302


def test_signing_out_ends_the_session_on_the_server_too(annotator: User) -> None:
    client = signed_in(annotator)
    kept = client.cookies["sessionid"].value
    client.post("/accounts/logout/")
    thief = Client()
    thief.cookies["sessionid"] = kept
    assert thief.get("/accounts/profile/").status_code == 302


@pytest.mark.parametrize(
    ("wanted", "led"),
    [
        ("/accounts/profile/", "/accounts/profile/"),
        ("https://elsewhere.example/", "/"),
        ("//elsewhere.example/", "/"),
        ("/\\elsewhere.example/", "/"),
        ("http:///elsewhere.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("https://testserver@elsewhere.example/", "/"),
        (LOGIN, "/"),
        (f"{LOGIN}?next={LOGIN}", "/"),
    ],
)
def test_nobody_is_led_to_another_site_or_in_a_circle(annotator: User, wanted: str, led: str) -> None:
    assert attempt(Client(), "annotator", PASSWORD, next=wanted) == (302, led)
    # Those who are signed in already are sent on at once, just as carefully.
    assert signed_in(annotator).get(LOGIN, {"next": wanted}).headers["Location"] == led


def test_signing_out_leads_nowhere_else_either(annotator: User) -> None:
    assert signed_in(annotator).post("/accounts/logout/?next=https://elsewhere.example/").headers["Location"] == "/"


def test_one_account_cannot_be_guessed_from_many_addresses(annotator: User) -> None:
    for number in range(10):
        client = Client(REMOTE_ADDR=f"10.0.0.{number}")
        # Other spellings of the name are the same name.
        assert attempt(client, "annotator" if number % 2 else "ANNOTATOR", "wrong")[0] == 200
    late = Client(REMOTE_ADDR="10.0.0.99").post(LOGIN, {"username": "annotator", "password": PASSWORD})
    assert late.status_code == 429
    assert 0 < int(late.headers["Retry-After"]) <= 301
    assert attempt(Client(REMOTE_ADDR="10.0.0.99"), "another", "x")[0] == 200


@pytest.mark.django_db
def test_names_that_there_are_not_are_counted_too(client: Client) -> None:
    assert [_status(Client(REMOTE_ADDR=f"10.0.1.{n}"), "nobody") for n in range(11)] == [200] * 10 + [429]


@pytest.mark.django_db
def test_many_accounts_cannot_be_guessed_from_one_address(client: Client) -> None:
    assert [_status(client, f"name{n}") for n in range(31)] == [200] * 30 + [429]
    assert _status(Client(REMOTE_ADDR="10.0.0.1"), "name") == 200
    # Looking at the page counts for nothing.
    assert client.get(LOGIN).status_code == 200


def _status(client: Client, name: str) -> int:
    return attempt(client, name, "wrong")[0]


def test_passwords_are_kept_as_argon2_in_the_real_settings() -> None:
    from django.contrib.auth.hashers import check_password, make_password
    from django.test import override_settings

    from foveate.app import settings as real

    assert "Argon2" in real.PASSWORD_HASHERS[0]
    with override_settings(PASSWORD_HASHERS=real.PASSWORD_HASHERS):
        kept = make_password(PASSWORD)
        assert kept.startswith("argon2$argon2id$")
        assert check_password(PASSWORD, kept)
        assert not check_password("wrong", kept)
