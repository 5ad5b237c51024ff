"""Rows of a table as samples, ids made or checked, faults counted; shared by JSON lines, CSV, Parquet, `datasets`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from foveate.errors import InputError
from foveate.formats._numbered import id_maker
from foveate.formats._sample_forms import Reading, Sample
from foveate.formats._sample_objects import VERSION, VERSION_KEY, sample_of
from foveate.formats._seen import Seen
from foveate.formats.tables import Row

# Names of the columns of other people's tables, by what they are here.
SETTINGS = ("image", "question", "answer", "id")


def samples_of_rows(
    rows: Iterable[tuple[int, Row]], images: Callable[[], Iterable[str]], reading: Reading, what: str = "line"
) -> Iterator[Sample]:
    """Yields the samples of rows.

    Args:
        rows: Each with its number.
        images: Yields the photo of every row, for the ids of rows that have none.
        reading: What to do with rows that cannot be taken.
        what: What the numbers count.
    """
    made, seen = id_maker(images), Seen()
    for number, row in rows:
        try:
            values = named(row, reading.settings)
            has_id = values.get("id") is not None
            sample = sample_of(values, row.where, reading, "" if has_id else made(str(values.get("image"))))
            seen.note(sample.query.id, number, row.where, what)
        except InputError as error:
            reading.on_invalid(error)
            continue
        yield sample


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
