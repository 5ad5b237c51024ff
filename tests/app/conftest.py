"""People, clients that are signed in as them, and a real server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.http import HttpResponseBase, StreamingHttpResponse
from django.test import Client, TransactionTestCase
from whitenoise.middleware import WhiteNoiseMiddleware

from foveate.app import limits
from foveate.app.accounts.append_only import lift, protect
from foveate.app.accounts.models import User
from tests.app import postgres
from tests.app.live import LiveFoveate

PASSWORD = "Correct-horse-7-battery"
# What reaches a database that the engine of a run decides on, and what brings a PostgreSQL whichever that is.
ON_THE_ENGINE = frozenset({"db", "transactional_db", "live_foveate", "shared_foveate", "live"})
ON_POSTGRESQL = frozenset({"live_postgres", "postgres_url", "postgres_cluster"})
# Parameters of tests that ask for a server on either engine.
SERVERS = ("live_foveate", "live_postgres")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out of a run on PostgreSQL what a run on SQLite does in the very same way: `make test` passes those."""
    if not os.environ.get(postgres.VARIABLE):
        return
    same = [item for item in items if not _depends_on_engine(item)]
    config.hook.pytest_deselected(items=same)
    items[:] = [item for item in items if _depends_on_engine(item)]


def _depends_on_engine(item: pytest.Item) -> bool:
    used = set(getattr(item, "fixturenames", ()))
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    # A server whose engine is a parameter: both are in either run.
    if parameters.get("live") in SERVERS or (used & ON_POSTGRESQL and not used & ON_THE_ENGINE):
        return False
    return bool(used & ON_THE_ENGINE) or item.get_closest_marker("django_db") is not None


def person(name: str, role: str) -> User:
    """Makes somebody with a role in the test's database."""
    admin = role == "admin"
    user = User.objects.create_user(name, password=PASSWORD, is_superuser=admin, is_staff=admin)
    if not admin:
        user.groups.add(Group.objects.get_or_create(name=role)[0])
    return user


def signed_in(user: User, *, csrf: bool = False) -> Client:
    """Returns a client that is signed in; one that checks CSRF tokens as a browser's requests are, where asked."""
    client = Client(enforce_csrf_checks=csrf)
    client.force_login(user)
    return client


_CASE: Any = TransactionTestCase
_empty = _CASE._fixture_teardown


def _emptied(case: TransactionTestCase) -> None:
    """Empties the database after a test that commits; the audit log, which refuses that, too."""
    lift(connection)
    try:
        _empty(case)
    finally:
        protect(connection)


_CASE._fixture_teardown = _emptied


_SERVES: Any = WhiteNoiseMiddleware
_look_for_files = _SERVES.add_files_from_finders
_files: dict[str, Any] = {}


def _found_once(serves: Any) -> None:
    """Finds the pages' files for the first client; the package's do not change, and each client has its middleware."""
    if not _files:
        _look_for_files(serves)
        _files.update(serves.files)
    serves.files.update(_files)


_SERVES.add_files_from_finders = _found_once


@pytest.fixture(autouse=True)
def _nobody_has_asked_before() -> None:
    limits.forget()


def streamed(response: HttpResponseBase) -> bytes:
    """Returns the whole of an answer that is sent in pieces."""
    assert isinstance(response, StreamingHttpResponse)
    return response.getvalue()


@pytest.fixture
def admin(db: None) -> User:
    return person("admin", "admin")


@pytest.fixture
def organiser(db: None) -> User:
    return person("organiser", "organiser")


@pytest.fixture
def annotator(db: None) -> User:
    return person("annotator", "annotator")


@pytest.fixture
def participant(db: None) -> User:
    return person("participant", "participant")


@pytest.fixture
def as_admin(admin: User) -> Client:
    return signed_in(admin)


@pytest.fixture
def as_organiser(organiser: User) -> Client:
    return signed_in(organiser)


@pytest.fixture
def as_annotator(annotator: User) -> Client:
    return signed_in(annotator)


@pytest.fixture
def as_participant(participant: User) -> Client:
    return signed_in(participant)


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[str]:
    """The URL of a PostgreSQL: the one that the tests run on, or one that is started for them."""
    if os.environ.get(postgres.VARIABLE):
        yield os.environ[postgres.VARIABLE]
        return
    if postgres.binaries() is None:
        pytest.skip(postgres.ABSENT)
    with postgres.cluster() as url:
        yield url


@pytest.fixture
def postgres_url(postgres_cluster: str) -> str:
    """The URL of a new, empty database."""
    return postgres.fresh(postgres_cluster)


@pytest.fixture
def live_foveate(tmp_path: Path) -> Iterator[LiveFoveate]:
    """A server with a fresh state, and a person of each role; on PostgreSQL where the tests run on that."""
    yield from running(LiveFoveate(tmp_path / "live", tests_database()))


@pytest.fixture
def live_postgres(tmp_path: Path, postgres_url: str) -> Iterator[LiveFoveate]:
    """The same on PostgreSQL, whatever the tests run on."""
    yield from running(LiveFoveate(tmp_path / "live", postgres_url))


@pytest.fixture(scope="session")
def shared_foveate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveFoveate]:
    """A server for the whole session, for tests that leave it as it was or mind only what they made."""
    yield from running(LiveFoveate(tmp_path_factory.mktemp("shared") / "live", tests_database()))


_begun: dict[str, LiveFoveate] = {}


def begin(live: LiveFoveate) -> None:
    """Starts a server with the people on a copy of a state with them; the first of a process and an engine makes that.

    To make the tables and the people takes twice as long as the rest of a start. Tests of that itself start a server of
    their own.
    """
    # One that makes other people, or none.
    if type(live) is not LiveFoveate:
        live.start()
        return
    cluster = live.database.rpartition("/")[0] if live.database else ""
    if cluster not in _begun:
        folder = Path(os.environ["FOVEATE_DATA"]) / f"begun{len(_begun)}"
        first = LiveFoveate(folder, postgres.fresh(live.database) if live.database else None)
        first.start()
        assert first.stop() == 0
        _begun[cluster] = first
    begun = _begun[cluster]
    shutil.copytree(begun.data, live.data, dirs_exist_ok=True)
    if live.database and begun.database:
        postgres.copy(begun.database, live.database)
    live.people = dict(begun.people)
    live.start()


def tests_database() -> str | None:
    """Returns the URL of a new database where the tests run on PostgreSQL; None for SQLite."""
    url = os.environ.get(postgres.VARIABLE)
    return postgres.fresh(url) if url else None


def running(live: LiveFoveate) -> Iterator[LiveFoveate]:
    """Starts a server, lends it, and ends it whatever happened; all but the first of a process as that one began."""
    try:
        begin(live)
        yield live
    finally:
        if live.is_running:
            live.stop()
