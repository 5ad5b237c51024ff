"""The rows of a split, looked over: the official file, counts, broken rows, targets, joins, repeated questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from foveate.core.queries import Query
from foveate.datasets._findings import Finding, first_of
from foveate.datasets._open import Dataset
from foveate.datasets._options import AbsentError, HiddenError
from foveate.errors import FoveateError, InputError, UnavailableError, shown
from foveate.sources.folders import first_different

_AGAIN = "Take the official file again; --skip-invalid passes over such rows and counts them."
_MEND = "Correct what is named above; other commands pass over such rows with --skip-invalid."


@dataclass(frozen=True)
class Rows:
    """What was read of a split.

    Attributes:
        queries: Those that could be read.
        invalid: The errors of the rows that could not.
        stopped: Why the reading ended early, or None.
    """

    queries: list[Query]
    invalid: list[str] = field(default_factory=list)
    stopped: FoveateError | None = None


def read_rows_of(data: Dataset) -> Rows:
    """Returns the queries of a split, as far as they can be read."""
    queries: list[Query] = []
    stopped: FoveateError | None = None
    try:
        queries.extend(data.queries())
    except (InputError, UnavailableError) as error:
        stopped = error
    return Rows(queries, list(data.skipped), stopped)


def file_findings(split: str, files: Iterable[Sequence[Path]], rows: Rows) -> Iterator[Finding]:
    """Yields what is to say of official files, each with its copies; the first of them is the one that is read."""
    for found in files:
        if rows.stopped is None or not rows.stopped.where.startswith(str(found[0])):
            yield Finding(split, "fine", f"the file {shown(str(found[0]))}", n=1)
        if len(found) > 1:
            yield from _copies(split, found)


def row_findings(data: Dataset, rows: Rows) -> Iterator[Finding]:
    """Yields what is to say of a split's rows."""
    if rows.stopped:
        yield _stop(data, rows.stopped)
    if rows.invalid:
        what = "rows cannot be taken"
        # What is the user's own has no official file.
        remedy = _AGAIN if data.card.homepage else _MEND
        yield Finding(data.split, "broken", what, remedy, len(rows.invalid), first_of(rows.invalid))
    if rows.queries or not rows.stopped:
        yield _count(data.split, len(rows.queries), len(rows.invalid), data.card.splits[data.split])
    yield from _repeated(data.split, rows.queries)


def truth_findings(data: Dataset, rows: Rows) -> Iterator[Finding]:
    """Yields what is to say of answers and targets, and what the reader remarks of them."""
    ids: list[str] = []
    bare: list[str] = []
    try:
        for truth in data.truths():
            ids.append(truth.id)
            if not truth.targets:
                bare.append(truth.id)
    except HiddenError as error:
        yield Finding(data.split, "note", shown(f"no targets: {error.fault.removesuffix('.')}"), error.remedy)
        return
    except (InputError, UnavailableError) as error:
        yield _stop(data, error)
        return
    yield from _disagreements(data.split, [query.id for query in rows.queries], ids)
    if data.card.evaluate_as != "answer":
        yield Finding(data.split, "fine", f"targets of {len(ids) - len(bare):,} samples", n=len(ids) - len(bare))
        if bare:
            what = "samples have no target: nothing to ground, and outside the mean IoU"
            yield Finding(data.split, "note", what, n=len(bare), examples=first_of(bare))
    for remark in data.remarks:
        yield Finding(data.split, "join", shown(remark))


def _copies(split: str, found: Sequence[Path]) -> Iterator[Finding]:
    others = found[1:]
    try:
        differs = [path for path in others if first_different([found[0], path])]
    except InputError as error:
        yield Finding(split, "broken", shown(error.fault.removesuffix(".")), error.remedy, 1)
        return
    what = f"further files are called {found[0].name} and are not read; {len(differs):,} of them differ from the one"
    remedy = "Make sure that the right one is read, and move the others away." if differs else ""
    yield Finding(split, "extra", what, remedy, len(others), first_of(map(str, differs or others)))


def _stop(data: Dataset, error: FoveateError) -> Finding:
    remedy = error.remedy
    if isinstance(error, AbsentError) and remedy.startswith("Give with --root") and data.card.homepage:
        remedy = f"Get it from {data.card.homepage}. {remedy}"
    absent = isinstance(error, AbsentError | UnavailableError)
    what = shown(error.fault.removesuffix("."))
    return Finding(data.split, "missing" if absent else "broken", what, remedy, 1)


def _count(split: str, n: int, invalid: int, stated: int | None) -> Finding:
    read = f"{n:,} samples read" + (f", {invalid:,} rows not" if invalid else "")
    if stated is None:
        if n:
            return Finding(split, "fine", f"{read}; the publisher states no number", n=n)
        return Finding(split, "count", "there is no sample at all", "Look at the file.")
    if n == stated:
        return Finding(split, "fine", f"{read}, as many as the publisher states", n=n)
    if n + invalid == stated:
        return Finding(split, "count", f"{read}, of {stated:,} that the publisher states", _AGAIN, stated - n)
    if n < stated:
        what = f"{read}, of {stated:,} that the publisher states: a part, {100 * n / stated:.1f} %"
        return Finding(split, "count", what, "What is scored on a part is no score on the split.", stated - n)
    what = f"{read}, and the publisher states {stated:,}: {n - stated:,} too many"
    return Finding(split, "count", what, "Make sure that it is the official file.", n - stated)


def _repeated(split: str, queries: list[Query]) -> Iterator[Finding]:
    asked = Counter((query.image_name, " ".join(query.question.casefold().split())) for query in queries)
    twice = [f"{name}: {question}" for (name, question), n in asked.items() if n > 1]
    if twice:
        what = "questions are asked more than once of the same photo"
        yield Finding(split, "note", what, "Count them as one where answers are counted.", len(twice), first_of(twice))


def _disagreements(split: str, asked: list[str], known: list[str]) -> Iterator[Finding]:
    for what, names in (
        ("queries have no truth", sorted(set(asked) - set(known))),
        ("truths have no query", sorted(set(known) - set(asked))),
        ("ids of queries are there more than once", [name for name, n in Counter(asked).items() if n > 1]),
    ):
        if names:
            remedy = "The reader of this data set or its files are at fault; both sides must have the same ids."
            yield Finding(split, "broken", what, remedy, len(names), first_of(names))
