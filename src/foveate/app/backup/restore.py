"""Puts a backup in place of what there is: all of it in one transaction, or nothing."""

from __future__ import annotations

import secrets
import shutil
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import DatabaseError, DataError, IntegrityError, connection, transaction
from django.db.models import Model
from filelock import FileLock, Timeout

from foveate.app.accounts.append_only import lift, protect
from foveate.app.accounts.audit import note
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.backup import MEDIA
from foveate.app.backup.numbers import go_on
from foveate.app.backup.read import batches, opened
from foveate.app.backup.rows import columns, left_out, stored, tables
from foveate.app.database import migrate, unreachable
from foveate.errors import InputError, UnavailableError, UsageError, reason_of

_BATCH = 200
_STAGED = "media.restored-"
# What rows raise that somebody has changed; of JSON that goes deeper than any of ours it is the last.
_NO_ROWS = (DataError, ValidationError, ValueError, TypeError, LookupError, AttributeError, RecursionError)
# For so long a server that starts waits for a restore.
_PATIENCE = 600.0
ACTION = "server.restored"


def restore(path: Path, *, replace: bool = False) -> dict[str, int]:
    """Puts a backup in place of what there is; returns how many rows each table has.

    Requests meanwhile see what was there before; those that write wait.

    Raises:
        InputError: The backup is damaged or does not fit.
        UsageError: There is something already, and it is not to be replaced.
        UnavailableError: The database cannot be reached.
    """
    migrate()
    with _alone():
        finish()
        return _restored(path, replace=replace)


def _restored(path: Path, *, replace: bool) -> dict[str, int]:
    with opened(path) as (archive, manifest):
        identity = secrets.token_hex(8)
        _stage(archive, identity)
        try:
            with transaction.atomic(), _explained(path):
                if not replace and User.objects.exists():
                    raise UsageError("the server's state", "there are people in it already", "Replace it by --replace.")
                found = _replace_rows(archive)
                if found != {name: count for name, count in manifest.rows.items() if count}:
                    raise InputError(str(path), "its rows are not as many as it says", "Take another backup.")
                note(None, ACTION, identity, foveate=manifest.foveate, made_at=manifest.made_at)
        except DatabaseError as error:
            raise unreachable(error) from error
        finally:
            with suppress(DatabaseError):
                finish()
    return manifest.rows


def finish() -> None:
    """Brings the files of a restore into place, if its transaction was done; else removes them.

    A crash may come between the two, so that the next start looks too.
    """
    with _alone():
        _finish(settings.CONFIG.folder)


@contextmanager
def _alone() -> Iterator[None]:
    """Keeps other restores out, and servers that start meanwhile: they would take its files away."""
    folder: Path = settings.CONFIG.folder
    try:
        with FileLock(folder / ".restoring", timeout=_PATIENCE, is_singleton=True):
            yield
    except Timeout as error:
        raise UnavailableError(str(folder), "it is being restored", "Try again when that is done.") from error


def _finish(folder: Path) -> None:
    for staged in sorted(folder.glob(f"{_STAGED}*")):
        identity = staged.name.removeprefix(_STAGED)
        if AuditEvent.objects.filter(action=ACTION, about=identity).exists():
            before = folder / f"media.before-{identity}"
            if settings.MEDIA_ROOT.exists():
                settings.MEDIA_ROOT.rename(before)
            staged.rename(settings.MEDIA_ROOT)
            shutil.rmtree(before, ignore_errors=True)
        else:
            shutil.rmtree(staged)


def _stage(archive: zipfile.ZipFile, identity: str) -> None:
    folder: Path = settings.CONFIG.folder / f"{_STAGED}{identity}"
    # Entries and targets are in it.
    folder.mkdir(mode=0o700, parents=True)
    for name in archive.namelist():
        if name.startswith(MEDIA):
            file = folder / name.removeprefix(MEDIA)
            file.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as member, file.open("wb") as opened_file:
                shutil.copyfileobj(member, opened_file)


def _replace_rows(archive: zipfile.ZipFile) -> Counter[str]:
    """Empties all tables and fills them; references between them are looked at when the transaction ends."""
    lift(connection)
    models = tables()
    with connection.cursor() as cursor:
        for model in [*models.values(), *left_out()]:
            cursor.execute(f"DELETE FROM {_quoted(model._meta.db_table)}")
        counts: Counter[str] = Counter()
        for name, batch in batches(archive, _BATCH):
            insert(cursor, models[name], batch)
            counts[name] += len(batch)
        for model in models.values():
            go_on(cursor, model)
    # PostgreSQL changes no triggers of a table while references of its rows are yet to be looked at.
    connection.check_constraints()
    protect(connection)
    return counts


def insert(cursor: Any, model: type[Model], batch: list[list[Any]]) -> None:
    """Inserts rows as they are: no field says its own time, no default comes in between."""
    fields = columns(model)
    names = ", ".join(_quoted(field.column) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    values = [[stored(field, value) for field, value in zip(fields, row, strict=True)] for row in batch]
    cursor.executemany(f"INSERT INTO {_quoted(model._meta.db_table)} ({names}) VALUES ({places})", values)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        problem = f"its rows do not go together ({reason_of(error)})"
        raise InputError(str(path), problem, "Take another backup.") from error
    except _NO_ROWS as error:
        problem = f"its rows are not those of a backup ({reason_of(error)})"
        raise InputError(str(path), problem, "Take another backup.") from error


def _quoted(name: str | None) -> str:
    return connection.ops.quote_name(str(name))
