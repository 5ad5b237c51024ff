"""What somebody tries who has no account, or has lost what their account could do."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.test import Client, RequestFactory

from foveate.app.accounts import invitations, people
from foveate.app.accounts.invitations import Offer
from foveate.app.accounts.models import User
from foveate.app.limits import Limit, address


@pytest.mark.parametrize("page", ["join", "password/new"])
@pytest.mark.parametrize("code", ["wrong", "x" * 100_000, "1-" + "x" * 1_000, "\0"])
def test_a_wrong_code_leaves_nothing_in_the_database(db: None, page: str, code: str) -> None:
    """Each made a session with all that was sent, as often as anybody asked."""
    answer = Client().get(f"/accounts/{page}/", {"code": code}, follow=True)
    assert answer.status_code == 410
    assert Session.objects.count() == 0


@pytest.mark.parametrize(("was", "role"), [("admin", "organiser"), ("admin", "annotator"), ("organiser", "annotator")])
def test_an_invitation_ends_with_the_role_of_who_made_it(
    db: None, admin: User, organiser: User, was: str, role: str
) -> None:
    other = people.make(None, "other", ["admin"])
    maker = admin if was == "admin" else organiser
    path = invitations.make(None, maker, Offer(role))[1]
    code = path.partition("code=")[2]
    assert invitations.of_code(code) is not None
    people.set_roles(None, maker, ["annotator"])
    assert invitations.of_code(code) is None
    # Of an admin who became an organiser, those stay that an organiser may make.
    people.set_roles(None, maker, ["organiser"])
    assert (invitations.of_code(code) is not None) == (role == "annotator")
    assert invitations.of_code(invitations.make(None, other, Offer("organiser"))[1].partition("code=")[2]) is not None


def test_a_wrong_code_ends_what_a_right_one_began(db: None, organiser: User) -> None:
    client = Client()
    assert client.get(invitations.make(None, organiser, Offer("annotator"))[1], follow=True).status_code == 200
    assert client.get("/accounts/join/", {"code": "wrong"}, follow=True).status_code == 410
    assert client.get("/accounts/join/").status_code == 410


def test_long_names_are_not_remembered_whole() -> None:
    limit = Limit("2/60")
    for _ in range(2):
        assert limit.wait("x" * 2_000_000) == 0
    assert limit.wait("x" * 2_000_000) > 0
    assert max(len(name) for name in limit._seen) <= 200


def test_a_network_of_ipv6_is_counted_as_one() -> None:
    def seen(at: str) -> str:
        return address(RequestFactory(REMOTE_ADDR=at).get("/"))

    assert seen("2001:db8:1:2::1") == seen("2001:db8:1:2:ffff::7") != seen("2001:db8:1:3::1")
    assert seen("fe80::1%eth0") == seen("fe80::2%eth0")
    assert (seen("10.0.0.1"), seen("10.0.0.2")) == ("10.0.0.1", "10.0.0.2")
