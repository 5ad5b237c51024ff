"""The target regions of what is analysed, one mask a row of the columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from foveate.analysis.columns import Columns
from foveate.core.boxes import SizeHW
from foveate.core.rle import Rle, merge
from foveate.core.truths import Truth
from foveate.datasets._open import Dataset
from foveate.errors import InputError, some


def target_region(truth: Truth, size_hw: SizeHW) -> Rle:
    """Returns the union of a sample's targets; it has at least one."""
    rles = [target.shape.rle(size_hw) for target in truth.targets]
    return rles[0] if len(rles) == 1 else merge(rles)


def answer_of(truth: Truth) -> str | None:
    """Returns the answer of the target, else the most common one (of equally many the first)."""
    named = next((target.answer for target in truth.targets if target.answer), None)
    return named or (Counter(truth.answers).most_common(1)[0][0] if truth.answers else None)


def size_of(columns: Columns, row: int) -> SizeHW:
    """Returns height and width of a row's photo."""
    height, width = columns.size_hw[row].tolist()
    return height, width


def target_regions(data: Dataset, columns: Columns) -> Iterator[tuple[int, Rle]]:
    """Yields each row of the columns with its region, in the order of the data set's truths.

    Raises:
        InputError: A row has no target any more, so that what is made of the rest would not be of what was analysed.
    """
    if not len(columns):
        return  # There may be no truths to read at all.
    rows = {name: row for row, name in enumerate(columns.ids)}
    for truth in data.truths():
        if truth.id in rows and truth.targets:
            row = rows.pop(truth.id)
            yield row, target_region(truth, size_of(columns, row))
    if rows:
        problem = f"its files have changed while they were analysed; without a target now: {some(list(rows))}"
        raise InputError(data.name, problem, "Run it again.")
