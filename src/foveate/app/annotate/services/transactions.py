"""Acts that are done wholly or not at all, and again where the database asked for that."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction

T = TypeVar("T")

_TRIES = 8
_FIRST_WAIT = 0.01
# PostgreSQL: the transaction could not be put in a row with others, or two waited for each other.
_PASSING_STATES = frozenset({"40001", "40P01", "55P03"})


# SQLite lets one write at a time. Those who wait for it look again after longer and longer pauses; who waits for this
# lock of the process goes on at once.
_writing = threading.RLock()


def at_once(act: Callable[[], T]) -> T:
    """Returns what an act returns, done in one transaction.

    Where another transaction was in the way the act is done anew, a few times, after a pause that differs from that of
    the others; so it must read again all that it decides by.

    Raises:
        DatabaseError: The others were in the way each time, or something else is wrong.
    """
    for turn in range(_TRIES - 1):
        try:
            with _turn(), transaction.atomic():
                return act()
        except DatabaseError as error:
            if connection.in_atomic_block or not _passes(error):
                raise
        time.sleep(random.uniform(0, _FIRST_WAIT * 2**turn))
    with _turn(), transaction.atomic():
        return act()


@contextmanager
def _turn() -> Iterator[None]:
    if connection.vendor != "sqlite":
        yield
        return
    with _writing:
        yield


def _passes(error: DatabaseError) -> bool:
    if isinstance(error, IntegrityError):
        return True  # A row of another transaction: the next try sees it, and decides by it.
    if not isinstance(error, OperationalError):
        return False
    if connection.vendor == "sqlite":
        return "locked" in str(error)
    return getattr(error.__cause__, "sqlstate", None) in _PASSING_STATES
