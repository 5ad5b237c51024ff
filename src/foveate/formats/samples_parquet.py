"""Samples as Parquet: the canonical form in columns, and other people's tables with photos in them.

A file is read a batch at a time and a photo's bytes only when they are asked for, so that neither a million rows nor
a hundred gigabytes of photos need be in memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from foveate.errors import InputError, reason_of
from foveate.formats._optional import needed
from foveate.formats._places import is_folder, stamp, with_suffix
from foveate.formats._rows import check_version, samples_of_rows
from foveate.formats._sample_forms import FIX, EmbeddedPhoto, Form, Reading, Sample
from foveate.formats._sample_objects import PHOTO, VERSION, VERSION_KEY, facts_text, sample_object
from foveate.formats._table_values import plain_row, unnamed
from foveate.formats.tables import Row, refuse_endless

# Rows of one group: what a reader holds at a time.
GROUP = 4_096


def read(path: Path, reading: Reading) -> Iterator[Sample]:
    """Yields the samples of a file, or of all Parquet files of a folder in the order of their names.

    Raises:
        InputError: A file is missing or none of Parquet, or a row cannot be taken (unless `on_invalid` returns).
        UnavailableError: pyarrow is not installed.
    """
    image = reading.settings.get("image", "image")
    files = with_suffix(reading.files(path), ".parquet") if is_folder(path) else [path]

    def rows(only: Set[str] | None) -> Iterator[Row]:
        return (row for file in files for row in _rows(file, image, only))

    return samples_of_rows(rows(None), rows, reading)


def write(samples: Iterable[Sample], path: Path) -> int:
    """Writes a row a sample, in compressed groups; returns how many.

    Raises:
        InputError: A text or number of a sample cannot be written.
        UnavailableError: pyarrow is not installed.
    """
    parquet = needed("pyarrow.parquet", "Parquet")
    form, count, rows = schema(), 0, iter(samples)
    with parquet.ParquetWriter(path, form, compression="zstd") as writer:
        while group := list(islice(rows, GROUP)):
            writer.write_table(table(group, form), row_group_size=GROUP)
            count += len(group)
    return count


def schema() -> Any:
    """Returns the columns of the canonical form, a `pyarrow.Schema` with the number of the form."""
    pa = needed("pyarrow", "Parquet")
    parts = pa.list_(pa.list_(pa.list_(pa.float64())))
    target = {
        "box": pa.list_(pa.float64()),
        "polygon": parts,
        "mask": pa.struct({"size": pa.list_(pa.int32()), "counts": pa.string()}),
        "soft_map": pa.struct(
            {
                "size": pa.list_(pa.int32()),
                "values": pa.string(),
                "affine": pa.list_(pa.float64()),
                "reading": pa.string(),
            }
        ),
        "answer": pa.string(),
        "annotator": pa.string(),
        "outline": parts,
    }
    columns = {
        "id": pa.string(),
        "image": pa.string(),
        "width": pa.int32(),
        "height": pa.int32(),
        "question": pa.string(),
        "given_answer": pa.string(),
        "answers": pa.list_(pa.string()),
        "answerable": pa.bool_(),
        "match": pa.string(),
        "polled": pa.bool_(),
        "facts": pa.string(),
        "targets": pa.list_(pa.struct(target)),
    }
    return pa.schema(columns, metadata={VERSION_KEY: str(VERSION)})


def table(samples: Iterable[Sample], form: Any) -> Any:
    """Returns samples as a `pyarrow.Table`.

    Raises:
        InputError: A text or number of them cannot be written.
    """
    pa = needed("pyarrow", "Parquet")
    rows = []
    for sample in samples:
        values = sample_object(sample)
        try:
            values["facts"] = facts_text(values["facts"])
            json.dumps(values, ensure_ascii=False).encode()  # Half a character is no text for Parquet either.
        except ValueError as error:
            raise InputError(sample.query.id, f"it cannot be written as Parquet ({error})", FIX) from error
        rows.append(values)
    try:
        return pa.Table.from_pylist(rows, schema=form)
    except (pa.ArrowInvalid, OverflowError) as error:
        raise InputError(rows[0]["id"], f"this group of rows does not fit Parquet ({error})", FIX) from error


def _rows(path: Path, image: str, only: Set[str] | None) -> Iterator[Row]:
    """Yields the rows of a file; of photos in it only the names are read."""
    file = _opened(path)
    with _told(path):
        yield from _rows_of(file, path, stamp(path), image, only)


def _rows_of(file: Any, path: Path, read: tuple[int, int], image: str, only: Set[str] | None) -> Iterator[Row]:
    names = [str(name) for name in file.schema_arrow.names if only is None or name in only]
    embedded = image in names and str(file.schema_arrow.field(image).type).startswith("struct")
    columns = [f"{name}.path" if embedded and name == image else name for name in names]
    number = 0
    for group in range(file.num_row_groups):
        start = number
        for batch in file.iter_batches(batch_size=GROUP // 4, row_groups=[group], columns=columns):
            for values in batch.to_pylist():
                where = f"{path}, row {number + 1}"
                if embedded:
                    data = partial(_photo_bytes, path, read, image, group, number - start, where)
                    values = _with_photo(values, image, where, number + 1, data)
                number += 1
                yield Row(plain_row(values), where)


def _with_photo(
    values: dict[str, Any], image: str, where: str, number: int, read_bytes: Callable[[], bytes]
) -> dict[str, Any]:
    told = (values[image] or {}).get("path")
    name = Path(str(told)).name if told else unnamed(number)
    return {**values, image: name, PHOTO: EmbeddedPhoto(name, where, read_bytes)}


def _photo_bytes(path: Path, read: tuple[int, int], image: str, group: int, row: int, where: str) -> bytes:
    with _told(path):
        if stamp(path) != read:
            raise InputError(where, "the file has changed since this row was read", "Read it again.")
        data: bytes | None = _photos_of(path, read, group, image)[row].as_py()
    if not data:
        raise InputError(where, "the row has no photo in it", "Put the photos beside the file, or take it again.")
    return data


@lru_cache(maxsize=1)
def _photos_of(path: Path, _: tuple[int, int], group: int, image: str) -> Any:
    """Returns the photos of one row group of an unchanged file; they mostly are asked for one after the other."""
    return _opened(path).read_row_group(group, columns=[f"{image}.bytes"]).column(image).combine_chunks().field("bytes")


def _opened(path: Path) -> Any:
    parquet = needed("pyarrow.parquet", "Parquet")
    refuse_endless(path)
    with _told(path):
        file = parquet.ParquetFile(path)
        version = (file.schema_arrow.metadata or {}).get(VERSION_KEY.encode())
    if version is not None:
        check_version(int(version) if version.isdigit() else version.decode(errors="replace"), path)
    return file


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turns what the library says of a file that is cut off or damaged, wherever it comes upon it, into a sentence."""
    pa = needed("pyarrow", "Parquet")
    try:
        yield
    except (OSError, UnicodeDecodeError, pa.ArrowException) as error:
        why = reason_of(error)
        raise InputError(str(path), f"it is no Parquet file that can be read ({why})", "Take it again.") from error


FORM = Form("parquet", "Parquet", read, write, suffixes=(".parquet",))
