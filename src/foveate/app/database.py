"""The state of the database: migrated under a lock, never by an older Foveate than the one that it is of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from filelock import FileLock

from foveate.app.config import Config
from foveate.errors import InputError, UnavailableError, reason_of

# Of PostgreSQL's advisory locks; any numbers that nobody else takes in this database.
_MIGRATING, _SETTING_UP, _GIVING_ROOM = 0x464F5645, 0x464F5646, 0x464F5647


def migrate() -> None:
    """Brings the database to what this Foveate needs. Two that start at once wait for each other.

    Raises:
        UnavailableError: The database cannot be reached.
        InputError: The database is of a newer Foveate.
    """
    try:
        with _alone():
            check_not_newer()
            if unapplied():
                call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as error:
        raise unreachable(error) from error


def check_not_newer() -> None:
    """Looks whether the database knows a migration that this Foveate does not have.

    Raises:
        InputError: It does.
    """
    loader = MigrationLoader(connection)
    ours = {app for app, _ in loader.disk_migrations}
    unknown = sorted(key for key in loader.applied_migrations if key[0] in ours and not _knows(loader, key))
    if unknown:
        app, name = unknown[-1]
        raise InputError(
            "the database",
            f"it was made by a newer Foveate (it has {app}.{name}, which this one does not know)",
            "Update Foveate, or take another --data folder or --database.",
        )


def _knows(loader: MigrationLoader, key: tuple[str, str]) -> bool:
    return key in loader.disk_migrations or key in loader.replacements


def unapplied() -> bool:
    """Returns whether the database lacks a migration of this Foveate."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def unreachable(error: Exception) -> UnavailableError:
    """Returns the error for a database that does not answer, without its password."""
    config: Config = settings.CONFIG
    return UnavailableError(
        config.shown_url, f"the database cannot be used ({reason_of(error)})", "Look at --database and --data."
    )


@contextmanager
def _alone() -> Iterator[None]:
    """Keeps other processes out: on this machine by a file, elsewhere by a lock of PostgreSQL."""
    config: Config = settings.CONFIG
    config.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with FileLock(config.folder / ".migrating"):
        if connection.vendor != "postgresql":
            yield
            return
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [_MIGRATING])
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_MIGRATING])


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """A transaction that waits until no other of its kind runs; SQLite's begin by writing, and so wait already."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_SETTING_UP])
        yield


def give_room_alone() -> None:
    """Waits within a transaction until no other gives room to files, and keeps them waiting until it is over.

    The last lock of a transaction, so that nobody who has it waits for another; SQLite's wait for one another anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_GIVING_ROOM])
