"""Tables from files: CSV and JSONL as rows of text with their line numbers.

A row keeps its line so that every later error can name it. Values stay as they are written; the reader of each form
gives them their types with pydantic and this module turns pydantic's complaint into one sentence.
"""

from __future__ import annotations

import csv
import json
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from foveate.errors import InputError, some
from foveate.formats._other_kinds import foreign_columns, refuse_other_kind

if TYPE_CHECKING:
    from pydantic import BaseModel

M = TypeVar("M", bound="BaseModel")
_JSONL = {".jsonl", ".ndjson"}
# So many characters before a faulty one are shown.
_NEAR = 24
OnInvalid = Callable[[InputError], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its values by column, and where it stands."""

    values: Mapping[str, Any]
    where: str


def refuse(error: InputError) -> None:
    """Raises the error: what readers do with an invalid row unless the user said `--skip-invalid`."""
    raise error


def read_rows(
    path: Path, required: Sequence[str], on_invalid: OnInvalid = refuse, optional: Sequence[str] = ()
) -> Iterator[Row]:
    """Yields the rows of a CSV (`.csv`) or JSON-lines (`.jsonl`) file.

    Args:
        path: The file, UTF-8, with or without a byte order mark.
        required: The columns that must be there.
        on_invalid: Called with the error of a row that is not of the table's form; that row is then passed over.
        optional: Columns that are understood if they are there; a near spelling of one is refused, lest it be lost.

    Raises:
        InputError: The file is missing, empty, not UTF-8 or not of its form, or lacks a required column.
    """
    if path.suffix.lower() in _JSONL:
        return _jsonl_rows(path, required, on_invalid, (*required, *optional))
    return _csv_rows(path, required, on_invalid, (*required, *optional))


def read_objects(path: Path, on_invalid: OnInvalid = refuse) -> Iterator[Row]:
    """Yields the rows of a JSON-lines file, whatever it is called.

    Raises:
        InputError: As of `read_rows`.
    """
    return _jsonl_rows(path, (), on_invalid, ())


def columns(path: Path) -> tuple[str, ...]:
    """Returns the column names of a table, each once: a CSV's header, or every key of a JSONL file's objects.

    Raises:
        InputError: The file is missing, empty, or not of its form.
    """
    if path.suffix.lower() in _JSONL:
        return tuple(dict.fromkeys(key for row in read_rows(path, (), lambda _: None) for key in row.values))
    with _opened(path) as file:
        return tuple(dict.fromkeys(_header(csv.reader(_decoded(file, path), strict=True), path, ())))


def refuse_repeated(sample: str, where: str, seen: dict[str, str]) -> None:
    """Notes where a sample stands.

    Raises:
        InputError: It stood somewhere before.
    """
    if sample in seen:
        raise InputError(
            f"{where}, {sample}",
            f"it is here a second time, first {seen[sample]}",
            "Keep one row for it, or pass --skip-invalid to keep the first.",
            expected="one row",
            got=f"{where.rpartition(', ')[2]} and {seen[sample]}",
        )
    seen[sample] = where.rpartition(", ")[2]


def refuse_endless(path: Path) -> None:
    """Refuses a pipe or a device, which would be waited for.

    Raises:
        InputError: There is one.
    """
    with suppress(OSError, ValueError):  # Whoever then opens the path tells these.
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise InputError(
                str(path), "it is no ordinary file, and reading it might never end", "Save what it gives as a file."
            )


def json_value(text: str | bytes, where: str, remedy: str) -> Any:
    """Returns the value of a JSON text in which no key is lost.

    `NaN` and `Infinity`, which Python reads, come through as numbers that are not finite; forms refuse them by name.

    Raises:
        InputError: It is not valid JSON, a key appears twice, or a text is none.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode(json.detect_encoding(text), "surrogatepass")
        values = json.loads(text, object_pairs_hook=_single_keys)
        if not text.isascii() or "\\u" in text:
            # A lone half of a character pair (\\ud800) is valid JSON but no text.
            json.dumps(values, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        near = error.object[max(error.start - _NEAR, 0) : error.start + 1]
        raise InputError(where, f"this is not valid JSON (half a character at the end of {near!r})", remedy) from error
    except (ValueError, RecursionError) as error:
        raise InputError(where, f"this is not valid JSON ({error})", remedy) from error
    return values


def json_file(path: Path, remedy: str) -> Any:
    """Returns the value of a JSON file in which no key is lost.

    Args:
        path: The file.
        remedy: What to do where it is not valid.

    Raises:
        InputError: It cannot be read, or is not valid JSON.
    """
    refuse_endless(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            str(path), f"it cannot be read ({error.strerror})", "Look at the name and the folder."
        ) from error
    return json_value(data, str(path), remedy)


def typed(row: Row, form: type[M], remedy: str = "Fix the row, or pass --skip-invalid.") -> M:
    """Returns the row as a pydantic model.

    Args:
        row: Its values, and where they stand.
        form: The model.
        remedy: What to do where a value does not fit.

    Raises:
        InputError: A value does not fit; the sentence names row, column and value.
    """
    from pydantic import ValidationError

    try:
        return form.model_validate(row.values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(row.where, _complaint(place, first), remedy, **_details(place, first)) from error


def typed_once(
    rows: Iterable[Row],
    form: type[M],
    key: Callable[[M], str],
    on_invalid: OnInvalid = refuse,
    remedy: str = "Fix the row, or pass --skip-invalid.",
) -> Iterator[tuple[M, Row]]:
    """Yields each row as a pydantic model, with the row it was read from; what its key names stands in the file once.

    Raises:
        InputError: `on_invalid` raises for a row (the default).
    """
    seen: dict[str, str] = {}
    for row in rows:
        try:
            parsed = typed(row, form, remedy)
            refuse_repeated(key(parsed), row.where, seen)
        except InputError as error:
            on_invalid(error)
            continue
        yield parsed, row


def _complaint(place: str, first: Mapping[str, Any]) -> str:
    if first["type"] == "missing":
        return f"{place} is missing"
    text = _wanted(first)
    return f"{place} is {_cut(first['input'])}; {text}" if place else text


def _wanted(first: Mapping[str, Any]) -> str:
    text: str = first["msg"].removeprefix("Value error, ")
    return text[0].lower() + text[1:]


def _cut(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _details(place: str, first: Mapping[str, Any]) -> dict[str, str]:
    if not place:
        return {}
    lacking = first["type"] == "missing"
    return {
        "field": place,
        "expected": "a value" if lacking else _wanted(first),
        "got": "" if lacking else _cut(first["input"]),
    }


def _csv_rows(path: Path, required: Sequence[str], on_invalid: OnInvalid, known: Sequence[str]) -> Iterator[Row]:
    with _opened(path) as file:
        refuse_other_kind(path)
        reader = csv.reader(_decoded(file, path), strict=True)
        header = _header(reader, path, required)
        _check_spelling(f"{path}, line 1", "column", header, known)
        _check_header(path, header, required)
        while (record := _next_record(reader, path)) is not None:
            where = f"{path}, line {reader.line_num}"
            record = _without_blank_end(record, len(header))
            if len(record) == len(header):
                yield Row(dict(zip(header, record, strict=True)), where)
            elif record:
                on_invalid(_wrong_length(record, header, where))


def _header(reader: Any, path: Path, required: Sequence[str]) -> list[str]:
    header = _next_record(reader, path)
    if header is None:
        raise InputError(str(path), "the file is empty", f"The first line must name the columns: {_list(required)}.")
    return _without_blank_end(header, 0)


def _without_blank_end(record: list[str], least: int) -> list[str]:
    """Returns a line without the empty cells at its end, which spreadsheets leave there, down to so many cells."""
    length = len(record)
    while length > least and not record[length - 1]:
        length -= 1
    return record[:length] if length < len(record) else record


def _opened(path: Path) -> TextIO:
    refuse_endless(path)
    try:
        return path.open(encoding="utf-8-sig", newline="")
    except OSError as error:
        what = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror or str(error)
        what = "it is a folder" if isinstance(error, IsADirectoryError) else what
        raise InputError(str(path), what, "Give a CSV or JSONL file that can be read.") from error


def _next_record(reader: Any, path: Path) -> list[str] | None:
    try:
        return next(reader, None)
    except csv.Error as error:
        raise InputError(
            f"{path}, line {reader.line_num}",
            f"this is not valid CSV ({error})",
            "Look at the quotes on this line, and for a value that never ends.",
        ) from error


def _decoded(file: Any, path: Path) -> Iterator[str]:
    try:
        yield from file
    except UnicodeDecodeError as error:
        raise InputError(str(path), f"the file is not UTF-8 text ({error.reason})", "Save it as UTF-8.") from error


def _check_spelling(where: str, what: str, names: list[str], known: Sequence[str]) -> None:
    for name in names:
        meant = name.strip().lower()
        if name not in known and meant in known:
            raise InputError(where, f"the {what} {meant} is spelt {name!r}", f"Write it as {meant}, without spaces.")


def _lacking(missing: list[str]) -> str:
    return f"the column {missing[0]} is missing" if len(missing) == 1 else f"the columns {some(missing, 9)} are missing"


def _check_header(path: Path, header: list[str], required: Sequence[str]) -> None:
    where = f"{path}, line 1"
    missing = [name for name in required if name not in header]
    if len(header) == 1 and any(mark in header[0] for mark in ";\t|"):
        raise InputError(
            where,
            "the columns are not separated by commas",
            "Save the table with commas as separators.",
            expected=", ".join(required),
            got=header[0][:80],
        )
    if missing:
        raise InputError(
            where,
            f"{_lacking(missing)}; the file has {some(header, 12) if any(header) else 'none'}",
            f"The first line must name the columns: {_list(required)}.{foreign_columns(header, missing)}",
            field=", ".join(missing),
            expected=", ".join(required),
            got=some(header, 12),
        )
    double = sorted({name for name in header if header.count(name) > 1})
    if double:
        what = f"the column {some(double)}" if all(name.strip() for name in double) else "a column without a name"
        raise InputError(where, f"{what} appears twice", "Give each column a name of its own.")


def _wrong_length(record: list[str], header: list[str], where: str) -> InputError:
    return InputError(
        where,
        f"the row has {len(record)} values, the header names {len(header)} columns",
        "Fix the row (a comma inside a value needs quotes around the value), or pass --skip-invalid.",
        expected=f"{len(header)} values",
        got=f"{len(record)} values",
    )


def _jsonl_rows(path: Path, required: Sequence[str], on_invalid: OnInvalid, known: Sequence[str]) -> Iterator[Row]:
    empty = True
    with _opened(path) as file:
        for number, line in enumerate(_decoded(file, path), start=1):
            if not line.strip():
                continue
            empty = False
            where = f"{path}, line {number}"
            try:
                values = _json_object(line, where)
                _check_spelling(where, "key", list(values), known)
                _check_keys(values, where, required)
            except InputError as error:
                on_invalid(error)
                continue
            yield Row(values, where)
    if empty:
        needs = f" with {_list(required)}" if required else ""
        raise InputError(str(path), "the file is empty", f"Each line must be an object{needs}.")


def _json_object(line: str, where: str) -> dict[str, Any]:
    values = json_value(line, where, "Write one JSON object a line.")
    if not isinstance(values, dict):
        raise InputError(where, f"this is a JSON {type(values).__name__}, not an object", "Write one object a line.")
    return values


def _check_keys(values: Mapping[str, Any], where: str, required: Sequence[str]) -> None:
    missing = [name for name in required if name not in values]
    if missing:
        raise InputError(where, f"the key {some(missing, 9)} is missing", f"Each line needs: {_list(required)}.")


def _single_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {twice} appears twice")
    return values


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "(any)"
