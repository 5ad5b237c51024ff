"""All samples as compact rows, for the page's script to sort, filter and leaf through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foveate.reports._text import plain
from foveate.reports.rows import STATES, Row, Said

# A page with more rows than these is slow to open; those of the highest IoU are left out first.
MOST_ROWS = 20_000
# Rows that stand in the page itself, for a reader without JavaScript.
FIRST_ROWS = 50


@dataclass(frozen=True)
class Listing:
    """Rows that are in the page.

    Attributes:
        numbers: Their numbers among all samples, in order.
        total: How many samples there are.
    """

    numbers: Sequence[int]
    total: int


def listed(rows: Sequence[Row], shown: Sequence[int]) -> Listing:
    """Returns which rows are in the page: all, or those that are shown and then those of the lowest IoU."""
    if len(rows) <= MOST_ROWS:
        return Listing(range(len(rows)), len(rows))
    kept = set(shown)
    for number in sorted(range(len(rows)), key=lambda n: rows[n].least):
        if len(kept) >= MOST_ROWS:
            break
        kept.add(number)
    return Listing(sorted(kept), len(rows))


def payload(rows: Sequence[Row], listing: Listing, names: Sequence[str], shown: Sequence[int]) -> Mapping[str, Any]:
    """Returns what the page's script reads.

    A row is `[number, id, question, coverage, answers, …]` and for each run `state, IoU, score, answer, correct`; a
    value that there is not is null, a state is its place in `states`.
    """
    return {
        "states": STATES,
        "runs": [plain(name) for name in names],
        "total": listing.total,
        "cards": list(shown),
        "rows": [_row(number, rows[number]) for number in listing.numbers],
    }


def _row(number: int, row: Row) -> list[Any]:
    answers = [plain(answer) for answer, _ in row.answers]
    values: list[Any] = [number, plain(row.truth.id), plain(row.question), _rounded(row.coverage), answers]
    for said in row.said:
        values += _said(said)
    return values


def _said(said: Said) -> list[Any]:
    correct = None if said.correct is None else int(said.correct)
    answer = None if said.answer is None else plain(said.answer)
    return [STATES.index(said.state), _rounded(said.iou), _rounded(said.score), answer, correct]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
