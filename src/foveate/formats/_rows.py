"""Rows of a table as samples, ids made or checked, faults counted; shared by JSON lines, CSV, Parquet, `datasets`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import Any

from foveate.errors import InputError
from foveate.formats._keys import Repeats
from foveate.formats._numbered import id_maker
from foveate.formats._sample_forms import EmbeddedPhoto, Reading, Sample
from foveate.formats._sample_objects import VERSION, VERSION_KEY, sample_of
from foveate.formats._seen import Seen
from foveate.formats.tables import Row

# Names of the columns of other people's tables, by what they are here.
SETTINGS = ("image", "question", "answer", "id")


# Gives the rows once more, of their columns at least the named ones.
Again = Callable[[Set[str]], Iterable[Row]]


def samples_of_rows(rows: Iterable[Row], again: Again, reading: Reading) -> Iterator[Sample]:
    """Yields the samples of rows.

    Args:
        rows: The rows.
        again: Yields the same rows once more, by some of their columns; for the ids of rows that have none, to make
            sure of an id that comes twice, and to find photos in the rows that have one name.
        reading: What to do with rows that cannot be taken.
    """
    names = _Names(again, reading.settings)
    made, seen, photos = id_maker(names.images), Seen(names.ids), _Photos(names.images)
    for number, row in enumerate(rows):
        try:
            values = named(row, reading.settings)
            sample = sample_of(values, row.where, reading, _made_id(values, made))
            photos.note(sample.photo)
            seen.note(sample.query.id, number, row.where)
        except InputError as error:
            seen.pass_over(number)
            reading.on_invalid(error)
            continue
        yield sample


class _Names:
    """Ids and photos of all rows, read by their columns alone."""

    def __init__(self, again: Again, settings: Mapping[str, str]) -> None:
        self._again, self._settings = again, settings
        self.images = Repeats(lambda: (str(values.get("image")) for values, _ in self._rows() if values is not None))

    def ids(self) -> Iterator[tuple[str | None, str]]:
        made = id_maker(self.images)
        for values, where in self._rows():
            found = None if values is None else values.get("id")
            yield (_made_id(values, made) if values is not None and found is None else _text(found)), where

    def _rows(self) -> Iterator[tuple[dict[str, Any] | None, str]]:
        columns = {"image", "id", VERSION_KEY, *(self._settings[name] for name in SETTINGS if name in self._settings)}
        for row in self._again(columns):
            try:
                yield named(row, self._settings), row.where
            except InputError:
                yield None, row.where


def _made_id(values: Mapping[str, Any], made: Callable[[str], str]) -> str:
    return "" if values.get("id") is not None else made(str(values.get("image")))


def _text(value: object) -> str | None:
    return None if value is None else str(value)


class _Photos:
    """Refuses a photo in a row whose name another one has; the bytes of photos with names of their own are not read."""

    def __init__(self, names: Repeats) -> None:
        self._names = names
        self._first: dict[str, tuple[bytes, str]] = {}

    def note(self, photo: EmbeddedPhoto | None) -> None:
        if photo is None or photo.name not in self._names:
            return
        try:
            digest = hashlib.blake2b(photo.read(), digest_size=16).digest()
        except InputError:  # That there is none is told to whoever looks at it.
            return
        known, where = self._first.setdefault(photo.name, (digest, photo.where))
        if known != digest:
            raise InputError(
                f"{photo.where}, {photo.name}",
                f"another photo has this name, the one of {where.rpartition(', ')[2]}",
                "Give each photo a name of its own, or pass --skip-invalid to keep the first.",
            )


def named(row: Row, settings: Mapping[str, str]) -> dict[str, Any]:
    """Returns a row under our names, where its columns have others.

    Raises:
        InputError: It has no column of a told name, or is of a later version of the form.
    """
    values = dict(row.values)
    check_version(values.pop(VERSION_KEY, VERSION), row.where)
    for name in SETTINGS:
        told = settings.get(name)
        if told is None or told == name:
            continue
        if told not in values:
            raise InputError(row.where, f"there is no column {told}", f"It has {', '.join(values) or 'none'}.")
        values[name] = values.pop(told)
    return values


def check_version(version: object, where: str | Path) -> None:
    """Refuses a file of a form that is not known yet.

    Raises:
        InputError: Its number is another one.
    """
    if version is True or version != VERSION:
        raise InputError(
            str(where),
            f"{VERSION_KEY} is {version!r}; this Foveate reads {VERSION}",
            "Update Foveate, or write the file again.",
        )
