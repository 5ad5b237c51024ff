"""A board as CSV and as JSON: what the page shows, for spreadsheets and programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from foveate.app.challenges.services import board as boards
from foveate.app.challenges.services.board import Board, Compared, Told
from foveate.challenges.disclosure import Shown
from foveate.formats.csv_cells import safe_cell

_FIRST = ("place", "team", "status", "entry", "entries", "sent_at", "method", "links")


def as_json(board: Board, start: int = 0, stop: int | None = None) -> dict[str, Any]:
    """Returns a board, or some of its rows; values are in the metric's own unit (a share of 1).

    Args:
        board: The board.
        start: The first of its rows.
        stop: Behind the last; None for all.
    """
    return {
        "challenge": board.challenge.slug,
        "phase": board.phase.name,
        "shown": board.how,
        "main": board.defined.main,
        "metrics": list(board.metrics),
        "ties": board.defined.ties,
        "counts": board.defined.counts,
        "n": len(board.rows),
        "rows": [row_of(one) for one in boards.told(board, board.rows[start:stop])],
        "after_end": [row_of(one) for one in boards.told(board, board.after_end[start:stop], after_end=True)],
        "references": [_reference(one) for one in boards.compared(board)],
    }


def row_of(one: Told) -> dict[str, Any]:
    """Returns a row as plain values."""
    row = one.row
    return {
        "place": row.place,
        "shared": row.shared,
        "team": row.name,
        "team_number": row.team,
        "status": row.status,
        "entry": row.number,
        "entries": row.entries,
        "sent_at": _moment(row.sent_at),
        "method": row.method,
        "links": list(one.links),
        "metrics": {name: value.as_dict() for name, value in one.shown.metrics.items()},
    }


def as_csv(board: Board) -> str:
    """Returns a board as CSV: what a spreadsheet would take for a formula gets an apostrophe; times are in UTC."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    ends = [f"{name}{end}" for name in board.metrics for end in ("", "_low", "_high")]
    writer.writerow([*_FIRST, *ends])
    for cells in _rows(board):
        writer.writerow([safe_cell(cell) for cell in cells])
    return out.getvalue()


def _rows(board: Board) -> Iterator[Sequence[Any]]:
    for late, rows in ((False, board.rows), (True, board.after_end)):
        for one in boards.told(board, rows, after_end=late):
            row = one.row
            status = "after_end" if late and row.status == "ranked" else row.status
            sent = _moment(row.sent_at)
            first = (row.place, row.name, status, row.number, row.entries, sent, row.method, " ".join(one.links))
            yield [*first, *_values(one.shown, board.metrics)]
    for reference in boards.compared(board):
        about = (None, reference.name, "reference", None, None, None, None, reference.source)
        yield [*about, *_values(reference.shown, board.metrics)]


def _values(shown: Shown, metrics: Sequence[str]) -> list[float | None]:
    found = [shown.metrics.get(name) for name in metrics]
    return [end for one in found for end in ((one.value, one.low, one.high) if one is not None else (None, None, None))]


def _reference(one: Compared) -> Mapping[str, Any]:
    metrics = {name: value.as_dict() for name, value in one.shown.metrics.items()}
    return {"name": one.name, "source": one.source, "published": one.published, "metrics": metrics}


def _moment(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat() if at is not None else None
