"""Invitations: who may make which, who gets in by them, and when they are over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from foveate.app.accounts import invitations, people
from foveate.app.accounts.invitations import NotValidError, Offer
from foveate.app.accounts.models import AuditEvent, Invitation, User
from foveate.app.accounts.roles import roles_of
from foveate.app.annotate.models import Project
from foveate.errors import FoveateError, InputError, UsageError
from tests.app.conftest import PASSWORD, person, signed_in

JOIN, ACCEPT, LIST = "/accounts/join/", "/accounts/join/accept/", "/accounts/invitations/"
NEWCOMER = {"username": "newcomer", "display_name": "New Comer", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def project(organiser: User) -> Project:
    return Project.objects.create(
        slug="kitchens", title="Kitchens", kind="grounding", state="open", dataset="photos", made_by=organiser
    )


def invited(path: str, client: Client | None = None) -> Client:
    client = client or Client()
    assert client.get(path).headers["Location"] == JOIN  # the code is out of the address
    return client


def test_whoever_has_the_link_makes_an_account_with_the_role_and_the_project(organiser: User, project: Project) -> None:
    made, path = invitations.make(None, organiser, Offer("annotator", project))
    client = invited(path)
    page = client.get(JOIN).content.decode()
    assert "Kitchens" in page
    assert client.post(JOIN, NEWCOMER).headers["Location"] == "/"
    user = User.objects.get(username="newcomer")
    assert (user.display_name, set(roles_of(user))) == ("New Comer", {"annotator"})
    assert not user.is_staff
    assert list(project.members.all()) == [user]
    assert client.get("/accounts/profile/").status_code == 200
    made.refresh_from_db()
    assert made.uses_left == 0
    assert invited(path).get(JOIN).status_code == 410
    actions = list(AuditEvent.objects.order_by("pk").values_list("action", "actor"))
    assert actions == [("invitation.made", None), ("account.made", user.pk), ("invitation.accepted", user.pk)]


def test_an_account_that_is_there_adds_the_role_after_signing_in(annotator: User, organiser: User) -> None:
    _, path = invitations.make(None, organiser, Offer("participant"))
    client = invited(path)
    client.post("/accounts/login/", {"username": "annotator", "password": PASSWORD, "next": JOIN})
    assert "Accept" in client.get(JOIN).content.decode()
    assert client.post(ACCEPT).headers["Location"] == "/"
    assert roles_of(annotator) == {"annotator", "participant"}


def test_no_second_account_is_made_by_somebody_who_is_signed_in(annotator: User, organiser: User) -> None:
    _, path = invitations.make(None, organiser, Offer("participant"))
    client = invited(path, signed_in(annotator))
    assert client.post(JOIN, NEWCOMER).status_code == 200
    assert not User.objects.filter(username="newcomer").exists()


def test_what_one_has_already_uses_nothing_up(annotator: User, organiser: User, project: Project) -> None:
    made, path = invitations.make(None, organiser, Offer("annotator"))
    invited(path, signed_in(annotator)).post(ACCEPT)
    made.refresh_from_db()
    assert made.uses_left == 1
    # The same role with a project adds the project.
    made, path = invitations.make(None, organiser, Offer("annotator", project))
    invited(path, signed_in(annotator)).post(ACCEPT)
    made.refresh_from_db()
    assert (made.uses_left, list(project.members.all())) == (0, [annotator])


@pytest.mark.parametrize(
    "change",
    [
        {"expires_at": timezone.now() - timedelta(seconds=1)},
        {"withdrawn_at": timezone.now()},
        {"uses_left": 0},
    ],
)
@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_what_is_over_lets_nobody_in(organiser: User, annotator: User, change: dict[str, Any], when: str) -> None:
    made, path = invitations.make(None, organiser, Offer("participant"))
    stranger, known = Client(), signed_in(annotator)
    if when == "before":
        Invitation.objects.filter(pk=made.pk).update(**change)
    invited(path, stranger)
    invited(path, known)
    Invitation.objects.filter(pk=made.pk).update(**change)
    assert stranger.post(JOIN, NEWCOMER).status_code == 410
    assert known.post(ACCEPT).status_code == 410
    assert not User.objects.filter(username="newcomer").exists()
    assert roles_of(annotator) == {"annotator"}
    with pytest.raises(NotValidError):
        invitations.accept(None, made, annotator)
    with pytest.raises(NotValidError):
        invitations.join(None, made, "newcomer", PASSWORD)


def test_all_that_is_not_valid_is_answered_in_the_same_words(organiser: User) -> None:
    made, path = invitations.make(None, organiser, Offer("annotator"))
    invitations.withdraw(None, made)
    pages = {invited(link).get(JOIN).content for link in (path, f"{JOIN}?code=never", f"{JOIN}?code=")}
    assert len({page.split(b"csrfmiddlewaretoken")[0] for page in pages}) == 1


def test_the_invitations_of_somebody_who_was_shut_out_are_over(organiser: User, admin: User) -> None:
    _, path = invitations.make(None, organiser, Offer("annotator"))
    people.deactivate(None, organiser, "misused")
    assert invited(path).get(JOIN).status_code == 410


@pytest.mark.parametrize(
    ("who", "role", "allowed"),
    [
        ("admin", "organiser", True),
        ("admin", "annotator", True),
        ("admin", "admin", False),
        ("organiser", "organiser", False),
        ("organiser", "admin", False),
        ("organiser", "annotator", True),
        ("organiser", "participant", True),
        ("annotator", "annotator", False),
        ("admin", "boss", False),
    ],
)
def test_nobody_invites_above_themselves(db: None, who: str, role: str, allowed: bool) -> None:
    maker = person(who, who)
    sent = {"role": role, "days": "7", "uses": "2", "note": ""}
    response = signed_in(maker).post(LIST, sent)
    assert response.status_code == (403 if who == "annotator" else 200)
    assert Invitation.objects.exists() is allowed
    if allowed:
        assert "/accounts/join/?code=" in response.content.decode()
    else:
        # Nor past the form.
        with pytest.raises(UsageError):
            invitations.make(None, maker, Offer(role))


def test_the_command_line_makes_no_admins_by_link(db: None) -> None:
    with pytest.raises(UsageError):
        invitations.make(None, None, Offer("admin"))


@pytest.mark.parametrize(
    "offer", [Offer("annotator", days=0), Offer("annotator", days=366), Offer("annotator", uses=0)]
)
def test_numbers_without_sense_are_refused(db: None, offer: Offer) -> None:
    with pytest.raises(InputError):
        invitations.make(None, None, offer)


def test_the_link_is_shown_once_and_kept_as_a_hash(organiser: User) -> None:
    client = signed_in(organiser)
    page = client.post(LIST, {"role": "annotator", "days": "7", "uses": "1", "note": "for the class"})
    code = page.content.decode().partition("/accounts/join/?code=")[2].partition("<")[0].strip()
    assert len(code) >= 32
    assert "no-store" in page.headers["Cache-Control"]
    assert code not in client.get(LIST).content.decode()
    assert "for the class" in client.get(LIST).content.decode()
    stored = Invitation.objects.values().get()
    assert code not in str(stored)
    assert code not in str(list(AuditEvent.objects.values()))
    assert invitations.of_code(code) is not None


def test_organisers_see_and_withdraw_their_own_admins_all(organiser: User, admin: User) -> None:
    other = person("other", "organiser")
    made, path = invitations.make(None, other, Offer("annotator", note="of the other"))
    withdraw = f"{LIST}{made.pk}/withdraw/"
    assert "of the other" not in signed_in(organiser).get(LIST).content.decode()
    assert signed_in(organiser).post(withdraw).status_code == 404
    assert invitations.of_code(path.partition("code=")[2]) is not None
    assert "of the other" in signed_in(admin).get(LIST).content.decode()
    assert signed_in(admin).post(withdraw).status_code == 302
    assert signed_in(admin).post(withdraw).status_code == 302
    assert invited(path).get(JOIN).status_code == 410
    assert AuditEvent.objects.filter(action="invitation.withdrawn").count() == 1


@pytest.mark.parametrize(
    "name", ["ANNOTATOR", "deleted-me", "Deleted-me", "two words", "", "x" * 151, "\uff41nnotator"]
)
def test_names_that_could_be_taken_for_others_are_refused(annotator: User, organiser: User, name: str) -> None:
    made, path = invitations.make(None, organiser, Offer("annotator"))
    client = invited(path)
    page = client.post(JOIN, {**NEWCOMER, "username": name})
    assert page.status_code == 200
    assert "Choose another name" in page.content.decode() or "errorlist" in page.content.decode()
    with pytest.raises(FoveateError):
        invitations.join(None, made, name, PASSWORD)
    made.refresh_from_db()
    assert made.uses_left == 1
    assert client.post(JOIN, NEWCOMER).status_code == 302


def test_weak_passwords_are_refused(organiser: User) -> None:
    _, path = invitations.make(None, organiser, Offer("annotator"))
    page = invited(path).post(JOIN, {**NEWCOMER, "password1": "newcomer", "password2": "newcomer"})
    assert "too similar" in page.content.decode()
    assert not User.objects.filter(username="newcomer").exists()


def test_a_closed_project_is_not_offered(organiser: User, project: Project) -> None:
    client = signed_in(organiser)
    assert "Kitchens" in client.get(LIST).content.decode()
    Project.objects.update(state="closed")
    assert "Kitchens" not in client.get(LIST).content.decode()
