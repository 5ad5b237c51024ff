"""Two at once, on real transactions: one gets in, one is told."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from foveate.app.accounts import invitations, passwords, people
from foveate.app.accounts.invitations import Offer
from foveate.app.accounts.models import Invitation, User
from foveate.errors import UsageError
from tests.app.conftest import PASSWORD, person

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(acts: list[Callable[[], object]]) -> list[object]:
    """Runs each in a thread with a connection of its own, all let go together; returns what they gave or raised."""
    gate, outcomes = threading.Barrier(len(acts)), [object()] * len(acts)

    def run(number: int) -> None:
        try:
            gate.wait(timeout=30)
            outcomes[number] = acts[number]()
        except Exception as error:
            outcomes[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_of_many_newcomers_with_one_use_left_one_gets_in() -> None:
    organiser = person("organiser", "organiser")
    made, _ = invitations.make(None, organiser, Offer("annotator"))

    def join(number: int) -> Callable[[], object]:
        return lambda: invitations.join(None, made, f"newcomer{number}", PASSWORD)

    outcomes = at_once([join(number) for number in range(8)])
    assert sum(isinstance(one, User) for one in outcomes) == 1
    assert sum(isinstance(one, invitations.NotValidError) for one in outcomes) == 7
    assert User.objects.filter(username__startswith="newcomer").count() == 1
    assert Invitation.objects.get().uses_left == 0


def test_of_two_accounts_that_accept_one_gets_the_role() -> None:
    organiser = person("organiser", "organiser")
    made, _ = invitations.make(None, organiser, Offer("participant"))
    both = [person(name, "annotator") for name in ("anna", "bert")]

    def accept(user: User) -> Callable[[], object]:
        return lambda: invitations.accept(None, made, user)

    outcomes = at_once([accept(user) for user in both])
    assert sum(isinstance(one, invitations.NotValidError) for one in outcomes) == 1
    assert User.objects.filter(groups__name="participant").count() == 1


def test_two_admins_who_shut_out_each_other_leave_one() -> None:
    both = [person(name, "admin") for name in ("anna", "bert")]

    def shut_out(user: User) -> Callable[[], object]:
        return lambda: people.deactivate(None, user, "a quarrel")

    outcomes = at_once([shut_out(user) for user in both])
    assert sum(isinstance(one, UsageError) for one in outcomes) == 1
    assert User.objects.filter(is_superuser=True, is_active=True).count() == 1


def test_a_one_time_link_used_twice_at_once_is_used_once() -> None:
    user = person("anna", "annotator")
    code = passwords.make_link(None, user).partition("code=")[2]

    def use(number: int) -> Callable[[], object]:
        return lambda: passwords.use(None, code, f"{PASSWORD}{number}")

    outcomes = at_once([use(number) for number in range(4)])
    assert sum(isinstance(one, User) for one in outcomes) == 1
    assert outcomes.count(None) == 3


def test_of_two_who_want_the_same_name_one_gets_it() -> None:
    made, _ = invitations.make(None, None, Offer("annotator", uses=5))
    outcomes = at_once([lambda: invitations.join(None, made, "anna", PASSWORD) for _ in range(4)])
    assert sum(isinstance(one, User) for one in outcomes) == 1
    assert User.objects.filter(username="anna").count() == 1
    assert Invitation.objects.get().uses_left == 4
