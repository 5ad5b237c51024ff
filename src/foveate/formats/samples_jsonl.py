"""Samples as JSON lines: one object a sample, without loss (design/canonical-form.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from foveate.errors import InputError
from foveate.formats._rows import samples_of_rows
from foveate.formats._sample_forms import FIX, Form, Reading, Sample
from foveate.formats._sample_objects import PIXELS, VERSION, VERSION_KEY, SampleObject, sample_object
from foveate.formats.tables import OnInvalid, Row, read_rows

_KNOWN = (*SampleObject.model_fields, *PIXELS, "answer", VERSION_KEY)


def read(path: Path, reading: Reading) -> Iterator[Sample]:
    """Yields the samples of a file, one line at a time.

    Raises:
        InputError: The file is missing, empty or not UTF-8, or a line cannot be taken (unless `on_invalid` returns).
    """
    return samples_of_rows(_rows(path, reading.on_invalid), lambda _: _rows(path, lambda _: None), reading)


def write(samples: Iterable[Sample], path: Path) -> int:
    """Writes a line a sample; returns how many.

    Raises:
        InputError: A text or number of a sample cannot be written as JSON.
    """
    count = 0
    with path.open("wb") as file:
        for sample in samples:
            file.write(line(sample))
            count += 1
    return count


def line(sample: Sample) -> bytes:
    """Returns the line of a sample, with its line feed.

    Raises:
        InputError: A text or number of it cannot be written as JSON.
    """
    values = {VERSION_KEY: VERSION, **sample_object(sample)}
    try:
        return (json.dumps(values, ensure_ascii=False, allow_nan=False) + "\n").encode()
    except ValueError as error:
        raise InputError(sample.query.id, f"it cannot be written as JSON ({error})", FIX) from error


def _rows(path: Path, on_invalid: OnInvalid) -> Iterator[Row]:
    return read_rows(path, (), on_invalid, _KNOWN)


FORM = Form("jsonl", "JSON lines", read, write, suffixes=(".jsonl", ".ndjson"))
