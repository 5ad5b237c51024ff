from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import DataError, IntegrityError, OperationalError, connection

from foveate.app.annotate.services import transactions
from foveate.app.annotate.services.transactions import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transactions, "_FIRST_WAIT", 0.0)


def in_the_way() -> Exception:
    """What the database says where another transaction was in the way."""
    if connection.vendor == "sqlite":
        return OperationalError("database is locked")
    cause = Exception()
    cause.sqlstate = "40P01"  # type: ignore[attr-defined]
    error = OperationalError("deadlock detected")
    error.__cause__ = cause
    return error


def failing(times: int, error: Callable[[], Exception]) -> tuple[Callable[[], str], list[int]]:
    calls: list[int] = []

    def act() -> str:
        calls.append(1)
        Group.objects.create(name=f"try {len(calls)}")
        if len(calls) <= times:
            raise error()
        return "done"

    return act, calls


@pytest.mark.parametrize("error", [in_the_way, lambda: IntegrityError("one was there already")])
def test_an_act_is_done_anew_and_nothing_of_the_first_tries_stays(error: Any) -> None:
    act, calls = failing(3, error)
    assert at_once(act) == "done"
    assert len(calls) == 4
    assert list(Group.objects.filter(name__startswith="try").values_list("name", flat=True)) == ["try 4"]


def test_who_is_always_in_the_way_is_told_in_the_end() -> None:
    act, calls = failing(100, in_the_way)
    with pytest.raises(OperationalError):
        at_once(act)
    assert len(calls) == 8
    assert not Group.objects.filter(name__startswith="try").exists()


@pytest.mark.parametrize("error", [lambda: OperationalError("no such table"), lambda: DataError("too long")])
def test_what_will_not_pass_is_not_tried_again(error: Any) -> None:
    act, calls = failing(100, error)
    with pytest.raises(type(error())):
        at_once(act)
    assert len(calls) == 1
