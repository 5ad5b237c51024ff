"""Writes a backup: one moment of the database, whatever is written meanwhile."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.db import DatabaseError, connection, transaction

from foveate.app.backup import FORMAT, MANIFEST, MEDIA, NAMED, ROWS
from foveate.app.backup.rows import columns, line, migrations, rows, tables
from foveate.app.database import check_not_newer, unapplied, unreachable
from foveate.errors import InputError, OutputError, reason_of


def back_up(path: Path) -> dict[str, int]:
    """Writes all of the server's state to a file; returns how many rows each table has.

    Raises:
        InputError: The database is not of this Foveate.
        OutputError: The file is there already, or cannot be written.
        UnavailableError: The database cannot be reached.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        if path.exists():
            raise OutputError(str(path), "there is a file already", "Choose another name.")
        check_not_newer()
        if unapplied():
            problem = "it is of an older Foveate, or not made yet"
            raise InputError("the database", problem, "Start `foveate serve` once, then back up.")
        # It holds hashes of passwords, so nobody else reads it.
        part.touch(mode=0o600)
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=1, allowZip64=True) as archive:
            counts = _fill(archive)
        _settle(part, path)
    except OSError as error:
        raise OutputError(
            str(path), f"the backup cannot be written ({reason_of(error)})", "Choose another place, or make room."
        ) from error
    except DatabaseError as error:
        raise unreachable(error) from error
    finally:
        part.unlink(missing_ok=True)
    return counts


def _fill(archive: zipfile.ZipFile) -> dict[str, int]:
    hashes: dict[str, str] = {}
    counts: dict[str, int] = {}
    with snapshot():
        known = migrations()
        hashes[ROWS] = _member(archive, ROWS, _lines(counts))
        named = {folder: names() for folder, names in NAMED.items()}
    root: Path = settings.MEDIA_ROOT
    for file in _files(root, named):
        name = MEDIA + file.relative_to(root).as_posix()
        # Files of uploads that were given up go at any time, and a row that still names one does without it.
        with suppress(FileNotFoundError), file.open("rb") as opened:
            hashes[name] = _member(archive, name, _chunks(opened))
    manifest = {
        "foveate_backup": FORMAT,
        "foveate": version("foveate"),
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "migrations": known,
        "rows": counts,
        "sha256": hashes,
    }
    archive.writestr(MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1))
    return counts


def _files(root: Path, named: Mapping[str, set[str]]) -> list[Path]:
    """Returns the files that are part of the state: no links, and of some folders only what rows name."""
    found = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return [
        file for file in found if (folder := file.relative_to(root).parts[0]) not in named or file.name in named[folder]
    ]


@contextmanager
def snapshot() -> Iterator[None]:
    """A transaction that sees one moment and keeps nobody from writing."""
    wrapper: Any = connection
    if connection.vendor == "sqlite":
        # Ours begin by taking the right to write; this one only reads.
        before, wrapper.transaction_mode = wrapper.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            wrapper.transaction_mode = before
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


def _lines(counts: dict[str, int]) -> Iterator[bytes]:
    for name, model in tables().items():
        counts[name] = 0
        yield line({"table": name, "columns": [field.attname for field in columns(model)]})
        for row in rows(model):
            counts[name] += 1
            yield line(row)


def _chunks(opened: BinaryIO) -> Iterator[bytes]:
    while chunk := opened.read(1 << 20):
        yield chunk


def _member(archive: zipfile.ZipFile, name: str, chunks: Iterable[bytes]) -> str:
    """Writes one member and returns its hash."""
    found = hashlib.sha256()
    with archive.open(name, "w", force_zip64=True) as member:
        for chunk in chunks:
            found.update(chunk)
            member.write(chunk)
    return found.hexdigest()


def _settle(part: Path, path: Path) -> None:
    """Gives the file its name once all of it is on the disk; never over another that came meanwhile."""
    with part.open("rb") as written:
        os.fsync(written.fileno())
    try:
        path.hardlink_to(part)
    except FileExistsError as error:
        raise OutputError(str(path), "there is a file already", "Choose another name.") from error
