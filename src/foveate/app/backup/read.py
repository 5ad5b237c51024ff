"""Reads a backup: whether it is whole, whether it fits, and its rows."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from foveate.app.backup import FORMAT, MANIFEST, MEDIA, ROWS
from foveate.app.backup.rows import columns, migrations, tables
from foveate.errors import InputError, reason_of, some

# Far beyond what a list of files needs; a few kilobytes of an archive can hold gigabytes.
_LARGEST_MANIFEST = 1 << 28
# What reading raises of a file that is none of ours; of an encrypted one it is the last.
_NO_BACKUP = (zipfile.BadZipFile, KeyError, ValidationError, zlib.error, EOFError, NotImplementedError, RuntimeError)
_AGAIN = "Take another backup; this one is damaged."


class Manifest(BaseModel):
    """What a backup says of itself."""

    foveate_backup: int
    foveate: str
    made_at: str
    migrations: list[str]
    rows: dict[str, int]
    sha256: dict[str, str]


@contextmanager
def opened(path: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """Opens a backup, after all of it was read once and found whole, and lends it with its manifest.

    Raises:
        InputError: It is no backup, is damaged, or is of another Foveate than the database.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if archive.getinfo(MANIFEST).file_size > _LARGEST_MANIFEST:
                raise InputError(str(path), f"its {MANIFEST} is larger than any is", _AGAIN)
            manifest = Manifest.model_validate_json(archive.read(MANIFEST))
            _check_fits(path, manifest)
            _check_whole(path, archive, manifest)
            yield archive, manifest
    except _NO_BACKUP as error:
        raise InputError(str(path), "it is no whole backup of Foveate", _AGAIN) from error
    except OSError as error:
        raise InputError(str(path), f"it cannot be read ({reason_of(error)})", "Look at the file.") from error


def _check_fits(path: Path, manifest: Manifest) -> None:
    if manifest.foveate_backup != FORMAT:
        raise InputError(str(path), f"it has form {manifest.foveate_backup}, not {FORMAT}", "Update Foveate.")
    ours, theirs = set(migrations()), set(manifest.migrations)
    if ours == theirs:
        return
    newer = bool(theirs - ours)
    differ = some(sorted(theirs - ours or ours - theirs))
    raise InputError(
        str(path),
        f"it was made by Foveate {manifest.foveate}, which has {'more' if newer else 'fewer'} migrations ({differ})",
        f"Restore it with Foveate {manifest.foveate}" + ("." if newer else ", then update that."),
    )


def _check_whole(path: Path, archive: zipfile.ZipFile, manifest: Manifest) -> None:
    names = set(archive.namelist()) - {MANIFEST}
    if names != set(manifest.sha256) or ROWS not in names:
        raise InputError(str(path), "its files are not those that it lists", _AGAIN)
    for name, expected in manifest.sha256.items():
        if name != ROWS and not _is_safe(name):
            raise InputError(str(path), f"it has a file of the name {name}, which leads elsewhere", _AGAIN)
        found = hashlib.sha256()
        with archive.open(name) as member:
            while chunk := member.read(1 << 20):
                found.update(chunk)
        if found.hexdigest() != expected:
            raise InputError(str(path), f"{name} has the hash {found.hexdigest()[:12]}…, not {expected[:12]}…", _AGAIN)


def _is_safe(name: str) -> bool:
    parts = name.split("/")
    return name.startswith(MEDIA) and "\\" not in name and not {"", ".", ".."} & set(parts)


def batches(archive: zipfile.ZipFile, size: int) -> Iterator[tuple[str, list[list[Any]]]]:
    """Yields the rows of a backup, at most so many of one table at a time.

    Raises:
        InputError: A table or a column is not one of ours.
    """
    name, batch = "", list[list[Any]]()
    with archive.open(ROWS) as lines:
        for text in lines:
            value = json.loads(text)
            if isinstance(value, dict):
                if batch:
                    yield name, batch
                name, batch = _table(value), []
                continue
            batch.append(value)
            if len(batch) == size:
                yield name, batch
                batch = []
    if batch:
        yield name, batch


def _table(head: dict[str, Any]) -> str:
    name: str = head["table"]
    model = tables().get(name)
    if model is None or head["columns"] != [field.attname for field in columns(model)]:
        raise InputError(f"the backup's table {name}", "its columns are not those of this Foveate", _AGAIN)
    return name
