"""What admins do to accounts, and what nobody can."""

from __future__ import annotations

import pytest
from django.test import Client

from foveate.app.accounts import people, tokens
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.accounts.roles import has_role, roles_of
from foveate.errors import InputError, UsageError
from tests.app.conftest import PASSWORD, person, signed_in

PEOPLE = "/accounts/people/"


def test_people_are_listed_and_found(as_admin: Client, annotator: User) -> None:
    User.objects.filter(pk=annotator.pk).update(display_name="Ada Lovelace", email="ada@example.org")
    person("bert", "organiser")
    for search in ("", "annot", "LOVELACE", "example.org"):
        assert "Ada Lovelace" in as_admin.get(PEOPLE, {"search": search}).content.decode()
    page = as_admin.get(PEOPLE, {"search": "lovelace"}).content.decode()
    assert "bert" not in page
    assert "1 person" in page
    assert "Nobody is called so" in as_admin.get(PEOPLE, {"search": "nobody"}).content.decode()


def test_a_long_list_has_pages(as_admin: Client) -> None:
    User.objects.bulk_create([User(username=f"user{number:03}") for number in range(120)])
    first, last = (as_admin.get(PEOPLE, {"page": page}).content.decode() for page in ("1", "3"))
    assert "Page 1 of 3" in first
    assert "user000" in first
    assert "user119" not in first
    assert "user119" in last
    # The search stays in the links.
    assert "search=user&amp;page=2" in as_admin.get(PEOPLE, {"search": "user"}).content.decode()


def test_roles_are_set_to_what_is_ticked(as_admin: Client, annotator: User) -> None:
    path = f"{PEOPLE}{annotator.pk}/"
    as_admin.post(f"{path}roles/", {"roles": ["organiser", "participant"]})
    assert roles_of(User.objects.get(pk=annotator.pk)) == {"organiser", "participant"}
    as_admin.post(f"{path}roles/", {"roles": ["admin"]})
    changed = User.objects.get(pk=annotator.pk)
    assert (changed.is_superuser, changed.is_staff, len(roles_of(changed))) == (True, True, 4)
    as_admin.post(f"{path}roles/", {})
    changed = User.objects.get(pk=annotator.pk)
    assert (changed.is_superuser, changed.is_staff, roles_of(changed)) == (False, False, frozenset())
    event = AuditEvent.objects.order_by("pk").first()
    assert event is not None
    assert (event.action, event.about) == ("account.roles_changed", str(annotator.pseudonym))
    assert event.details == {"before": ["annotator"], "after": ["organiser", "participant"]}
    assert as_admin.post(f"{path}roles/", {"roles": ["boss"]}).status_code == 200
    assert AuditEvent.objects.count() == 3


def test_the_page_of_a_person_ticks_the_roles_they_have(as_admin: Client, annotator: User) -> None:
    page = as_admin.get(f"{PEOPLE}{annotator.pk}/").content.decode()
    assert "errorlist" not in page
    ticked = [line for line in page.split("<input") if 'name="roles"' in line and "checked" in line]
    assert len(ticked) == 1
    assert 'value="annotator"' in ticked[0]


def test_the_last_admin_stays(as_admin: Client, admin: User) -> None:
    path = f"{PEOPLE}{admin.pk}/"
    for act, sent in (("roles/", {"roles": ["annotator"]}), ("deactivate/", {"why": "tired"})):
        page = as_admin.post(f"{path}{act}", sent)
        assert page.status_code == 200
        assert "This is the last admin" in page.content.decode()
    kept = User.objects.get(pk=admin.pk)
    assert has_role(kept, "admin")
    page = as_admin.post("/accounts/profile/leave/", {"password": PASSWORD, "sure": "on"})
    assert "This is the last admin" in page.content.decode()
    assert User.objects.get(pk=admin.pk).deleted_at is None
    # One who is shut out does not count.
    second = person("second", "admin")
    people.deactivate(None, second, "left")
    with pytest.raises(UsageError):
        people.deactivate(None, admin, "left")
    people.reactivate(None, second)
    people.deactivate(None, admin, "left")
    assert not AuditEvent.objects.filter(action="account.roles_changed").exists()


def test_who_is_deactivated_is_out_at_once_and_comes_back(as_admin: Client, annotator: User) -> None:
    theirs, path = signed_in(annotator), f"{PEOPLE}{annotator.pk}/"
    _, secret = tokens.make(annotator, "a program")
    bearer = {"Authorization": f"Bearer {secret}"}
    assert Client().get("/api/v1/me", headers=bearer).status_code == 200
    assert "errorlist" in as_admin.post(f"{path}deactivate/", {"why": " "}).content.decode()
    assert theirs.get("/accounts/profile/").status_code == 200
    as_admin.post(f"{path}deactivate/", {"why": "on leave"})
    assert theirs.get("/accounts/profile/").status_code == 302
    assert Client().get("/api/v1/me", headers=bearer).status_code == 401
    assert not Client().login(username="annotator", password=PASSWORD)
    assert "on leave" in as_admin.get(path).content.decode()
    as_admin.post(f"{path}reactivate/")
    assert Client().login(username="annotator", password=PASSWORD)
    # What was signed in before stays out: it may have been somebody else.
    assert theirs.get("/accounts/profile/").status_code == 302
    assert Client().get("/api/v1/me", headers=bearer).status_code == 200
    assert "on leave" not in as_admin.get(path).content.decode()
    noted = AuditEvent.objects.filter(about=str(annotator.pseudonym)).order_by("pk")
    assert list(noted.values_list("action", "details")) == [
        ("account.deactivated", {"why": "on leave"}),
        ("account.reactivated", {}),
    ]


def test_a_one_time_link_is_shown_once_to_the_admin(as_admin: Client, annotator: User) -> None:
    path = f"{PEOPLE}{annotator.pk}/password-link/"
    page = as_admin.post(path)
    assert "http://testserver/accounts/password/new/?code=" in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    assert "?code=" not in as_admin.get(f"{PEOPLE}{annotator.pk}/").content.decode()
    User.objects.filter(pk=annotator.pk).update(is_active=False)
    assert as_admin.post(path).status_code == 302
    assert AuditEvent.objects.filter(action="account.password_link_made").count() == 1


def test_an_account_that_left_has_no_page(as_admin: Client, annotator: User) -> None:
    signed_in(annotator).post("/accounts/profile/leave/", {"password": PASSWORD, "sure": "on"})
    assert as_admin.get(f"{PEOPLE}{annotator.pk}/").status_code == 404
    assert as_admin.post(f"{PEOPLE}{annotator.pk}/reactivate/").status_code == 404
    assert "deleted-" not in as_admin.get(PEOPLE).content.decode()
    annotator.refresh_from_db()
    with pytest.raises(UsageError, match="deleted"):
        people.reactivate(None, annotator)


@pytest.mark.parametrize(
    "path",
    [
        f"{PEOPLE}?search=%00",
        f"{PEOPLE}?search=%27%20OR%201%3D1--",
        f"{PEOPLE}?page=-1",
        f"{PEOPLE}?page=x",
        f"{PEOPLE}?search={'x' * 3000}",
        "/accounts/log/?actor=%00",
        "/accounts/log/?action=%00&since=%00",
        "/accounts/invitations/?page=99999999999999999999",
    ],
)
def test_odd_questions_get_an_answer(as_admin: Client, path: str) -> None:
    assert as_admin.get(path).status_code == 200


def test_numbers_beyond_all_are_not_there(as_admin: Client) -> None:
    assert as_admin.get(f"{PEOPLE}{'9' * 30}/").status_code == 404
    assert as_admin.post(f"/accounts/tokens/{'9' * 30}/withdraw/").status_code == 404


def test_what_is_shown_of_a_person_is_text(as_admin: Client, annotator: User) -> None:
    User.objects.filter(pk=annotator.pk).update(display_name="<script>alert(1)</script>", deactivated_why="<b>x</b>")
    for path in (PEOPLE, f"{PEOPLE}{annotator.pk}/"):
        page = as_admin.get(path).content.decode()
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page


def test_making_accounts_refuses_what_cannot_be(annotator: User) -> None:
    with pytest.raises(UsageError, match="there is no such role"):
        people.make(None, "anna", ["boss"])
    with pytest.raises(InputError, match="there already"):
        people.make(None, "Annotator", ["annotator"])
    assert User.objects.count() == 1
    assert people.named("annotator") == annotator
    with pytest.raises(UsageError, match="Did you mean annotator"):
        people.named("annotato")


def test_the_groups_are_there_from_the_start(db: None) -> None:
    from django.contrib.auth.models import Group

    assert {"organiser", "annotator", "participant"} <= set(Group.objects.values_list("name", flat=True))
