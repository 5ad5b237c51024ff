"""A person's own pages: profile, times, tokens, their data, and leaving."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory
from django.utils import timezone

from foveate.app.accounts import audit, invitations, tokens
from foveate.app.accounts.invitations import Offer
from foveate.app.accounts.models import ApiToken, AuditEvent, User
from foveate.app.annotate.models import Assignment, DraftVersion, Project, Submission, Task
from tests.app.conftest import PASSWORD, person, signed_in, streamed

PROFILE, TOKENS, LEAVE, DATA = (
    "/accounts/profile/",
    "/accounts/tokens/",
    "/accounts/profile/leave/",
    "/accounts/profile/data/",
)
SURE = {"password": PASSWORD, "sure": "on"}


def with_work(annotator: User, organiser: User) -> Submission:
    """Makes a submission with its draft, of a project in which the annotator is a member."""
    project = Project.objects.create(slug="kitchens", title="Kitchens", kind="grounding", made_by=organiser)
    project.members.add(annotator)
    task = Task.objects.create(project=project, key="7", position=0, height=2, width=3, stage="grounding", taken=1)
    now = timezone.now()
    lent = Assignment.objects.create(
        task=task, annotator=annotator, stage="grounding", state="submitted", leased_at=now, leased_until=now
    )
    work = {"stage": "grounding", "comment": "the word ‘salt’"}
    DraftVersion.objects.create(assignment=lent, version=1, work=work, tab="a", saved_at=now)
    return Submission.objects.create(assignment=lent, key=uuid.uuid4(), work=work, seconds=2.5, sent_at=now)


def test_a_profile_is_changed_and_times_are_shown_in_its_zone(annotator: User) -> None:
    client = signed_in(annotator)
    User.objects.filter(pk=annotator.pk).update(display_name="")
    tokens.make(annotator, "a program")
    ApiToken.objects.update(made_at=datetime(2026, 7, 1, 12, 0, tzinfo=UTC))
    assert "2026-07-01 12:00" in client.get(TOKENS).content.decode()
    sent = {"display_name": "Anna A.", "email": "", "theme": "dark", "timezone": "America/New_York"}
    assert client.post(PROFILE, sent).headers["Location"] == PROFILE
    page = client.get(TOKENS).content.decode()
    assert "2026-07-01 08:00" in page
    assert 'data-theme="dark"' in page
    assert "Anna A." in page
    event = AuditEvent.objects.get()
    assert event.action == "account.profile_changed"
    assert sorted(event.details["fields"]) == ["display_name", "theme", "timezone"]


@pytest.mark.parametrize("field", [{"timezone": "Mars/Base"}, {"theme": "pink"}, {"email": "no address"}])
def test_what_a_profile_cannot_be_is_told_and_changes_nothing(annotator: User, field: dict[str, str]) -> None:
    sent = {"display_name": "Changed", "email": "", "theme": "auto", "timezone": "", **field}
    page = signed_in(annotator).post(PROFILE, sent)
    assert page.status_code == 200
    assert "errorlist" in page.content.decode()
    annotator.refresh_from_db()
    assert annotator.display_name == ""


def test_nobody_makes_themselves_more_by_their_profile(annotator: User) -> None:
    sent = {"display_name": "", "theme": "auto", "is_superuser": "on", "is_staff": "on", "username": "admin"}
    signed_in(annotator).post(PROFILE, {**sent, "groups": "1", "pseudonym": str(uuid.uuid4())})
    changed = User.objects.get(pk=annotator.pk)
    assert (changed.is_superuser, changed.is_staff, changed.username) == (False, False, "annotator")
    assert changed.pseudonym == annotator.pseudonym


def test_a_zone_that_is_gone_is_utc(annotator: User) -> None:
    for name in ("No/Such", "../../etc/passwd", "UTC\x00"[:3]):
        User.objects.filter(pk=annotator.pk).update(timezone=name)
        assert signed_in(annotator).get(PROFILE).status_code == 200


def test_one_persons_zone_is_not_anothers(annotator: User) -> None:
    User.objects.filter(pk=annotator.pk).update(timezone="Asia/Tokyo")
    signed_in(annotator).get(PROFILE)
    assert timezone.get_current_timezone_name() == "UTC"


def test_a_token_is_shown_once_used_seen_and_withdrawn(annotator: User) -> None:
    client = signed_in(annotator)
    page = client.post(TOKENS, {"name": "my script", "days": "30"})
    token = ApiToken.objects.get()
    secret = "fov_" + page.content.decode().partition(">fov_")[2].partition("<")[0]
    assert "no-store" in page.headers["Cache-Control"]
    assert timedelta(days=29) < token.expires_at - timezone.now() < timedelta(days=31)  # type: ignore[operator]
    shown = client.get(TOKENS).content.decode()
    assert secret not in shown
    assert "Never" in shown
    bearer = {"Authorization": f"Bearer {secret}"}
    me = Client().get("/api/v1/me", headers=bearer).json()
    assert me == {
        "name": "annotator",
        "display_name": "annotator",
        "pseudonym": str(annotator.pseudonym),
        "roles": ["annotator"],
    }
    assert "Never" not in client.get(TOKENS).content.decode()
    assert client.post(f"{TOKENS}{token.pk}/withdraw/").headers["Location"] == TOKENS
    assert Client().get("/api/v1/me", headers=bearer).status_code == 401
    assert "my script" not in client.get(TOKENS).content.decode().partition("<main")[2].partition("notice")[0]
    client.post(f"{TOKENS}{token.pk}/withdraw/")
    assert list(AuditEvent.objects.order_by("pk").values_list("action", flat=True)) == ["token.made", "token.withdrawn"]
    assert secret not in str(list(AuditEvent.objects.values()))


def test_an_expired_token_lets_nobody_in(annotator: User) -> None:
    _, secret = tokens.make(annotator, "old", timezone.now() - timedelta(seconds=1))
    assert Client().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
    assert "Expired" in signed_in(annotator).get(TOKENS).content.decode()


def test_another_persons_token_is_not_there(annotator: User, organiser: User) -> None:
    token, secret = tokens.make(organiser, "of the organiser")
    client = signed_in(annotator)
    assert "of the organiser" not in client.get(TOKENS).content.decode()
    assert client.post(f"{TOKENS}{token.pk}/withdraw/").status_code == 404
    assert tokens.user_of(secret) == organiser


def taken_away(client: Client) -> Any:
    response = client.post(DATA)
    assert "attachment" in response.headers["Content-Disposition"]
    return json.loads(streamed(response))


def test_a_person_takes_away_all_that_is_theirs_and_nothing_else(annotator: User, organiser: User) -> None:
    submission = with_work(annotator, organiser)
    token, secret = tokens.make(annotator, "a program")
    made, path = invitations.make(None, organiser, Offer("annotator"))
    tokens.make(organiser, "of the organiser")
    audit.note(None, "test.done", str(annotator.pseudonym), actor=organiser)
    audit.note(None, "test.other", actor=organiser)
    data = taken_away(signed_in(annotator))
    assert data["account"]["username"] == "annotator"
    assert data["account"]["roles"] == ["annotator"]
    assert [row["name"] for row in data["tokens"]] == ["a program"]
    assert data["projects"] == [{"slug": "kitchens", "title": "Kitchens"}]
    assert [row["work"]["comment"] for row in data["drafts"]] == ["the word ‘salt’"]
    assert [row["key"] for row in data["submissions"]] == [str(submission.key)]
    assert [row["task__key"] for row in data["assignments"]] == ["7"]
    assert [row["action"] for row in data["audit"]] == ["test.done", "account.data_exported"]
    whole = json.dumps(data)
    for hidden in (annotator.password, token.digest, secret, made.digest, "of the organiser"):
        assert hidden not in whole
    assert [row["role"] for row in taken_away(signed_in(organiser))["invitations"]] == ["annotator"]


def test_who_leaves_is_nameless_and_what_they_made_stays(annotator: User, organiser: User) -> None:
    submission = with_work(annotator, organiser)
    _, secret = tokens.make(annotator, "a program")
    User.objects.filter(pk=annotator.pk).update(display_name="Anna A.", email="anna@example.org", timezone="Asia/Tokyo")
    client, elsewhere = signed_in(annotator), signed_in(annotator)
    sessions_before = elsewhere.cookies["sessionid"].value
    audit.note(None, "test.done", actor=annotator)
    assert client.post(LEAVE, SURE).headers["Location"] == "/"
    gone = User.objects.get(pk=annotator.pk)
    assert gone.username == f"deleted-{annotator.pseudonym}"
    assert (gone.display_name, gone.email, gone.timezone, gone.last_login) == ("", "", "", None)
    assert not gone.is_active
    assert not gone.has_usable_password()
    assert not gone.groups.exists()
    assert not gone.projects.exists()
    assert gone.deleted_at is not None
    assert gone.pseudonym == annotator.pseudonym
    submission.refresh_from_db()
    assert submission.assignment.annotator == gone
    assert AuditEvent.objects.filter(actor=gone, action="test.done").exists()
    for row in User.objects.filter(pk=annotator.pk).values():
        assert "Anna" not in str(row)
        assert "anna@example.org" not in str(row)
    assert elsewhere.get(PROFILE).status_code == 302
    assert not elsewhere.session.exists(sessions_before)
    assert tokens.user_of(secret) is None
    assert not Client().login(username="annotator", password=PASSWORD)
    # The name is free for another.
    person("annotator", "annotator")


@pytest.mark.parametrize("sent", [{"password": "wrong", "sure": "on"}, {"password": PASSWORD}, {}])
def test_nobody_leaves_by_mistake(annotator: User, sent: dict[str, str]) -> None:
    client = signed_in(annotator)
    assert client.post(LEAVE, sent).status_code == 200
    assert User.objects.get(pk=annotator.pk).deleted_at is None
    assert client.get(PROFILE).status_code == 200


def test_others_sessions_stay_when_one_leaves(annotator: User, organiser: User) -> None:
    other = signed_in(organiser)
    signed_in(annotator).post(LEAVE, SURE)
    assert other.get(PROFILE).status_code == 200


def test_where_others_were_when_they_did_something_to_a_person_is_theirs(
    annotator: User, organiser: User, rf: RequestFactory
) -> None:
    elsewhere, unknown = rf.get("/", REMOTE_ADDR="10.9.8.7"), rf.get("/", REMOTE_ADDR="10.6.6.6")
    elsewhere.user, unknown.user = organiser, AnonymousUser()
    audit.note(elsewhere, "account.roles_changed", str(annotator.pseudonym))
    audit.note(unknown, "account.sign_in_failed", str(annotator.pseudonym))
    told = {row["action"]: row["address"] for row in taken_away(signed_in(annotator))["audit"]}
    assert told == {
        "account.roles_changed": None,
        "account.sign_in_failed": "10.6.6.6",
        "account.data_exported": "127.0.0.1",
    }
