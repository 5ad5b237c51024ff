"""What reviewers say: lists for them to fill in, and the filled lists read back."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from foveate.curation._rounds import REVIEWERS, ROUNDS
from foveate.errors import InputError, UsageError, some
from foveate.formats.csv_cells import plain_text, safe_text
from foveate.formats.tables import OnInvalid, Row, read_rows, refuse, refuse_repeated

COLUMNS = ("id", "image", "question", "answer", "reason", "flag", "note")
_WORDS = {"yes": True, "no": False}
_SKIP = ", or pass --skip-invalid to go on with what is filled in."


@dataclass(frozen=True, slots=True)
class Mark:
    """What one reviewer says of one sample."""

    flag: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """One filled list.

    Attributes:
        round: The name of the round.
        reviewer: Who filled it in, as the file's name says.
        path: The file.
        marks: By the id of the sample.
        skipped: The faults of the rows passed over.
        gone: How many rows are about samples that had been removed before this round.
    """

    round: str
    reviewer: str
    path: Path
    marks: Mapping[str, Mark]
    skipped: Sequence[str] = ()
    gone: int = 0


@dataclass
class _Reading:
    """What stands in the rows read so far."""

    marks: dict[str, Mark] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)
    empty: list[tuple[str, str]] = field(default_factory=list)
    gone: int = 0


def review_csv(rows: Iterable[Sequence[str]], marks: Mapping[str, Mark] | None = None) -> str:
    """Returns a list to be filled in, or one that is; rows hold id, image, question, answer and reason.

    What a spreadsheet would run as a formula gets an apostrophe before it.

    Args:
        rows: The samples, in the order of the list.
        marks: What is filled in already, by the id of the sample.
    """
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([*map(safe_text, row), *_filled((marks or {}).get(row[0]))] for row in rows)
    return table.getvalue()


def _filled(mark: Mark | None) -> tuple[str, str]:
    if mark is None:
        return "", ""
    return "yes" if mark.flag else "no", safe_text(mark.note)


def is_filled(path: Path) -> bool:
    """Returns whether a reviewer wrote anything into a list; what cannot be read counts as filled."""
    try:
        rows = list(read_rows(path, ("flag", "note")))
    except InputError:
        return True
    return any(row.values["flag"].strip() or row.values["note"].strip() for row in rows)


def place_of(path: Path) -> tuple[str, str]:
    """Returns round and reviewer of a list, from its name.

    Raises:
        UsageError: The name does not tell them.
    """
    names = "|".join(one.name for one in ROUNDS)
    found = re.fullmatch(rf"({names})\.([^.]+)\.csv", path.name)
    if not found:
        first = ROUNDS[0].name
        raise UsageError(
            str(path),
            "its name does not tell which round it belongs to, and whose it is",
            f"Call it ROUND.REVIEWER.csv, like {first}.reviewer1.csv; rounds: {', '.join(one.name for one in ROUNDS)}.",
        )
    return found[1], found[2]


def check_places(paths: Sequence[Path]) -> None:
    """Refuses lists that cannot belong together, before any is read.

    Raises:
        UsageError: A name does not tell round and reviewer, two lists are of one reviewer, or a round has three.
    """
    places: dict[str, dict[str, Path]] = {}
    for path in paths:
        name, reviewer = place_of(path)
        there = places.setdefault(name, {})
        if reviewer in there:
            raise UsageError(
                str(path), f"{there[reviewer]} is of the same round and reviewer", "Give one list a reviewer."
            )
        there[reviewer] = path
        if len(there) > len(REVIEWERS):
            raise UsageError(
                str(path), f"it is list {len(there)} of the round {name}, two belong to one", "Leave one out."
            )


def read_review(path: Path, known: Iterable[str], expected: Sequence[str], on_invalid: OnInvalid = refuse) -> Review:
    """Returns a filled list.

    Args:
        path: The file, called `ROUND.REVIEWER.csv`.
        known: The ids of all samples of the data set.
        expected: The ids of those that the round looks at.
        on_invalid: Called with the error of a row that cannot be taken, and of rows that are not there.

    Raises:
        InputError: A row is not filled in, holds another word than yes or no, is about no known sample or about one
            twice; or samples have no row.
    """
    name, reviewer = place_of(path)
    skipped: list[str] = []

    def report(error: InputError) -> None:
        on_invalid(error)
        skipped.append(error.fault)

    reading = _Reading()
    ids = _by_written(known)
    wanted = set(expected)
    for row in read_rows(path, ("id", "flag"), report, COLUMNS):
        if not any(str(value).strip() for value in row.values.values()):
            continue  # A line that a spreadsheet left blank.
        try:
            _take(row, ids, wanted, reading)
        except InputError as error:
            report(error)
    _check_whole(path, [sample for sample in expected if sample not in reading.seen], reading.empty, report)
    return Review(name, reviewer, path, reading.marks, skipped, reading.gone)


def _take(row: Row, ids: Mapping[str, str], wanted: set[str], reading: _Reading) -> None:
    written, word = str(row.values["id"]).strip(), str(row.values["flag"]).strip()
    sample = ids.get(written)
    if sample is None:
        raise InputError(
            f"{row.where}, {written}", "the data set has no such id", "Keep the ids of the list as they were" + _SKIP
        )
    refuse_repeated(sample, row.where, reading.seen)
    if word and word.lower() not in _WORDS:
        raise InputError(f"{row.where}, {written}", f"the flag is {word!r}", "Write yes or no" + _SKIP)
    if sample not in wanted:
        reading.gone += 1
    elif word:
        reading.marks[sample] = Mark(_WORDS[word.lower()], plain_text(str(row.values.get("note") or "").strip()))
    else:
        reading.empty.append((row.where, written))


def _check_whole(
    path: Path, absent: list[str], empty: list[tuple[str, str]], report: Callable[[InputError], None]
) -> None:
    if empty:
        where, first = empty[0]
        more = f", and {len(empty) - 1:,} more are" if len(empty) > 1 else ""
        report(InputError(f"{where}, {first}", f"the flag is empty{more}", "Write yes or no" + _SKIP))
    if absent:
        what = f"{len(absent):,} samples of the round have no row: {some(absent)}"
        report(InputError(str(path), what, "Take the whole list" + _SKIP))


def _by_written(ids: Iterable[str]) -> dict[str, str]:
    """Returns each id by itself and as it is written in a list; a spreadsheet may hide the apostrophe, or keep it."""
    ids = list(ids)
    return {sample.strip(): sample for sample in ids} | {safe_text(sample).strip(): sample for sample in ids}
